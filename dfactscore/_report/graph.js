// The graph of people of one name who are mixed, as a drawing and as a table.

const GRAPH_NAMES = 4; // names drawn at first
const GRAPH_MOST = 24; // names drawn on demand; the table has all

function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function buildGraph() {
  const { nodes, edges } = INDEX.graph;
  const section = document.getElementById("graph");
  if (!edges.length) {
    section.remove();
    return;
  }
  const names = [...new Set(edges.map(([a]) => nodes[a][1]))];
  const drawn = (from, to) => names.slice(from, to).map((name) => drawName(name, nodes, edges));
  const graphs = make("div", { class: "graphs" }, drawn(0, GRAPH_NAMES));
  const more = make("button", { type: "button", class: "copy", onclick: () => {
    graphs.append(...drawn(GRAPH_NAMES, GRAPH_MOST));
    more.remove();
  } }, names.length > GRAPH_MOST ? `Show ${GRAPH_MOST} of ${names.length} names` : `Show all ${names.length} names`);
  section.append(...[make("h2", { id: "graph-title" }, "People taken for one"),
    make("p", { class: "muted" }, "A disk is a person, with the number of facts. A line connects two people in one group; " +
      "its width is the number of facts of the person with fewer facts. A name links to its texts."),
    graphs, names.length > GRAPH_NAMES ? more : null, tableOf(nodes, edges)].filter(Boolean));
}

function drawName(name, nodes, edges) {
  const members = nodes.map((node, n) => n).filter((n) => nodes[n][1] === name);
  const height = 44 * members.length + 12;
  const y = new Map(members.map((n, k) => [n, 28 + 44 * k]));
  const picture = svg("svg", { viewBox: `0 0 320 ${height}`, role: "img",
    "aria-label": `${name}: ${members.map((n) => `${nodes[n][0]}, ${many(nodes[n][2], "fact", "facts")}`).join("; ")}` });
  for (const [a, b, , weight] of edges) {
    if (!y.has(a) || !y.has(b)) continue;
    const bend = 34 - 10 * Math.abs(members.indexOf(a) - members.indexOf(b));
    picture.append(svg("path", { class: "edge", d: `M40 ${y.get(a)} Q${bend} ${(y.get(a) + y.get(b)) / 2} 40 ${y.get(b)}`,
      "stroke-width": Math.min(9, 1 + weight / 3) }));
  }
  for (const n of members) {
    const [id, , facts] = nodes[n];
    const label = svg("text", { x: 58, y: y.get(n) + 4 });
    label.append(`${facts} · ${id.length > 34 ? `${id.slice(0, 33)}…` : id}`);
    picture.append(svg("circle", { class: "node", cx: 40, cy: y.get(n), r: 4 + Math.min(10, Math.sqrt(facts) * 2) }), label);
  }
  return make("figure", {}, make("figcaption", {}, lead({}, { ...PLAIN, q: name }, text(name))), picture);
}

function tableOf(nodes, edges) {
  return make("details", {}, make("summary", {}, `All ${many(edges.length, "pair", "pairs")} as a table`),
    make("table", { class: "plain" },
      make("thead", {}, make("tr", {}, ["Name", "Taken for one", "", "Groups", "Facts of the one with fewer"]
        .map((title) => make("th", { scope: "col" }, title || "and")))),
      make("tbody", {}, edges.map(([a, b, groups, weight]) => make("tr", {},
        [nodes[a][1], nodes[a][0], nodes[b][0], groups, weight].map((cell) => make("td", {}, text(cell))))))));
}
