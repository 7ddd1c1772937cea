// The list of biographies: sorted, filtered, each opened in place.

const INDEX = read("index");
const [ID, NAME, STATUS, FS, DFS, BIO, ENT, FACTS, CATEGORY, MIXED, MODEL, RUN] = Array(12).keys();
const KINDS = INDEX.summary.kinds;
const gapOf = (row) => (row[FS] === null || row[DFS] === null ? null : row[FS] - row[DFS]);
const COLUMNS = [
  { key: "name", title: "Name", value: (r) => r[NAME] },
  { key: "fs", title: "FS", value: (r) => r[FS], show: percent },
  { key: "dfs", title: "D-FS", value: (r) => r[DFS], show: percent },
  { key: "gap", title: "Gap", value: gapOf, show: percent },
  { key: "bio", title: "#bio", value: (r) => r[BIO], wide: true },
  { key: "ent", title: "#ent", value: (r) => r[ENT], wide: true },
  { key: "facts", title: "Facts", value: (r) => r[FACTS], wide: true },
  { key: "mixed", title: "Mixed", value: (r) => r[MIXED], wide: true },
  { key: "kind", title: "Kind", value: kindOf, wide: true, word: true },
];
const state = { sort: "", down: false, query: "", kind: "", model: "", verdict: "", gap: false };
const rows = [];
let tableBody;

function kindOf(row) {
  if (row[CATEGORY]) return KINDS[row[CATEGORY]];
  return row[STATUS] === "scored" ? "–" : row[STATUS].replaceAll("_", " ");
}

function buildList() {
  const repeated = new Set();
  const seen = new Set();
  for (const row of INDEX.rows) (seen.has(row[NAME]) ? repeated : seen).add(row[NAME]);
  tableBody = make("tbody");
  INDEX.rows.forEach((row, i) => {
    const aside = repeated.has(row[NAME]) ? make("small", {}, " ", text(row[ID])) : null;
    const opener = make(
      "button",
      { type: "button", class: "opener", "aria-expanded": "false", onclick: () => toggle(i) },
      text(row[NAME]), aside,
    );
    const cells = COLUMNS.slice(1).map((column) => {
      const value = column.value(row);
      const content = column.show ? column.show(value) : (value ?? "–");
      const names = [column.wide && "wide", column.word && "word"].filter(Boolean).join(" ");
      return make("td", { class: names || null }, String(content));
    });
    rows.push({ i, data: row, element: make("tr", { class: "row" }, make("td", {}, opener), cells),
      opener, opened: null, words: `${row[NAME]} ${row[ID]} ${row[MODEL] ?? ""}`.toLowerCase() });
  });
  const head = COLUMNS.map((column) =>
    make("th", { scope: "col", "data-key": column.key,
      class: [column.wide && "wide", column.word && "word"].filter(Boolean).join(" ") || null },
    make("button", { type: "button", onclick: () => sortBy(column.key) }, column.title)));
  document.getElementById("list").append(
    make("table", { class: "list" },
      make("caption", { class: "skip" }, "Biographies with their scores, in percent"),
      make("thead", {}, make("tr", {}, head)), tableBody));
  buildFilters();
  arrange();
}

function buildFilters() {
  const kinds = [...new Set(INDEX.rows.map(kindOf))].sort();
  const models = [...new Set(INDEX.rows.map((r) => r[MODEL]).filter(Boolean))].sort();
  const choice = (label, key, values) => values.length < 2 ? null : make("label", {}, label,
    make("select", { id: key, onchange: (e) => { state[key] = e.target.value; arrange(); } },
      make("option", { value: "" }, "all"),
      values.map((v) => make("option", { value: v }, v))));
  document.getElementById("filters").append(...[
    make("label", {}, "Search names and facts", make("input", { type: "search",
      id: "search", autocomplete: "off", oninput: (e) => { state.query = e.target.value; arrange(); } })),
    make("label", {}, "With facts", make("select", { id: "verdict",
      onchange: (e) => { state.verdict = e.target.value; arrange(); } },
      make("option", { value: "" }, "of any verdict"),
      SEVERITY.map((v) => make("option", { value: v }, `${SIGNS[v]} ${WORDS[v]}`)))),
    choice("Kind", "kind", kinds),
    choice(INDEX.runs ? "Run" : "Model", "model", models),
    make("label", { class: "check" }, make("input", { type: "checkbox", id: "gap-only",
      onchange: (e) => { state.gap = e.target.checked; arrange(); } }), "D-FS below FS only"),
  ].filter(Boolean));
  document.getElementById("filters").addEventListener("submit", (e) => e.preventDefault());
}

function sortBy(key) {
  // numbers start with the largest, names with A; a third click restores the order of the input
  const first = key !== "name" && key !== "kind";
  if (state.sort !== key) Object.assign(state, { sort: key, down: first });
  else if (state.down === first) state.down = !first;
  else state.sort = "";
  arrange();
}

function passes(entry) {
  const row = entry.data;
  const query = state.query.trim().toLowerCase();
  const named = !query || entry.words.includes(query);
  // Facts are looked through only where the name does not decide.
  const said = (named && !state.verdict)
    || ((named || query.length > 1)
      && factsOf(entry.i).some((f) => factMatches(f, named ? "" : query, state.verdict)));
  return said
    && (!state.kind || kindOf(row) === state.kind)
    && (!state.model || row[MODEL] === state.model)
    && (!state.gap || gapOf(row) > 1e-9);
}

function visibleRows() {
  const found = rows.filter(passes);
  const column = COLUMNS.find((c) => c.key === state.sort);
  if (!column) return found;
  const sign = state.down ? -1 : 1;
  const compare = (a, b) => {
    const x = column.value(a.data), y = column.value(b.data);
    if (x === null || y === null) return (x === null) - (y === null); // none goes last
    return sign * (typeof x === "string" ? x.localeCompare(y) : x - y);
  };
  return found.sort(compare);
}

function arrange() {
  const found = visibleRows();
  const nodes = found.flatMap((e) => (e.opened ? [e.element, e.opened] : [e.element]));
  tableBody.replaceChildren(...nodes);
  if (!found.length) {
    tableBody.append(make("tr", {}, make("td", { class: "empty", colspan: COLUMNS.length },
      "No biography matches.")));
  }
  for (const th of document.querySelectorAll(".list th")) {
    const sorted = th.dataset.key === state.sort;
    if (sorted) th.setAttribute("aria-sort", state.down ? "descending" : "ascending");
    else th.removeAttribute("aria-sort");
  }
  const mean = (values) => {
    const known = values.filter((v) => v !== null);
    return known.length ? percent(known.reduce((a, b) => a + b, 0) / known.length) : "–";
  };
  const of = found.length === rows.length ? `All ${rows.length}` : `${found.length} of ${rows.length}`;
  document.getElementById("shown").textContent =
    `${of} shown; their mean FS ${mean(found.map((e) => e.data[FS]))}, ` +
    `D-FS ${mean(found.map((e) => e.data[DFS]))}.`;
  factsLimit = FACTS_SHOWN;
  listFacts();
}

function open(i, { link = true } = {}) {
  const entry = rows[i];
  if (!entry.opened) {
    const cell = make("td", { colspan: COLUMNS.length }, buildBody(i));
    entry.opened = make("tr", { class: "opened" }, cell);
    entry.opener.setAttribute("aria-expanded", "true");
    entry.element.after(entry.opened);
  }
  if (link) setLink({ b: entry.data[ID] });
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
  if (rows[i].opened) close(i);
  else open(i);
}

// Makes a biography visible whatever the filters say, and opens it.
function reveal(i) {
  if (!passes(rows[i])) {
    Object.assign(state, { query: "", kind: "", model: "", verdict: "", gap: false });
    for (const field of document.querySelectorAll("#filters input, #filters select")) {
      if (field.type === "checkbox") field.checked = false;
      else field.value = "";
    }
    arrange();
  }
  open(i, { link: false });
  rows[i].element.scrollIntoView({ block: "start" });
}
