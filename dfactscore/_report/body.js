// One biography: scores, paragraph, groups and links, matrix, evidence.

const SIGNS = { supported: "✓", elsewhere: "≠", unsupported: "✗", unreadable: "?" };
const WORDS = {
  supported: "supported by the linked entity",
  elsewhere: "supported by another page only",
  unsupported: "supported by no page",
  unreadable: "could not be read",
};
const STATUS_WORDS = {
  s: "supported", n: "not supported", u: "answer could not be read", x: "refused", e: "error",
};
const SEVERITY = ["elsewhere", "unsupported", "unreadable", "supported"];
const LOSS = { same: "same-name mixing", other: "other page", conflict: "link conflict" };
const LOST_TO = {
  same: "another one of that name",
  other: "a page of another name",
  conflict: "the best entity, to which the group is not linked",
};
const REASONS = { contradicted: "contradicted by the page", not_stated: "not stated there" };
const NEARBY = 150; // characters of the page shown on either side of a sentence at first
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

const letterOf = (e) => LETTERS[e] ?? String(e + 1);
const hueOf = (e) => (e === null || e === undefined ? "" : `h${e % 8}`);

function letter(e) {
  return make("span", { class: `letter ${hueOf(e)}` }, letterOf(e));
}

function buildBody(i) {
  const data = read(`body-${i}`);
  const row = INDEX.rows[i];
  data.groupOf = data.facts.map((_, f) => data.groups.findIndex((g) => g.facts.includes(f)));
  data.why = data.facts.map((_, f) =>
    data.lost ? Object.keys(LOSS).find((k) => data.lost[k].includes(f)) ?? null : null);
  const evidence = make("div", { class: "evidence", role: "status", hidden: true });
  const view = { i, data, evidence, cells: [], segments: [], facts: [] };
  rows[i].view = view;
  const judged = data.facts.length > 0 && data.status.length > 0;
  const main = make("div", { class: "main" },
    notes(row, data), judged ? says(row, data) : null, paragraph(view),
    judged ? [make("h3", {}, "Facts, group by group"), matrix(view)] : null,
    data.searches && data.open !== null && data.status.length ? searched(view) : null,
    data.clauses ? reading(data.clauses) : null,
    make("p", { class: "nearby" },
      make("button", { type: "button", class: "copy", onclick: copyLink }, "Copy link"),
      make("button", { type: "button", class: "copy", onclick: () => { close(i); rows[i].opener.focus(); } },
        "Close")));
  const side = data.entities.length ? make("div", { class: "side" }, make("div",
    { class: "stay", tabindex: "0", role: "region", "aria-label": "Evidence and pages" }, evidence, make("h3", {}, "Pages"), entityList(data))) : null;
  return make("div", { class: "body" }, main, side);
}

function notes(row, data) {
  const found = [];
  if (row[STATUS] !== "scored") found.push(`Not fully scored: ${row[STATUS].replaceAll("_", " ")}.`);
  if (data.question) found.push(`Question: ${data.question}`);
  if (data.reason) found.push(data.reason);
  if (row[THIN]) found.push("† Fewer than 80 % of its verdicts could be read.");
  if (data.offTarget) found.push("Off target: no one in the paragraph bears the name.");
  return found.length ? make("p", { class: "note" }, text(found.join(" "))) : null;
}

function says(row, data) {
  const scored = new Set(data.scored);
  const count = (kinds) =>
    data.standing.filter((s, f) => scored.has(f) && kinds.includes(s)).length;
  const total = data.scored.length;
  const both = count(["supported", "elsewhere"]), linked = count(["supported"]);
  const by = data.expected ? "the mean probability; by verdicts, " : "";
  const share = (value) => make("strong", {}, `${percent(value)} %`);
  const fs = make("p", {}, "FActScore ", share(row[FS]),
    `: ${by}${both} of ${many(total, "fact", "facts")} are supported by some page, whoever it is about.`);
  if (!data.groups.length) return make("div", { class: "says" }, fs);
  const losses = Object.keys(LOSS).filter((k) => data.lost?.[k].length)
    .map((k) => `${data.lost[k].length} true of ${LOST_TO[k]}`).join(", ");
  return make("div", { class: "says" }, fs,
    make("p", {}, "D-FActScore ", share(row[DFS]),
      `: ${by}a reader sees ${many(data.groups.length, "person", "people")}, and ${linked} ` +
      `are supported by the page of ${data.groups.length > 1 ? "the one that each is linked to" : "that one"}.`,
      losses ? ` Of the ${both - linked} between them: ${losses}.` : ""));
}

function paragraph(view) {
  const { data } = view;
  const box = make("p", { class: "paragraph" });
  const cuts = new Set([0, data.text.length]);
  for (const fact of data.facts) if (fact.s) fact.s.forEach((at) => cuts.add(at));
  const sorted = [...cuts].sort((a, b) => a - b);
  const numbered = new Set();
  let before;
  for (let k = 0; k + 1 < sorted.length; k++) {
    const [start, end] = [sorted[k], sorted[k + 1]];
    const piece = data.text.slice(start, end);
    const facts = data.facts.map((fact, f) => (fact.s && fact.s[0] <= start && end <= fact.s[1] ? f : -1))
      .filter((f) => f >= 0);
    if (!facts.length) {
      box.append(...shown(piece));
      continue;
    }
    const verdict = SEVERITY.find((s) => facts.some((f) => data.standing[f] === s));
    const first = facts.find((f) => data.standing[f] === verdict);
    const group = data.groups[data.groupOf[first]];
    const link = group ? group.link : null;
    const others = verdict === "elsewhere" ? supporters(data, first) : [];
    const names = facts.map((f) => `${f + 1}. ${SIGNS[data.standing[f]]} ${data.facts[f].t}`).join("\n");
    const segment = make("span",
      { class: `seg v-${verdict} ${hueOf(link)}`, title: names, onclick: () => chooseFact(view, first, segment) },
      facts.filter((f) => !numbered.has(f)).map((f) => number(view, f)),
      link !== before && link !== null ? letter(link) : null, shown(piece),
      others.length
        ? make("span", { class: `letter ${hueOf(others[0])}` }, `≠${others.map(letterOf).join("")}`) : null);
    for (const f of facts) {
      numbered.add(f);
      view.segments.push([f, segment]);
    }
    before = link;
    box.append(segment);
  }
  const key = Object.keys(SIGNS).filter((s) => data.standing.includes(s)).map((s) =>
    make("li", {}, make("span", { class: `v-${s}` }, `${SIGNS[s]} ${WORDS[s]}${s === "unsupported" ? reasons(data) : ""}`)));
  const spanless = data.facts.filter((fact) => !fact.s).length;
  return make("div", {}, box, data.status.length ? make("ul", { class: "verdicts" }, key) : null,
    spanless && spanless < data.facts.length ? make("p", { class: "muted" },
      `${many(spanless, "fact", "facts")} could not be placed in the paragraph; see the matrix.`) : null);
}

function reasons(data) {
  const found = Object.entries(REASONS)
    .map(([k, words]) => [(data.whyNot ?? []).filter((w) => w === k).length, words]).filter(([n]) => n)
    .map(([n, words]) => `${n} ${words}`);
  return found.length ? `: ${found.join(", ")}` : "";
}

function number(view, f) {
  return make("sup", { title: view.data.facts[f].t, onclick: (event) => {
    event.stopPropagation();
    chooseFact(view, f, event.currentTarget);
  } }, `${f + 1}`);
}

function reading(clauses) {
  const line = (clause) => make("tr", {},
    make("td", {}, clause.who.map((who) => who + 1).join(", ")),
    make("td", {}, text(clause.t)),
    make("td", {}, `${clause.rule}: ${clause.says}`,
      make("div", { class: "muted" }, clause.cues.join(", "))));
  const titles = ["Individual", "Clause", "Rule and cues"];
  return make("details", { class: "reading" },
    make("summary", {}, "Who each clause is about, as the built-in grouper reads it"),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Reading" },
      make("table", {},
        make("thead", {}, make("tr", {}, titles.map((t) => make("th", { scope: "col" }, t)))),
        make("tbody", {}, clauses.map(line)))));
}

function supporters(data, f) {
  return [...data.status[f]].map((c, e) => (c === "s" ? e : -1)).filter((e) => e >= 0);
}

function entityList(data) {
  return make("ul", { class: "entities" }, data.entities.map((entity, e) => {
    const supported = data.facts.filter((_, f) => (data.status[f] ?? "")[e] === "s").length;
    const groups = (open) => data.groups
      .map((g, n) => (g.link === e && Boolean(g.unread) === open ? n + 1 : 0)).filter(Boolean);
    const linked = groups(false), unread = groups(true);
    const about = [
      entity.named ? "bears the name" : "another name",
      `supports ${supported} of ${data.facts.length}`,
      linked.length ? `linked to group ${linked.join(", ")}` : null,
      unread.length ? `or an unread page: group ${unread.join(", ")}` : null,
      entity.candidate || !data.groups.length ? null : "no candidate",
      entity.how ?? null,
    ].filter(Boolean).join(" · ");
    return make("li", {}, letter(e), make("span", {}, text(entity.label), make("small", {}, about)));
  }));
}

function groupHead(data, group, g) {
  const link = group.link;
  const other = INDEX.link === "hungarian" ? "argmax" : "one-to-one (Hungarian)";
  const method = INDEX.link === "hungarian" ? "one-to-one (Hungarian)" : "argmax";
  const of = many(group.facts.length, "fact", "facts");
  const to = (e) => (e === null ? "no page" : [letter(e), " ", text(data.entities[e].label)]);
  const support = (e) => (e === null ? "" : ` (${group.counts[e]} of ${group.facts.length})`);
  const parts = [
    make("strong", {}, `Group ${g + 1}`), group.label ? [" ", text(group.label)] : null,
    `, ${of} → `, to(link), support(link), group.unread ? ", or an unread page" : null,
    group.bears === false ? " · does not bear the name" : null,
    group.runnerUp === null ? null
      : [" · next: ", letter(group.runnerUp), ` (${group.counts[group.runnerUp]})`],
    group.outside ? make("div", { class: "why" },
      `Outside the evidence: may be about a person of this name without a page: `,
      text(group.outside.join(" · "))) : null,
    group.otherLink === link ? null
      : make("div", { class: "why" }, `${method} links it so; ${other} would link it to `,
        to(group.otherLink), support(group.otherLink)),
  ];
  return make("div", {}, parts);
}

function matrix(view) {
  const { data } = view;
  const width = data.entities.length;
  const head = make("tr", {}, make("th", { scope: "col" }, "Fact"),
    data.entities.map((entity, e) =>
      make("th", { scope: "col" }, letter(e), make("br"), text(entity.label))));
  const bodies = data.groups.map((group, g) => make("tbody", {},
    make("tr", { class: "group" },
      make("th", { colspan: width + 1, scope: "rowgroup" }, groupHead(data, group, g))),
    group.facts.map((f) => factRow(view, f))));
  if (!data.groups.length) {
    bodies.push(make("tbody", {}, data.facts.map((_, f) => factRow(view, f))));
  }
  const table = make("table", { class: "matrix" },
    make("caption", { class: "skip" }, "Facts by entities: verdict and probability of support"),
    make("thead", {}, head), bodies);
  table.addEventListener("keydown", (event) => moveInMatrix(view, event));
  if (view.cells.length && view.cells[0].length) view.cells[0][0].tabIndex = 0;
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Support matrix" },
    table);
}

function factRow(view, f) {
  const { data } = view;
  const fact = data.facts[f];
  const state = data.standing[f];
  const group = data.groups[data.groupOf[f]];
  const remarks = [data.why[f] ? LOSS[data.why[f]] : null, fact.l ?? null,
    REASONS[data.whyNot?.[f]] ?? null,
    data.switches.includes(f) ? "switch to another one" : null].filter(Boolean).join(" · ");
  const head = make("th", { scope: "row", class: "fact" }, make("div", {},
    make("span", { class: `standing s-${state}`, title: WORDS[state] }, SIGNS[state]),
    lead({ ...textAt(view.i), f: f + 1 }, null, `${f + 1}`),
    make("span", {}, text(fact.t), remarks ? make("span", { class: "why" }, ` ${remarks}`) : null)));
  view.facts[f] = head;
  const line = [];
  const at = view.cells.length;
  view.cells.push(line);
  const cells = data.entities.map((entity, e) => {
    const status = data.status[f][e];
    const p = data.probability[f][e];
    const linked = group && group.link === e;
    const sign = status === "s" ? "✓" : status === "n" ? "✗" : "?";
    const cell = make("button", {
      type: "button", tabindex: "-1", "aria-pressed": "false", "--p": p ?? (status === "s" ? 1 : 0),
      class: `cell${status === "s" ? " yes" : ""}${linked ? " linked" : ""}`,
      "aria-label": `Fact ${f + 1}, ${entity.label}: ${STATUS_WORDS[status]}` +
        `${p === null ? "" : `, probability ${p.toFixed(2)}`}${linked ? ", linked" : ""}`,
      onclick: () => { chooseCell(view, f, e); uncover(view, cell); },
      onfocus: () => { view.cells.flat().forEach((c) => { c.tabIndex = -1; }); cell.tabIndex = 0; },
    }, p === null ? sign : `${sign} ${p.toFixed(2)}`);
    cell.dataset.at = `${at},${e}`;
    cell.dataset.fact = `${f},${e}`;
    line.push(cell);
    return make("td", {}, cell);
  });
  return make("tr", { class: "fact-row" }, head, cells);
}

function moveInMatrix(view, event) {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  if (!step || !event.target.dataset.at) return;
  const [r, c] = event.target.dataset.at.split(",").map(Number);
  const next = view.cells[r + step[0]]?.[c + step[1]];
  if (next) {
    event.preventDefault();
    next.focus();
    next.click();
  }
}

function cellOf(view, f, e) {
  return view.cells.flat().find((cell) => cell.dataset.fact === `${f},${e}`);
}

// Opens the most informative cell of a fact: the linked entity's, or that of a supporting page.
function chooseFact(view, f, from = null) {
  const link = view.data.groups[view.data.groupOf[f]]?.link ?? null;
  const found = supporters(view.data, f);
  chooseCell(view, f, link !== null && (found.includes(link) || !found.length) ? link : found[0] ?? 0);
  if (from) uncover(view, from.closest(".seg") ?? from);
}

// On a phone, the evidence covers the bottom of the page: scrolls covered elements into view.
function uncover(view, element) {
  const box = element.getBoundingClientRect(), over = view.evidence.getBoundingClientRect();
  if (box.right > over.left && box.left < over.right && box.bottom > over.top && box.top < over.bottom) {
    scrollBy(0, box.bottom - over.top + 8);
  }
}

// Opens the evidence of a fact from an address or a key, and scrolls to its line.
function showFact(view, f, e = null, { focus = false } = {}) {
  if (!view.data.facts[f] || !view.cells.length) return;
  if (e === null) chooseFact(view, f);
  else chooseCell(view, f, e);
  const cell = view.cells.flat().find((one) => one.getAttribute("aria-pressed") === "true");
  if (focus) cell?.focus({ preventScroll: true });
  view.facts[f].scrollIntoView({ block: "nearest" });
  uncover(view, view.facts[f]);
}

function chooseCell(view, f, e) {
  const cell = cellOf(view, f, e);
  if (!cell) return;
  for (const other of view.cells.flat()) other.setAttribute("aria-pressed", String(other === cell));
  view.facts.forEach((head, n) => head.classList.toggle("chosen", n === f));
  for (const [, segment] of view.segments) segment.classList.remove("chosen");
  for (const [n, segment] of view.segments) if (n === f) segment.classList.add("chosen");
  view.evidence.replaceChildren(...evidenceOf(view, f, e));
  view.evidence.hidden = false;
  setLink({ ...textAt(view.i), f: f + 1, e: e + 1 });
}

// Closes the evidence; returns whether it was open.
function hideEvidence(view) {
  if (view.evidence.hidden) return false;
  view.evidence.hidden = true;
  for (const cell of view.cells.flat()) cell.setAttribute("aria-pressed", "false");
  for (const chosen of [...view.facts, ...view.segments.map(([, s]) => s)]) chosen.classList.remove("chosen");
  setLink(textAt(view.i));
  return true;
}

function evidenceOf(view, f, e) {
  const { data } = view;
  const entity = data.entities[e];
  const status = data.status[f][e];
  const p = data.probability[f][e];
  const head = make("div", { class: "head" },
    make("div", {}, make("strong", {}, `Fact ${f + 1}: `), text(data.facts[f].t)),
    make("button", { type: "button", class: "copy", "aria-label": "Close the evidence",
      onclick: () => { cellOf(view, f, e).focus({ preventScroll: true }); hideEvidence(view); } }, "×"));
  const judged = make("div", {}, letter(e), " ", make("strong", {}, text(entity.label)),
    ` · ${STATUS_WORDS[status]}${p === null ? "" : `, probability of support ${p.toFixed(2)}`}`);
  const place = data.evidence[f][e];
  const against = data.conflict ? data.conflict[f][e] : null;
  const why = data.reason ? data.reason[f][e] : "";
  const reason = why ? [make("p", {}, "Reason: ", text(why))] : [];
  if (!place && !against) {
    return [head, judged, ...reason, make("p", { class: "muted" }, "The verifier named no sentence.")];
  }
  return [head, judged, ...reason, ...(place ? quoteOf(entity, place) : []),
    ...(against ? [make("div", { class: "muted" }, "Contradicted by:"), ...quoteOf(entity, against)] : [])];
}

function quoteOf(entity, place) {
  const [, start, end] = place;
  const source = documentOf(place[0]);
  const part = partOf(place);
  if (!part) return [];
  const quote = make("blockquote");
  const more = make("button", { type: "button", class: "copy" }, "More of the page");
  const show = (cut) => {
    const at = part[0], content = part[1];
    let from = Math.max(0, start - at - cut);
    if (from) from += content.slice(from, start - at).search(/\s|$/); // start at a word
    const to = Math.min(content.length, end - at + cut);
    quote.replaceChildren(...[
      at + from > 0 ? "…" : null, shown(content.slice(from, start - at)),
      make("mark", {}, shown(content.slice(start - at, end - at))),
      shown(content.slice(end - at, to).replace(to < content.length ? /\s+\S*$/ : "", "")), at + to < source.size ? " …" : null,
    ].flat().filter((piece) => piece !== null));
    more.hidden = from === 0 && to === content.length;
  };
  more.addEventListener("click", () => show(Infinity));
  show(NEARBY);
  const title = source.title === entity.label ? null
    : make("div", { class: "muted" }, "From ", text(source.title));
  return [title, quote, more].filter(Boolean);
}
