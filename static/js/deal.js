// Checks in the reader's browser that everything dealt in a record follows from its seed. SHA-256 and HMAC are our own:
// a hall's plain http has no WebCrypto. The scheme is that of docs/dealing.md, step by step.

const K = new Uint32Array(64);
const START = new Uint32Array(8);
{
  // The fractional parts of roots of the first primes, as the standard has them.
  let found = 0;
  for (let n = 2; found < 64; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false;
    if (!prime) continue;
    if (found < 8) START[found] = (Math.sqrt(n) % 1) * 2 ** 32;
    K[found++] = (Math.cbrt(n) % 1) * 2 ** 32;
  }
}

export function sha256(bytes) {
  const size = bytes.length;
  const padded = new Uint8Array(((size + 8) >> 6 << 6) + 64);
  padded.set(bytes);
  padded[size] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(size / 2 ** 29));
  view.setUint32(padded.length - 4, size << 3);
  const state = Uint32Array.from(START);
  const w = new Uint32Array(64);
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15];
      const b = w[i - 2];
      w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => { state[i] += value; });
  }
  const out = new Uint8Array(32);
  state.forEach((value, i) => new DataView(out.buffer).setUint32(4 * i, value));
  return out;
}

export function hmac(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = joined(block.map((byte) => byte ^ 0x36), message);
  return sha256(joined(block.map((byte) => byte ^ 0x5c), sha256(inner)));
}

function joined(...parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

const utf8 = (text) => new TextEncoder().encode(text);
const number4 = (n) => new Uint8Array([n >>> 24, n >>> 16, n >>> 8, n]);
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

// --- the scheme

export function matchKey(seed, words) {
  const parts = words.flatMap((text) => [number4(utf8(text).length), utf8(text)]);
  return hmac(seed, joined(utf8("pazaak-deal/1"), ...parts));
}

function* wordsOf(key, label) {
  for (let block = 0; ; block++) {
    const view = new DataView(hmac(key, joined(utf8(label), new Uint8Array(1), number4(block))).buffer);
    for (let at = 0; at < 32; at += 4) yield view.getUint32(at);
  }
}

function below(words, limit) {
  const fair = 2 ** 32 - (2 ** 32 % limit);
  for (;;) {
    const word = words.next().value;
    if (word < fair) return word % limit;
  }
}

export function shuffled(key, label, items, count) {
  const words = wordsOf(key, label);
  const pool = [...items];
  for (let at = 0; at < Math.min(count, pool.length - 1); at++) {
    const other = at + below(words, pool.length - at);
    [pool[at], pool[other]] = [pool[other], pool[at]];
  }
  return pool.slice(0, count);
}

const MAIN = Array.from({ length: 40 }, (_, at) => Math.floor(at / 4) + 1);
const HAND_CARDS = [..."+-*"].flatMap((sign) => [1, 2, 3, 4, 5, 6].map((n) => sign + n)).concat("V12", "T1", "D", "F24", "F36");

export const wholeDeck = (key, label) => shuffled(key, label, MAIN, 40);

function higherCard(key) {
  for (let number = 1; ; number++) {
    const deck = wholeDeck(key, `high-card/${number}`);
    for (let at = 0; at < 40; at += 2) if (deck[at] !== deck[at + 1]) return deck[at] > deck[at + 1] ? "A" : "B";
  }
}

const lot = (key, set) => "AB"[below(wordsOf(key, `opener/${set}`), 2)];

// --- the record

class Unreadable extends Error {}

function read(text) {
  const tags = {};
  const moves = [];
  text.replace(/^\uFEFF/, "").split("\n").forEach((raw, at) => {
    const line = raw.trim();
    if (line.startsWith("[")) {
      const tag = /^\[([A-Za-z0-9]+) (.*)\]$/.exec(line);
      if (!tag) throw new Unreadable();
      if (tag[1] !== "Option") tags[tag[1]] = JSON.parse(tag[2]);
    } else {
      const words = line.split(";")[0].match(/\([^()]*\)|\S+/g);
      if (words) moves.push([at + 1, words]);
    }
  });
  if (tags.Pazaak !== "1" || !/^[0-9a-f]{64}$/.test(tags.Seed ?? "") || !tags.Commitment) throw new Unreadable();
  return { tags, moves };
}

// Everything in which the record differs from what its seed deals, and how much was looked at.
export function check(text, options) {
  const { tags, moves } = read(text);
  const seed = unhex(tags.Seed);
  const found = [];
  const looked = { cards: 0, hands: 0, lots: 0 };
  if (hex(sha256(seed)) !== tags.Commitment) found.push({ kind: "seed" });
  const key = matchKey(seed, [tags.WordsA ?? "", tags.WordsB ?? ""]);
  const sideDecks = [tags.SideDeckA, tags.SideDeckB];
  const each = options.main_deck === "finite40_each";
  const decks = new Map();
  const deck = (label) => decks.get(label) ?? decks.set(label, wholeDeck(key, label)).get(label);
  const drawn = { A: 0, B: 0 };
  let inSet = { A: 0, B: 0 };
  let set = 0;

  function checkOpening(line, words) {
    const said = words.slice(words.indexOf("open") + 1);
    const opener = /^[AB]$/.test(said[0] ?? "") ? said.shift() : null;
    const rule = set === 1 ? options.first_player_first : options.first_player_next;
    const due = rule === "random" ? lot(key, set) : set === 1 && rule === "high_card" ? higherCard(key) : null;
    if (due) {
      looked.lots++;
      if (opener !== due) found.push({ kind: "opener", line, got: opener ?? "?", due });
    }
    said.forEach((word, seat) => {
      if (!sideDecks[seat]) return;
      const side = "AB"[seat];
      const cards = sideDecks[seat].split(" ").sort((a, b) => HAND_CARDS.indexOf(a) - HAND_CARDS.indexOf(b));
      const dealt = shuffled(key, options.hand_deal === "per_set" ? `hand/${side}/${set}` : `hand/${side}`, cards, options.hand_size);
      looked.hands++;
      const got = word.slice(1, -1).split(/\s+/);
      if ([...got].sort().join(" ") !== [...dealt].sort().join(" ")) {
        found.push({ kind: "hand", line, side, got: got.join(" "), due: dealt.join(" ") });
      }
    });
  }

  function dueCard(side) {
    const soFar = each ? drawn[side] : drawn.A + drawn.B;
    const here = each ? inSet[side] : inSet.A + inSet.B;
    const label = each ? `deck/${side}/` : "deck/";
    if (options.main_deck === "infinite") return 1 + below(wordsOf(key, `draw/${soFar + 1}`), 10);
    if (options.main_deck_reshuffle === "per_set") return deck(label + set)[here];
    return deck(label + (Math.floor(soFar / 40) + 1))[soFar % 40];
  }

  for (const [line, words] of moves) {
    if (words.includes("open")) {
      set++;
      inSet = { A: 0, B: 0 };
      checkOpening(line, words);
      continue;
    }
    const side = words[0];
    if (side !== "A" && side !== "B") continue;
    for (const word of words.slice(1)) {
      if (!/^[0-9]+$/.test(word)) continue;
      if (!set) throw new Unreadable();
      const due = dueCard(side);
      looked.cards++;
      if (due !== Number(word)) found.push({ kind: "draw", line, side, got: word, due });
      drawn[side]++;
      inSet[side]++;
    }
  }
  return { found, looked };
}

// --- the page

const MOST_LINES = 8;

function put(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

function show(page) {
  const said = page.querySelector("[data-deal-said]");
  const texts = page.dataset;
  let lines;
  let well = false;
  try {
    const { found, looked } = check(page.querySelector("[data-deal-record]").value, JSON.parse(texts.options));
    const words = { seed: texts.otherSeed, draw: texts.otherDraw, hand: texts.otherHand, opener: texts.otherOpener };
    well = !found.length;
    lines = well ? [texts.sealed, put(texts.well, looked)] : found.slice(0, MOST_LINES).map((each) => put(words[each.kind], each));
  } catch {
    lines = [texts.unreadable];
  }
  said.className = well ? "notice good" : "notice bad";
  said.replaceChildren(...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
}

const page = document.querySelector("[data-deal]");
if (page) {
  show(page);
  page.addEventListener("input", () => show(page));
}
