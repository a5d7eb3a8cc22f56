/* A shoe checked on the page: its seal as it was shown before, its order as it was revealed after. */
import { follow, house } from "./table.js";

const by = (id) => document.getElementById(id);
const words = by("play").dataset;
const SEEN = `sabot-seen ${words.place}`; // seals and cards of shoes, as they were shown here

const seen = () => {
  try { return JSON.parse(localStorage.getItem(SEEN)) || []; } catch { return []; }
};
const remember = () => {
  by("seal").textContent = house.seal;
  if (!house.seal) return;
  const shoes = seen();
  let mine = shoes.find((one) => one.shoe === house.shoe);
  if (!mine) {
    mine = { shoe: house.shoe, seal: house.seal, cards: {} };
    shoes.push(mine);
  }
  if (house.over && !house.cards.includes(null)) mine.cards[house.drawn] = house.cards;
  try {
    localStorage.setItem(SEEN, JSON.stringify(shoes.slice(-2)));
  } catch { /* nothing can be stored: then nothing can be checked here later */ }
};

const bytes = (hex) => Uint8Array.from(hex.match(/../g) || [], (two) => parseInt(two, 16));
const hex = (array) => [...array].map((n) => n.toString(16).padStart(2, "0")).join("");
const sealOf = async (order, secret) => {
  const key = await crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hex(new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(order.join(" ")))));
};
/* Whether each coup's cards lie in the order where they were drawn, whichever hand had them. */
const inPlace = (order, coups) => Object.entries(coups).every(([drawn, cards]) => {
  const lay = order.slice(Number(drawn) - cards.length, Number(drawn));
  return [...lay].sort().join() === [...cards].sort().join();
});
const fileOf = (shoe) => `${words.place}/shoes/${shoe}.json`;
/* The newest shoe that was seen here and has ended, and whether it is right; null, if there is none. */
const check = async () => {
  for (const one of seen().reverse()) {
    const answer = await fetch(fileOf(one.shoe));
    const { order, secret } = answer.ok ? await answer.json() : { order: [] };
    if (order.length) {
      const right = await sealOf(order, secret) === one.seal && inPlace(order, one.cards);
      return { ...one, secret, right };
    }
  }
  return null;
};

by("check").addEventListener("click", async () => {
  const one = await check().catch(() => null);
  by("checked").textContent = one ? `${one.shoe}: ${one.right ? words.same : words.other}` : words.notSeen;
  by("checked").className = one && !one.right ? "why" : "";
  by("checked-by").hidden = !one;
  if (!one) return;
  by("checked-seal").textContent = one.seal;
  by("checked-secret").textContent = one.secret;
  by("checked-coups").textContent = Object.keys(one.cards).length;
  by("checked-order").href = fileOf(one.shoe);
});
follow(remember);
