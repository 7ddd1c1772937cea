// Summary, deep links, keys.

function buildSummary() {
  const s = INDEX.summary;
  const range = (level) => (level.low === null ? "" : `${percent(level.low)} to ${percent(level.high)}`);
  const tile = (title, value, ...notes) => make("div", { class: "tile" }, make("dt", {}, title),
    make("dd", {}, value, ...notes.filter(Boolean).map((note) => make("small", {}, note))));
  const corrected = (measure) => {
    const found = INDEX.corrected && INDEX.corrected.measures[measure];
    if (!found) return null;
    const ends = found.corrected_low === null ? ""
      : ` (${percent(found.corrected_low)} to ${percent(found.corrected_high)})`;
    return `corrected by ${found.labels} labels: ${percent(found.corrected)}${ends}`;
  };
  const named = (value, bearing) =>
    bearing === null || bearing === undefined ? "" : `${decimal(bearing)} bear the name`;
  const tiles = make("dl", { class: "tiles" },
    tile("FActScore, %", percent(s.fs.mean), range(s.fs), corrected("fs")),
    tile("D-FActScore, %", percent(s.dfs.mean), range(s.dfs), corrected("dfs")),
    tile("Gap, points", percent(s.gap.mean), range(s.gap), corrected("gap")),
    tile("D-FS / FS, %", percent(s.kept.mean), range(s.kept)),
    tile("Biographies a text", decimal(s.nBio), named(s.nBio, s.nBioNamed)),
    tile("Entities a text", decimal(s.nEnt), named(s.nEnt, s.nEntNamed)),
    tile("Response rate, %", percent(s.responseRate), `${s.scored} of ${s.n} scored`));
  const bars = make("div", { class: "bars" });
  const kinds = Object.keys(KINDS).filter((k) => k in s.categories);
  if (kinds.length) {
    bars.append(stack("Biographies and entities in a text, %",
      kinds.map((k) => [KINDS[k], s.categories[k], Object.keys(KINDS).indexOf(k)])));
  }
  if (s.gap.mean !== null && s.sameName !== null) {
    bars.append(stack("What the gap is made of, points", [
      ["same-name mixing", s.sameName, 1], ["other page", s.otherPage, 2],
      ["link conflict", s.linkConflict, 3],
    ]));
  }
  const facts = [`Intervals are 95 % bootstrap intervals over names.`,
    s.oneGroup === null ? null : `All facts in one group would give D-FS ${percent(s.oneGroup)} %, a lower bound.`,
    s.coverage === null ? null : `${percent(s.coverage)} % of linked cells could be read.`,
    s.mixed === null ? null : `${percent(s.mixed)} % of biographies take people of one name for one.`,
    s.mixedGroups === null ? null : `${percent(s.mixedGroups)} % of groups mix entities of one name (column Mixed).`,
    s.offTarget ? `${s.offTarget} off target.` : null];
  const others = Object.entries(s.statuses).filter(([k]) => k !== "scored")
    .map(([k, n]) => `${n} ${k.replaceAll("_", " ")}`);
  if (others.length) facts.push(`Besides: ${others.join(", ")}.`);
  const section = document.getElementById("summary");
  section.append(tiles, bars, make("p", { class: "muted" }, facts.filter(Boolean).join(" ")));
  if (s.models.length) section.append(byModel(s.models));
  section.append(make("details", { class: "settings" },
    make("summary", {}, "How this was made"),
    make("dl", {}, [["toolkit", `dfactscore ${INDEX.version}`], ...INDEX.settings].flatMap(
      ([key, value]) => [make("dt", {}, text(key)), make("dd", {}, text(value))]))));
}

function byModel(models) {
  const cell = (level) => make("td", {}, percent(level.mean),
    level.low === null ? null : make("small", {}, ` ${percent(level.low)} to ${percent(level.high)}`));
  const what = INDEX.runs ? "run" : "model";
  return make("div", {}, make("h2", { class: "small" }, `Each ${what} by itself, %`),
    make("p", { class: "muted" }, `The figures above average all ${models.length} of them together.`),
    make("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": `Each ${what} by itself` },
      make("table", { class: "plain numbers" },
        make("thead", {}, make("tr", {}, [what, "scored", "FS", "D-FS", "D-FS / FS", "gap", "mixed"]
          .map((title) => make("th", { scope: "col" }, title)))),
        make("tbody", {}, models.map((m) => make("tr", {},
          make("th", { scope: "row" }, text(m.label)), make("td", {}, `${m.scored} of ${m.n}`),
          cell(m.fs), cell(m.dfs), cell(m.kept), cell(m.gap), make("td", {}, percent(m.mixed))))))));
}

function stack(title, parts) {
  const label = `${title}: ${parts.map(([name, share]) => `${name} ${percent(share)}`).join(", ")}`;
  return make("div", {}, make("h2", { class: "small" }, title),
    make("div", { class: "bar", role: "img", "aria-label": label },
      parts.filter(([, share]) => share > 0).map(([, share, k]) =>
        make("i", { class: `k${k}`, "--share": 1000 * share }))),
    make("ul", { class: "legend" }, parts.map(([name, share, k]) =>
      make("li", {}, make("i", { class: `k${k}` }), `${name} ${percent(share)}`))));
}

// The address names what is open: #b=ID, or #b=ID&f=FACT&e=ENTITY, both counted from 1.
function setLink(parts) {
  const hash = new URLSearchParams(parts).toString();
  history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
}

function followLink() {
  const parts = new URLSearchParams(location.hash.slice(1));
  if (!parts.has("b")) return;
  const i = INDEX.rows.findIndex((row) => row[ID] === parts.get("b"));
  if (i < 0) return;
  reveal(i);
  if (parts.has("f") && parts.has("e")) {
    chooseCell(rows[i].view, Number(parts.get("f")) - 1, Number(parts.get("e")) - 1, { link: false });
    rows[i].view.evidence.scrollIntoView({ block: "center" });
  }
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

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.matches("input, select, textarea");
  const help = document.getElementById("help");
  if (event.key === "Escape") {
    if (help.open) return; // the dialog closes itself
    const i = rows.findIndex((r) => r.opened?.contains(event.target) || r.opener === event.target);
    if (typing) event.target.blur();
    else if (i >= 0 && rows[i].opened) {
      close(i);
      rows[i].opener.focus();
    }
  } else if (typing || help.open) {
    return;
  } else if (event.key === "/") {
    event.preventDefault();
    document.getElementById("search").focus();
  } else if (event.key === "?") {
    help.showModal();
  } else if (event.key === "j" || event.key === "k") {
    const found = visibleRows();
    const here = found.findIndex(
      (r) => r.element.contains(event.target) || r.opened?.contains(event.target));
    const next = found[here < 0 ? 0 : here + (event.key === "j" ? 1 : -1)];
    if (next) {
      event.preventDefault();
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
buildSummary();
buildFacts();
buildList();
buildPairs();
buildGraph();
document.addEventListener("keydown", onKey);
window.addEventListener("hashchange", followLink);
followLink();
