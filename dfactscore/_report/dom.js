// Creates elements with text nodes only, so that no text of a run is parsed as HTML.

const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

// Replaces invisible and direction-changing characters of a text with their code points.
function shown(text) {
  const parts = [];
  let last = 0;
  for (const found of text.matchAll(UNSEEN)) {
    if (found.index > last) parts.push(text.slice(last, found.index));
    const code = found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    parts.push(make("span", { class: "control", title: "invisible character" }, `U+${code}`));
    last = found.index + 1;
  }
  if (last < text.length) parts.push(text.slice(last));
  return parts;
}

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined));
  return element;
}

// Creates an element for a text of the run, isolated from the direction of the text around it.
function text(content) {
  return make("bdi", {}, shown(String(content)));
}

function read(id) {
  return JSON.parse(document.getElementById(id).textContent);
}

// Formats a share in percent, rounded like on the terminal: a tie goes to the even digit.
function percent(share) {
  if (share === null || share === undefined) return "–";
  const value = 100 * share;
  const tie = Math.abs(4 * value) % 4 === 1; // toFixed would round .25 to .3
  return (tie ? value - 0.01 * Math.sign(value) : value).toFixed(1);
}

function many(count, one, more) {
  return `${count} ${count === 1 ? one : more}`;
}
