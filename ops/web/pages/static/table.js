/* An electronic table as the house has it: its news, its clock. For whoever bets and whoever watches. */
const by = (id) => document.getElementById(id);
const words = by("play").dataset;
const followers = [];
let ahead = 0; // milliseconds by which the house's clock is ahead of this one

export let house = { placed: {}, last: {}, results: {}, phase: "", coup: "", stopped: "" };
export const isOpen = () => house.phase === "betting" && !house.stopped;
/* Calls a function with the table as it was, now and at each change. */
export const follow = (news) => { followers.push(news); news(house); };

const tick = () => {
  const left = isOpen() && house.closes ? Math.max(0, house.closes - Date.now() - ahead) : null;
  by("clock").textContent = left === null ? "" : `${Math.ceil(left / 1000)} s`;
  by("left").hidden = left === null;
  by("left").max = house.betting || 1;
  by("left").value = left || 0;
};
const read = () => {
  const state = by("play-state").dataset.state;
  if (state === read.last) return;
  read.last = state;
  const before = house;
  house = JSON.parse(state);
  const waits = house.phase === "betting" && house.clocked && !house.closes;
  const phase = waits ? "waits" : house.phase === "resulted" ? "dealing" : house.phase;
  by("phase").textContent = words[house.stopped || phase] || words.soon;
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
