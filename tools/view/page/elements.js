// Elements of HTML and SVG, made in one expression each.

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'onclick') node.addEventListener('click', value);
    else if (value === true) node.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter(child => child !== null));
  return node;
}

export const element = (name, attributes = {}, ...children) =>
  filled(document.createElement(name), attributes, children);

export const drawn = (name, attributes = {}, ...children) =>
  filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);

export const byId = id => document.getElementById(id);

export const number = value => value.toLocaleString('en');

// The options of a <select>, with the chosen one kept where it still exists.
export function fillOptions(select, options) {
  const chosen = select.value;
  select.replaceChildren(...options.map(({value, text}) => element('option', {value}, text)));
  if (options.some(({value}) => String(value) === chosen)) select.value = chosen;
}

// Makes an element as `fresh` is, and keeps its parts: a click that begins before and ends after it still is one.
// Elements with handlers are told apart by data-key.
export function patch(old, fresh) {
  const isAnother = old.nodeName !== fresh.nodeName || old.dataset?.key !== fresh.dataset?.key ||
    old.childNodes.length !== fresh.childNodes.length;
  if (isAnother) {
    old.replaceWith(fresh);
    return;
  }
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const {name} of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const {name, value} of fresh.attributes) {
    if (old.getAttribute(name) === value) continue;
    if (name === 'style') old.style.cssText = value;  // the page's policy lets no style into attributes
    else old.setAttribute(name, value);
  }
  const parts = [...fresh.childNodes];
  [...old.childNodes].forEach((part, index) => patch(part, parts[index]));
}

// The rows of a table; the focus stays on the button that it is on.
export function fillRows(body, rows) {
  const focused = body.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  const before = [...body.rows];
  rows.forEach((row, index) => before[index] ? patch(before[index], row) : body.append(row));
  before.slice(rows.length).forEach(row => row.remove());
  if (focused !== undefined && document.activeElement?.dataset.key !== focused)
    body.querySelector(`[data-key="${focused}"]`)?.focus();
}
