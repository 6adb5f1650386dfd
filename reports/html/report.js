// Draws the charts of a report from the tables beside them, and filters annotated source by engine. Everything shown is
// in the page's tables already; without this script they remain.
'use strict';

// Okabe and Ito's colours: told apart with any colour vision, on white and on black.
const PALETTE = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8c8c8c', '#b8a800', '#7d5fb2', '#4d8f6f'];
// States have one colour in every chart.
const STATES = {executing: '#0072b2', aborted: '#e69f00', stalled: '#d55e00', idle: '#9aa3ad', ready: '#56b4e9', off: '#c9ced4'};
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
const short = value => Math.abs(value) >= 1e6 ? `${+(value / 1e6).toFixed(2)} M` : Math.abs(value) >= 1e4 ? `${+(value / 1e3).toFixed(1)} k` : format(value);

function common(figure) {
  const text = style('--text');
  return {
    animation: false,
    color: PALETTE,
    textStyle: {color: text, fontFamily: 'system-ui, sans-serif'},
    aria: {enabled: true},
    grid: {left: 8, right: 16, top: 40, bottom: figure.dataset.label === '' ? 8 : 24, containLabel: true},
    legend: {type: 'scroll', top: 0, textStyle: {color: text}, pageTextStyle: {color: text}},
    tooltip: {trigger: 'axis', confine: true, backgroundColor: style('--ground'), borderColor: style('--rule'), textStyle: {color: text},
              axisPointer: {type: 'shadow'}, valueFormatter: value => `${format(value)} ${figure.dataset.unit}`},
  };
}

function axes(figure) {
  const text = style('--text');
  const line = {lineStyle: {color: style('--rule')}};
  return {
    category: data => ({type: 'category', data, name: figure.dataset.label, nameLocation: 'middle', nameGap: 26,
                        axisLabel: {color: text, hideOverlap: true, ...(data.length <= 8 ? {interval: 0, width: 84, overflow: 'break', lineHeight: 14} : {})}, axisLine: line, nameTextStyle: {color: text}}),
    value: () => ({type: 'value', max: figure.dataset.unit === '%' ? 100 : figure.dataset.kind === 'stacked' ? 'dataMax' : null, name: figure.dataset.unit, axisLabel: {color: text, formatter: short}, splitLine: line,
                   nameTextStyle: {color: text}}),
  };
}

function barOption(figure, {columns, rows}) {
  const axis = axes(figure);
  const labelled = rows.length * columns.length <= 16;
  return {...common(figure), xAxis: axis.category(rows.map(row => row.label)), yAxis: axis.value(),
          series: columns.map((name, i) => ({name, type: 'bar', color: color(name, i), data: rows.map(row => row.values[i]), barMaxWidth: 40,
                                             label: {show: labelled, position: 'top', color: style('--text'), fontSize: 10, formatter: item => short(item.value)}}))};
}

function stackedOption(figure, {columns, rows}) {
  const axis = axes(figure);
  const upright = {...axis.category(rows.map(row => row.label)), inverse: true};
  return {...common(figure), xAxis: axis.value(), yAxis: upright,
          series: columns.map((name, i) => ({name, type: 'bar', stack: 'all', color: color(name, i), data: rows.map(row => row.values[i])}))};
}

function lineOption(figure, {columns, rows}) {
  const axis = axes(figure);
  const text = style('--text');
  return {...common(figure), grid: {left: 8, right: 24, top: 40, bottom: 48, containLabel: true},
          xAxis: {...axis.value(), name: figure.dataset.label, nameLocation: 'middle', nameGap: 24, min: 0, max: 'dataMax'},
          yAxis: axis.value(),
          dataZoom: [{type: 'inside', zoomOnMouseWheel: 'ctrl'}, {type: 'slider', height: 18, bottom: 4, textStyle: {color: text}, labelFormatter: value => short(Math.round(value))}],
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

const ZOOMS = {'+': [0.5, 0, 'zoom in'], '-': [2, 0, 'zoom out'], 'ArrowLeft': [1, -0.25, 'earlier'], 'ArrowRight': [1, 0.25, 'later'], '0': [1e9, 0, 'all']};
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

// A timeline of threads: slices by state, zoomable as charts over time are; a click on one shows its source line, and one
// on a line of the annotated source shows the line's slices.
const WAITS = {'waiting sram': '#cc79a7', 'waiting sdram': '#7d5fb2', 'waiting fbi': '#b8a800', 'waiting scratch': '#4d8f6f', 'waiting start_receive': '#e6d98f'};
const stateColor = (state, i) => STATES[state] ?? WAITS[state] ?? color(state, i);

function readTimeline(figure) {
  const data = JSON.parse(figure.querySelector('script').textContent);
  const slices = [];
  data.threads.forEach((thread, row) => {
    thread.from.forEach((from, i) => {
      const to = i + 1 < thread.from.length ? thread.from[i + 1] : data.to;
      if (data.states[thread.state[i]] !== 'off') slices.push([row, from, to, thread.state[i], thread.place[i]]);
    });
  });
  return {...data, slices};
}

function timelineOption(figure, data) {
  const text = style('--text');
  const colors = data.states.map(stateColor);
  const chosen = figure.dataset.place === undefined ? -1 : data.places.indexOf(figure.dataset.place);
  const item = (params, api) => {
    const [x, y] = api.coord([api.value(1), api.value(0)]);
    const [end] = api.coord([api.value(2), api.value(0)]);
    const height = api.size([0, 1])[1] * 0.8;
    const shape = echarts.graphic.clipRectByRect({x, y: y - height / 2, width: Math.max(end - x, 0.5), height}, params.coordSys);
    const faded = chosen >= 0 && api.value(4) !== chosen;
    return shape && {type: 'rect', shape, style: {fill: colors[api.value(3)], opacity: faded ? 0.15 : 1}};
  };
  return {
    animation: false, textStyle: {color: text}, aria: {enabled: false},
    grid: {left: 8, right: 24, top: 8, bottom: 48, containLabel: true},
    tooltip: {confine: true, backgroundColor: style('--ground'), borderColor: style('--rule'), textStyle: {color: text},
              formatter: ({value}) => `${figure.dataset.threads.split(' ')[value[0]]}: ${data.states[value[3]]}<br>cycles ${format(value[1])} to ${format(value[2] - 1)}<br>${echarts.format.encodeHTML(data.places[value[4]])}`},
    xAxis: {type: 'value', min: data.from, max: data.to, axisLabel: {color: text}, splitLine: {show: false}, name: 'cycle', nameLocation: 'middle', nameGap: 24},
    yAxis: {type: 'category', data: figure.dataset.threads.split(' '), inverse: true, axisLabel: {color: text}},
    dataZoom: [{type: 'inside', zoomOnMouseWheel: 'ctrl', filterMode: 'weakFilter'},
               {type: 'slider', height: 18, bottom: 4, filterMode: 'weakFilter', textStyle: {color: text}, labelFormatter: value => Math.round(value)}],
    series: [{type: 'custom', renderItem: item, encode: {x: [1, 2], y: 0}, data: data.slices}],
  };
}

// Shows the source line of a slice beside the timeline, with a link to it.
function showSlice(figure, data, [row, from, to, state, place]) {
  const output = figure.querySelector('output');
  const name = data.places[place];
  const line = [...document.querySelectorAll(`#${figure.dataset.run}-source tr[id][data-p]`)].find(candidate => candidate.dataset.p === name);
  output.textContent = `thread ${figure.dataset.threads.split(' ')[row]}, ${data.states[state]}, cycles ${from} to ${to - 1}: `;
  if (!line) {
    output.append(name === '' ? 'no source line' : name);
    return;
  }
  const link = document.createElement('a');
  link.href = `#${line.id}`;
  link.textContent = name;
  const code = document.createElement('code');
  code.textContent = ' ' + line.querySelector('code').textContent.trim();
  output.append(link, code);
}

function drawTimeline(figure) {
  const data = readTimeline(figure);
  const plot = figure.querySelector('.plot');
  const range = charts.get(figure)?.getOption().dataZoom[0];
  plot.style.height = `${6 + figure.dataset.threads.split(' ').length * 1.1}rem`;
  charts.get(figure)?.dispose();
  figure.querySelector('.legend').replaceChildren(...data.states.filter(state => state !== 'off').map(state => {
    const entry = document.createElement('span');
    entry.style.setProperty('--swatch', stateColor(state, data.states.indexOf(state)));
    entry.textContent = state;
    return entry;
  }));
  const chart = echarts.init(plot, null, {renderer: 'canvas'});
  chart.setOption(timelineOption(figure, data));
  if (range) chart.dispatchAction({type: 'dataZoom', start: range.start, end: range.end});
  chart.on('click', event => showSlice(figure, data, event.value));
  charts.set(figure, chart);
}

// Marks the slices of a source line in its run's timeline, the others fade; the same line again unmarks them.
function chooseLine(row) {
  const figure = document.getElementById(`${row.closest('.sources').id.replace('-source', '')}-timeline`);
  if (!figure) return;
  const place = row.dataset.p;
  document.querySelectorAll('tr.chosen').forEach(other => other.classList.remove('chosen'));
  if (figure.dataset.place === place) {
    delete figure.dataset.place;
    figure.querySelector('output').textContent = '';
  } else {
    figure.dataset.place = place;
    row.classList.add('chosen');
    const data = readTimeline(figure);
    const slices = data.slices.filter(slice => data.places[slice[4]] === place);
    const cycles = slices.reduce((sum, slice) => sum + slice[2] - slice[1], 0);
    figure.querySelector('output').textContent = `${place}: ${slices.length} slices, ${cycles} cycles of threads` + (slices.length ? `, the first from cycle ${slices[0][1]}` : '');
  }
  drawTimeline(figure);
}

// Shows in a run's source tables the figures of one engine, or of all.
function chooseEngine(select) {
  const section = select.closest('.sources');
  const engines = select.value === '' ? [...select.options].map(option => option.value).filter(value => value !== '') : [select.value];
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

for (const figure of document.querySelectorAll('figure.chart[data-kind=lines], figure.timeline')) addZoom(figure, figure.querySelector('.plot'));
drawAll();
const watcher = new ResizeObserver(entries => {
  for (const entry of entries) charts.get(entry.target.parentElement)?.resize();
});
for (const plot of document.querySelectorAll('.plot')) watcher.observe(plot);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
matchMedia('print').addEventListener('change', drawAll);
addEventListener('beforeprint', drawAll);
addEventListener('hashchange', openTarget);
openTarget();
for (const button of document.querySelectorAll('button.line')) button.addEventListener('click', () => chooseLine(button.closest('tr')));
for (const select of document.querySelectorAll('.engine-choice')) select.addEventListener('change', () => chooseEngine(select));
