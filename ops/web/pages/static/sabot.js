/* Clocks that go on, a connection that is lost, what was typed, and keys. Everything else is HTML. */
"use strict";
(() => {
  const lost = document.getElementById("lost");
  const live = document.querySelector("[data-live]");
  const SILENT = 3000; // milliseconds without a sign of life
  const MENDS = 8000; // milliseconds in which a stream begins again once the house answers
  let heard = Date.now();
  let answers = 0; // since when the house answers, while the page hears nothing

  const two = (n) => String(n).padStart(2, "0");
  const clock = (at) => `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;

  const unit = (n, unit, minimumIntegerDigits = 1) =>
    n.toLocaleString(document.documentElement.lang, { style: "unit", unit, minimumIntegerDigits });

  /* Seconds since a moment, next to its name: the server sends the moment once. */
  const tick = () => {
    const now = Date.now();
    for (const each of document.querySelectorAll("time[data-since]")) {
      const seconds = Math.max(0, Math.round((now - Date.parse(each.dataset.since)) / 1000));
      const minutes = Math.floor(seconds / 60);
      each.textContent =
        minutes < 1 ? unit(seconds, "second")
          : minutes < 60 ? `${unit(minutes, "minute")} ${unit(seconds % 60, "second", 2)}`
            : `${unit(Math.floor(minutes / 60), "hour")} ${unit(minutes % 60, "minute", 2)}`;
    }
    for (const each of document.querySelectorAll("time[data-minutes]")) {
      each.textContent = Math.max(0, Math.floor((now - Date.parse(each.dataset.minutes)) / 60_000));
    }
    if (live && lost) {
      const silent = now - heard > SILENT && !document.hidden;
      if (silent && lost.hidden) {
        lost.textContent = `${lost.firstChild.textContent} ${lost.dataset.since} ${clock(new Date(heard))}.`;
      }
      if (silent === lost.hidden) {
        lost.hidden = !silent;
        document.body.classList.toggle("stale", silent);
        if (!silent) lost.textContent = words;
      }
      if (silent) ask(); else answers = 0;
    }
  };

  /* A stream that does not begin again, though the house answers: the page is loaded again. */
  const ask = async () => {
    const asked = heard;
    try {
      await fetch("/static/icon.svg", { cache: "no-store", signal: AbortSignal.timeout(SILENT) });
      answers ||= Date.now();
    } catch {
      answers = 0;
    }
    if (asked === heard && answers && Date.now() - answers > MENDS) location.reload();
  };
  const words = lost ? lost.textContent : "";
  const hear = () => { heard = Date.now(); tick(); };
  if (live) {
    for (const name of ["beat", "htmx:sse:after:message"]) live.addEventListener(name, hear);
    live.addEventListener("ended", () => {
      location.assign(`/sign-on?then=${encodeURIComponent(location.pathname + location.search)}`);
    });
    document.addEventListener("visibilitychange", () => { heard = Date.now(); });
  }
  document.addEventListener("htmx:after:swap", tick);
  setInterval(tick, 1000);
  tick();

  /* What goes on by itself is as new on paper as it is on the page. */
  if (live) {
    addEventListener("beforeprint", () => {
      const place = document.getElementById("printed");
      const form = { timeZone: place.dataset.zone, hourCycle: "h23", dateStyle: "short", timeStyle: "medium" };
      const parts = new Intl.DateTimeFormat("en-GB", form).formatToParts(new Date());
      const { year: y, month: m, day: d, hour, minute, second } =
        Object.fromEntries(parts.map((each) => [each.type, each.value]));
      const day = place.dataset.date.replace(/\{([ymd])(?::0(\d))?\}/g,
        (_, which, wide) => String(Number({ y, m, d }[which])).padStart(Number(wide ?? 1), "0"));
      place.textContent = `${day} ${hour}:${minute}:${second}`;
    });
  }

  /* What answers a form has the address at which one goes on: to load it again sends nothing again. */
  const { address, shownTo } = document.body.dataset;
  if (address) history.replaceState(null, "", address);

  /* Of several reports about one thing a telephone shows the first; the others are a touch away. */
  if (matchMedia("(max-width: 40rem)").matches) {
    const folded = [...document.querySelectorAll("details[data-folds]")].slice(1);
    for (const each of folded) each.open = location.hash === `#${each.querySelector("h2").id}`;
  }

  /* After a refusal, and on the way back from a signature, a form has again what was typed into it. */
  const kept = () => JSON.parse(sessionStorage.getItem("typed"));
  const keep = (typed) => sessionStorage.setItem("typed", JSON.stringify(typed));
  document.addEventListener("submit", ({ target: form }) => {
    if (form.getAttribute("method") !== "post") return;
    if (shownTo && form.closest(".alerts")) { // a list that is drawn for several at once
      const field = document.createElement("input");
      form.append(Object.assign(field, { type: "hidden", name: "shown-to", value: shownTo }));
    }
    const signs = form.querySelector("[type=password]");
    const fields = [...form.elements].filter((each) => each.name && each.type !== "hidden")
      .map((each) => [each.name, each.type === "checkbox" ? each.checked : each.value]);
    const typed = { page: location.pathname, to: form.getAttribute("action"), fields };
    keep({ ...(signs ? kept() : typed), undone: false });
  });
  const typed = kept();
  if (document.querySelector("[data-undone]")) {
    keep({ ...typed, undone: true });
  } else {
    sessionStorage.removeItem("typed");
    const form = typed?.undone && typed.page === location.pathname
      && document.querySelector(`form[action="${CSS.escape(typed.to)}"]`);
    for (const [name, value] of form ? typed.fields : []) {
      const field = form.elements[name];
      if (field?.type === "checkbox") field.checked = value; else if (field) field.value = value;
    }
  }

  /* Keys: `/` for the filter, arrows through what has data-previous and data-next. */
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea");
    if (event.key === "Escape" && typing) { typing.blur(); return; }
    if (typing || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    const key = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" }[event.key] || event.key;
    const target = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (!target) return;
    event.preventDefault();
    if (target.matches("input, select")) target.focus(); else target.click();
  });
})();
