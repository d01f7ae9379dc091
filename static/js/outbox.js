// Keeps what a helper entered until the server has it: a result typed in a hall without network is never lost, never doubled.
//
//   <form data-outbox data-place="7" data-label="T3 – Дроид HK" method="post" action="…">  with hidden inputs key, version
//   <button formaction="…" data-label="Check in: T3">  in such a form: sent to its own address, waits for itself
//   <output data-said>  in such a form: what the server said last
//   <form data-outbox data-again>  what was refused can be changed: it comes back into the form, at once where nothing else
//   is typed there; what bears data-asked="code" shows itself when it was refused for that
//   and once a page templates/_components/outbox.html, whose data-outbox-box separates the queues of several helpers
//
// What another helper left unsent on this device is shown and sent as well: to the addresses it was entered for, so that
// it counts as theirs.
//
// A form is put into the queue and sent with Accept: application/json. Taken: an answer 2xx that is JSON or empty (what a
// hotel's sign-in page answers is neither). Refused: any other 4xx, shown with the problem's detail. All else is tried
// again with the same key. Without script, or where nothing can be stored, the form posts by itself.

const RETRY_MS = 5_000;
const RETRY_MOST_MS = 60_000;
const TIMEOUT_MS = 15_000;
const LOCK_MS = 20_000; // longer than a request may take: after it, another tab may try
const SHOW_AFTER_MS = 1_200; // what is sent at once never shows in the box
const USED_KEYS = 200;

const box = document.querySelector("[data-outbox-box]");
const text = box?.dataset;
const PREFIX = "outbox:";
const USED = ":used";
const ownQueue = `${PREFIX}${text?.outboxBox}`;
const usedKey = `${ownQueue}${USED}`;
const tab = randomKey();
const lines = new Map(); // entry id → its <li>
let wait = RETRY_MS;
let timer = 0;
let flushing = false;

function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// --- the queues, in this browser's storage: one a helper

function read(key) {
  try { return JSON.parse(localStorage.getItem(key)) ?? []; } catch { return []; }
}

function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

function queues() {
  try {
    const keys = Array.from({ length: localStorage.length }, (_, place) => localStorage.key(place));
    return keys.filter((key) => key?.startsWith(PREFIX) && !key.endsWith(USED));
  } catch {
    return [];
  }
}

const entries = () => queues().flatMap((queue) => read(queue).map((entry) => ({ ...entry, queue }))).sort((a, b) => a.at - b.at);
const find = (id) => entries().find((entry) => entry.id === id);

function change(id, changes) {
  const queue = find(id)?.queue;
  if (queue) write(queue, read(queue).map((entry) => (entry.id === id ? { ...entry, ...changes } : entry)));
  render();
}

function remove(id) {
  const queue = find(id)?.queue;
  if (queue) write(queue, read(queue).filter((entry) => entry.id !== id));
  render();
}

// --- from a form into the queue

function onSubmit(event) {
  const form = event.target;
  if (!form.matches?.("form[data-outbox]") || event.defaultPrevented) return;
  const button = event.submitter?.hasAttribute("formaction") ? event.submitter : null;
  const url = button ? button.formAction : form.action;
  if (button && entries().some((entry) => entry.state === "queued" && entry.url === url)) {
    event.preventDefault(); // it waits already
    return;
  }
  const used = read(usedKey);
  const keyInput = form.elements.namedItem("key");
  if (!keyInput.value || used.includes(keyInput.value)) keyInput.value = randomKey();
  const fields = [...new FormData(form, event.submitter)].filter(([, value]) => typeof value === "string");
  const entry = {
    id: keyInput.value,
    url,
    fields,
    place: form.dataset.place ?? "",
    label: [button?.dataset.label ?? form.dataset.label, ...chosenWords(form)].filter(Boolean).join(": "),
    by: text.outboxBy,
    at: Date.now(),
    state: "queued",
    tries: 0,
  };
  if (!write(ownQueue, [...read(ownQueue), entry])) return; // nowhere to keep it: the form posts by itself
  event.preventDefault();
  write(usedKey, [...used, entry.id].slice(-USED_KEYS));
  form.reset();
  for (const asked of form.querySelectorAll("[data-asked]")) asked.hidden = true;
  keyInput.value = "";
  form.closest("details.open")?.removeAttribute("open");
  setTimeout(render, SHOW_AFTER_MS);
  flush();
}

// The words beside what was chosen or typed, as the helper saw them.
function chosenWords(form) {
  return [...form.elements].flatMap((control) => {
    if (control.matches("[type=radio]:checked, [type=checkbox]:checked")) {
      const label = control.closest("label");
      return (label?.querySelector(".lbl") ?? label)?.textContent.replace(/\s+/g, " ").trim() ?? control.value;
    }
    return control.matches("input:not([type=hidden], [type=radio], [type=checkbox]), textarea") ? control.value : [];
  });
}

// --- from the queue to the server

async function flush() {
  clearTimeout(timer);
  if (flushing) return;
  flushing = true;
  let pause = 0;
  for (const { id } of entries().filter((entry) => entry.state === "queued")) {
    if (!(await lock(id))) { pause = RETRY_MS; continue; }
    const result = await send(find(id));
    if (result.again === undefined) wait = RETRY_MS;
    else {
      pause = Math.max(wait, result.again);
      wait = Math.min(wait * 2, RETRY_MOST_MS);
      break; // the others would meet the same
    }
  }
  flushing = false;
  const queued = entries().some((entry) => entry.state === "queued");
  if (queued) timer = setTimeout(flush, pause);
}

// One tab at a time: whoever still stands in the entry a moment after writing there may send it.
async function lock(id) {
  const entry = find(id);
  if (entry?.state !== "queued" || (entry.lock && entry.lock.tab !== tab && entry.lock.until > Date.now())) return false;
  change(id, { lock: { tab, until: Date.now() + LOCK_MS } });
  await new Promise((done) => setTimeout(done, 20 + Math.random() * 40));
  return find(id)?.state === "queued" && find(id).lock?.tab === tab;
}

// Resolves to {} when the server has decided, to {again: ms} when it has not.
async function send(entry) {
  let response;
  try {
    response = await fetch(entry.url, {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams(withFreshToken(entry.fields)),
      signal: AbortSignal.timeout?.(TIMEOUT_MS),
    });
  } catch {
    return postpone(entry, 0);
  }
  const isJson = (response.headers.get("Content-Type") ?? "").includes("json");
  if (response.status === 204 || (response.ok && isJson && !response.redirected)) {
    const { said } = isJson ? await response.json().catch(() => ({})) : {};
    remove(entry.id);
    say(said ?? text.sentText.replace("{what}", spoken(entry)));
    tell(entry, said ?? "", false);
    document.dispatchEvent(new CustomEvent("live:refresh"));
    return {};
  }
  if (response.status >= 400 && response.status < 500 && response.status !== 408 && response.status !== 429) {
    const problem = isJson ? await response.json().catch(() => ({})) : {};
    const words = problem.detail ?? problem.title ?? text.refusedText;
    change(entry.id, { state: "look", problem: words, code: problem.code ?? "", lock: null });
    if (!isTyped(formOf(entry))) bringBack(entry.id);
    tell(entry, words, true);
    say(`${text.lookText}: ${spoken(entry)}`);
    document.dispatchEvent(new CustomEvent("live:refresh"));
    return {};
  }
  return postpone(entry, 1_000 * (Number.parseInt(response.headers.get("Retry-After"), 10) || 0));
}

// What the server said, beside the form it was said to.
function tell(entry, words, isProblem) {
  for (const output of document.querySelectorAll("form[data-outbox] [data-said]")) {
    if (output.closest("form").action !== entry.url) continue;
    output.textContent = words;
    output.classList.toggle("error", isProblem);
  }
}

// The form that what was refused can come back into; undefined where there is none on this page, or it is another helper's.
function formOf(entry) {
  const forms = [...document.querySelectorAll("form[data-again]")];
  return entry.queue === ownQueue ? forms.find((form) => form.action === entry.url) : undefined;
}

const isTyped = (form) => [...(form?.elements ?? [])].some((control) => control.matches("input:not([type=hidden], [type=checkbox])") && control.value !== control.defaultValue);

// Out of the queue and into its form again, to be changed there.
function bringBack(id) {
  const entry = find(id);
  const form = entry && formOf(entry);
  if (!form) return;
  form.reset();
  const typed = new Map(entry.fields);
  for (const control of form.elements) {
    if (control.matches("[type=checkbox]")) control.checked = typed.has(control.name);
    else if (control.matches("input:not([type=hidden])")) control.value = typed.get(control.name) ?? "";
    if (control.value && control.closest("details")) control.closest("details").open = true;
  }
  for (const asked of form.querySelectorAll("[data-asked]")) asked.hidden = asked.dataset.asked !== entry.code;
  remove(id);
  tell(entry, entry.problem, true);
  form.querySelector("input:not([type=hidden])").focus();
}

// A page that goes takes its request with it, so the next one need not wait until the lock runs out: the key is the same.
function release() {
  for (const { id, lock: held } of entries()) if (held?.tab === tab) change(id, { lock: null });
}

function postpone(entry, again) {
  change(entry.id, { tries: entry.tries + 1, since: entry.since ?? Date.now(), lock: null });
  return { again };
}

// A stored form may be older than the session's token.
function withFreshToken(fields) {
  const token = document.querySelector("input[name=csrfmiddlewaretoken]")?.value;
  return fields.map(([name, value]) => [name, name === "csrfmiddlewaretoken" && token ? token : value]);
}

// --- the box

function render() {
  const now = Date.now();
  const shown = entries().filter((entry) => entry.state !== "queued" || entry.tries > 0 || now - entry.at >= SHOW_AFTER_MS);
  const unsent = shown.filter((entry) => entry.state !== "dropped");
  const list = box.querySelector("[data-outbox-list]");
  for (const [id, item] of lines) {
    if (shown.some((entry) => entry.id === id)) continue;
    item.remove();
    lines.delete(id);
  }
  for (const entry of shown) {
    if (!lines.has(entry.id)) {
      lines.set(entry.id, newLine(entry));
      list.append(lines.get(entry.id));
    }
    fillLine(lines.get(entry.id), entry);
  }
  const failing = shown.filter((entry) => entry.state === "queued" && entry.since);
  box.querySelector("[data-outbox-title]").textContent = unsent.length ? text.titleText.replace("{n}", unsent.length) : text.goneText;
  const note = box.querySelector("[data-outbox-note]");
  note.textContent = failing.length ? text.waitingText.replace("{time}", clock(Math.min(...failing.map((entry) => entry.since)))) : "";
  note.hidden = !failing.length;
  box.querySelector("[data-outbox-now]").hidden = !shown.some((entry) => entry.state === "queued");
  box.hidden = !shown.length;
  for (const form of document.querySelectorAll("form[data-outbox]")) {
    const summary = form.closest("details.open")?.querySelector("summary");
    if (unsent.some((entry) => entry.url === form.action)) summary?.setAttribute("data-unsent", text.shortText);
    else summary?.removeAttribute("data-unsent");
  }
  const kept = entries();
  for (const button of document.querySelectorAll("form[data-outbox] button[formaction]")) {
    const entry = kept.find((each) => each.url === button.formAction && each.state !== "dropped");
    if (!entry) button.removeAttribute("data-unsent");
    else button.setAttribute("data-unsent", shown.some((each) => each.id === entry.id) ? text.shortText : text.sendingText);
  }
}

function newLine(entry) {
  const item = box.querySelector("[data-outbox-line]").content.firstElementChild.cloneNode(true);
  part(item, "place").textContent = entry.place;
  part(item, "label").textContent = entry.queue === ownQueue || !entry.by ? entry.label : `${entry.label} (${entry.by})`;
  part(item, "again").addEventListener("click", () => bringBack(entry.id));
  part(item, "drop").addEventListener("click", () => {
    change(entry.id, { state: "dropped" });
    say(text.droppedText.replace("{what}", spoken(entry)));
    part(item, "undo").focus();
  });
  part(item, "undo").addEventListener("click", () => {
    change(entry.id, { state: "look" });
    part(item, "drop").focus();
  });
  return item;
}

function fillLine(item, entry) {
  const [state, words] = {
    queued: entry.lock ? ["play", text.sendingText] : ["held", text.queuedText.replace("{time}", clock(entry.at))],
    look: ["late", text.lookText],
    dropped: ["wait", text.goneText],
  }[entry.state];
  part(item, "state").className = `st ${state}`;
  part(item, "state").textContent = words;
  part(item, "problem").textContent = entry.state === "look" ? entry.problem : "";
  part(item, "problem").hidden = entry.state !== "look";
  part(item, "drop").hidden = entry.state !== "look";
  part(item, "again").hidden = entry.state !== "look" || !formOf(entry);
  part(item, "undo").hidden = entry.state !== "dropped";
}

const part = (item, name) => item.querySelector(`[data-part=${name}]`);
const spoken = (entry) => [entry.place, entry.label].filter(Boolean).join(", ");
const say = (words) => { document.querySelector("[data-outbox-say]").textContent = words; };
const clock = (time) => new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(time);

function tryNow() {
  wait = RETRY_MS;
  flush();
}

if (box) {
  for (const queue of queues()) write(queue, read(queue).filter((entry) => entry.state !== "dropped"));
  document.addEventListener("submit", onSubmit);
  document.addEventListener("live:shown", render);
  box.querySelector("[data-outbox-now]").addEventListener("click", tryNow);
  addEventListener("online", tryNow);
  addEventListener("pagehide", release);
  addEventListener("storage", (event) => { if (event.key?.startsWith(PREFIX)) render(); });
  render();
  flush();
}
