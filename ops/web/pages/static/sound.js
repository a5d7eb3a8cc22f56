/* A tone for each card, two for a result: off until somebody wants it, and remembered by this browser. */
import { follow, house } from "./table.js";

const KEPT = "sabot-sound";
const button = document.getElementById("sound");
let audio = null;

const tone = (pitch, after = 0) => {
  const at = audio.currentTime + after;
  const [sound, loud] = [audio.createOscillator(), audio.createGain()];
  sound.frequency.value = pitch;
  loud.gain.setValueAtTime(.08, at);
  loud.gain.exponentialRampToValueAtTime(.001, at + .18);
  sound.connect(loud).connect(audio.destination);
  sound.start(at);
  sound.stop(at + .2);
};
const turn = (on) => {
  button.setAttribute("aria-pressed", String(on));
  if (on) audio ||= new AudioContext(); else if (audio) { audio.close(); audio = null; }
  try {
    if (on) localStorage.setItem(KEPT, "on"); else localStorage.removeItem(KEPT);
  } catch { /* it is asked for again */ }
};
button.addEventListener("click", () => turn(button.getAttribute("aria-pressed") !== "true"));
try {
  if (localStorage.getItem(KEPT)) turn(true);
} catch { /* nothing is remembered here */ }

follow((was) => {
  if (!audio || was === house) return;
  if ((house.cards || []).length > (was.cards || []).length) tone(440);
  if (house.over && !was.over) { tone(523, .25); tone(659, .4); }
});
