// Tables that a reader sorts by the heads of their columns: figures from the greatest, texts from A; then the other way;
// a third time gives back the order that they came in.
'use strict';

const NEXT_ORDER = {figures: {none: 'descending', descending: 'ascending', ascending: 'none'},
                    texts: {none: 'ascending', ascending: 'descending', descending: 'none'}};
const rowsAsTheyCame = new WeakMap();  // by table body

const textOf = cell => cell.textContent.trim();

// What a cell is sorted by: a number, a text, or null for what does not apply.
function sortKey(cell) {
  if (!cell) return null;
  const text = cell.dataset.v ?? textOf(cell);
  if (!cell.classList.contains('n')) return text === '' ? null : text.toLowerCase();
  const figure = Number(text.replaceAll(',', ''));
  return text === '' || text === '-' || Number.isNaN(figure) ? null : figure;
}

// What does not apply stands last in either order.
function compareKeys(a, b, order) {
  if (a === null || b === null) return (a === null) - (b === null);
  const ascending = typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', {numeric: true});
  return order === 'ascending' ? ascending : -ascending;
}

// The rows of one unit stay together where a table has several units.
function unitOf(row, heads) {
  const at = heads.findIndex(head => head.classList.contains('unit'));
  return at < 0 ? '' : textOf(row.cells[at]);
}

function sortRows(table, column, order) {
  const body = table.tBodies[0];
  for (const shown of body.querySelectorAll('button.words[aria-expanded=true]')) toggleWords(shown.closest('tr'));
  if (!rowsAsTheyCame.has(body)) rowsAsTheyCame.set(body, [...body.rows]);
  const heads = [...table.tHead.rows[0].cells];
  const rows = rowsAsTheyCame.get(body).map(row => ({row, unit: unitOf(row, heads), key: sortKey(row.cells[column])}));
  if (order !== 'none') rows.sort((a, b) => a.unit.localeCompare(b.unit) || compareKeys(a.key, b.key, order));
  body.replaceChildren(...rows.map(({row}) => row));
}

function headClicked(head) {
  const table = head.closest('table');
  const kind = head.classList.contains('n') ? 'figures' : 'texts';
  const order = NEXT_ORDER[kind][head.getAttribute('aria-sort')];
  for (const other of table.tHead.rows[0].cells) other.setAttribute('aria-sort', 'none');
  head.setAttribute('aria-sort', order);
  sortRows(table, head.cellIndex, order);
}

// The label of a head becomes a button, the corner above the rows' names a head.
function makeSortable(table) {
  const row = table.tHead?.rows[0];
  if (!row || table.tBodies[0].rows.length < 2) return;
  const corner = document.createElement('th');
  corner.scope = 'col';
  corner.append(table.matches('.source') ? 'line' : 'name');
  row.cells[0].replaceWith(corner);
  for (const head of row.cells) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'sort';
    button.textContent = textOf(head.firstChild);
    head.firstChild.replaceWith(button, ' ');
    head.setAttribute('aria-sort', 'none');
    button.addEventListener('click', () => headClicked(head));
  }
}

for (const table of document.querySelectorAll('main table')) makeSortable(table);
