// Draws the charts of a report from the tables beside them: everything they show is in the page's tables already, which
// remain without this script. Then gives every control of the page what it does.
'use strict';

// The figure's table: labels of rows and columns, and figures in full precision; null where one does not apply.
function readTable(figure) {
  const table = figure.querySelector('table');
  const label = cell => cell.firstChild.textContent.trim();
  const columns = [...table.tHead.querySelectorAll('th[data-c]')].map(label);
  const rows = [...table.tBodies[0].rows].map(row => ({
    label: label(row.querySelector('th')),
    values: [...row.querySelectorAll('td.n')].map(cell => cell.dataset.v === '' ? null : Number(cell.dataset.v)),
  }));
  return {columns, rows};
}

const LEGEND_ROW = 24;  // pixels

// What a legend of these names takes in height: it wraps, so that none is hidden. A single series needs none.
function legendHeight(figure, names) {
  if (names.length === 1) return 0;
  const width = figure.querySelector('.plot').clientWidth;
  let rows = 1, used = 0;
  for (const name of names) {
    const entry = 41 + 6.6 * name.length;
    if (used + entry > width && used > 0) {
      ++rows;
      used = 0;
    }
    used += entry;
  }
  return rows * LEGEND_ROW;
}

function common(figure, names) {
  const text = style('--text');
  return {
    animation: false,
    color: PALETTE,
    textStyle: {color: text, fontFamily: 'system-ui, sans-serif'},
    aria: {enabled: true},
    grid: {left: 8, right: 16, top: 28 + legendHeight(figure, names), bottom: figure.dataset.label === '' ? 8 : 24,
           containLabel: true},
    legend: {show: names.length > 1, top: 0, textStyle: {color: text}},
    tooltip: {trigger: 'axis', confine: true, backgroundColor: style('--ground'), borderColor: style('--rule'),
              textStyle: {color: text}, axisPointer: {type: 'shadow'},
              valueFormatter: value => `${format(value)} ${figure.dataset.unit}`},
  };
}

const FEW_LABELS = 8;
const AXIS_ROOM = 60;        // pixels beside a chart's bars
const FIGURE_ROOM = 34;      // pixels that a bar needs for its figure above it

const LETTER = 7;            // pixels of a label's letter, on the safe side

// A text in lines of a width, broken between words alone.
function inLines(text, width) {
  const lines = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length * LETTER <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.join('\n');
}

// Few labels are all shown: broken where they are long, upright where a word has no room.
function labelLayout(figure, labels) {
  if (labels.length > FEW_LABELS) return {hideOverlap: true};
  const each = (figure.querySelector('.plot').clientWidth - AXIS_ROOM) / labels.length;
  const longest = Math.max(...labels.flatMap(label => label.split(' ')).map(word => word.length)) * LETTER;
  const layout = {interval: 0, lineHeight: 14, formatter: label => inLines(label, Math.max(each, longest))};
  if (figure.dataset.kind === 'stacked') return {...layout, width: longest, formatter: label => inLines(label, longest)};
  return longest > each ? {...layout, width: longest, rotate: 90} : layout;
}

function axes(figure) {
  const text = style('--text');
  const line = {lineStyle: {color: style('--rule')}};
  const most = {'%': 100}[figure.dataset.unit] ?? (figure.dataset.kind === 'stacked' ? 'dataMax' : null);
  const value = {type: 'value', max: most, name: figure.dataset.unit, splitLine: line, nameTextStyle: {color: text},
                 axisLabel: {color: text, formatter: short, hideOverlap: true}};
  return {
    category: data => ({type: 'category', data, name: figure.dataset.label, nameLocation: 'middle', nameGap: 26,
                        axisLabel: {color: text, ...labelLayout(figure, data)},
                        axisLine: line, nameTextStyle: {color: text}}),
    value: () => value,
    round: text => ({...value, axisLabel: {color: style('--text'), ...roundLabels(() => charts.get(figure), text)}}),
  };
}

function barOption(figure, {columns, rows}) {
  const axis = axes(figure);
  const width = (figure.querySelector('.plot').clientWidth - AXIS_ROOM) / (rows.length * columns.length);
  const labelled = width >= FIGURE_ROOM;
  const label = {show: labelled, position: 'top', color: style('--text'), fontSize: 10,
                 formatter: item => short(item.value)};
  return {...common(figure, columns), xAxis: axis.category(rows.map(row => row.label)), yAxis: axis.value(),
          series: columns.map((name, i) => ({name, type: 'bar', color: color(name, i), barMaxWidth: 40, label,
                                             data: rows.map(row => row.values[i])}))};
}

function stackedOption(figure, {columns, rows}) {
  const axis = axes(figure);
  const upright = {...axis.category(rows.map(row => row.label)), inverse: true};
  const seriesColors = colors(columns);
  const shared = common(figure, columns);
  return {...shared, grid: {...shared.grid, left: 32, right: 32, bottom: 24},
          xAxis: {...axis.round(short), nameLocation: 'middle', nameGap: 26}, yAxis: upright,
          series: columns.map((name, i) => ({name, type: 'bar', stack: 'all', color: seriesColors[i],
                                             itemStyle: partStyle(name), data: rows.map(row => row.values[i])}))};
}

// A line between parts that touch; what is idle is hatched, whatever the colour says that it waits for.
function partStyle(name) {
  const ground = style('--ground');
  const hatching = {symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 4], rotation: -Math.PI / 4, color: ground};
  return {borderColor: ground, borderWidth: 0.5, ...(name.startsWith('idle: ') ? {decal: hatching} : {})};
}

function lineOption(figure, {columns, rows}) {
  const axis = axes(figure);
  const text = style('--text');
  const shared = common(figure, columns);
  return {...shared, grid: {...shared.grid, right: 24, bottom: 48},
          xAxis: {...axis.round(format), name: figure.dataset.label, nameLocation: 'middle', nameGap: 24, min: 0,
                  max: 'dataMax'},
          yAxis: axis.value(),
          dataZoom: [{type: 'inside', zoomOnMouseWheel: 'ctrl'},
                     {type: 'slider', height: 18, bottom: 4, textStyle: {color: text},
                      labelFormatter: value => short(Math.round(value))}],
          series: columns.map((name, i) => ({name, type: 'line', showSymbol: false, lineStyle: {width: 1.5},
                                             data: rows.map(row => [Number(row.label), row.values[i]])}))};
}

// The nearest of 1, 2 and 5 times a power of ten that is not above, or not below.
function roundBound(value, isUpper) {
  const power = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 2, 5, 10].map(step => step * power);
  return isUpper ? steps.find(step => step >= value) : steps.findLast(step => step <= value);
}

// Long tails and short ones are told apart by orders of magnitude.
function distributionOption(figure, {columns, rows}) {
  const axis = axes(figure);
  const shared = common(figure, columns);
  const bounds = rows.map(row => Number(row.label));
  return {...shared, grid: {...shared.grid, right: 24},
          tooltip: {...shared.tooltip, axisPointer: {type: 'line'}},
          xAxis: {...axis.value(), type: 'log', name: figure.dataset.label, nameLocation: 'middle', nameGap: 26,
                  min: roundBound(Math.max(1, bounds[0]), false), max: roundBound(Math.max(1, bounds.at(-1)), true)},
          yAxis: axis.value(),
          series: columns.map((name, i) => ({name, type: 'line', showSymbol: false, lineStyle: {width: 1.5},
                                             color: color(name, i),
                                             data: rows.map((row, k) => [bounds[k], row.values[i]])}))};
}

const OPTIONS = {bars: barOption, stacked: stackedOption, lines: lineOption, distribution: distributionOption};

// Zoom and pan of a chart over time for those without a mouse: buttons, and keys while the chart has the focus.
function zoom(chart, factor, shift) {
  const {start, end} = chart.getOption().dataZoom[0];
  const width = Math.min(100, (end - start) * factor);
  const from = Math.min(100 - width, Math.max(0, (start + end - width) / 2 + shift * width));
  chart.dispatchAction({type: 'dataZoom', start: from, end: from + width});
}

const ZOOMS = {'+': [0.5, 0, 'zoom in'], '-': [2, 0, 'zoom out'], 'ArrowLeft': [1, -0.25, 'earlier'],
               'ArrowRight': [1, 0.25, 'later'], '0': [1e9, 0, 'all']};
const SIGNS = {'+': '+', '-': '−', 'ArrowLeft': '←', 'ArrowRight': '→', '0': 'all'};

function addZoom(figure, plot) {
  const bar = document.createElement('div');
  bar.className = 'zoom';
  for (const [key, [factor, shift, label]] of Object.entries(ZOOMS)) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = SIGNS[key];
    button.setAttribute('aria-label', label);
    button.addEventListener('click', () => zoom(charts.get(figure), factor, shift));
    bar.append(button);
  }
  plot.before(bar);
  plot.tabIndex = 0;
  plot.setAttribute('role', 'application');
  plot.addEventListener('keydown', event => {
    const action = ZOOMS[event.key];
    if (!action) return;
    event.preventDefault();
    zoom(charts.get(figure), action[0], action[1]);
  });
}

function draw(figure) {
  const plot = figure.querySelector('.plot');
  const table = readTable(figure);
  const kind = figure.dataset.kind;
  const bar = table.rows.length <= FEW_LABELS ? 34 : 24;
  const height = kind === 'stacked' ? 64 + bar * table.rows.length : 270;
  plot.style.height = `${height + legendHeight(figure, table.columns)}px`;
  if (!plot.hasAttribute('role')) plot.setAttribute('role', 'img');
  charts.get(figure)?.dispose();
  const chart = echarts.init(plot, null, {renderer: 'svg'});
  charts.set(figure, chart);
  chart.setOption(OPTIONS[kind](figure, table));
}

function drawAll() {
  for (const figure of document.querySelectorAll('figure.chart')) draw(figure);
  for (const figure of document.querySelectorAll('figure.timeline')) drawTimeline(figure);
}

for (const figure of document.querySelectorAll('figure.chart[data-kind=lines], figure.timeline'))
  addZoom(figure, figure.querySelector('.plot'));
drawAll();
for (const figure of document.querySelectorAll('figure.timeline')) addTimelineControls(figure);
// Labels and legends are laid out for a width: another one draws anew.
const widths = new Map();  // by plot
const watcher = new ResizeObserver(entries => {
  for (const {target} of entries) {
    const figure = target.parentElement;
    const isKnown = widths.has(target);
    if (widths.get(target) === target.clientWidth) continue;
    widths.set(target, target.clientWidth);
    if (isKnown && figure.matches('.chart')) draw(figure);
    else charts.get(figure)?.resize();
  }
});
for (const plot of document.querySelectorAll('.plot')) watcher.observe(plot);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
matchMedia('print').addEventListener('change', drawAll);
addEventListener('beforeprint', drawAll);
addEventListener('hashchange', openTarget);
openTarget();
for (const select of document.querySelectorAll('.engine-choice'))
  select.addEventListener('change', () => chooseEngine(select));
// Rows of source come and go.
for (const section of document.querySelectorAll('.sources')) {
  section.addEventListener('click', event => {
    const row = event.target.closest('tr');
    if (event.target.matches('button.words')) toggleWords(row);
    if (event.target.matches('button.line')) chooseLine(row);
  });
}
