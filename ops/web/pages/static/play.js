/* A place at an electronic table: chips on the cloth. What is placed, only the house says. */
import { follow, house, isOpen } from "./table.js";
import "./check.js";

const by = (id) => document.getElementById(id);
const words = by("play").dataset;
const spots = [...document.querySelectorAll("[data-spot]")];
const chips = [...document.querySelectorAll("[data-chip]")];
const ASKED = `sabot-bet ${words.place}`; // what was sent and has no answer yet
const HIGH = 5; // chips
const LEGIBLE = 6000; // milliseconds for which a refusal can be read, whatever comes
const AGAIN = 1000; // milliseconds before a bet without an answer is sent again
const money = new Intl.NumberFormat(document.documentElement.lang, {
  minimumFractionDigits: Number(words.digits), maximumFractionDigits: Number(words.digits),
});

const inMoney = (stake) => money.format(stake / 10 ** Number(words.digits));

let wanted = null; // what was clicked and is not placed yet; null: nothing
let before = []; // the cloth before each click of this coup
let asking = false;
let dealing = ""; // the coup whose cards were asked for
let refused = { at: 0, coup: "", why: "" }; // the last refusal, without what then lay on the cloth
let answer = { coup: "", position: 0, stakes: {} }; // what was placed, and where in the record
let chip = Number((chips.find((each) => each.getAttribute("aria-checked") === "true") || chips[0])?.dataset.chip);

const cloth = () => wanted || house.placed;
const say = (text, kind = "") => {
  by("said").textContent = text;
  by("said").className = `reply ${kind}`;
  refused = { at: 0, coup: "", why: "" };
};
const refuse = (why, coup = house.coup) => {
  say(`${why} ${words.returned} ${lying()}`.trim(), "refused");
  refused = { at: Date.now(), coup, why: `${why} ${words.returned}` };
};
/* Takes away what was written about the last coup; a refusal only after there was time to read it. */
const hush = () => {
  const { at, coup, why } = refused;
  const left = at + LEGIBLE - Date.now();
  if (left <= 0) { say(""); return; }
  if (coup !== house.coup) {
    by("said").textContent = words.ofCoup.replace("{number}", coup.split("/").pop()).replace("{why}", why);
  }
  setTimeout(() => { if (refused.at === at) say(""); }, left);
};
const same = (one, other) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every((spot) => (one[spot] || 0) === (other[spot] || 0));

/* Drawing. */
const draw = () => {
  for (const spot of spots) {
    const name = spot.dataset.spot;
    const stake = cloth()[name] || 0;
    stack(spot.querySelector(".stack"), stake);
    spot.dataset.result = house.results[name] || "";
    by(`on-${name}`).textContent = stake ? inMoney(stake) : "";
    by(`on-${name}`).classList.toggle("asked", wanted !== null);
    const [others, many] = (house.others || {})[name] || [0, 0];
    by(`others-${name}`).textContent = others
      ? words.others.replace("{amount}", inMoney(others)).replace("{n}", many) : "";
  }
  by("deal").disabled = !house.alone || !isOpen() || wanted !== null || asking || dealing === house.coup
    || !Object.keys(house.placed).length;
  const lies = spots.some((spot) => cloth()[spot.dataset.spot]);
  by("undo").disabled = !isOpen() || !before.length;
  for (const name of ["clear", "double"]) by(name).disabled = !isOpen() || !lies;
  by("repeat").disabled = !isOpen() || lies || !Object.keys(house.last).length;
};
/* What lies on the cloth by the record: `On the cloth: Banker 10.00`. */
const lying = () => {
  const each = spots.map((spot) => [spot.querySelector(".name").textContent, house.placed[spot.dataset.spot]]);
  const lies = each.filter(([, stake]) => stake).map(([name, stake]) => `${name} ${inMoney(stake)}`);
  return lies.length ? `${words.lies} ${lies.join(", ")}` : words.nothing;
};
/* A stake as chips, the largest at the bottom; more than HIGH of them are shown as HIGH. */
const stack = (place, stake) => {
  if (Number(place.dataset.stake) === stake) return;
  place.dataset.stake = stake;
  let left = stake;
  const discs = [];
  for (const each of [...chips].reverse()) {
    const value = Number(each.dataset.chip);
    for (; left >= value && discs.length < HIGH; left -= value) {
      const disc = document.createElement("i");
      disc.className = each.className;
      discs.push(disc);
    }
  }
  place.replaceChildren(...discs);
};

/* Betting. */
const change = (next) => {
  if (!isOpen()) { closed(); return; }
  before.push({ ...cloth() });
  wanted = next;
  draw();
  send();
};
const closed = () => {
  wanted = null;
  refuse(words[house.stopped] || words.dealing);
  draw();
};
const put = (spot, value = chip) => change({ ...cloth(), [spot]: (cloth()[spot] || 0) + value });
const send = () => {
  if (asking || wanted === null) return;
  const stakes = {};
  for (const spot of new Set([...Object.keys(wanted), ...Object.keys(house.placed)])) {
    const stake = wanted[spot] || 0;
    if (stake !== (house.placed[spot] || 0)) stakes[spot] = stake;
  }
  if (Object.keys(stakes).length === 0) { wanted = null; draw(); return; }
  if (!isOpen()) { closed(); return; }
  ask({ id: freshId(), coup: house.coup, stakes });
};
const freshId = () => [...crypto.getRandomValues(new Uint8Array(16))].map((n) => n.toString(16).padStart(2, "0")).join("");
/* Who sits alone need not wait for the clock. That the betting is closed already is what was asked for. */
const deal = async () => {
  dealing = house.coup;
  draw();
  try {
    const answer = await fetch(`${words.place}/deal`, {
      method: "POST", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ id: freshId(), coup: dealing }), signal: AbortSignal.timeout(10_000),
    });
    const body = await answer.json();
    if (!body.ok && body.error !== "BettingClosed") { dealing = ""; say(body.message || "", "refused"); }
  } catch { dealing = ""; /* the clock closes the betting all the same */ }
  draw();
};
/* Sent until there is an answer: the same id counts once, also after this page is loaded again. */
const ask = async (bet) => {
  asking = true;
  remember(bet);
  say(words.asked);
  for (;;) {
    try {
      const reply = await fetch(`${words.place}/bets`, {
        method: "POST", headers: { "Content-Type": "application/json" },
        body: JSON.stringify(bet), signal: AbortSignal.timeout(10_000),
      });
      if (reply.status >= 500) throw new Error(reply.status);
      const body = (reply.headers.get("content-type") || "").includes("json") ? await reply.json() : {};
      if (body.error === "Conflict") throw new Error(body.error);
      asking = false;
      remember(null);
      answered(bet, reply.ok && body.ok, body);
      return;
    } catch {
      say(words.notYet, "refused");
      await new Promise((go) => setTimeout(go, AGAIN));
    }
  }
};
const remember = (bet) => {
  try {
    if (bet) sessionStorage.setItem(ASKED, JSON.stringify(bet)); else sessionStorage.removeItem(ASKED);
  } catch { /* nothing can be stored: what is placed is in the ledger all the same */ }
};
/* An answer is sooner here than the news, which may still be of the cloth before it. */
const layAnswer = () => {
  if (answer.coup !== house.coup) return;
  for (const [spot, stake] of Object.entries(answer.stakes)) {
    if (stake) house.placed[spot] = stake; else delete house.placed[spot];
  }
};
const answered = (bet, ok, body) => {
  if (!ok) {
    wanted = null;
    before = before.slice(0, Math.max(0, before.findLastIndex((each) => same(each, house.placed))));
    refuse(body.message || "", bet.coup);
  } else {
    const stakes = answer.coup === bet.coup ? { ...answer.stakes, ...bet.stakes } : bet.stakes;
    answer = { coup: bet.coup, position: body.position || 0, stakes };
    layAnswer();
    say(Object.keys(house.placed).length ? words.isPlaced : words.nothing, "done");
    send();
  }
  draw();
};

for (const each of spots) {
  each.addEventListener("click", () => put(each.dataset.spot));
  each.addEventListener("dragover", (event) => event.preventDefault());
  each.addEventListener("drop", (event) => {
    event.preventDefault();
    const dropped = event.dataTransfer.getData("text/plain");
    if (chips.some((one) => one.dataset.chip === dropped)) put(each.dataset.spot, Number(dropped));
  });
}
const choose = (chosen) => {
  chip = Number(chosen.dataset.chip);
  for (const one of chips) {
    one.setAttribute("aria-checked", String(one === chosen));
    one.tabIndex = one === chosen ? 0 : -1;
  }
};
// Enter that is held puts one chip, as every other key does.
document.addEventListener("keydown", (event) => { if (event.repeat && event.key === "Enter") event.preventDefault(); });
for (const [n, each] of chips.entries()) {
  each.addEventListener("click", () => choose(each));
  each.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = chips[(n + step + chips.length) % chips.length];
    choose(next);
    next.focus();
  });
  each.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", each.dataset.chip));
}
by("undo").addEventListener("click", () => {
  if (!before.length) return;
  const last = before.pop();
  change(last);
  before.pop();
});
by("deal").addEventListener("click", deal);
by("clear").addEventListener("click", () => change({}));
by("repeat").addEventListener("click", () => { if (Object.keys(house.last).length) change({ ...house.last }); });
by("double").addEventListener("click", () => {
  change(Object.fromEntries(Object.entries(cloth()).map(([spot, stake]) => [spot, stake * 2])));
});

/* The coups before; of the one in which this place bet last it is said once more what came of it. */
const recall = async (coup = "") => {
  const { stay } = house;
  try {
    const answer = await fetch(`${words.place}/past`);
    const past = answer.ok ? await answer.text() : "";
    if (stay !== house.stay) return; // meanwhile another patron sits here
    if (answer.ok) by("past").innerHTML = past;
  } catch { return; /* the next coup asks again */ }
  const came = [...by("past").querySelectorAll(`[data-coup="${CSS.escape(coup)}"] [data-came]`)];
  if (came.length < 2 || by("said").textContent) return;
  const what = came.map((each) => each.textContent).join(". ");
  say(words.lastBet.replace("{number}", coup.split("/").pop()).replace("{what}", what));
};
/* Another patron sits here: nothing of the one before is shown. */
const forget = () => {
  by("past").replaceChildren();
  before = [];
  wanted = null;
  say("");
};
follow((was) => {
  if (house.position < answer.position) layAnswer();
  const moved = house.coup !== was.coup || house.phase !== was.phase;
  // A chip was put or taken in another window of this place, so this window's last words are not true.
  if (!moved && isOpen() && !asking && wanted === null && !same(house.placed, was.placed)) {
    before = [];
    say(lying());
  }
  if (moved) {
    before = [];
    if (!asking || house.coup !== was.coup) wanted = null; // a chip is for the coup it was put on
    if (!["betting", "dealing"].includes(house.phase) || house.coup !== was.coup) hush();
  }
  if (house.stay !== was.stay && was !== house) forget();
  const isOver = ["settled", "voided"].includes(house.phase);
  const bet = house.coup !== was.coup && house.stay === was.stay && Object.keys(was.placed).length;
  if ((moved && (isOver || house.coup !== was.coup)) || house.stay !== was.stay || was === house) {
    recall(bet ? was.coup : "");
  }
  draw();
});
const left = (() => { try { return JSON.parse(sessionStorage.getItem(ASKED)); } catch { return null; } })();
if (left) ask(left);
