// Keys and saving. Without this file every button sends its form, and the pages work as well.
"use strict";
document.documentElement.classList.add("script");
// Who is quick presses keys while the page is still being read: they are kept and done then.
const early = [];
const keepKey = (event) => {
  if (event.isTrusted && !event.target.matches("input, textarea, button, a, summary")) early.push(event);
};
document.addEventListener("keydown", keepKey);
document.addEventListener("DOMContentLoaded", () => {
document.removeEventListener("keydown", keepKey);
const $ = (selector, home = document) => home.querySelector(selector);
const all = (selector, home = document) => [...home.querySelectorAll(selector)];
const form = $("#form");
if (!form) return;
const step = form.dataset.step;
const cards = all(".card[data-fact], .card[data-biography], .card[data-grouping]", form);
const live = $("#live"), alarm = $("#unsaved"), saved = $("#saved"), undo = $("#undo");
const say = (text) => { live.textContent = ""; requestAnimationFrame(() => { live.textContent = text; }); };
const hint = (text) => { $("#hint").textContent = text; $("#hint").hidden = !text; if (text) say(text); };

// --- saving: one request at a time, in order, until the server has it ---
let counter = Math.max(Date.now(), Number(form.elements.counter.value));
const queue = [], undos = [];
let sending = null;
const next = () => ++counter;
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

function save(name, value) {
  queue.push({ name, value, counter: next() });
  saved.textContent = "Saving…";
  sending ??= send().finally(() => { sending = null; });
  return sending;
}
async function send() {
  for (let pause = 300; queue.length;) {
    // What came in meanwhile goes along; of several answers to one question the last one counts.
    const sent = queue.length, fields = new Map();
    for (const { name, value } of queue) { fields.delete(name); fields.set(name, value); }
    const body = new URLSearchParams([["csrf", form.elements.csrf.value], ["counter", queue[sent - 1].counter], ...fields]);
    let answer = null;
    try {
      answer = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } });
    } catch { /* the server does not answer */ }
    if (answer === null || answer.status >= 500) {
      alarm.textContent = "Not saved: the server does not answer. Trying again…";
      alarm.hidden = false;
      await wait(pause);
      pause = Math.min(pause * 2, 5000);
      continue;
    }
    queue.splice(0, sent);
    if (!answer.ok) {
      const problem = await answer.json().catch(() => ({}));
      alarm.textContent = `Not saved: ${problem.error ?? answer.status}. Reload the page.`;
      alarm.hidden = false;
      queue.length = 0;
      return;
    }
    alarm.hidden = true;
    pause = 300;
  }
  saved.textContent = "Saved";
}
addEventListener("beforeunload", (event) => { if (queue.length) event.preventDefault(); });

let leaving = false;
async function leave(name, value) {
  if (leaving) return;
  leaving = true;
  for (const field of all("textarea[name]", form)) keep(field);
  while (sending) await sending;
  if (!alarm.hidden) { leaving = false; return; }
  form.elements.counter.value = next();
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name, value });
  form.append(field);
  for (const area of all("textarea[name]", form)) area.disabled = true;  // saved already
  form.submit();
}

// --- choices ---
const group = (card) => $("[data-choices]", card) ?? card;
const pressed = (home) => $('.choice[aria-pressed="true"]', home)?.value ?? null;
function press(home, value) {
  for (const button of all(".choice", home)) button.setAttribute("aria-pressed", String(button.value === value));
}
// Gives some cards one answer, all or none; what they had is kept.
function choose(chosen, value) {
  if (!chosen.every((card) => all(".choice", group(card)).some((one) => one.value === String(value)))) return false;
  undos.push({ at, before: chosen.map((card) => [card, pressed(group(card)) ?? "open"]) });
  undo.disabled = false;
  give(chosen.map((card) => [card, String(value)]));
  return true;
}
function give(answers) {
  for (const [card, value] of answers) {
    press(group(card), value);
    save(group(card).dataset.choices, value);
  }
  hint("");
  if (step === "A") moreBiographies();
  const [card, value] = answers[0], button = $('.choice[aria-pressed="true"]', group(card));
  if (step === "B" || step === "D") show(Number(value));
  const last = answers.length > 1 ? ` to ${Number(answers.at(-1)[0].dataset.fact) + 1}` : "";
  say(`${called(card)}${last}: ${button ? button.getAttribute("aria-label") ?? $("bdi", button).textContent : "open"}`);
  count();
}
const called = (card) => card.dataset.fact ? `Fact ${Number(card.dataset.fact) + 1}` : card.dataset.biography ? `Biography ${card.dataset.shown}` : "The grouping";
function count() {
  const place = $("#count");
  if (!place) return;
  const done = cards.filter((card) => pressed(group(card)) !== null).length;
  const used = new Set(cards.map((card) => pressed(group(card))));
  place.textContent = step === "A" ? `${cards.length}, in ${used.size} ${used.size === 1 ? "biography" : "biographies"}` : `${done} of ${cards.length}`;
}
function moreBiographies() {
  const most = Math.min(30, 1 + Math.max(1, ...cards.map((card) => Number(pressed(group(card))))));
  for (const card of cards) {
    const home = group(card);
    for (let n = home.children.length + 1; n <= most; n++) {
      const button = home.lastElementChild.cloneNode(true);
      button.value = n;
      button.className = `choice number b${(n - 1) % 8}`;
      button.setAttribute("aria-label", `biography ${n}`);
      button.setAttribute("aria-pressed", "false");
      $("bdi", button).textContent = n;
      home.append(button);
    }
  }
}
function takeBack() {
  const last = undos.pop();
  undo.disabled = !undos.length;
  if (!last) return say("Nothing to undo");
  give(last.before);
  go(last.at);
}
// What an answer of step A is for: one fact, all of its sentence, or all from here on.
let scope = "fact";
function widen(to) {
  scope = to;
  for (const button of all("[data-scope]")) button.setAttribute("aria-pressed", String(button.dataset.scope === scope));
  if (cards.length) go(at, { focus: false });
}
function covered(index, wide = scope) {
  const sentence = cards[index].dataset.sentence;
  if (wide === "rest") return cards.slice(index);
  return wide === "sentence" && sentence ? cards.filter((card) => card.dataset.sentence === sentence) : [cards[index]];
}
function bySentence(by) {
  const own = covered(at, "sentence");
  const other = by > 0 ? cards[cards.indexOf(own.at(-1)) + 1] : cards[cards.indexOf(own[0]) - 1];
  if (other) at = cards.indexOf(covered(cards.indexOf(other), "sentence")[0]);
  widen("sentence");
  go(at);
}
// An answer by key, and on to what comes next.
function answer(value, wide = scope) {
  const chosen = covered(at, wide);
  if (!choose(chosen, value)) return false;
  if (wide === "rest") widen("fact");
  else if (chosen.at(-1) === cards.at(-1)) hint(cards.some((card) => pressed(group(card)) === null) ? "Last one. Enter goes to what has no answer yet" : "Last one. Enter confirms the step");
  else if (wide === "sentence" && chosen.length > 1) bySentence(1);
  else go(cards.indexOf(chosen.at(-1)) + 1);
  return true;
}
function toggle(button) {
  const value = button.value;
  save(button.name, value);
  button.setAttribute("aria-pressed", String(value === "yes"));
  button.value = value === "yes" ? "no" : "yes";
  say(`${button.textContent.trim()}: ${value}`);
}
const kept = new Map(all("textarea[name]", form).map((field) => [field, field.value.trim()]));
function keep(field) {
  if (kept.get(field) === field.value.trim()) return;
  kept.set(field, field.value.trim());
  save(field.name, field.value);
}
let typing = 0;
form.addEventListener("input", (event) => {
  if (!kept.has(event.target)) return;
  clearTimeout(typing);
  typing = setTimeout(keep, 700, event.target);
});
form.addEventListener("change", (event) => { if (kept.has(event.target)) keep(event.target); });

// --- the current fact, its sentence, its page ---
let at = Math.max(0, cards.findIndex((card) => card.dataset.fact === form.dataset.cursor && step !== "B"));
function go(index, { focus = true } = {}) {
  if (!cards.length) return;
  at = Math.max(0, Math.min(cards.length - 1, index));
  const card = cards[at], now = step === "A" ? covered(at) : [card];
  for (const one of cards) {
    one.classList.toggle("now", now.includes(one));
    if (one === card) one.setAttribute("aria-current", "true");
    else one.removeAttribute("aria-current");
  }
  if (focus) {
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: "nearest" });
  }
  for (const sentence of all(".sentence.now")) sentence.classList.remove("now");
  const sentence = card.dataset.sentence ? document.getElementById(`sentence-${card.dataset.sentence}`) : null;
  sentence?.classList.add("now");
  const text = sentence?.closest(".paragraph");
  if (text?.clientHeight) inside(text, sentence);
  if (step === "C") show(Number(card.dataset.linked));
  else if (step === "B") show(Number(pressed(group(card))) || shown);
  else if (step === "case") mark();
  else if (step === "D") show(Number(pressed(group(card))) || other(card));
}
// In step D the linked page is known already: another one is shown.
function other(card) {
  const rest = [...pages.keys()].filter((number) => String(number) !== card.dataset.linked);
  return rest.includes(shown) ? shown : rest[0] ?? shown;
}
function inside(home, part) {
  const outer = home.getBoundingClientRect(), inner = part.getBoundingClientRect();
  if (inner.top < outer.top || inner.bottom > outer.bottom) home.scrollTop += inner.top - outer.top - home.clientHeight / 3;
}

const pages = new Map(all(".page").map((page) => [Number(page.dataset.page), page]));
let shown = 0;
function show(wanted) {
  const here = pages.has(wanted) ? wanted : step === "C" ? 0 : shown || [...pages.keys()][0] || 0;
  shown = here;
  for (const [other, page] of pages) page.hidden = other !== here;
  for (const tab of all("[data-tab]")) {
    if (Number(tab.dataset.tab) === here) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
  mark();
  if ($("#search")?.value) search();
}

// --- words of the fact in the page; nothing in the page is changed for it ---
const COMMON = new Set("the and for was were with that this from his her its their has had have are but not also who which into born after before when where while been being one two than then they them she him".split(" "));
const tokens = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const ofName = new Set(tokens(form.dataset.name));
const words = (text) => new Set(tokens(text).filter((w) => (w.length > 2 || /\d/.test(w)) && !COMMON.has(w) && !ofName.has(w)));
const quoted = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const paint = (name, ranges) => { if (CSS.highlights) CSS.highlights.set(name, new Highlight(...ranges)); };
const MOST = 1500;
const texts = (card) => card.dataset.fact ? $(".fact-text bdi", card).textContent : all(".own li", card).map((one) => one.textContent).join(" ");
let best = null;
function find(pattern, each) {
  const page = pages.get(shown);
  if (!page) return;
  const walker = document.createTreeWalker($(".page-text", page), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const match of node.data.matchAll(pattern)) if (each(node, match) === false) return;
  }
}
function mark() {
  best = null;
  for (const one of all(".s.evident, .s.at")) one.classList.remove("evident", "at");
  const card = cards[at], ranges = [];
  const wanted = card ? [...words(texts(card))].slice(0, 200) : [];
  if (wanted.length) {
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${wanted.map(quoted).join("|")})(?![\\p{L}\\p{N}])`, "giu");
    const hits = new Map();
    find(pattern, (node, match) => {
      const home = node.parentNode;
      if (!hits.has(home)) hits.set(home, new Set());
      hits.get(home).add(match[0].toLowerCase());
      if (ranges.length < MOST) {
        const range = new Range();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        ranges.push(range);
      }
    });
    for (const [home, seen] of hits) if (!best || seen.size > hits.get(best).size) best = home;
  }
  paint("words", ranges);
  const [page, start, end] = ($("[data-evidence]", card ?? document.createElement("p"))?.dataset.evidence ?? "").split(":");
  const evident = Number(page) === shown && start ? $(`.s[data-at="${start}:${end}"]`, pages.get(shown)) : null;
  evident?.classList.add("evident");
  const goal = evident ?? best;
  if (goal) inside(goal.closest(".page"), goal);
}

// --- search in the page ---
const input = $("#search"), places = $("#hits");
let hits = [], hit = -1;
function search() {
  hits = [];
  hit = -1;
  if (input.value.trim()) {
    find(new RegExp(quoted(input.value.trim()), "giu"), (node, match) => {
      const range = new Range();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      hits.push(range);
      return hits.length < MOST;
    });
  }
  paint("found", hits);
  places.textContent = input.value.trim() ? `${hits.length === MOST ? "many" : hits.length} found` : "";
  if (hits.length) turn(1);
}
function turn(by) {
  if (!hits.length) return;
  hit = (hit + by + hits.length) % hits.length;
  const place = hits[hit].startContainer.parentNode;
  inside(place.closest(".page"), place);
  places.textContent = `${hit + 1} of ${hits.length}`;
}
input?.addEventListener("input", search);
input?.addEventListener("keydown", (event) => {
  if (event.key === "Enter") { event.preventDefault(); turn(event.shiftKey ? -1 : 1); }
  if (event.key === "Escape") { event.preventDefault(); input.value = ""; search(); go(at); }
});

// --- evidence ---
let marking = null;
function startMarking(card) {
  const spans = all(".s", pages.get(shown));
  if (!spans.length) return say("There is no page to mark a sentence in");
  marking = { card, spans, at: Math.max(0, spans.indexOf(best)) };
  document.body.classList.add("marking");
  point(0);
}
function point(by) {
  marking.spans[marking.at].classList.remove("at");
  marking.at = Math.max(0, Math.min(marking.spans.length - 1, marking.at + by));
  const span = marking.spans[marking.at];
  span.classList.add("at");
  inside(span.closest(".page"), span);
  say(`Evidence: ${span.textContent.slice(0, 300)}`);
}
function endMarking(span) {
  const { card } = marking;
  for (const one of all(".s.at")) one.classList.remove("at");
  marking = null;
  document.body.classList.remove("marking");
  if (span) {
    const place = `${shown}:${span.dataset.at}`;
    save(`fact.${card.dataset.fact}.evidence`, place);
    evidence(card, place, span.textContent);
    say("Evidence marked");
  }
  go(cards.indexOf(card));
}
function evidence(card, place, text) {
  const line = $("[data-evidence]", card);
  line.dataset.evidence = place;
  $("q", line).textContent = text;
  line.hidden = !place;
  if (place) $("details", card).open = true;
  mark();
}
document.addEventListener("click", (event) => {
  const span = event.target.closest?.(".page .s");
  if (marking && span) endMarking(span);
});

// --- the form ---
form.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (step === "case" && button?.name !== "confirm") { form.elements.counter.value = next(); return; }
  event.preventDefault();
  if (!button || leaving) return;
  const card = button.closest(".card");
  if (button.name === "confirm") confirm();
  else if (button.name === "reopen") leave("reopen", button.value);
  else if (button.classList.contains("choice")) {
    go(cards.indexOf(card), { focus: false });
    choose(covered(at), button.value);
    if (scope === "rest") widen("fact");
  }
  else if (button.classList.contains("toggle")) toggle(button);
  else if (button.name.endsWith(".evidence")) { save(button.name, ""); evidence(card, "", ""); go(cards.indexOf(card)); }
});
function confirm() {
  const open = cards.filter((card) => pressed(group(card)) === null);
  if (open.length) {
    go(cards.indexOf(open[0]));
    return hint(`${called(open[0])} has no answer yet; ${open.length} of ${cards.length} are open`);
  }
  if ($("#confirm")) leave("confirm", $("#confirm").value);
}
for (const button of all("[data-scope]")) button.addEventListener("click", () => widen(button.dataset.scope));
form.addEventListener("click", (event) => {
  const button = event.target.closest("[data-mark]");
  if (button) { go(cards.indexOf(button.closest(".card"))); startMarking(cards[at]); return; }
  const card = event.target.closest(".card");
  if (card && cards.includes(card) && !event.target.closest("button, a, summary, textarea")) go(cards.indexOf(card), { focus: false });
});
form.addEventListener("focusin", (event) => {
  const index = cards.indexOf(event.target.closest(".card"));
  if (index >= 0 && index !== at) go(index, { focus: false });
});
for (const tab of all("[data-tab]")) tab.addEventListener("click", (event) => { event.preventDefault(); show(Number(tab.dataset.tab)); });
undo?.addEventListener("click", takeBack);
// From its beginning: the first thing that can have the focus is the button at its end.
const help = () => { $("#help").showModal(); $("#help").scrollTop = 0; };
$("#keys")?.addEventListener("click", help);

// --- keys ---
const LABELS = { s: "supported", n: "not_supported", i: "irrelevant" };
document.addEventListener("keydown", (event) => {
  const target = event.target;
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || $("dialog[open]")) return;
  if (leaving) { event.preventDefault(); return; }
  if (target.matches("input, textarea, select, [contenteditable]")) {
    if (event.key === "Escape" && target !== input) { target.blur(); go(at); }
    return;
  }
  // Digits by their place, for some keyboards have them under Shift; letters whatever Caps Lock does.
  const place = /^Digit([0-9])$/.exec(event.code)?.[1], shift = event.shiftKey;
  const card = cards[at], key = place ?? (shift ? event.key : event.key.replace(/^[A-Z]$/, (letter) => letter.toLowerCase()));
  const wide = shift && place > 0 ? place : null;
  if (marking) {
    const by = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[key];
    if (by) { event.preventDefault(); point(by); }
    else if (key === "Enter") { event.preventDefault(); endMarking(marking.spans[marking.at]); }
    else if (key === "Escape") endMarking(null);
    return;
  }
  if (key === "Enter") {
    if (target.closest("button, a, summary")) return;
    event.preventDefault();
    confirm();
  } else if (step === "A" && card && (wide || ["J", "K"].includes(key))) {
    event.preventDefault();
    if (!wide) bySentence(key === "J" ? 1 : -1);
    else if (!answer(wide, "rest")) hint("There is no such biography yet");
  } else if (key === "j" || key === "ArrowDown" || key === "k" || key === "ArrowUp") {
    if (key.length > 1 && target.closest(".page, .paragraph")) return;  // scrolls
    event.preventDefault();
    if (scope !== "fact") widen("fact");
    go(at + (key === "j" || key === "ArrowDown" ? 1 : -1));
  } else if (step === "C" && card && key in LABELS) {
    event.preventDefault();
    if (!answer(LABELS[key])) hint("This biography has no page: not supported or irrelevant");
  } else if (/^[0-9]$/.test(key) && card && "ABD".includes(step)) {
    event.preventDefault();
    if (!answer(key)) hint(step === "A" ? "There is no such biography yet" : "There is no such page to choose");
  } else if (/^[0-9i]$/.test(key) && card && step === "case") {
    event.preventDefault();
    const value = "grouping" in card.dataset ? { 1: "first", 2: "second" }[key] : key === "i" ? "irrelevant" : key;
    $(`.choice[value="${value}"]`, card)?.click();
  } else if (key === "e" && (step === "C" || step === "D") && card) {
    event.preventDefault();
    startMarking(card);
  } else if (key === "c" && card && $("textarea", card)) {
    event.preventDefault();
    $("details", card).open = true;
    $("textarea", card).focus();
  } else if (key === "u" && undo) {
    event.preventDefault();
    takeBack();
  } else if (key === "/" && input) {
    event.preventDefault();
    input.focus();
    input.select();
  } else if (key === "?" && $("#help")) {
    event.preventDefault();
    help();
  }
});

if (step !== "case") {
  count();
  go(at);
} else {
  // A decision loads the page again: on to what is open after it.
  show(0);
  const last = cards.findIndex((card) => `#${card.id}` === location.hash);
  const open = [...cards.slice(last + 1), ...cards.slice(0, last + 1)].filter((card) => pressed(card) === null);
  go(open.length ? cards.indexOf(open[0]) : Math.max(0, last), { focus: Boolean(location.hash) });
  if (!open.length && $("#confirm")) hint("Everything is decided. Enter confirms the decisions");
}
if (!location.hash && step !== "case") scrollTo(0, 0);
for (const { key, code, shiftKey } of early) document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, code, shiftKey, bubbles: true, cancelable: true }));
});
