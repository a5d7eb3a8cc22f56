/* An electronic table as the house has it: its news, its clock. For whoever bets and whoever watches. */
const by = (id) => document.getElementById(id);
const words = by("play").dataset;
const followers = [];
const STILL = 10_000; // milliseconds past the clock's end after which dealing has stopped
const STUCK = 20_000; // milliseconds without a card after which it has, too
let ahead = 0; // milliseconds by which the house's clock is ahead of this one

export let house = { placed: {}, last: {}, results: {}, phase: "", coup: "", stopped: "" };
export const isOpen = () => house.phase === "betting" && !house.stopped;
/* Calls a function with the table as it was, now and at each change. */
export const follow = (news) => { followers.push(news); news(house); };

/* What has not changed is not written again: a screen reader would read it out again. */
const write = (id, text) => { if (by(id).textContent !== text) by(id).textContent = text; };
const tick = () => {
  const away = document.body.classList.contains("stale"); // of the table nothing is known meanwhile
  const due = house.stopped || away ? null : isOpen() ? house.closes : house.opens;
  const left = due ? due - Date.now() - ahead : null;
  write("clock", left === null || left < -STILL ? "" : `${Math.max(0, Math.ceil(left / 1000))} s`);
  by("left").hidden = left === null || !isOpen();
  by("left").max = house.betting || 1;
  by("left").value = Math.max(0, left || 0);
  write("phase", away ? words.away : isStill(left) ? words.still : phase());
};
/* Whether the clock ran out and no card came, or no further one. */
const isStill = (left) => {
  if (isOpen()) return left !== null && left < -STILL;
  return house.clocked && !house.stopped && ["dealing", "resulted"].includes(house.phase)
    && house.changed < Date.now() + ahead - STUCK;
};
/* The words for where the table is. */
const phase = () => {
  if (house.stopped) return words[house.stopped];
  if (house.phase === "betting" && house.clocked && !house.closes) return words.waits;
  return words[house.phase === "resulted" ? "dealing" : house.phase] || words.soon;
};
const read = () => {
  const state = by("play-state").dataset.state;
  if (state === read.last) return;
  read.last = state;
  const before = house;
  house = JSON.parse(state);
  tick();
  for (const news of followers) news(before);
};

by("play").addEventListener("beat", (event) => {
  const there = Number(event.detail.data);
  if (there) ahead = there - Date.now();
});
document.addEventListener("htmx:after:swap", read);
by("play").addEventListener("htmx:sse:after:message", read);
setInterval(tick, 250);
read();
