// Tells a player that they are called to a table: a sound, a vibration, and while the page is in the background a
// notification, where they asked for it.
//
//   <section data-called="71/1811000000" data-called-title="Table 7 now" data-called-text="You play Juhani.">
//   <div data-bell data-on-text="…" data-off-text="…" data-cannot-text="…" data-try-title="…" data-try-text="…" hidden>
//     <button data-bell-switch>…</button> <p data-bell-said></p></div>
//
// data-called names the match and the call: each call is told once by a browser, whatever is loaded or opened again.
// A page in the background takes no part in live.js, so that this one listens there itself, and only where it was asked.

const KEPT = "call.told";
const WANTED = "call.background";
const MOST_KEPT = 20;
const POLL_MS = 30_000;
const YIELD_MS = 1_500; // a page that is seen comes first
const NOTES = [[660, 0], [880, 0.18], [660, 0.5], [880, 0.68]]; // hertz, and when in seconds

const bell = document.querySelector("[data-bell]");
const button = bell?.querySelector("[data-bell-switch]");
const visible = () => document.visibilityState === "visible";

// --- what was told already, in all tabs of this browser

function read(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

function write(key, value) {
  try { localStorage.setItem(key, value); } catch { /* then this page remembers alone */ }
}

const here = new Set();

function takeFirst(call) {
  const told = (read(KEPT) ?? "").split(" ").filter(Boolean);
  if (here.has(call) || told.includes(call)) return false;
  here.add(call);
  write(KEPT, [...told, call].slice(-MOST_KEPT).join(" "));
  return true;
}

async function once(call, act) {
  const first = () => { if (takeFirst(call)) act(); };
  if (navigator.locks) await navigator.locks.request("call", first);
  else first();
}

// --- how it is told

let audio = null;

function wakeAudio() { // browsers let a page sound only after it was touched
  const Kind = window.AudioContext ?? window.webkitAudioContext;
  if (!Kind || navigator.userActivation?.hasBeenActive === false) return;
  audio ??= new Kind();
  if (audio.state === "suspended") audio.resume().catch(() => {});
}

function sound() {
  wakeAudio();
  if (audio?.state !== "running") return;
  for (const [hertz, at] of NOTES) {
    const tone = audio.createOscillator();
    const loud = audio.createGain();
    const begin = audio.currentTime + at;
    tone.frequency.value = hertz;
    loud.gain.setValueAtTime(0.0001, begin);
    loud.gain.exponentialRampToValueAtTime(0.3, begin + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.0001, begin + 0.16);
    tone.connect(loud).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + 0.18);
  }
}

function notify(title, body, tag) {
  try {
    const note = new Notification(title, { body, tag, requireInteraction: true });
    note.addEventListener("click", () => { window.focus(); note.close(); });
    return true;
  } catch {
    return false; // some browsers of phones have notifications for installed pages alone
  }
}

function ring(banner) {
  const { called, calledTitle, calledText } = banner.dataset;
  once(called, () => {
    sound();
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([300, 150, 300, 150, 600]);
    if (!visible() && isOn()) notify(calledTitle, calledText, called);
  });
}

// --- on the page itself

function look(root) {
  const banner = root.querySelector?.("[data-called]");
  if (!banner) return;
  if (visible()) ring(banner);
  else setTimeout(() => ring(banner), YIELD_MS);
}

// --- in the background

const isOn = () => read(WANTED) === "on" && window.Notification?.permission === "granted";
let source = null;
let poll = 0;
let etag = "";
let asking = false;
let again = false;

function follow() {
  stop();
  const region = document.querySelector("[data-live]");
  if (visible() || !isOn() || !region) return;
  const topics = region.dataset.live.split(/\s+/).map((topic) => `topic=${encodeURIComponent(topic)}`).join("&");
  source = new EventSource(`/live/?${topics}`);
  for (const kind of ["hello", "change"]) source.addEventListener(kind, () => ask(region)); // it may have missed some
  poll = setInterval(() => ask(region), POLL_MS);
}

function stop() {
  source?.close();
  source = null;
  clearInterval(poll);
}

async function ask(region) {
  again = asking;
  if (asking || visible()) return;
  asking = true;
  try {
    const headers = { Accept: "text/html", ...(etag ? { "If-None-Match": etag } : {}) };
    const answer = await fetch(region.dataset.src, { headers, cache: "no-store" });
    if (answer.ok) {
      etag = answer.headers.get("ETag") ?? "";
      const template = document.createElement("template");
      template.innerHTML = await answer.text();
      look(template.content);
    }
  } catch { /* the next question may be answered */ }
  asking = false;
  if (again) ask(region);
}

// --- the switch

function showSwitch(said = "") {
  if (!bell) return;
  button.textContent = isOn() ? bell.dataset.offText : bell.dataset.askText;
  bell.querySelector("[data-bell-said]").textContent = said || (isOn() ? bell.dataset.onText : "");
  bell.hidden = false;
}

async function press() {
  wakeAudio();
  if (isOn()) {
    write(WANTED, "off");
    showSwitch();
    return;
  }
  const answer = await window.Notification?.requestPermission?.().catch(() => "denied");
  const isAllowed = answer === "granted" && notify(bell.dataset.tryTitle, bell.dataset.tryText, "try");
  write(WANTED, isAllowed ? "on" : "off");
  if (isAllowed) sound();
  showSwitch(isAllowed ? "" : bell.dataset.cannotText);
}

for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, wakeAudio, { once: true });
button?.addEventListener("click", press);
document.addEventListener("live:shown", (event) => look(event.target));
document.addEventListener("visibilitychange", () => {
  follow();
  look(document);
});
showSwitch();
look(document);
