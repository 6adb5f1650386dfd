// A menu of each chart that saves it: as an image (PNG, SVG), and its figures as a table (CSV). All is made here: nothing
// is asked of a server, so that it works in a file.
'use strict';

const PIXELS_EACH = 2;  // of a saved image, by pixel on the page

const csvField = text => /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
const csvText = rows => rows.map(row => row.map(field => csvField(String(field ?? ''))).join(',') + '\r\n').join('');

// A head's label with its unit.
function headText(head) {
  const unit = head.querySelector('small');
  return unit ? `${textOf(head.firstChild)} (${textOf(unit)})` : textOf(head.firstChild);
}

// In full precision, in the order in which the table stands.
function tableCsv(table) {
  const heads = [...table.tHead.rows[0].cells].map((head, i) => i === 0 ? '' : headText(head));
  const rows = [...table.tBodies[0].rows].map(
      row => [...row.cells].map((cell, i) => i === 0 ? textOf(cell.firstChild) : cell.dataset.v ?? textOf(cell)));
  return csvText([heads, ...rows]);
}

function figureCsv(figure) {
  return figure.matches('.timeline') ? timelineCsv(timelines.get(figure)) : tableCsv(figure.querySelector('table'));
}

// A chart drawn once more, as it is zoomed, out of sight.
function copyOf(figure, renderer) {
  const plot = figure.querySelector('.plot');
  const copy = echarts.init(document.createElement('div'), null,
                            {renderer, width: plot.clientWidth, height: plot.clientHeight, devicePixelRatio: PIXELS_EACH});
  copy.setOption(figure.matches('.timeline') ? timelineOption(timelines.get(figure), copy)
                                             : OPTIONS[figure.dataset.kind](figure, readTable(figure)));
  const zoomed = charts.get(figure).getOption().dataZoom?.[0];
  if (zoomed) copy.dispatchAction({type: 'dataZoom', start: zoomed.start, end: zoomed.end});
  return copy;
}

function chartUrl(figure, type) {
  const copy = copyOf(figure, type === 'svg' ? 'svg' : 'canvas');
  const url = copy.getDataURL({type, backgroundColor: style('--ground')});
  copy.dispose();
  return url;
}

// Graphviz's drawing, as it stands in the page.
const graphSvg = figure => new XMLSerializer().serializeToString(figure.querySelector('.scroll > svg'));

function figureSvg(figure) {
  if (!charts.has(figure)) return graphSvg(figure);
  return decodeURIComponent(chartUrl(figure, 'svg').replace(/^[^,]*,/, ''));
}

function pngBlob(url) {
  const bytes = Uint8Array.from(atob(url.split(',')[1]), letter => letter.charCodeAt(0));
  return new Blob([bytes], {type: 'image/png'});
}

async function figurePng(figure) {
  if (charts.has(figure)) return pngBlob(chartUrl(figure, 'png'));
  const source = new Image();
  source.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(graphSvg(figure));
  await source.decode();
  const canvas = document.createElement('canvas');
  canvas.width = source.width * PIXELS_EACH;
  canvas.height = source.height * PIXELS_EACH;
  const context = canvas.getContext('2d');
  context.fillStyle = '#ffffff';  // it is drawn for paper
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return pngBlob(canvas.toDataURL('image/png'));
}

const SAVED_KINDS = {
  PNG: figurePng,
  SVG: figure => new Blob([figureSvg(figure)], {type: 'image/svg+xml'}),
  CSV: figure => new Blob([figureCsv(figure)], {type: 'text/csv'}),
};

function saveBlob(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function saveFigure(figure, kind) {
  const name = `${document.title.replace(/[^\w.-]+/g, '-')}-${figure.id}.${kind.toLowerCase()}`;
  saveBlob(await SAVED_KINDS[kind](figure), name);
}

function addSaveMenu(figure) {
  const menu = document.createElement('details');
  menu.className = 'save';
  const title = document.createElement('summary');
  title.textContent = 'Save';
  title.setAttribute('aria-label', `Save: ${textOf(figure.querySelector('figcaption').firstChild)}`);
  menu.append(title);
  for (const kind of Object.keys(SAVED_KINDS)) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = kind;
    button.addEventListener('click', () => {
      menu.open = false;
      title.focus();
      saveFigure(figure, kind);
    });
    menu.append(button);
  }
  menu.addEventListener('keydown', event => {
    if (event.key !== 'Escape' || !menu.open) return;
    menu.open = false;
    title.focus();
  });
  figure.prepend(menu);
}

// What happens elsewhere closes a menu.
function closeOtherMenus({target}) {
  for (const menu of document.querySelectorAll('details.save[open]'))
    if (!menu.contains(target)) menu.open = false;
}

for (const figure of document.querySelectorAll('figure')) addSaveMenu(figure);
document.addEventListener('click', closeOtherMenus);
document.addEventListener('focusin', closeOtherMenus);
