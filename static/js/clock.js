// Counts the clocks of a page down by the server's time, so that every screen shows the same second.
//
//   [data-until="2027-05-22T14:50:00Z"]   what it says is replaced by what is left until then: "38:42"
//   [data-overtime]                       goes on past the end: "+2:10"; others stay at 0:00 and ask for what is now
//   [data-timed]                          around a clock and what is said of it:
//     [data-then]                         said until time is over
//     [data-over="…"]                     filled with these words once it is: a status, read out once
//
// The device's own clock may be wrong or be set anew: it is not asked. Every answer says what time it is at the server,
// in Server-Now to the millisecond, or by its Date, which some servers write only once a second; that moment was between
// the request and its arrival. What all answers so far agree on is how far the server is ahead.

const STEP_MS = 200;
const LOW_MS = 10_000;
const DATE_MS = 2_000; // how far a Date may be behind
const GRACE_MS = 1_200; // the server lets a move be late by a second
const ASK_MS = 3_000;
const ALONE_MS = 700; // when nothing else on the page has asked the server anything by then, we do
const PATIENCE_MS = 4_000; // without any answer for so long, the device's own clock is better than none

const here = () => performance.timeOrigin + performance.now();
const opened = here();
let least = -Infinity; // the server is at least so much ahead of us,
let most = Infinity; // and at most so much
let askedAt = 0;

function learn({ headers, sent }) {
  const exactly = Number(headers.get("Server-Now"));
  const from = exactly || Date.parse(headers.get("Date") ?? "");
  if (Number.isNaN(from)) return;
  const low = from - here();
  const high = from + (exactly ? 0 : DATE_MS) - sent;
  least = Math.max(least, low);
  most = Math.min(most, high);
  if (least > most) [least, most] = [low, high]; // somebody's clock has jumped, or we slept
}

function now() {
  if (Number.isFinite(least)) return here() + (least + most) / 2;
  return here() - opened < PATIENCE_MS ? null : Date.now();
}

function words(left) {
  const seconds = left > 0 ? Math.ceil(left / 1_000) : Math.floor(-left / 1_000);
  return `${left < 0 && seconds ? "+" : ""}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function tick() {
  const time = now();
  if (time === null) return;
  for (const clock of document.querySelectorAll("[data-until]")) {
    const left = Date.parse(clock.dataset.until) - time;
    const goesOn = "overtime" in clock.dataset;
    const text = words(goesOn ? left : Math.max(0, left));
    if (clock.textContent !== text) clock.textContent = text;
    clock.classList.toggle("low", left < LOW_MS);
    if (goesOn) tell(clock.closest("[data-timed]"), left <= 0);
    else if (left < -GRACE_MS && here() - askedAt > ASK_MS) {
      askedAt = here();
      document.dispatchEvent(new CustomEvent("live:refresh"));
    }
  }
}

function tell(around, isOver) {
  const over = around?.querySelector("[data-over]");
  const then = around?.querySelector("[data-then]");
  if (then) then.hidden = isOver;
  if (!over || Boolean(over.firstElementChild) === isOver) return;
  over.replaceChildren();
  if (!isOver) return;
  const state = document.createElement("span");
  state.className = "st late";
  state.append(document.createElement("span"));
  state.firstElementChild.textContent = over.dataset.over;
  over.append(state);
}

async function ask() {
  if (Number.isFinite(least) || !document.querySelector("[data-until]")) return;
  const sent = here();
  try {
    const { headers } = await fetch(import.meta.url, { method: "HEAD", cache: "no-store" });
    learn({ headers, sent });
    tick();
  } catch { /* no network: as long as it lasts, by the device's own clock */ }
}

document.addEventListener("live:answer", ({ detail }) => { learn(detail); tick(); });
document.addEventListener("live:shown", tick);
document.addEventListener("visibilitychange", tick);
setInterval(tick, STEP_MS);
setTimeout(ask, ALONE_MS);
tick();
