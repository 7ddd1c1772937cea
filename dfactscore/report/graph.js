// Which people of one name are mixed with which: a drawing, and the same as a table.

const GRAPH_NAMES = 24; // names drawn; the table has all

function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function buildGraph() {
  const { nodes, edges } = INDEX.graph;
  const details = document.getElementById("graph");
  if (!edges.length) {
    details.remove();
    return;
  }
  details.append(make("summary", {}, make("h2", {}, "People taken for one")));
  details.addEventListener("toggle", () => {
    if (!details.open || details.dataset.built) return;
    details.dataset.built = "yes";
    details.append(drawGraph(nodes, edges), tableOf(nodes, edges));
  });
}

function drawGraph(nodes, edges) {
  const names = [];
  for (const [a] of edges) if (!names.includes(nodes[a][1])) names.push(nodes[a][1]);
  const drawn = names.slice(0, GRAPH_NAMES);
  const parts = drawn.map((name) => drawName(name, nodes, edges));
  const said = names.length > drawn.length
    ? `The ${drawn.length} names with most mixed facts, of ${names.length}. ` : "";
  return make("div", {},
    make("p", { class: "muted" }, `${said}A line joins two people whose facts stand in one group, as ` +
      "wide as there are facts of the lesser one; a disk is as large as a person has facts there, which the figure counts."),
    make("div", { class: "graphs" }, parts));
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
  return make("figure", {}, make("figcaption", {}, text(name)), picture);
}

function tableOf(nodes, edges) {
  return make("details", {}, make("summary", {}, `All ${many(edges.length, "pair", "pairs")} as a table`),
    make("table", { class: "plain" },
      make("thead", {}, make("tr", {}, ["Name", "Taken for one", "", "Groups", "Facts of the lesser"]
        .map((title) => make("th", { scope: "col" }, title || "and")))),
      make("tbody", {}, edges.map(([a, b, groups, weight]) => make("tr", {},
        [nodes[a][1], nodes[a][0], nodes[b][0], groups, weight].map((cell) => make("td", {}, text(cell))))))));
}
