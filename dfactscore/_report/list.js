// The list of texts, which can be sorted, filtered, and opened.

const INDEX = read("index");
const [ID, NAME, STATUS, FS, DFS, BIO, ENT, FACTS, KIND, MIXED, MODEL, THIN] = Array(12).keys();
const marked = (value, row) => percent(value) + (row[THIN] && value !== null ? " †" : "");
const gapOf = (row) => (row[FS] === null || row[DFS] === null ? null : row[FS] - row[DFS]);
const kindOf = (row) =>
  row[KIND] ?? (row[STATUS] === "scored" ? "–" : row[STATUS].replaceAll("_", " "));
const severalModels = () => INDEX.summary.models.length > 1;
const COLUMNS = [
  { key: "name", title: "Name", value: (r) => r[NAME], word: true },
  { key: "model", title: INDEX.runs ? "Run" : "Model", value: (r) => r[MODEL] ?? "–", word: true, wide: true },
  { key: "fs", title: "FS", value: (r) => r[FS], show: marked },
  { key: "dfs", title: "D-FS", value: (r) => r[DFS], show: marked },
  { key: "gap", title: "Gap", value: gapOf, show: percent },
  { key: "facts", title: "Facts", value: (r) => r[FACTS], wide: true },
  { key: "bio", title: "People seen", value: (r) => r[BIO], wide: true },
  { key: "ent", title: "Entities", value: (r) => r[ENT], wide: true },
  { key: "kind", title: "Kind", value: kindOf, wide: true, word: true },
].filter((column) => column.key !== "model" || severalModels());
const rows = [];
let listed = [];
let most = FOUND_SHOWN;
let tableBody;

// Rows are created when they come into view, because a run may have ten thousand.
const STEP = 200;
const namesakes = new Map(); // the number of texts per model and name
const known = (row) => `${row[NAME]}\n${row[MODEL]}`;
let drawn = 0; // rows that exist
let room = 0; // facts that may still be listed
const rest = make("tr", { class: "rest" }, make("td", { colspan: COLUMNS.length }));
const watch = new IntersectionObserver((seen) => {
  if (seen.some((one) => one.isIntersecting)) drawUpTo(drawn + STEP);
}, { rootMargin: "1500px" });

function classOf(column) {
  return [column.wide && "wide", column.word && "word"].filter(Boolean).join(" ") || null;
}

function buildList() {
  tableBody = make("tbody");
  INDEX.rows.forEach((row, i) => {
    namesakes.set(known(row), (namesakes.get(known(row)) ?? 0) + 1);
    rows.push({ i, data: row, element: null, opener: null, opened: null,
      words: `${row[NAME]} ${row[ID]} ${row[MODEL] ?? ""}`.toLowerCase() });
  });
  const head = COLUMNS.map((column) =>
    make("th", { scope: "col", "data-key": column.key, class: classOf(column) },
      make("button", { type: "button", onclick: () => sortBy(column) }, column.title)));
  document.getElementById("list").append(
    make("table", { class: "list" },
      make("caption", { class: "skip" }, "Texts with their scores, in percent"),
      make("thead", {}, make("tr", {}, head)), tableBody));
  buildFilters();
}

function drawRow(entry) {
  const { i, data: row } = entry;
  entry.opener = make("button",
    { type: "button", class: "opener", "aria-expanded": "false", onclick: () => toggle(i) },
    row[MIXED] ? make("span", { class: "mark", title: "takes several people for one" }, "◆ ") : null,
    text(row[NAME]), namesakes.get(known(row)) > 1 ? make("small", {}, " ", text(row[ID])) : null,
    severalModels() ? make("small", { class: "narrow" }, " ", text(row[MODEL] ?? "")) : null);
  const cells = COLUMNS.slice(1).map((column) => {
    const value = column.value(row);
    return make("td", { class: classOf(column) },
      column.show ? column.show(value, row) : column.word ? text(value) : String(value ?? "–"));
  });
  entry.element = make("tr", { class: row[MIXED] ? "row mixed" : "row" },
    make("td", {}, entry.opener), cells);
}

function nodesOf(entry) {
  if (!entry.element) drawRow(entry);
  const some = (entry.found ?? []).slice(0, room);
  room -= some.length;
  const lines = some.length ? make("tr", { class: "found" },
    make("td", { colspan: COLUMNS.length }, foundLines(entry, some))) : null;
  return [entry.element, lines, entry.opened].filter(Boolean);
}

// Creates the first rows, and the others when they come into view.
function drawUpTo(count) {
  watch.unobserve(rest);
  rest.before(...listed.slice(drawn, count).flatMap(nodesOf));
  drawn = Math.max(drawn, Math.min(count, listed.length));
  rest.hidden = drawn === listed.length;
  if (!rest.hidden) watch.observe(rest);
}

function buildFilters() {
  const choice = (label, key, of) => {
    const values = [...new Set(INDEX.rows.map(of))].filter(Boolean).sort();
    return values.length < 2 ? null : make("label", {}, label, make("select", { id: key, name: key },
      make("option", { value: "" }, "all"), values.map((v) => make("option", { value: v }, v))));
  };
  const form = document.getElementById("filters");
  form.append(...[
    make("label", {}, "Search names, facts and evidence",
      make("input", { type: "search", id: "search", name: "q", autocomplete: "off" })),
    choice(INDEX.runs ? "Run" : "Model", "model", (r) => r[MODEL]),
    choice("Kind", "kind", kindOf),
    make("label", {}, "With facts", make("select", { id: "verdict", name: "verdict" },
      make("option", { value: "" }, "of any verdict"),
      SEVERITY.map((v) => make("option", { value: v }, `${SIGNS[v]} ${WORDS[v]}`)))),
    make("label", { class: "check" },
      make("input", { type: "checkbox", id: "mixed", name: "mixed", value: "1" }),
      make("span", {}, make("span", { class: "mark" }, "◆"), " mixed only")),
  ].filter(Boolean));
  form.addEventListener("submit", (e) => e.preventDefault());
  form.addEventListener("input", () => {
    for (const key of Object.keys(PLAIN)) if (form.elements[key]) state[key] = "";
    for (const [key, value] of new FormData(form)) state[key] = value;
    setLink({});
    arrange();
  });
}

function fillFilters() {
  for (const field of document.getElementById("filters").elements) {
    if (field.type === "checkbox") field.checked = Boolean(state[field.name]);
    else field.value = state[field.name];
  }
}

// Numbers are sorted from the largest, words from A.
function sortBy({ key, word }) {
  const first = word ? key : `-${key}`;
  state.sort = state.sort !== first ? first : word ? `-${key}` : key;
  setLink();
  arrange();
}

function passes({ data }) {
  return (!state.kind || kindOf(data) === state.kind)
    && (!state.model || data[MODEL] === state.model)
    && (!state.mixed || data[MIXED]);
}

function visibleRows() {
  const query = state.q.trim().toLowerCase();
  const found = rows.filter((entry) => {
    entry.found = passes(entry) ? foundIn(entry, query) : [];
    return entry.found === null || entry.found.length;
  });
  const column = COLUMNS.find((c) => c.key === state.sort.replace("-", ""));
  if (!column) return found;
  const sign = state.sort.startsWith("-") ? -1 : 1;
  return found.sort((a, b) => {
    const x = column.value(a.data), y = column.value(b.data);
    if (x === null || y === null) return (x === null) - (y === null); // missing values are last
    return sign * (typeof x === "string" ? x.localeCompare(y) : x - y);
  });
}

function arrange() {
  listed = visibleRows();
  [drawn, room] = [0, most];
  const nodes = [rest];
  const facts = listed.reduce((n, entry) => n + (entry.found ?? []).length, 0);
  if (facts > most) {
    nodes.push(make("tr", {}, make("td", { class: "empty", colspan: COLUMNS.length },
      make("button", { type: "button", onclick: () => { most += FOUND_SHOWN; arrange(); } },
        `Show ${Math.min(FOUND_SHOWN, facts - most)} more facts`))));
  }
  if (!listed.length) {
    nodes.push(make("tr", {}, make("td", { class: "empty", colspan: COLUMNS.length },
      "No text matches.")));
  }
  tableBody.replaceChildren(...nodes);
  drawUpTo(STEP);
  for (const th of document.querySelectorAll(".list th")) {
    const down = state.sort === `-${th.dataset.key}`;
    if (down || state.sort === th.dataset.key) {
      th.setAttribute("aria-sort", down ? "descending" : "ascending");
    } else th.removeAttribute("aria-sort");
  }
  document.getElementById("shown").textContent =
    (listed.length === rows.length ? `All ${rows.length} shown` : `${listed.length} of ${rows.length} shown`)
    + (facts ? `; ${many(facts, "fact", "facts")} found.` : ".");
}

function showList() {
  document.getElementById("biographies").scrollIntoView();
}

function open(i) {
  const entry = rows[i];
  if (entry.opened) return;
  entry.opened = make("tr", { class: "opened" }, make("td", { colspan: COLUMNS.length }, buildBody(i)));
  entry.opener.setAttribute("aria-expanded", "true");
  const after = entry.element.nextElementSibling;
  (after?.className === "found" ? after : entry.element).after(entry.opened);
}

function close(i) {
  const entry = rows[i];
  if (!entry.opened) return;
  entry.opened.remove();
  entry.opened = null;
  entry.opener.setAttribute("aria-expanded", "false");
  setLink({});
}

function toggle(i) {
  if (rows[i].opened) {
    close(i);
  } else {
    open(i);
    setLink(textAt(i));
  }
}

// Opens a text even if the filters exclude it, and scrolls to it.
function reveal(i, { focus = false, link = false } = {}) {
  const entry = rows[i];
  if (!listed.includes(entry)) {
    Object.assign(state, { ...PLAIN, sort: state.sort });
    fillFilters();
    arrange();
  }
  drawUpTo(listed.indexOf(entry) + 1);
  open(i);
  if (link) setLink(textAt(i));
  if (focus) entry.opener.focus({ preventScroll: true });
  entry.element.scrollIntoView({ block: "start" });
}
