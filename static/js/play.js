// Plays a match on a page that works without it: a move is sent without leaving the page and never lost, and keys play.
//
//   <div data-live="…" data-game>  the live region with templates/matches/_table.html in it
//   <form data-move action="…">    a move: hidden input at (the position it is made for), buttons name="move"
//   [data-key="1"]                 the key that opens a card or presses a button; the same place on every keyboard
//   and beside them templates/matches/_play.html, whose data-play is where moves go
//
// A move waits in this browser's storage until the server has decided: one a game, for a position allows one. It names its
// position, so that however often it comes it is one move. An answer is the server's if it has the header Game-Position
// (what a hotel's sign-in page answers has not): the region as it is now, with the reason in [data-refused] where the move
// did not count. Then a card says what was meant, and the person decides. Without storage the form posts by itself.

const RETRY_MS = 2_000;
const RETRY_MOST_MS = 30_000;
const TIMEOUT_MS = 10_000;
const SLOW_MS = 250; // what is answered sooner needs no word
const SENT_MS = 1_500;
const GONE = [403, 404, 410];

const box = document.querySelector("[data-play]");
const text = box?.dataset;
const title = document.title;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const region = () => document.querySelector("[data-game]");
const forms = () => [...document.querySelectorAll("form[data-move]")];
const keyOf = (url) => `play:${new URL(url, location).pathname}`;
const mine = () => Boolean(region()?.querySelector("[data-my-turn]"));

let here = ""; // where the move that waits is kept
let wait = RETRY_MS;
let timer = 0;
let sending = false;
let slow = 0;
let wasMine = mine();

// --- the move that waits

function kept() {
  try { return JSON.parse(localStorage.getItem(here)); } catch { return null; }
}

function keep(entry) {
  try {
    if (entry) localStorage.setItem(here, JSON.stringify(entry));
    else localStorage.removeItem(here);
    return true;
  } catch {
    return false;
  }
}

function onSubmit(event) {
  const form = event.target;
  if (!box || !form.matches?.("form[data-move]") || event.defaultPrevented) return;
  const button = event.submitter ?? form.querySelector("[name=move]");
  here = keyOf(form.action);
  if (kept()?.state === "queued") {
    event.preventDefault(); // a position allows one
    return;
  }
  const fields = [...new FormData(form)].filter(([name, value]) => name !== "move" && typeof value === "string");
  const words = (button.querySelector("span") ?? button).textContent.trim();
  const entry = { url: form.action, fields: [...fields, ["move", button.value]], move: button.value, words, at: Date.now(), state: "queued", tries: 0 };
  if (!keep(entry)) return; // nowhere to keep it: the form posts by itself
  event.preventDefault();
  button.setAttribute("data-sending", "");
  render();
  send();
}

async function send() {
  clearTimeout(timer);
  const entry = kept();
  if (sending || entry?.state !== "queued") return;
  sending = true;
  const sent = performance.timeOrigin + performance.now();
  render();
  let response = null;
  let html = "";
  try {
    const answer = await fetch(`${entry.url}?part=game`, {
      method: "POST",
      headers: { Accept: "text/html" },
      body: new URLSearchParams(withFreshToken(entry.fields)),
      signal: AbortSignal.timeout?.(TIMEOUT_MS),
    });
    html = await answer.text();
    response = answer; // one that broke off decides nothing
  } catch { /* no network */ }
  sending = false;
  const decided = response?.headers.has("Game-Position") && !response.redirected && response.status < 500 && response.status !== 429;
  if (decided) settle(entry, response, html, sent);
  else if (GONE.includes(response?.status)) keep({ ...entry, state: "late", why: text.refusedText }); // the address is good no more
  else {
    keep({ ...entry, tries: entry.tries + 1 });
    timer = setTimeout(send, wait);
    wait = Math.min(wait * 2, RETRY_MOST_MS);
  }
  render();
}

// A kept form may be older than the session's token.
function withFreshToken(fields) {
  const token = document.querySelector("input[name=csrfmiddlewaretoken]")?.value;
  return fields.map(([name, value]) => [name, name === "csrfmiddlewaretoken" && token ? token : value]);
}

function settle(entry, response, html, sent) {
  wait = RETRY_MS;
  const shown = document.createElement("template");
  shown.innerHTML = html;
  const refused = shown.content.querySelector("[data-refused]");
  const why = refused?.textContent.trim() || text.refusedText;
  refused?.remove();
  const had = region()?.contains(document.activeElement);
  for (const open of document.querySelectorAll(".play[open], .give-up[open]")) open.open = false;
  document.dispatchEvent(new CustomEvent("live:answer", { detail: { headers: response.headers, sent } }));
  region()?.dispatchEvent(new CustomEvent("live:take", { bubbles: true, detail: { html: shown.innerHTML, etag: response.headers.get("ETag") ?? "" } }));
  if (response.ok) {
    keep(null);
    if (entry.tries) say(text.sentText, entry, SENT_MS);
  } else keep({ ...entry, state: "late", why });
  if (had && !region()?.contains(document.activeElement)) headline()?.focus({ preventScroll: true });
}

const headline = () => region()?.querySelector("[data-headline], h1");

// --- what is said of it

let saidUntil = 0;

function say(words, entry, ms) {
  saidUntil = Date.now() + ms;
  box.querySelector("[data-play-state]").className = "st done";
  box.querySelector("[data-play-state]").textContent = words.replace("{move}", entry.words);
  setTimeout(render, ms + 50);
}

function render() {
  if (!box) return;
  const entry = kept();
  const line = box.querySelector("[data-play-line]");
  const queued = entry?.state === "queued";
  const waiting = queued && entry.tries > 0;
  region()?.toggleAttribute("data-busy", queued);
  for (const button of document.querySelectorAll("[data-sending]")) if (!queued) button.removeAttribute("data-sending");
  clearTimeout(slow);
  if (queued) {
    const quick = Date.now() - entry.at < SLOW_MS && !waiting;
    if (quick) slow = setTimeout(render, SLOW_MS);
    const state = box.querySelector("[data-play-state]");
    state.className = `st ${waiting && !sending ? "held" : "play"}`;
    state.textContent = (waiting ? text.waitingText : text.sendingText).replace("{move}", entry.words);
    line.hidden = quick;
  } else line.hidden = Date.now() >= saidUntil;
  box.querySelector("[data-play-note]").textContent = waiting ? text.keptText : "";
  box.querySelector("[data-play-now]").hidden = !waiting;
  renderLate(entry?.state === "late" ? entry : null);
}

function renderLate(entry) {
  const card = box.querySelector("[data-play-late]");
  const part = (name) => card.querySelector(`[data-late=${name}]`);
  const wasHidden = card.hidden;
  card.hidden = !entry;
  if (!entry) return;
  const again = buttonFor(entry);
  part("move").textContent = entry.words;
  part("time").textContent = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(entry.at);
  part("why").textContent = entry.why;
  part("now").textContent = headline()?.textContent.trim() ?? "";
  part("again").hidden = !again;
  if (again) part("again").textContent = text.againText.replace("{move}", (again.querySelector("span") ?? again).textContent.trim());
  if (wasHidden) card.focus();
}

// The button by which the same can be done now, if it can. Giving up is never a second thought.
const buttonFor = (entry) => (entry.move === "forfeit" ? undefined : [...document.querySelectorAll("form[data-move] [name=move]")].find((button) => button.value === entry.move));

function onLate(event) {
  const name = event.target.closest?.("[data-late]")?.dataset.late;
  const entry = kept();
  if (!["again", "drop"].includes(name) || entry?.state !== "late") return;
  const button = name === "again" ? buttonFor(entry) : null;
  keep(null);
  render();
  headline()?.focus({ preventScroll: true });
  if (button) button.form.requestSubmit(button);
}

// --- keys

function onKey(event) {
  if (event.repeat || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  if (event.target.matches?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]")) return;
  if (event.key === "Escape") {
    for (const open of document.querySelectorAll(".play[open]")) open.open = false;
    return;
  }
  const name = /^(Key|Digit|Numpad)([A-Z0-9])$/.exec(event.code)?.[2].toLowerCase();
  const found = name && region()?.querySelector(`[data-key="${name}"]`);
  if (!found || kept()?.state === "queued") return;
  event.preventDefault();
  if (!found.matches("details")) {
    found.form.requestSubmit(found);
    return;
  }
  found.open = !found.open;
  (found.open ? found.querySelector(".ways button") : found.querySelector("summary")).focus();
}

// --- sound, buzz and motion, as this device's owner wants them

const MANNER = "play.manner";
let manner = { motion: true, sound: false, buzz: false };
try { manner = { ...manner, ...JSON.parse(localStorage.getItem(MANNER)) }; } catch { /* as it is */ }
const moves = () => manner.motion && !calm.matches;

function showManner() {
  document.documentElement.toggleAttribute("data-still", !moves());
  const fold = document.querySelector("[data-play-manner]");
  if (!fold) return;
  fold.hidden = false;
  for (const input of fold.querySelectorAll("input")) {
    input.checked = manner[input.name] && !calm.matches;
    input.disabled = calm.matches;
    input.closest("label").hidden = input.name === "buzz" && !navigator.vibrate;
  }
}

function onManner(event) {
  if (!event.target.closest?.("[data-play-manner]")) return;
  manner = { ...manner, [event.target.name]: event.target.checked };
  try { localStorage.setItem(MANNER, JSON.stringify(manner)); } catch { /* until the page is left */ }
  showManner();
  if (event.target.name === "sound" && manner.sound) ring();
}

let audio = null;

function ring() {
  if (calm.matches || !("AudioContext" in window)) return;
  audio ??= new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.frequency.value = 660;
  volume.gain.setValueAtTime(0.15, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.25);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.25);
}

function callMe() {
  if (calm.matches) return;
  if (manner.buzz && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(40);
  if (manner.sound) ring();
}

// --- what is new on the table

// A card that was not there a moment ago comes in moving; what was there when the page opened lies still.
const arrivals = new MutationObserver((changes) => {
  for (const { addedNodes } of changes) {
    for (const node of addedNodes) {
      const card = node.nodeType === Node.ELEMENT_NODE && node.closest(".slots") && (node.matches(".card") ? node : node.querySelector(".card"));
      if (card && moves()) card.classList.add("dealt");
    }
  }
});

function shown() {
  const now = mine();
  document.title = now ? `▶ ${title}` : title;
  if (now && !wasMine) callMe();
  wasMine = now;
  render();
}

if (region()) {
  here = keyOf(text?.play || forms()[0]?.action || location.href);
  arrivals.observe(region(), { childList: true, subtree: true });
  document.addEventListener("live:shown", shown);
  document.addEventListener("keydown", onKey);
  document.addEventListener("change", onManner);
  calm.addEventListener("change", showManner);
  showManner();
  shown();
  if (box) {
    document.addEventListener("submit", onSubmit);
    box.addEventListener("click", onLate);
    box.querySelector("[data-play-now]").addEventListener("click", send);
    addEventListener("online", send);
    addEventListener("pageshow", (event) => { if (event.persisted) send(); });
    addEventListener("storage", (event) => { if (event.key === here) render(); });
    send();
  }
}
