// Keeps marked regions of open pages fresh, with one event stream a browser.
//
//   <section data-live="tournament/7" data-src="/t/7/?part=standings" data-version="12.0" data-updated="Standings updated">
//
// data-live    topics, separated by spaces               data-version   the ETag of what is shown, without quotes
// data-src     answers with the region, or its inside    data-updated   what is read out when it has changed
// data-spread  "0": this region is asked for at once, where others wait for a random moment
//
// Other scripts hear "live:shown" on a region when it has changed, and "live:answer" on the document, whose detail has the
// `headers` of an answer and when it was asked for (`sent`, counted from performance.timeOrigin); they may say
// "live:refresh" to have all asked for again, and give a region what they have for it by "live:take", with `html` and
// `etag` as the server answered.
//
// The visible tabs of a browser elect a leader; it holds the stream and tells the others. Hidden tabs take no part.
// Where there is no stream every visible tab asks again every 10 seconds. An answer is morphed in place: give rows and
// forms the same id in every rendering, then input, focus, open details and scroll survive.

const TICK_MS = 2_000; // how often a leader says that it is there
const LEADER_LOST_MS = 5_000;
const POLL_MS = 10_000;
const QUIET_MS = 60_000; // a stream silent for so long may be dead: ask, which costs a 304
const HELLO_MS = 10_000; // a proxy that holds frames back never passes on the first one
const SPREAD_MS = 150; // a hall full of pages does not ask in the same instant, least of all when it connects again
const HELLO_SPREAD_MS = 1_000;
const TIMEOUT_MS = 15_000;
const GRACE_MS = 1_000; // catching up that takes no longer is not worth a word
const FLASH_MS = 2_500;
const SAY_MS = 3_000;
const LEADER_KEY = "live.leader";
const ROWS = "tr, li, .match, [data-row]";

const line = document.querySelector("[data-live-line]");
const me = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join("");
const channel = "BroadcastChannel" in window ? new BroadcastChannel("live") : null;
const needs = new Map(); // the topics of the other visible tabs: id → {topics, at}
const known = new WeakMap(); // region → {etag, busy, again, held, failed}

let leading = false;
let source = null;
let asked = ""; // the topics the open stream was asked for
let tries = 0;
let helloTimer = 0;
let retryTimer = 0;
let streaming = false; // does the leader, this tab or another, hold a working stream
let catching = 0; // since when something may have been missed, or an answer failed
let heard = false; // from the stream or by asking, since the page was opened
let reached = Date.now(); // when the server was last heard; the page itself has just come from it
let offline = false;

const regions = () => [...document.querySelectorAll("[data-live]")];
const topicsOf = (region) => region.dataset.live.split(/\s+/).filter(Boolean);
const ownTopics = () => [...new Set(regions().flatMap(topicsOf))];
const visible = () => document.visibilityState === "visible";
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// --- which tab leads

function leaderNow() {
  try {
    const found = JSON.parse(localStorage.getItem(LEADER_KEY));
    return found && Math.abs(Date.now() - found.at) < LEADER_LOST_MS ? found.id : null;
  } catch {
    return me; // no storage: every tab leads itself
  }
}

function writeLeader() {
  try { localStorage.setItem(LEADER_KEY, JSON.stringify({ id: me, at: Date.now() })); } catch { /* leads itself */ }
}

async function claim() {
  if (leaderNow() === null) {
    writeLeader();
    await sleep(100 + Math.random() * 100); // another tab may have written in the same moment: the last one stays
  }
  if (leaderNow() !== me || !visible() || leading) return;
  leading = true;
  connect();
}

function resign() {
  if (!leading) return;
  leading = false;
  disconnect();
  needs.clear();
}

function leave() {
  if (leaderNow() === me) { // also one that was about to lead: nobody would take its place for a while
    try { localStorage.removeItem(LEADER_KEY); } catch { /* nothing to give back */ }
    channel?.postMessage({ kind: "free" });
  }
  resign();
  streaming = false;
}

function tick() {
  if (!visible()) return;
  const leader = channel ? leaderNow() : me;
  if (leading && leader !== null && leader !== me) resign();
  if (leading) {
    writeLeader();
    connect();
    channel?.postMessage({ kind: "link", streaming });
  } else {
    channel?.postMessage({ kind: "need", id: me, topics: ownTopics() });
    if (leader === null || leader === me) claim();
  }
  if (Date.now() - reached > QUIET_MS && !offline) catchUp();
  showState();
}

// --- the stream, in the leader

function connect() {
  for (const [id, need] of needs) if (Date.now() - need.at > LEADER_LOST_MS) needs.delete(id);
  const topics = [...new Set([...ownTopics(), ...[...needs.values()].flatMap((need) => need.topics)])].sort().slice(0, 50);
  const wanted = topics.map((topic) => `topic=${encodeURIComponent(topic)}`).join("&");
  if (!wanted || (wanted === asked && (source || retryTimer))) return;
  disconnect();
  asked = wanted;
  source = new EventSource(`/live/?${wanted}`);
  source.addEventListener("hello", () => {
    clearTimeout(helloTimer);
    tries = 0;
    share({ kind: "hello" });
  });
  source.addEventListener("change", (event) => share({ kind: "change", ...JSON.parse(event.data) }));
  source.addEventListener("beat", () => share({ kind: "beat" }));
  source.addEventListener("error", () => {
    share({ kind: "lost" });
    // The browser connects again by itself, unless the answer was not a stream.
    if (source?.readyState === EventSource.CLOSED) retryLater();
  });
  helloTimer = setTimeout(() => { share({ kind: "lost" }); retryLater(); }, HELLO_MS);
}

function disconnect() {
  clearTimeout(helloTimer);
  clearTimeout(retryTimer);
  retryTimer = 0;
  source?.close();
  source = null;
  asked = "";
}

function retryLater() {
  const topics = asked;
  disconnect();
  asked = topics;
  retryTimer = setTimeout(() => { disconnect(); if (leading) connect(); }, Math.min(60_000, 5_000 * 2 ** tries++) * (0.8 + Math.random() * 0.4));
}

// --- what the leader tells, here and in the other tabs

function share(message) {
  hear(message);
  channel?.postMessage(message);
}

function hear(message) {
  if (message.kind === "need") {
    needs.set(message.id, { topics: message.topics, at: Date.now() });
    if (leading) connect();
    return;
  }
  if (!visible()) return;
  if (message.kind === "free") setTimeout(claim, Math.random() * 200);
  else if (message.kind === "link") {
    const begins = message.streaming && !streaming;
    streaming = message.streaming;
    if (begins) catchUp();
  } else if (message.kind === "lost") {
    streaming = false;
    catchUp();
  } else {
    streaming = true;
    heard = true;
    reached = Date.now();
    if (message.kind === "hello") setTimeout(catchUp, Math.random() * HELLO_SPREAD_MS);
    if (message.kind === "change") {
      const stale = regions().filter((region) => topicsOf(region).includes(message.topic));
      refreshAll(stale.filter((region) => region.dataset.spread === "0"));
      setTimeout(() => refreshAll(stale.filter((region) => region.dataset.spread !== "0")), Math.random() * SPREAD_MS);
    }
  }
  showState();
}

// --- asking again

async function refreshAll(some) {
  if (!some.length) return;
  const results = await Promise.all(some.map(refresh));
  heard = true;
  if (results.includes("unreachable")) {
    offline = true;
    if (leading && streaming) {
      streaming = false;
      retryLater(); // the stream only looks alive
    }
  } else {
    offline = false;
    reached = Date.now();
  }
  if (regions().some((region) => known.get(region)?.failed)) catching ||= Date.now();
  else catching = 0;
  showState();
}

async function catchUp() {
  if (!visible()) return;
  catching ||= Date.now();
  setTimeout(showState, GRACE_MS);
  await refreshAll(regions());
}

function poll() {
  if (!visible()) return;
  const due = (region) => !streaming || offline || known.get(region)?.failed;
  refreshAll(regions().filter((region) => due(region) && region.getClientRects().length));
}

function knownOf(region) {
  if (!known.has(region)) known.set(region, { etag: region.dataset.version ? `"${region.dataset.version}"` : "", taken: 0 });
  return known.get(region);
}

async function refresh(region) {
  const it = knownOf(region);
  if (it.busy) {
    it.again = true;
    return it.busy;
  }
  it.busy = ask(region, it);
  const result = await it.busy;
  it.busy = null;
  return result;
}

async function ask(region, it) {
  do {
    it.again = false;
    const taken = it.taken;
    const sent = performance.timeOrigin + performance.now();
    let response;
    let html;
    try {
      response = await fetch(region.dataset.src, {
        headers: { Accept: "text/html", ...(it.etag ? { "If-None-Match": it.etag } : {}) },
        cache: "no-store",
        signal: AbortSignal.timeout?.(TIMEOUT_MS),
      });
      html = response.ok ? await response.text() : "";
    } catch {
      it.failed = true;
      return "unreachable";
    }
    document.dispatchEvent(new CustomEvent("live:answer", { detail: { headers: response.headers, sent } }));
    it.failed = response.redirected || !(response.ok || response.status === 304);
    if (taken !== it.taken) it.again = true; // something newer came meanwhile
    else if (!it.failed && response.ok && show(region, it, html)) it.etag = response.headers.get("ETag") ?? "";
  } while (it.again);
  return it.failed ? "failed" : "fresh";
}

function take(event) {
  const it = knownOf(event.target);
  it.taken += 1;
  if (show(event.target, it, event.detail.html)) it.etag = event.detail.etag;
}

// --- showing what came, in place

let morph = null;
window.htmx?.registerExtension("live", {
  init: (api) => { morph = api.morph; },
  // What the reader did to the page stays: opened details, typed values.
  htmx_before_morph_attr: (element, { attrName }) =>
    !((attrName === "open" && element.matches("details, dialog")) || (attrName === "value" && isChanged(element))),
  htmx_before_morph_node: (element) => !(element.matches?.("textarea") && isChanged(element)),
});

function show(region, it, html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const whole = [...template.content.children].find((element) => element.matches("[data-live]"));
  const content = document.createDocumentFragment();
  content.append(...(whole ?? template.content).childNodes);
  if (movesUnderTheFinger(region, content)) {
    if (!it.held) say(line?.dataset.heldText);
    it.held = true;
    return false; // the old ETag stays, so the next question brings it again
  }
  it.held = false;
  const before = new Map(rowsOf(region).map((row) => [row, textOf(row)]));
  const topics = region.dataset.live;
  for (const { name, value } of whole?.attributes ?? []) if (name.startsWith("data-")) region.setAttribute(name, value);
  if (region.dataset.live !== topics) setTimeout(tick); // the stream is to carry the new ones too
  if (morph) morph(region, content, true);
  else region.replaceChildren(content);
  region.dispatchEvent(new CustomEvent("live:shown", { bubbles: true })); // what is added to it here is no change
  const changed = rowsOf(region).filter((row) => before.get(row) !== textOf(row));
  for (const row of changed) flash(row);
  window.htmx?.process(region);
  if (changed.length || !before.size) say(region.dataset.updated ?? line?.dataset.updatedText);
  return true;
}

const textOf = (row) => row.textContent.replace(/\s+/g, " ").trim();
const rowsOf = (region) => [...region.querySelectorAll(ROWS)].filter((row) => !row.querySelector(ROWS));

function flash(row) {
  row.classList.add("flash");
  setTimeout(() => row.classList.remove("flash"), FLASH_MS);
}

// Has the reader changed this control since it was rendered?
function isChanged(control) {
  if (control.type === "hidden" || control.closest("[data-bracket]")) return false;
  if (control.matches("[type=checkbox], [type=radio]")) return control.checked !== control.defaultChecked;
  if (control.matches("select")) {
    const given = [...control.options].findIndex((option) => option.defaultSelected);
    return !control.multiple && control.selectedIndex !== Math.max(given, 0);
  }
  return control.matches("input, textarea") && control.value !== control.defaultValue;
}

// While somebody is entering something here, a change may come in place but may neither reorder nor remove what they use.
function movesUnderTheFinger(region, content) {
  const used = [...region.querySelectorAll("input, select, textarea")].filter(
    (control) => isChanged(control) || (control === document.activeElement && control.matches("textarea, select, input:not([type=radio], [type=checkbox])")),
  );
  if (!used.length) return false;
  const idsBefore = [...region.querySelectorAll("[id]")].map((element) => element.id);
  const idsAfter = [...content.querySelectorAll("[id]")].map((element) => element.id);
  const stays = new Set(idsAfter);
  const was = new Set(idsBefore);
  const sameOrder = idsBefore.filter((id) => stays.has(id)).join(" ") === idsAfter.filter((id) => was.has(id)).join(" ");
  return !sameOrder || used.some((control) => {
    const anchor = control.closest("[id]");
    return !region.contains(anchor) || anchor === region || !stays.has(anchor.id);
  });
}

async function showHeld(event) {
  const region = event.target.closest?.("[data-live]");
  if (!region || !known.get(region)?.held) return;
  await sleep(200); // a reset has taken effect, the focus has arrived
  refreshAll([region]);
}

// --- words

const words = new Set();
let saying = 0;

function say(text) {
  if (!text) return;
  words.add(text);
  saying ||= setTimeout(() => {
    line.querySelector("[data-live-say]").textContent = [...words].join(". ");
    words.clear();
    saying = 0;
  }, SAY_MS);
}

function clockOf(time, withSeconds) {
  return new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", second: withSeconds ? "2-digit" : undefined, hourCycle: "h23" }).format(time);
}

function showState() {
  if (!line || !heard) return;
  const [state, text] = offline ? ["held", line.dataset.offlineText.replace("{time}", clockOf(reached))]
    : catching && Date.now() - catching >= GRACE_MS ? ["wait", line.dataset.catchingText]
    : streaming ? ["play", line.dataset.liveText]
    : ["play", line.dataset.pollingText];
  const element = line.querySelector("[data-live-state]");
  if (element.textContent !== text) {
    element.className = `st ${state}`;
    element.textContent = text;
  }
  line.querySelector("[data-live-asof]").textContent = line.dataset.asofText.replace("{time}", clockOf(reached, true));
  line.hidden = false;
}

// --- start

function wake() {
  catchUp();
  tick();
}

if (regions().length) {
  channel?.addEventListener("message", (event) => hear(event.data));
  document.addEventListener("visibilitychange", () => (visible() ? wake() : leave()));
  addEventListener("pagehide", leave);
  addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
  addEventListener("online", () => { if (leading) { disconnect(); connect(); } catchUp(); });
  addEventListener("offline", catchUp);
  document.addEventListener("live:refresh", catchUp);
  document.addEventListener("live:take", take);
  for (const kind of ["focusout", "change", "reset", "submit"]) document.addEventListener(kind, showHeld);
  setInterval(tick, TICK_MS);
  setInterval(poll, POLL_MS);
  tick();
}
