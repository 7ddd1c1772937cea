// The address says what is looked at: the state of the list, and the text, fact and entity that are
// open (#b=ID&f=FACT&e=ENTITY, both counted from 1). So a view can be sent.

const PLAIN = { q: "", kind: "", model: "", verdict: "", mixed: "", sort: "-gap" };
const state = { ...PLAIN };
let opened = {};

// The address of a place in the list as it is shown now, or in the whole list.
function addressOf(parts, of = state) {
  const kept = Object.entries(of).filter(([key, value]) => value !== PLAIN[key]);
  const hash = new URLSearchParams([...kept, ...Object.entries(parts)]).toString();
  return location.href.split("#")[0] + (hash && `#${hash}`);
}

// Which text an address means: by its id, and by its number where another one has that id.
function textAt(i) {
  const id = INDEX.rows[i][ID];
  return INDEX.rows.findIndex((row) => row[ID] === id) === i ? { b: id } : { b: id, n: i + 1 };
}

function setLink(parts = opened) {
  opened = parts;
  history.replaceState(null, "", addressOf(parts));
}

// A link within the report: into the list as it is then, or as it is said to be. It is followed
// here, so that it leads there a second time, too.
function lead(parts, of, ...children) {
  return make("a", { href: addressOf(parts, of ?? state), onclick: (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, "", addressOf(parts, of ?? state));
    followLink();
  } }, ...children);
}

function followLink() {
  const parts = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  for (const key of Object.keys(PLAIN)) state[key] = parts[key] ?? PLAIN[key];
  fillFilters();
  arrange();
  const i = INDEX.rows.findIndex((row, n) => row[ID] === parts.b && n + 1 === Number(parts.n ?? n + 1));
  if (i < 0) {
    if (Object.keys(parts).some((key) => key in PLAIN)) showList();
    return;
  }
  reveal(i);
  opened = textAt(i);
  if (parts.f) showFact(rows[i].view, Number(parts.f) - 1, parts.e ? Number(parts.e) - 1 : null);
}
