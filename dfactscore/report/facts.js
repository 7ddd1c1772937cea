// All facts of the run: searched, filtered by verdict, each leading to its place.

const FACTS_SHOWN = 200;
const factsKept = [];
let factsLimit = FACTS_SHOWN;

// The facts of a biography: text, the same in lower case, and how it stands. Read when first asked.
function factsOf(i) {
  if (!factsKept[i]) {
    const data = read(`body-${i}`);
    factsKept[i] = data.facts.map((f, n) => [f.t, f.t.toLowerCase(), data.standing[n]]);
  }
  return factsKept[i];
}

function factMatches([, words, standing], query, verdict) {
  return (!verdict || standing === verdict) && (!query || words.includes(query));
}

function buildFacts() {
  const details = document.getElementById("facts");
  details.append(
    make("summary", {}, make("h2", {}, "Facts of all biographies")),
    make("div", { id: "fact-list" }));
  details.addEventListener("toggle", () => { if (details.open) listFacts(); });
}

// The facts of the biographies that are shown; those true of another only, where no verdict is chosen.
function listFacts() {
  const details = document.getElementById("facts");
  if (!details.open) return;
  const verdict = state.verdict || "elsewhere";
  const query = state.query.trim().toLowerCase();
  const found = [];
  for (const entry of visibleRows()) {
    const { i } = entry;
    const named = entry.words.includes(query);
    factsOf(i).forEach((fact, f) => {
      if (factMatches(fact, named ? "" : query, verdict)) found.push([i, f, fact]);
    });
  }
  const body = found.slice(0, factsLimit).map(([i, f, [words, , standing]]) => make("tr", {},
    make("td", {}, make("span", { class: `v-${standing}` }, SIGNS[standing]), " ", text(words)),
    make("td", {}, make("a", { href: `#${new URLSearchParams({ b: INDEX.rows[i][ID], f: f + 1, e: 1 })}` },
      text(INDEX.rows[i][NAME])))));
  const more = found.length > factsLimit
    ? make("button", { type: "button", onclick: () => { factsLimit += FACTS_SHOWN; listFacts(); } },
      `Show ${Math.min(FACTS_SHOWN, found.length - factsLimit)} more`)
    : null;
  document.getElementById("fact-list").replaceChildren(...[
    make("p", { class: "muted", role: "status" },
      `${many(found.length, "fact", "facts")} ${WORDS[verdict]}, of the biographies that the filters leave. ` +
      "Where a verdict is wrong, people can say so in a study: dfactscore annotate init."),
    found.length ? make("table", { class: "plain" },
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Fact"),
        make("th", { scope: "col" }, "Biography"))),
      make("tbody", {}, body)) : null,
    more,
  ].filter(Boolean));
}
