// Draws the charts of a report from the tables beside them, and filters annotated source by engine. Everything charts
// show is in the page's tables already; without this script they remain. Timelines are timeline.js's.
'use strict';

// Okabe and Ito's colours: told apart with any colour vision, on white and on black.
const PALETTE = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8c8c8c', '#b8a800', '#7d5fb2',
                 '#4d8f6f'];
// States have one colour in every chart.
const STATES = {executing: '#0072b2', aborted: '#e69f00', stalled: '#d55e00', idle: '#9aa3ad', ready: '#56b4e9',
                off: '#c9ced4'};
const color = (name, i) => STATES[name] ?? PALETTE[i % PALETTE.length];
const charts = new Map();  // by figure

function style(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

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

const format = value => value === null || value === undefined ? '-'
    : Number.isInteger(value) ? value.toLocaleString('en') : value.toLocaleString('en', {maximumFractionDigits: 1});
const short = value => Math.abs(value) >= 1e6 ? `${+(value / 1e6).toFixed(2)} M`
    : Math.abs(value) >= 1e4 ? `${+(value / 1e3).toFixed(1)} k` : format(value);

function common(figure) {
  const text = style('--text');
  return {
    animation: false,
    color: PALETTE,
    textStyle: {color: text, fontFamily: 'system-ui, sans-serif'},
    aria: {enabled: true},
    grid: {left: 8, right: 16, top: 40, bottom: figure.dataset.label === '' ? 8 : 24, containLabel: true},
    legend: {type: 'scroll', top: 0, textStyle: {color: text}, pageTextStyle: {color: text}},
    tooltip: {trigger: 'axis', confine: true, backgroundColor: style('--ground'), borderColor: style('--rule'),
              textStyle: {color: text}, axisPointer: {type: 'shadow'},
              valueFormatter: value => `${format(value)} ${figure.dataset.unit}`},
  };
}

function axes(figure) {
  const text = style('--text');
  const line = {lineStyle: {color: style('--rule')}};
  // Few labels are all shown, broken where they are long.
  const broken = {interval: 0, width: 84, overflow: 'break', lineHeight: 14};
  const most = {'%': 100}[figure.dataset.unit] ?? (figure.dataset.kind === 'stacked' ? 'dataMax' : null);
  return {
    category: data => ({type: 'category', data, name: figure.dataset.label, nameLocation: 'middle', nameGap: 26,
                        axisLabel: {color: text, hideOverlap: true, ...(data.length <= 8 ? broken : {})},
                        axisLine: line, nameTextStyle: {color: text}}),
    value: () => ({type: 'value', max: most, name: figure.dataset.unit, axisLabel: {color: text, formatter: short},
                   splitLine: line, nameTextStyle: {color: text}}),
  };
}

function barOption(figure, {columns, rows}) {
  const axis = axes(figure);
  const labelled = rows.length * columns.length <= 16;
  const label = {show: labelled, position: 'top', color: style('--text'), fontSize: 10,
                 formatter: item => short(item.value)};
  return {...common(figure), xAxis: axis.category(rows.map(row => row.label)), yAxis: axis.value(),
          series: columns.map((name, i) => ({name, type: 'bar', color: color(name, i), barMaxWidth: 40, label,
                                             data: rows.map(row => row.values[i])}))};
}

function stackedOption(figure, {columns, rows}) {
  const axis = axes(figure);
  const upright = {...axis.category(rows.map(row => row.label)), inverse: true};
  return {...common(figure), xAxis: axis.value(), yAxis: upright,
          series: columns.map((name, i) => ({name, type: 'bar', stack: 'all', color: color(name, i),
                                             data: rows.map(row => row.values[i])}))};
}

function lineOption(figure, {columns, rows}) {
  const axis = axes(figure);
  const text = style('--text');
  return {...common(figure), grid: {left: 8, right: 24, top: 40, bottom: 48, containLabel: true},
          xAxis: {...axis.value(), name: figure.dataset.label, nameLocation: 'middle', nameGap: 24, min: 0,
                  max: 'dataMax'},
          yAxis: axis.value(),
          dataZoom: [{type: 'inside', zoomOnMouseWheel: 'ctrl'},
                     {type: 'slider', height: 18, bottom: 4, textStyle: {color: text},
                      labelFormatter: value => short(Math.round(value))}],
          series: columns.map((name, i) => ({name, type: 'line', showSymbol: false, lineStyle: {width: 1.5},
                                             data: rows.map(row => [Number(row.label), row.values[i]])}))};
}

const OPTIONS = {bars: barOption, stacked: stackedOption, lines: lineOption};

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
  plot.style.height = kind === 'stacked' ? `${6 + table.rows.length * 1.5}rem` : '18rem';
  charts.get(figure)?.dispose();
  const chart = echarts.init(plot, null, {renderer: 'svg'});
  chart.setOption(OPTIONS[kind](figure, table));
  charts.set(figure, chart);
}

function drawAll() {
  for (const figure of document.querySelectorAll('figure.chart')) draw(figure);
  for (const figure of document.querySelectorAll('figure.timeline')) drawTimeline(figure);
}

// Shows in a run's source tables the figures of one engine, or of all.
function chooseEngine(select) {
  const section = select.closest('.sources');
  const all = [...select.options].map(option => option.value).filter(value => value !== '');
  const engines = select.value === '' ? all : [select.value];
  const cycles = Number(select.dataset.cycles) * engines.length;
  for (const row of section.querySelectorAll('tr[data-e]')) {
    const sum = [0, 0, 0, 0];
    for (const part of row.dataset.e.split(';')) {
      const [engine, figures] = part.split(':');
      if (engines.includes(engine)) figures.split(',').forEach((value, i) => { sum[i] += Number(value); });
    }
    const share = 100 * (sum[0] + sum[1] + sum[2]) / cycles;
    const cells = row.querySelectorAll('td.n');
    [sum[0], sum[1], sum[2], share.toFixed(2), sum[3]].forEach((value, i) => { cells[i].textContent = value; });
    cells[3].style.setProperty('--share', share.toFixed(2));
  }
}

// A link to a source line opens the file it is in.
function openTarget() {
  const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const file = target && target.closest('details');
  if (!file) return;
  file.open = true;
  target.scrollIntoView({block: 'center'});
}

for (const figure of document.querySelectorAll('figure.chart[data-kind=lines], figure.timeline'))
  addZoom(figure, figure.querySelector('.plot'));
drawAll();
for (const figure of document.querySelectorAll('figure.timeline')) addTimelineControls(figure);
const watcher = new ResizeObserver(entries => {
  for (const entry of entries) charts.get(entry.target.parentElement)?.resize();
});
for (const plot of document.querySelectorAll('.plot')) watcher.observe(plot);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
matchMedia('print').addEventListener('change', drawAll);
addEventListener('beforeprint', drawAll);
addEventListener('hashchange', openTarget);
openTarget();
for (const button of document.querySelectorAll('button.line'))
  button.addEventListener('click', () => chooseLine(button.closest('tr')));
for (const select of document.querySelectorAll('.engine-choice'))
  select.addEventListener('change', () => chooseEngine(select));
