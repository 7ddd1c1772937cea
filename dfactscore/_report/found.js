// Words and verdicts looked for in the facts and in the sentences that their verdicts rest on.

const FOUND_SHOWN = 200; // facts listed at once
const documents = new Map();
const searchable = [];

function documentOf(number) {
  if (!documents.has(number)) documents.set(number, read(`document-${number}`));
  return documents.get(number);
}

// The part of a document that holds a place, [where it starts, its text]; none if it was cut off.
function partOf([number, start, end]) {
  return documentOf(number).parts.find(([at, content]) => at <= start && end <= at + content.length);
}

// Fact by fact: its words, how it stands, and [entity, sentence] of its evidence. Read when asked for.
function factsOf(i) {
  if (!searchable[i]) {
    const data = read(`body-${i}`);
    searchable[i] = data.facts.map((fact, f) => ({ words: fact.t, standing: data.standing[f],
      quotes: (data.evidence[f] ?? []).flatMap((cell, e) => {
        const part = cell && partOf(cell);
        return part ? [[e, part[1].slice(cell[1] - part[0], cell[2] - part[0])]] : [];
      }) }));
  }
  return searchable[i];
}

// What is found in a text: [fact, entity or null, words]; null where nothing is looked for in it.
function foundIn(entry, query) {
  const named = !query || entry.words.includes(query);
  if (named && !state.verdict) return null;
  const within = (words) => words.toLowerCase().includes(query);
  return factsOf(entry.i).flatMap(({ words, standing, quotes }, f) => {
    if (state.verdict && standing !== state.verdict) return [];
    if (named || within(words)) return [[f, null, words]];
    const quote = quotes.find(([, sentence]) => within(sentence));
    return quote ? [[f, ...quote]] : [];
  });
}

function foundLines(entry, found) {
  return make("ul", { class: "facts" }, found.map(([f, e, words]) => make("li", {},
    lead({ ...textAt(entry.i), f: f + 1, ...(e === null ? {} : { e: e + 1 }) }, null,
      `${f + 1} ${SIGNS[factsOf(entry.i)[f].standing]}`),
    e === null ? " " : [" evidence ", letter(e), " "], text(words))));
}
