// Facts whose evidence was searched for, with the verdicts of the open search and the linked entity.

const SUPPORT_WORDS = {
  linked: "true of the linked entity",
  namesake: "true only of a namesake",
  other: "true only of another page",
  unplaced: "of no candidate's page",
  restricted: "supported only by searches about the entity",
};
const ENDED_WORDS = {
  "one step": "one search; there is no model to write further queries",
  sure: "the verifier was sure",
  enough: "the model had enough",
  repeated: "the next query was an old one",
  steps: "the limit on searches",
  unreadable: "the next query could not be read",
  failed: "a search failed",
};

const linkOf = (data, f) => data.groups[data.groupOf[f]]?.link ?? null;

// Returns the kind of the pages that support a fact, in comparison with the open search, or null.
function supportKind(data, f) {
  const link = linkOf(data, f);
  const supports = (e) => data.status[f][e] === "s";
  if (!supports(data.open)) return link !== null && supports(link) ? "restricted" : null;
  if (data.entities.length < 2) return null;
  if (link !== null && supports(link)) return "linked";
  const others = supporters(data, f).filter((e) => e !== data.open);
  if (others.some((e) => data.entities[e].named)) return "namesake";
  return others.length ? "other" : "unplaced";
}

function searched(view) {
  const { data } = view;
  const own = data.entities.length > 1;
  const titles = ["Fact", "Open search", ...(own ? ["Linked entity"] : [])];
  const lines = data.facts.map((fact, f) => {
    const kind = supportKind(data, f);
    const link = linkOf(data, f);
    return make("tr", {},
      make("th", { scope: "row" }, `${f + 1}. `, text(fact.t),
        kind ? make("span", { class: kind === "linked" ? "muted" : "why" }, ` ${SUPPORT_WORDS[kind]}`) : null,
        trail(data, f)),
      make("td", {}, side(view, f, data.open)),
      own ? make("td", {}, link === null ? "linked to no one" : side(view, f, link)) : null);
  });
  return make("details", { class: "searches" },
    make("summary", {}, own ? "Open search and linked entity, fact by fact" : "Searches, fact by fact"),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Searches" },
      make("table", { class: "plain" },
        make("thead", {}, make("tr", {}, titles.map((t) => make("th", { scope: "col" }, t)))),
        make("tbody", {}, lines))));
}

// Shows the verdict on a fact in one column, with the decisive sentence and its source.
function side(view, f, e) {
  const { data } = view;
  const status = data.status[f][e];
  const p = data.probability[f][e];
  const sign = status === "s" ? "✓" : status === "n" ? "✗" : "?";
  const place = data.evidence[f][e];
  const source = place ? documentOf(place[0]) : null;
  const part = place ? partOf(place) : null;
  const open = make("button", { type: "button", class: "copy", onclick: () => chooseCell(view, f, e) },
    "Evidence");
  return [
    make("div", {}, letter(e), ` ${sign} ${STATUS_WORDS[status]}${p === null ? "" : ` ${p.toFixed(2)}`} `, open),
    part ? make("q", {}, shown(part[1].slice(place[1] - part[0], place[2] - part[0]))) : null,
    source ? make("div", { class: "muted" }, text(source.title)) : null,
  ];
}

function trail(data, f) {
  const search = data.searches[f];
  if (!search) return null;
  const steps = search.steps.map(([query, results, entity]) => make("li", {},
    text(query), entity ? make("span", { class: "muted" }, " about ", text(entity)) : null,
    make("ol", {}, results.map((n) => {
      const [title, address, date, note, time] = data.results[n];
      return make("li", {}, text(title), place(address),
        make("span", { class: "muted" },
          [date, note, time && `found ${time}`].filter(Boolean).map((said) => [" · ", text(said)])));
    })),
    results.length || entity ? null : make("span", { class: "muted" }, " nothing was found")));
  return make("details", { class: "trail" },
    make("summary", {}, many(search.steps.length, "search", "searches")),
    make("ul", {}, steps), make("p", { class: "muted" }, `Ended: ${ENDED_WORDS[search.ended] ?? search.ended}.`));
}

// Only addresses of the web are links.
function place(address) {
  if (!address) return null;
  const plain = /^https?:\/\/[^\s]+$/.test(address);
  return [" ", plain ? make("a", { href: address, rel: "noopener noreferrer" }, text(address)) : text(address)];
}
