// The head of the page, the keys, and the color scheme.

const WORST = 5; // texts in the first lines

// Returns the texts that take several people for one, with the widest gap first.
function mixedTexts() {
  return rows.filter((r) => r.data[MIXED]).sort((a, b) => gapOf(b.data) - gapOf(a.data));
}

function buildSummary() {
  const { models, mixed, tiles, more } = INDEX.summary;
  const section = document.getElementById("summary");
  const worst = mixedTexts();
  section.append(...[
    headline(models, mixed),
    worst.length ? make("ol", { class: "worst" }, worst.slice(0, WORST).map(worstLine)) : null,
    worst.length > WORST ? make("p", { class: "rest" },
      lead({}, { ...PLAIN, mixed: "1" }, `and ${worst.length - WORST} more`)) : null,
    models.length < 2 ? tilesOf(tiles) : byModel(models, tiles),
    ...signatures(),
    moreOf(models, more),
  ].filter(Boolean));
}

// Returns the signatures, which papers must state; with two runs, each after its label.
function signatures() {
  return INDEX.settings.filter(([key]) => /(^|\.)signature$/.test(key)).map(([key, value]) =>
    make("p", { class: "muted signature" }, key.replace(/\.signature$/, ""), ": ", text(value)));
}

function headline(models, mixed) {
  const take = (n) => (n === 1 ? "takes" : "take");
  const sum = (k) => mixed.reduce((total, counts) => total + counts[k], 0);
  const texts = (n) => many(n, "text", "texts");
  const all = `${sum(0) || "None"} of ${texts(sum(1))} ${take(sum(0))} several people for one`;
  if (!sum(1)) return make("p", { class: "headline" }, "No text has a D-FActScore.");
  if (models.length < 2) return make("p", { class: "headline" }, all, sum(0) ? ":" : ".");
  const each = models.map((model, m) =>
    [m ? ", " : "", modelName(model), ` ${mixed[m][0]} of ${mixed[m][1]}`]);
  const words = INDEX.runs ? "Texts that take several people for one" : all;
  return make("p", { class: "headline" }, `${words}: `, make("span", {}, each), ".");
}

function modelName(model) {
  return model ? text(model) : "no model named";
}

function worstLine({ i, data }) {
  const [people, foreign] = data[MIXED];
  return make("li", {},
    lead(textAt(i), PLAIN, text(people[0]),
      people.slice(1).map((one, n) => [n ? " and " : " with ", text(one)])),
    `, ${foreign} of ${many(data[FACTS], "fact", "facts")}`,
    severalModels() ? make("small", {}, " · ", modelName(data[MODEL])) : null);
}

function tilesOf(tiles) {
  return make("dl", { class: "tiles" }, tiles.map(([title, , [[value, ...notes]]]) =>
    make("div", { class: "tile" }, make("dt", {}, title),
      make("dd", {}, value, notes.map((note) => make("small", {}, note))))));
}

function byModel(models, tiles) {
  const what = INDEX.runs ? "Run" : "Model";
  return make("table", { class: "plain numbers" },
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, what),
      tiles.map(([title, short]) => make("th", { scope: "col", title }, short)))),
    make("tbody", {}, models.map((model, m) => make("tr", {},
      make("th", { scope: "row" }, modelName(model)),
      tiles.map(([, , cells]) => make("td", {}, cells[m][0],
        cells[m].slice(1).map((note) => make("small", {}, note))))))));
}

function moreOf(models, more) {
  return make("details", { class: "more" },
    make("summary", {}, "More figures and settings"),
    make("p", { class: "muted" }, "Intervals are 95 % bootstrap intervals over names."),
    make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "More figures" },
      make("table", { class: "plain numbers" },
        models.length < 2 ? null : make("thead", {}, make("tr", {}, make("td"),
          models.map((model) => make("th", { scope: "col" }, modelName(model))))),
        make("tbody", {}, more.map(([title, about, cells]) => make("tr", {},
          make("th", { scope: "row" }, title, make("small", {}, about)), cells.map((cell) => make("td", {}, cell))))))),
    make("dl", {}, [["toolkit", `dfactscore ${INDEX.version}`], ...INDEX.settings].flatMap(
      ([key, value]) => [make("dt", {}, text(key)), make("dd", {}, text(value))])));
}

function copyLink(event) {
  const button = event.target;
  const said = (words) => {
    button.textContent = words;
    setTimeout(() => { button.textContent = "Copy link"; }, 1500);
  };
  if (!navigator.clipboard) said(location.hash);
  else navigator.clipboard.writeText(location.href).then(() => said("Copied"), () => said(location.hash));
}

// Digits in quick succession form one number.
let typed = { number: 0, at: 0 };

function onDigit(digit, entry) {
  const now = performance.now();
  typed = { number: (now - typed.at < 1000 ? 10 * typed.number : 0) + digit, at: now };
  if (entry?.opened) showFact(entry.view, typed.number - 1, null, { focus: true });
  else {
    const worst = mixedTexts()[digit - 1];
    typed.number = 0;
    if (worst && digit <= WORST) reveal(worst.i, { focus: true, link: true });
  }
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches("input, select, textarea");
  const help = document.getElementById("help");
  const entry = rows.find((r) => r.element?.contains(event.target) || r.opened?.contains(event.target));
  if (event.key === "Escape") {
    if (help.open) return; // the dialog closes itself
    if (typing) event.target.blur();
    else if (entry?.opened && !hideEvidence(entry.view)) {
      close(entry.i);
      entry.opener.focus();
    }
  } else if (typing || help.open) {
    return;
  } else if (/^\d$/.test(event.key)) {
    onDigit(Number(event.key), entry);
  } else if (event.key === "/") {
    event.preventDefault();
    document.getElementById("search").focus();
  } else if (event.key === "?") {
    help.showModal();
  } else if (event.key === "j" || event.key === "k") {
    const found = visibleRows();
    const here = found.indexOf(entry);
    const next = found[here < 0 ? 0 : here + (event.key === "j" ? 1 : -1)];
    if (next) {
      event.preventDefault();
      drawUpTo(listed.indexOf(next) + 1);
      next.opener.focus();
      next.element.scrollIntoView({ block: "nearest" });
    }
  }
}

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  const button = document.getElementById("theme");
  button.setAttribute("aria-pressed", String(name === "dark"));
}

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
setTheme(prefersDark.matches ? "dark" : "light");
prefersDark.addEventListener("change", (e) => setTheme(e.matches ? "dark" : "light"));
document.getElementById("theme").addEventListener("click", () =>
  setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
document.getElementById("title").replaceChildren(text(INDEX.title));
document.getElementById("keys").addEventListener("click", () => document.getElementById("help").showModal());
buildList();
buildSummary();
buildPairs();
buildGraph();
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", followLink);
window.addEventListener("beforeprint", () => drawUpTo(listed.length));
followLink();
