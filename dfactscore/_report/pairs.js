// Two runs side by side: names, both scores, and the facts on which the runs disagree.

const PAIR_COLUMNS = [
  ["Name", (p) => INDEX.rows[p[0] ?? p[1]][NAME]],
  ["FS 1", (p) => (p[0] === null ? null : INDEX.rows[p[0]][FS])],
  ["FS 2", (p) => (p[1] === null ? null : INDEX.rows[p[1]][FS])],
  ["D-FS 1", (p) => (p[0] === null ? null : INDEX.rows[p[0]][DFS])],
  ["D-FS 2", (p) => (p[1] === null ? null : INDEX.rows[p[1]][DFS])],
  ["D-FS 2 − 1", (p) => differenceOf(p)],
  ["Judged differently", (p) => (p[2] === null ? null : p[2].length)],
];

function differenceOf(pair) {
  if (pair[0] === null || pair[1] === null) return null;
  const [a, b] = [INDEX.rows[pair[0]][DFS], INDEX.rows[pair[1]][DFS]];
  return a === null || b === null ? null : b - a;
}

function buildPairs() {
  const section = document.getElementById("pairs");
  if (!INDEX.pairs) {
    section.remove();
    return;
  }
  const order = INDEX.pairs.map((pair, n) => n).sort((x, y) =>
    Math.abs(differenceOf(INDEX.pairs[y]) ?? 0) - Math.abs(differenceOf(INDEX.pairs[x]) ?? 0) || x - y);
  const shared = INDEX.pairs.filter((p) => p[2] !== null);
  const unlike = shared.reduce((n, p) => n + p[2].length, 0);
  const said = shared.length
    ? `${many(shared.length, "text has", "texts have")} facts in common; on ${many(unlike, "fact", "facts")} ` +
      "the runs disagree."
    : "The runs have no facts in common, so that their verdicts cannot be compared.";
  const changes = INDEX.pairs.map(differenceOf).filter((d) => d !== null);
  const mean = changes.reduce((sum, d) => sum + d, 0) / changes.length;
  const average = changes.length
    ? ` D-FS 2 − 1 is ${percent(mean)} points on average of ${many(changes.length, "text", "texts")}.` : "";
  section.append(
    make("h2", { id: "pairs-title" }, "Side by side"),
    make("p", { class: "muted" }, "1: ", text(INDEX.runs[0]), "; 2: ", text(INDEX.runs[1]), ". ", said, average),
    make("div", { class: "scroll", tabindex: "0", role: "group", "aria-labelledby": "pairs-title" },
      make("table", { class: "plain numbers" },
        make("thead", {}, make("tr", {}, PAIR_COLUMNS.map(([title]) => make("th", { scope: "col" }, title)))),
        make("tbody", {}, order.map((n) => pairRow(INDEX.pairs[n]))))));
}

function pairRow(pair) {
  const cells = PAIR_COLUMNS.slice(1).map(([title, value]) => {
    const found = value(pair);
    const shown = title === "Judged differently" ? (found ?? "–") : percent(found);
    return make("td", {}, String(shown));
  });
  const row = make("tr", {});
  const button = make("button", { type: "button", class: "opener", "aria-expanded": "false" },
    text(PAIR_COLUMNS[0][1](pair)),
    INDEX.pairs.filter((other) => PAIR_COLUMNS[0][1](other) === PAIR_COLUMNS[0][1](pair)).length > 1
      ? make("small", {}, " ", text(INDEX.rows[pair[0] ?? pair[1]][ID])) : null);
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

// Shows both texts with their facts, and marks facts of one run and facts that the runs judge
// differently.
function pairBody(pair) {
  const data = pair.slice(0, 2).map((i) => (i === null ? null : read(`body-${i}`)));
  const words = data.map((one) => new Set(one ? one.facts.map((fact) => fact.t) : []));
  const remark = (run, f) => {
    if (pair[2] === null) return null;
    if (pair[2].some((both) => both[run] === f)) return "judged unlike";
    return words[1 - run].has(data[run].facts[f].t) ? null : "only here";
  };
  const columns = data.map((one, run) => make("div", {},
    make("h3", {}, `${run + 1}: `, text(INDEX.runs[run])),
    one === null ? "not in this run" : [
      make("p", {}, text(one.text)),
      make("ul", { class: "facts" }, one.facts.map((fact, f) => {
        const said = remark(run, f);
        return make("li", { class: said ? "unlike" : null },
          lead({ ...textAt(pair[run]), f: f + 1 }, null, `${f + 1} ${SIGNS[one.standing[f]]}`),
          " ", text(fact.t), said ? ` (${said})` : null);
      })),
      make("p", {}, lead(textAt(pair[run]), null, "Open in the list"))]));
  return make("div", { class: "beside" }, columns);
}
