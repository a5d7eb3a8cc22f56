/* A place at an electronic table: chips on the cloth. What is placed, only the house says. */
"use strict";
(() => {
  const play = document.getElementById("play");
  const by = (id) => document.getElementById(id);
  const words = play.dataset;
  const spots = [...document.querySelectorAll("[data-spot]")];
  const chips = [...document.querySelectorAll("[data-chip]")];
  const ASKED = `sabot-bet ${words.place}`; // what was sent and has no answer yet
  const SEEN = `sabot-seen ${words.place}`; // seals and cards of shoes, as they were shown here
  const HIGH = 8; // chips
  const AGAIN = 1000; // milliseconds before a bet without an answer is sent again
  const money = new Intl.NumberFormat(document.documentElement.lang, {
    minimumFractionDigits: Number(words.digits), maximumFractionDigits: Number(words.digits),
  });

  let house = { placed: {}, last: {}, phase: "", coup: "" }; // as the ledger has it
  let wanted = null; // what was clicked and is not placed yet; null: nothing
  let before = []; // the cloth before each click of this coup
  let asking = false;
  let chip = Number(chips[0] && chips[0].dataset.chip);
  let ahead = 0; // milliseconds by which the house's clock is ahead of this one

  const stored = (place, name) => { try { return JSON.parse(place.getItem(name)); } catch { return null; } };
  const store = (place, name, value) => {
    try {
      if (value === null) place.removeItem(name); else place.setItem(name, JSON.stringify(value));
    } catch { /* nothing can be stored: what is placed is in the ledger all the same */ }
  };
  const cloth = () => wanted || house.placed;
  const isOpen = () => house.phase === "betting" && !house.stopped;
  const say = (text, kind = "") => { by("said").textContent = text; by("said").className = `reply ${kind}`; };

  /* Drawing. */
  const draw = () => {
    for (const spot of spots) {
      const lies = cloth()[spot.dataset.spot] || 0;
      const on = by(`on-${spot.dataset.spot}`);
      stack(spot.querySelector(".stack"), lies);
      if (house.results && house.results[spot.dataset.spot]) spot.dataset.result = house.results[spot.dataset.spot];
      else delete spot.dataset.result;
      on.textContent = lies ? money.format(lies / 10 ** Number(words.digits)) : "";
      on.classList.toggle("asked", wanted !== null);
    }
    const phase = house.phase === "resulted" ? "dealing" : house.phase;
    by("phase").textContent = words[house.stopped || phase] || words.soon;
    tick();
  };
  const tick = () => {
    const left = isOpen() && house.closes ? Math.max(0, house.closes - Date.now() - ahead) : null;
    by("clock").textContent = left === null ? "" : `${Math.ceil(left / 1000)} s`;
    by("left").hidden = left === null;
    by("left").max = house.betting || 1;
    by("left").value = left || 0;
  };
  /* A stake as chips, the largest at the bottom; more than HIGH of them are shown as HIGH. */
  const stack = (place, lies) => {
    if (Number(place.dataset.lies) === lies) return;
    place.dataset.lies = lies;
    const discs = [];
    for (const each of [...chips].reverse()) {
      for (; lies >= Number(each.dataset.chip) && discs.length < HIGH; lies -= Number(each.dataset.chip)) {
        const disc = document.createElement("i");
        disc.className = each.className;
        discs.push(disc);
      }
    }
    place.replaceChildren(...discs);
  };

  /* Betting. */
  const change = (next) => {
    if (!isOpen()) { say(`${words[house.stopped] || words.dealing} ${words.returned}`, "refused"); return; }
    before.push({ ...cloth() });
    wanted = next;
    draw();
    send();
  };
  const put = (spot, value = chip) => change({ ...cloth(), [spot]: (cloth()[spot] || 0) + value });
  const send = () => {
    if (asking || wanted === null) return;
    const wagers = {};
    for (const spot of new Set([...Object.keys(wanted), ...Object.keys(house.placed)])) {
      const stake = wanted[spot] || 0;
      if (stake !== (house.placed[spot] || 0)) wagers[spot] = stake;
    }
    if (Object.keys(wagers).length === 0) { wanted = null; draw(); return; }
    const id = [...crypto.getRandomValues(new Uint8Array(16))].map((n) => n.toString(16).padStart(2, "0")).join("");
    ask({ coup: house.coup, body: { id, wagers } });
  };
  /* Sent until there is an answer: the same id counts once, also after this page is loaded again. */
  const ask = async (bet) => {
    asking = true;
    store(sessionStorage, ASKED, bet);
    say(words.asked);
    for (;;) {
      try {
        const answer = await fetch(`${words.place}/bets`, {
          method: "POST", headers: { "Content-Type": "application/json" },
          body: JSON.stringify(bet.body), signal: AbortSignal.timeout(10_000),
        });
        if (answer.status >= 500) throw new Error(answer.status);
        const told = (answer.headers.get("content-type") || "").includes("json") ? await answer.json() : {};
        asking = false;
        store(sessionStorage, ASKED, null);
        answered(bet, answer.ok && told.ok, told);
        return;
      } catch {
        say(words.notYet, "refused");
        await new Promise((go) => setTimeout(go, AGAIN));
      }
    }
  };
  const answered = (bet, ok, told) => {
    if (!ok) {
      wanted = null;
      before = [];
      const rule = told.rule ? ` (${told.rule})` : "";
      say(`${told.message || ""}${rule} ${words.returned}`.trim(), "refused");
    } else {
      if (bet.coup === house.coup) {
        for (const [spot, stake] of Object.entries(bet.body.wagers)) {
          if (stake) house.placed[spot] = stake; else delete house.placed[spot];
        }
      }
      say(words.isPlaced, "done");
      if (wanted !== null) send();
    }
    draw();
  };

  for (const each of spots) {
    each.addEventListener("click", () => put(each.dataset.spot));
    each.addEventListener("dragover", (event) => event.preventDefault());
    each.addEventListener("drop", (event) => {
      event.preventDefault();
      put(each.dataset.spot, Number(event.dataTransfer.getData("text/plain")) || chip);
    });
  }
  for (const each of chips) {
    each.addEventListener("click", () => {
      chip = Number(each.dataset.chip);
      for (const one of chips) one.setAttribute("aria-checked", String(one === each));
    });
    each.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", each.dataset.chip));
  }
  by("undo").addEventListener("click", () => {
    if (!before.length) return;
    const last = before.pop();
    change(last);
    before.pop();
  });
  by("clear").addEventListener("click", () => change({}));
  by("repeat").addEventListener("click", () => change({ ...house.last }));
  by("double").addEventListener("click", () => {
    change(Object.fromEntries(Object.entries(cloth()).map(([spot, stake]) => [spot, stake * 2])));
  });

  /* The house's news. */
  const read = () => {
    const state = by("play-state");
    if (!state || state.dataset.state === read.last) return;
    read.last = state.dataset.state;
    const next = JSON.parse(read.last);
    if (next.coup !== house.coup || next.phase !== house.phase) {
      before = [];
      if (!asking) wanted = null;
      if (!["betting", "dealing"].includes(next.phase) || next.coup !== house.coup) say("");
    }
    const settled = next.phase === "settled" && (house.phase !== "settled" || house.coup !== next.coup);
    house = next;
    remember();
    if (settled || !read.begun) recall();
    read.begun = true;
    draw();
  };
  const recall = async () => {
    try {
      const answer = await fetch(`${words.place}/past`);
      if (answer.ok) by("past").innerHTML = await answer.text();
    } catch { /* the next coup asks again */ }
  };

  /* A shoe checked here: its seal as it was shown before, its order as it was revealed after. */
  const remember = () => {
    by("seal").textContent = house.seal;
    if (!house.seal) return;
    const seen = stored(localStorage, SEEN) || [];
    let mine = seen.find((one) => one.shoe === house.shoe);
    if (!mine) {
      mine = { shoe: house.shoe, seal: house.seal, cards: {} };
      seen.push(mine);
    }
    if (house.over && !house.cards.includes(null)) mine.cards[house.drawn] = house.cards;
    store(localStorage, SEEN, seen.slice(-2));
  };
  const bytes = (hex) => Uint8Array.from(hex.match(/../g) || [], (two) => parseInt(two, 16));
  const check = async () => {
    for (const one of (stored(localStorage, SEEN) || []).reverse()) {
      const answer = await fetch(`${words.place}/shoes/${one.shoe}.json`);
      const told = answer.ok ? await answer.json() : { order: [] };
      if (!told.order.length) continue;
      const key = await crypto.subtle.importKey("raw", bytes(told.secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
      const made = new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(told.order.join(" "))));
      const seal = [...made].map((n) => n.toString(16).padStart(2, "0")).join("");
      const inPlace = Object.entries(one.cards).every(([drawn, cards]) => {
        const lay = told.order.slice(Number(drawn) - cards.length, Number(drawn));
        return [...lay].sort().join() === [...cards].sort().join();
      });
      return [seal === one.seal && inPlace, one.shoe];
    }
    return [null, ""];
  };
  by("check").addEventListener("click", async () => {
    const [right, shoe] = await check().catch(() => [null, ""]);
    by("checked").textContent = right === null ? words.notSeen : `${shoe}: ${right ? words.same : words.other}`;
    by("checked").className = right === false ? "why" : "";
  });

  play.addEventListener("beat", (event) => {
    const there = Number(event.detail.data);
    if (there) ahead = there - Date.now();
  });
  document.addEventListener("htmx:after:swap", read);
  play.addEventListener("htmx:sse:after:message", read);
  setInterval(tick, 250);
  read();
  const left = stored(sessionStorage, ASKED);
  if (left) ask(left);
})();
