// Annotated source: the figures of one engine or of all, and the instructions behind a line. Without this script the
// page's tables show all engines together.
'use strict';

const sourceData = new Map();  // by section: {lines, programs}

function dataOf(section) {
  if (!sourceData.has(section)) {
    const read = name => JSON.parse(section.querySelector(`script.${name}`).textContent);
    sourceData.set(section, {lines: read('lines'), programs: read('programs').map(readProgram)});
  }
  return sourceData.get(section);
}

// A program's columns, one entry a word, as lists, and the place of each word.
function readProgram({engine, assembly, files, ...columns}) {
  const read = name => columns[name].split(' ').filter(entry => entry !== '');
  const file = read('file').map(Number), line = read('line');
  const place = file.map((number, i) => number < files.length ? `${files[number]}:${line[i]}` : GENERATED);
  const counts = ['executing', 'aborted', 'stalled', 'waiting', 'references', 'longwords'].map(read);
  return {engine, assembly, place, counts, next: read('next')};
}

// The engines that a section shows, by number.
function chosenEngines(section) {
  const select = section.querySelector('.engine-choice');
  const all = [...select.options].map(option => option.value).filter(value => value !== '');
  return new Set((select.value === '' ? all : [select.value]).map(Number));
}

const KINDS = ['stalled_on', 'waiting_on', 'references', 'longwords'];

const noCosts = () => ({executing: 0, aborted: 0, stalled: 0, waiting: 0, kinds: KINDS.map(() => new Map())});

// What the lines of some engines cost, by place.
function costsByPlace(lines, engines) {
  const costs = new Map();
  for (const line of lines) {
    if (!engines.has(line.engine)) continue;
    const place = `${line.file}:${line.line}`;
    if (!costs.has(place)) costs.set(place, noCosts());
    const cost = costs.get(place);
    for (const state of ['executing', 'aborted', 'stalled', 'waiting']) cost[state] += line[state];
    KINDS.forEach((kind, i) => {
      for (const [name, count] of Object.entries(line[kind] ?? {}))
        cost.kinds[i].set(name, (cost.kinds[i].get(name) ?? 0) + count);
    });
  }
  return costs;
}

const countsText = counts =>
    [...counts].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name} ${format(count)}`).join(', ');

const MOST_HOTTEST = 25;
const hottestOfAll = new Map();  // by section: the rows of the page as it came

// The list of the costliest lines: of all engines as it came, of one engine made from the rows of the files.
function fillHottest(section, costs, isAll) {
  const body = section.querySelector('table.hottest').tBodies[0];
  if (!hottestOfAll.has(section)) hottestOfAll.set(section, [...body.rows].filter(row => row.dataset.p));
  if (isAll) {
    body.replaceChildren(...hottestOfAll.get(section));
    return;
  }
  const places = new Map([...section.querySelectorAll('table.file tr[data-p]')].map(row => [row.dataset.p, row]));
  const busy = ({executing, aborted, stalled}) => executing + aborted + stalled;
  const order = [...costs].sort(([, a], [, b]) => busy(b) - busy(a) || b.waiting - a.waiting);
  body.replaceChildren(...order.slice(0, MOST_HOTTEST).map(([place]) => {
    const row = places.get(place).cloneNode(true);
    const link = document.createElement('a');
    link.href = `#${row.id}`;
    link.textContent = place === GENERATED ? '<generated>' : place.slice(place.lastIndexOf('/') + 1);
    row.removeAttribute('id');
    row.cells[0].replaceChildren(link);
    const code = row.querySelector('code');
    code.textContent = code.textContent.trim();
    return row;
  }));
}

// Shows in a run's source tables the figures of one engine, or of all.
function chooseEngine(select) {
  const section = select.closest('.sources');
  const engines = chosenEngines(section);
  const cycles = Number(select.dataset.cycles) * engines.size;
  const costs = costsByPlace(dataOf(section).lines, engines);
  for (const open of section.querySelectorAll('tr.words')) open.remove();
  for (const button of section.querySelectorAll('button.words')) button.setAttribute('aria-expanded', 'false');
  for (const row of section.querySelectorAll('table.file tr[data-p]')) {
    const {executing, aborted, stalled, waiting, kinds} = costs.get(row.dataset.p) ?? noCosts();
    const share = (100 * (executing + aborted + stalled) / cycles).toFixed(2);
    const cells = row.querySelectorAll('td.n');
    [executing, aborted, stalled].forEach((value, i) => { cells[i].textContent = format(value); });
    cells[3].textContent = share;
    cells[4].textContent = format(waiting);
    cells[3].style.setProperty('--share', share);
    row.querySelectorAll('td.causes').forEach((cell, i) => { cell.textContent = countsText(kinds[i]); });
  }
  fillHottest(section, costs, select.value === '');
}

// The instructions of a line in the programs of the engines that are shown.
function wordsTable(section, place) {
  const engines = chosenEngines(section);
  const table = document.createElement('table');
  table.className = 'words';
  table.createCaption().textContent = `Instructions of ${place}`;
  table.createTHead().append(section.querySelector('template.word-heads').content.cloneNode(true));
  const body = table.createTBody();
  for (const program of dataOf(section).programs.filter(({engine}) => engines.has(engine))) {
    program.place.forEach((at, word) => {
      if (at !== place) return;
      const row = body.insertRow();
      const add = (text, kind) => {
        const cell = row.insertCell();
        cell.textContent = text;
        cell.className = kind;
      };
      add(program.engine, 'n');
      add(word, 'n');
      add(program.assembly[word], 'instruction');
      for (const column of program.counts) add(format(Number(column[word])), 'n');
      add(program.next[word], '');
    });
  }
  return table;
}

// Shows the instructions behind a row of the source, or hides them again.
function toggleWords(row) {
  const button = row.querySelector('button.words');
  const shown = row.nextElementSibling?.classList.contains('words');
  button.setAttribute('aria-expanded', String(!shown));
  if (shown) {
    row.nextElementSibling.remove();
    return;
  }
  const words = document.createElement('tr');
  words.className = 'words';
  const cell = words.insertCell();
  cell.colSpan = row.cells.length;
  cell.append(wordsTable(row.closest('.sources'), row.dataset.p));
  row.after(words);
}

// A link to a source line opens the file it is in.
function openTarget() {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const file = target && target.closest('details');
  if (!file) return;
  file.open = true;
  target.scrollIntoView({block: 'center'});
}
