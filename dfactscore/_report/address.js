// The address contains the state of the list, and the open text, fact and entity
// (#b=ID&f=FACT&e=ENTITY, both counted from 1), so that a view can be shared.

const PLAIN = { q: "", kind: "", model: "", verdict: "", mixed: "", sort: "-gap" };
const state = { ...PLAIN };
let opened = {};

// Returns the address of a text, fact or entity with the current or another state of the list.
function addressOf(parts, of = state) {
  const kept = Object.entries(of).filter(([key, value]) => value !== PLAIN[key]);
  const hash = new URLSearchParams([...kept, ...Object.entries(parts)]).toString();
  return location.href.split("#")[0] + (hash && `#${hash}`);
}

// Returns the part of an address that identifies a text: its id, and its number if ids repeat.
function textAt(i) {
  const id = INDEX.rows[i][ID];
  return INDEX.rows.findIndex((row) => row[ID] === id) === i ? { b: id } : { b: id, n: i + 1 };
}

function setLink(parts = opened) {
  opened = parts;
  history.replaceState(null, "", addressOf(parts));
}

// Creates a link within the report, with the current or another state of the list. The script
// follows it, because browsers ignore a second click on the same address.
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
