// Two runs side by side: the same names, both scores, and the facts on which the runs disagree.

const PAIR_COLUMNS = [
  ["Name", (p) => INDEX.rows[p[0] ?? p[1]][NAME]],
  ["FS 1", (p) => (p[0] === null ? null : INDEX.rows[p[0]][FS])],
  ["FS 2", (p) => (p[1] === null ? null : INDEX.rows[p[1]][FS])],
  ["D-FS 1", (p) => (p[0] === null ? null : INDEX.rows[p[0]][DFS])],
  ["D-FS 2", (p) => (p[1] === null ? null : INDEX.rows[p[1]][DFS])],
  ["D-FS 1 − 2", (p) => differenceOf(p)],
  ["Judged unlike", (p) => (p[2] === null ? null : p[2].length)],
];

function differenceOf(pair) {
  if (pair[0] === null || pair[1] === null) return null;
  const [a, b] = [INDEX.rows[pair[0]][DFS], INDEX.rows[pair[1]][DFS]];
  return a === null || b === null ? null : a - b;
}

function buildPairs() {
  const section = document.getElementById("pairs");
  if (!INDEX.pairs) {
    section.remove();
    return;
  }
  const order = INDEX.pairs.map((pair, n) => n).sort((x, y) =>
    Math.abs(differenceOf(INDEX.pairs[y]) ?? 0) - Math.abs(differenceOf(INDEX.pairs[x]) ?? 0) || x - y);
  const same = INDEX.pairs.filter((p) => p[2] !== null);
  const unlike = same.reduce((n, p) => n + p[2].length, 0);
  const said = same.length
    ? `${many(same.length, "text is", "texts are")} in both runs with the same facts; on ` +
      `${many(unlike, "fact", "facts")} of them the runs disagree.`
    : "No text is in both runs with the same facts, so that verdicts cannot be compared one by one.";
  section.append(
    make("h2", { id: "pairs-title" }, "Side by side"),
    make("p", { class: "muted" }, "1: ", text(INDEX.runs[0]), "; 2: ", text(INDEX.runs[1]), ". ", said),
    make("div", { class: "scroll", tabindex: "0", role: "group", "aria-labelledby": "pairs-title" },
      make("table", { class: "plain numbers" },
        make("thead", {}, make("tr", {}, PAIR_COLUMNS.map(([title]) => make("th", { scope: "col" }, title)))),
        make("tbody", {}, order.map((n) => pairRow(INDEX.pairs[n]))))));
}

function pairRow(pair) {
  const cells = PAIR_COLUMNS.slice(1).map(([title, value]) => {
    const found = value(pair);
    const shown = title === "Judged unlike" ? (found ?? "–") : percent(found);
    return make("td", {}, String(shown));
  });
  const row = make("tr", {});
  const button = make("button", { type: "button", class: "opener", "aria-expanded": "false" },
    text(PAIR_COLUMNS[0][1](pair)));
  let opened = null;
  button.addEventListener("click", () => {
    if (opened) opened.remove();
    else row.after(opened = make("tr", { class: "opened" },
      make("td", { colspan: PAIR_COLUMNS.length }, pairBody(pair))));
    if (!opened.isConnected) opened = null;
    button.setAttribute("aria-expanded", String(Boolean(opened)));
  });
  row.append(make("td", {}, button), ...cells);
  return row;
}

function pairBody(pair) {
  const columns = [0, 1].map((run) => {
    const i = pair[run];
    if (i === null) return make("div", {}, make("h3", {}, `${run + 1}: `, text(INDEX.runs[run])), "not in this run");
    const data = read(`body-${i}`);
    const unlike = new Set((pair[2] ?? []).map((both) => both[run]));
    return make("div", {}, make("h3", {}, `${run + 1}: `, text(INDEX.runs[run])),
      make("ul", { class: "facts" }, data.facts.map((fact, f) =>
        make("li", { class: unlike.has(f) ? "unlike" : null },
          make("span", { class: `v-${data.standing[f]}` }, SIGNS[data.standing[f]]), " ", text(fact.t),
          unlike.has(f) ? " (judged unlike)" : null))),
      make("button", { type: "button", class: "copy", onclick: () => { reveal(i); rows[i].opener.focus(); } },
        "Open in the list"));
  });
  return make("div", { class: "beside" }, columns);
}
