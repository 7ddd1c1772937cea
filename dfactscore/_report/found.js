// Search for words and verdicts in facts and in the sentences of their evidence.

const FOUND_SHOWN = 200; // facts listed at a time
const documents = new Map();
const searchable = [];

function documentOf(number) {
  if (!documents.has(number)) documents.set(number, read(`document-${number}`));
  return documents.get(number);
}

// Returns the part [start, text] of a document that contains a position; undefined if it was cut off.
function partOf([number, start, end]) {
  return documentOf(number).parts.find(([at, content]) => at <= start && end <= at + content.length);
}

// Returns the text, standing and evidence [entity, sentence] of each fact; parsed on first use.
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

// Returns the matches [fact, entity or null, words] in a text; null if its name matches.
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
