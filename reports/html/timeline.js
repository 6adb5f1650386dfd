// The timeline of a run: a row for each engine, thread, memory bus and queue. From far it shows intervals of the whole
// run, each a stack of what its cycles went to; near, inside the ranges that were looked at cycle by cycle, slices.
'use strict';

const UNOBSERVED = 'unobserved';
const GENERATED = '<generated>:0';  // the place of what has no source line
const WAITS = {'waiting sram': '#cc79a7', 'waiting sdram': '#7d5fb2', 'waiting fbi': '#b8a800',
               'waiting scratch': '#4d8f6f', 'waiting start_receive': '#e6d98f'};
const BUSY = ['executing', 'aborted', 'stalled'];
const BUS_COLOR = '#009e73', QUEUE_COLOR = '#8c8c8c';
const FADED = 0.15;
const LEVEL_STEP = 4;         // intervals that make one of the next level
const FEWEST_INTERVALS = 256;
const NARROWEST_EXACT = 64;   // pixels that a range must have before its slices are drawn
const MARK_HEIGHT = 3;
const timelines = new Map();  // by figure

const stateColor = (state, i) => STATES[state] ?? WAITS[state] ?? color(state, i);

// A series of counts as a record has it: `12 0*3 4`.
function readSeries(text) {
  const values = [];
  if (text === '') return values;
  for (const word of text.split(' ')) {
    const [value, times = 1] = word.split('*').map(Number);
    for (let i = 0; i < times; ++i) values.push(value);
  }
  return values;
}

// The counts, then sums of more and more of them: what is drawn has about as many intervals as pixels.
function levelsOf(values) {
  const levels = [values];
  while (levels.at(-1).length > FEWEST_INTERVALS) {
    const finer = levels.at(-1);
    const coarser = new Array(Math.ceil(finer.length / LEVEL_STEP)).fill(0);
    finer.forEach((value, i) => { coarser[Math.floor(i / LEVEL_STEP)] += value; });
    levels.push(coarser);
  }
  return levels;
}

function sumOfSeries(series) {
  const sum = new Array(Math.max(0, ...series.map(values => values.length))).fill(0);
  for (const values of series) values.forEach((value, i) => { sum[i] += value; });
  return sum;
}

// Edges of intervals lie on the screen's pixels, so that no seams show between them.
const wholePixel = x => Math.round(x * devicePixelRatio) / devicePixelRatio;

// The first slice that ends behind `cycle`.
function firstSlice(slices, cycle) {
  let low = 0, high = slices.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (slices[middle].to <= cycle) low = middle + 1;
    else high = middle;
  }
  return low;
}

const sumOf = values => values.reduce((sum, value) => sum + value, 0);

// Slices begin where the one before ends, the last one ends at `end`.
function slicesOf(from, end, describe) {
  return from.map((first, i) => ({from: first, to: i + 1 < from.length ? from[i + 1] : end, ...describe(i)}));
}

// What a figure's record says, as rows. A row has `parts`, what intervals are stacked of ({state, levels}), and
// `slices`, in order ({from, to, state, place} or {from, to, depth}).
class TimelineData {
  constructor(figure) {
    const read = name => JSON.parse(figure.querySelector(`script.${name}`)?.textContent ?? 'null');
    this.exact = read('exact');
    this.activity = read('activity');
    this.roles = read('roles');
    this.ranges = this.exact ? this.exact.ranges ?? [this.exact] : [];
    this.from = this.activity ? 0 : this.exact.from;
    this.to = this.activity ? Number(figure.dataset.cycles) : this.exact.to;
    this.interval = this.activity?.interval_cycles ?? this.to;
    this.rows = [...this.engineRows(), ...this.unitRows()];
    this.levels = Math.max(1, ...this.rows.flatMap(row => row.parts.map(part => part.levels.length)));
    const threads = this.rows.filter(row => row.kind === 'thread');
    this.states = [...new Set(threads.flatMap(row => [...row.parts, ...row.slices].map(({state}) => state)))];
    this.lines = (this.activity?.lines ?? []).map(({engine, place, ...series}) => ({
      engine, place, busy: sumOfSeries(BUSY.map(state => readSeries(series[state]))),
      waiting: readSeries(series.waiting)}));
  }

  engineRows() {
    const threads = new Map();  // rows by name
    const row = (engine, thread) => {
      const label = `${engine}.${thread}`;
      if (!threads.has(label)) threads.set(label, {kind: 'thread', label, engine, thread, parts: [], slices: []});
      return threads.get(label);
    };
    for (const {engine, thread, states} of this.activity?.threads ?? []) {
      row(engine, thread).parts = states.filter(({state}) => state !== 'off')
                                      .map(({state, cycles}) => ({state, levels: levelsOf(readSeries(cycles))}));
    }
    for (const thread of this.exact?.threads ?? [])
      row(thread.engine, thread.thread).slices = this.threadSlices(thread);
    const rows = [...threads.values()].filter(({parts, slices}) => parts.length > 0 || slices.length > 0);
    rows.sort((a, b) => a.engine - b.engine || a.thread - b.thread);
    const engines = [...new Set(rows.map(({engine}) => engine))];
    return engines.flatMap(engine => {
      const own = rows.filter(one => one.engine === engine);
      return [this.engineRow(engine, own), ...own];
    });
  }

  // What has the engine: of its threads at most one in any cycle.
  engineRow(engine, threads) {
    const all = threads.flatMap(({parts}) => parts);
    const series = state => all.filter(part => part.state === state).map(part => part.levels[0]);
    const seen = BUSY.filter(state => series(state).length > 0);
    const parts = seen.map(state => ({state, levels: levelsOf(sumOfSeries(series(state)))}));
    const slices = threads.flatMap(({slices, thread}) => slices.filter(({state}) => BUSY.includes(state))
                                                             .map(slice => ({...slice, thread})));
    slices.sort((a, b) => a.from - b.from);
    return {kind: 'engine', label: `engine ${engine}`, engine, role: this.roles?.[engine] ?? '', parts, slices};
  }

  threadSlices({from, state, place}) {
    const {to, states, places} = this.exact;
    const placeAt = i => places[place[i]] === '' && states[state[i]] !== 'ready' ? GENERATED : places[place[i]];
    return slicesOf(from, to, i => ({state: states[state[i]], place: placeAt(i)}))
        .filter(slice => slice.state !== 'off' && slice.state !== UNOBSERVED);
  }

  unitRows() {
    const rows = new Map();
    const row = (name, entries) => {
      const kind = name.endsWith('.bus') ? 'bus' : 'queue';
      const label = name.replace('.', ' ').replaceAll('_', ' ');
      if (!rows.has(name)) rows.set(name, {kind, label, name, entries, parts: [], slices: []});
      return rows.get(name);
    };
    for (const {name, active_cycles} of this.activity?.memory ?? [])
      row(`${name}.bus`, 1).parts = [{state: 'active', levels: levelsOf(readSeries(active_cycles))}];
    for (const {name, entries, depth} of this.activity?.queues ?? [])
      row(name, entries).parts = [{state: 'entries', levels: levelsOf(readSeries(depth))}];
    for (const {name, entries, from, depth} of this.exact?.queues ?? []) {
      const slices = slicesOf(from, this.exact.to, i => ({depth: depth[i]}));
      row(name, entries).slices = slices.filter(slice => slice.depth > 0);
    }
    const isUsed = ({parts, slices}) => slices.length > 0 || parts.some(({levels}) => sumOf(levels[0]) > 0);
    return [...rows.values()].filter(isUsed);
  }

  // Interval `i` of a level: its cycles, and how many of the finest it is made of.
  intervalAt(level, i) {
    const length = this.interval * LEVEL_STEP ** level;
    const from = i * length;
    const to = Math.min(from + length, this.to);
    return {from, to, count: Math.ceil((to - from) / this.interval)};
  }

  // What a full interval of a row would hold.
  whole(row, {from, to, count}) {
    return row.kind === 'queue' ? count * row.entries : to - from;
  }

  // The finest level whose intervals are at least a pixel.
  levelFor(cyclesPerPixel) {
    let level = 0;
    while (level + 1 < this.levels && this.interval * LEVEL_STEP ** level < cyclesPerPixel) ++level;
    return level;
  }

  // The lines of an engine and their cycles in all intervals of lines that touch a range, the costliest first.
  linesIn(engine, from, to) {
    const length = this.activity.line_interval_cycles;
    const first = Math.floor(from / length), last = Math.ceil(to / length);
    const part = values => sumOf(values.slice(first, last));
    const lines = this.lines.filter(line => line.engine === engine)
                      .map(({place, busy, waiting}) => ({place, busy: part(busy), waiting: part(waiting)}));
    return {from: first * length, to: Math.min(last * length, this.to), lines};
  }
}

// The drawing of a figure's data, and what is pointed at in it.
class TimelineView {
  constructor(figure, data) {
    this.figure = figure;
    this.data = data;
    this.cursor = null;  // {row, cycle}: what keys have chosen
    this.output = figure.querySelector('output');
  }

  draw() {
    const plot = this.figure.querySelector('.plot');
    const old = charts.get(this.figure)?.getOption().dataZoom[0];
    plot.style.height = `${5 + this.data.rows.length * 0.95}rem`;
    charts.get(this.figure)?.dispose();
    this.chart = echarts.init(plot, null, {renderer: 'canvas'});
    charts.set(this.figure, this.chart);
    this.chart.getZr().on('mousemove', event => { this.pointer = [event.offsetX, event.offsetY]; });
    this.chart.getZr().on('click', event => this.choose(this.hit(event.offsetX, event.offsetY)));
    this.chart.setOption(this.option());
    if (old) this.chart.dispatchAction({type: 'dataZoom', start: old.start, end: old.end});
    this.drawLegend();
  }

  drawLegend() {
    const entries = [...this.data.states.map((state, i) => [state, stateColor(state, i)]), ['bus taken', BUS_COLOR],
                     ['queue, full height: no room', QUEUE_COLOR]];
    this.figure.querySelector('.legend').replaceChildren(...entries.map(([name, swatch]) => {
      const entry = document.createElement('span');
      entry.style.setProperty('--swatch', swatch);
      entry.textContent = name;
      return entry;
    }));
  }

  option() {
    const text = style('--text');
    const {rows, from, to} = this.data;
    const zooming = {filterMode: 'none', minValueSpan: 20, throttle: 30};
    return {
      animation: false, textStyle: {color: text}, aria: {enabled: false},
      grid: {left: 8, right: 40, top: 8, bottom: 52, containLabel: true},
      tooltip: {confine: true, backgroundColor: style('--ground'), borderColor: style('--rule'),
                textStyle: {color: text}, formatter: () => this.tooltip()},
      xAxis: {type: 'value', min: from, max: to, axisLabel: {color: text, hideOverlap: true}, splitLine: {show: false},
              name: 'cycle', nameLocation: 'middle', nameGap: 24},
      yAxis: {type: 'category', data: rows.map(row => row.label), inverse: true,
              axisLabel: {interval: 0, fontSize: 10, color: text}, axisTick: {show: false}},
      dataZoom: [{type: 'inside', zoomOnMouseWheel: 'ctrl', ...zooming},
                 {type: 'slider', height: 18, bottom: 4, ...zooming, textStyle: {color: text},
                  labelFormatter: value => format(Math.round(value))}],
      series: [{type: 'custom', renderItem: params => this.paint(params.coordSys), data: [[from, 0]]}],
    };
  }

  // The cycles in sight, and where they lie.
  view(area) {
    const ends = [area.x, area.x + area.width];
    const [from, to] = ends.map(x => this.chart.convertFromPixel({gridIndex: 0}, [x, area.y])[0]);
    return {...area, from, to, scale: area.width / (to - from), rowHeight: area.height / this.data.rows.length};
  }

  // Above and below a row there is a pixel's room.
  rowPlace(number, view) {
    return [number * view.rowHeight + 1, view.rowHeight - 2];
  }

  // All rows as one picture: quicker by far than an element a slice.
  paint(area) {
    const view = this.area = this.view(area);
    const ratio = devicePixelRatio;
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(area.width * ratio);
    canvas.height = Math.ceil(area.height * ratio);
    const context = canvas.getContext('2d');
    context.scale(ratio, ratio);
    this.data.rows.forEach((row, number) => this.paintRow(context, row, number, view));
    this.paintRanges(context, view);
    return {type: 'image', style: {image: canvas, x: area.x, y: area.y, width: area.width, height: area.height}};
  }

  paintRow(context, row, number, view) {
    const [top, height] = this.rowPlace(number, view);
    this.paintIntervals(context, row, top, height, view);
    for (const range of this.exactRanges(view)) {
      const x = (range.from - view.from) * view.scale, width = (range.to - range.from) * view.scale;
      context.clearRect(x, top - 1, width, height + 2);
      this.paintSlices(context, row, range, top, height, view);
    }
    if (this.cursor?.row === number) {
      const {from, to} = this.at(number, this.cursor.cycle);
      context.strokeStyle = style('--link');
      context.lineWidth = 2;
      context.strokeRect((from - view.from) * view.scale - 1, top, Math.max((to - from) * view.scale, 2) + 2, height);
    }
  }

  paintIntervals(context, row, top, height, view) {
    const {data} = this;
    const level = data.levelFor(1 / view.scale);
    const length = data.interval * LEVEL_STEP ** level;
    const last = Math.min(Math.ceil(Math.min(view.to, data.to) / length), row.parts[0]?.levels[level]?.length ?? 0);
    const first = Math.max(0, Math.floor(view.from / length));
    const intervals = [];
    for (let i = first; i < last; ++i) intervals.push(data.intervalAt(level, i));
    const edges = intervals.map(({from}) => wholePixel((from - view.from) * view.scale));
    edges.push(wholePixel((intervals.at(-1)?.to - view.from) * view.scale));
    const scales = intervals.map(interval => height / data.whole(row, interval));
    const bottoms = new Array(intervals.length).fill(top + height);
    context.globalAlpha = this.place === undefined || row.kind === 'bus' || row.kind === 'queue' ? 1 : FADED;
    // State by state: to choose a colour takes longer than to fill a rectangle.
    row.parts.forEach(({state, levels}, number) => {
      context.fillStyle = this.colorOf(row, state, number);
      for (let i = 0; i < intervals.length; ++i) {
        const part = levels[level][first + i] * scales[i];
        if (part === 0) continue;
        bottoms[i] -= part;
        context.fillRect(edges[i], bottoms[i], edges[i + 1] - edges[i], part);
      }
    });
    context.globalAlpha = 1;
    if (row.kind === 'engine' && this.place !== undefined) this.paintLine(context, row, top, height, view);
  }

  // The share of an engine's cycles that the chosen line has over the run.
  paintLine(context, row, top, height, view) {
    const length = this.data.activity?.line_interval_cycles;
    context.fillStyle = style('--link');
    for (const line of this.data.lines) {
      if (line.engine !== row.engine || line.place !== this.place) continue;
      line.busy.forEach((busy, i) => {
        const from = i * length, to = Math.min(from + length, this.data.to);
        const x = (from - view.from) * view.scale, part = height * busy / (to - from);
        context.fillRect(x, top + height - part, (to - from) * view.scale, part);
      });
    }
  }

  paintSlices(context, row, range, top, height, view) {
    const end = Math.min(range.to, view.to);
    for (let i = firstSlice(row.slices, Math.max(range.from, view.from)); row.slices[i]?.from < end; ++i) {
      const slice = row.slices[i];
      const x = (slice.from - view.from) * view.scale, width = Math.max((slice.to - slice.from) * view.scale, 0.5);
      const part = slice.depth === undefined ? height : height * slice.depth / row.entries;
      const isFaded = this.place !== undefined && slice.depth === undefined && slice.place !== this.place;
      context.globalAlpha = isFaded ? FADED : 1;
      context.fillStyle = this.colorOf(row, slice.state, 0);
      context.fillRect(x, top + height - part, width, part);
    }
    context.globalAlpha = 1;
  }

  // Where slices are to be had: a mark above the rows.
  paintRanges(context, view) {
    context.fillStyle = style('--link');
    for (const {from, to} of this.data.ranges)
      context.fillRect((from - view.from) * view.scale, 0, Math.max((to - from) * view.scale, 3), MARK_HEIGHT);
  }

  colorOf(row, state, number) {
    if (row.kind === 'bus') return BUS_COLOR;
    return row.kind === 'queue' ? QUEUE_COLOR : stateColor(state, number);
  }

  // The ranges whose slices are wide enough to be told apart.
  exactRanges(view = this.area) {
    const isWide = ({from, to}) => (to - from) * view.scale >= NARROWEST_EXACT;
    return this.data.ranges.filter(range => isWide(range) && range.to > view.from && range.from < view.to);
  }

  hit(x, y) {
    const {area} = this;
    const cycle = Math.floor(area.from + (x - area.x) / area.scale);
    const row = Math.floor((y - area.y) / area.rowHeight);
    const isInside = x >= area.x && x <= area.x + area.width && this.data.rows[row] !== undefined;
    return isInside && cycle >= this.data.from && cycle < this.data.to ? {row, cycle} : null;
  }

  // What is drawn of a row at a cycle: a slice, an interval ({counts} by state), or nothing that is known.
  at(number, cycle) {
    const row = this.data.rows[number];
    const range = this.exactRanges().find(({from, to}) => cycle >= from && cycle < to);
    if (range) {
      const next = firstSlice(row.slices, cycle);
      if (row.slices[next]?.from <= cycle) return row.slices[next];
      const before = row.slices[next - 1]?.to ?? range.from;
      const behind = row.slices[next]?.from ?? range.to;
      return {from: Math.max(before, range.from), to: Math.min(behind, range.to), nothing: true};
    }
    const level = this.data.levelFor(1 / this.area.scale);
    const i = Math.floor(cycle / (this.data.interval * LEVEL_STEP ** level));
    const interval = this.data.intervalAt(level, i);
    const counts = row.parts.map(({state, levels}) => [state, levels[level]?.[i] ?? 0]);
    return {...interval, counts: counts.filter(([, count]) => count > 0), whole: this.data.whole(row, interval)};
  }

  // Of what is at a place, sentences.
  describe(row, found) {
    const span = `cycles ${format(found.from)} to ${format(found.to - 1)}`;
    if (row.kind === 'queue' || row.kind === 'bus') return [`${row.label}, ${span}`, this.describeUnit(row, found)];
    const role = row.role ? ` (${row.role})` : '';
    const name = row.kind === 'thread' ? `thread ${row.label}` : `engine ${row.engine}${role}`;
    if (found.nothing) return [`${name}: ${row.kind === 'engine' ? 'idle' : 'off'}, ${span}`];
    const thread = found.thread === undefined ? '' : `, thread ${found.thread}`;
    if (found.state) return [`${name}${thread}: ${found.state}, ${span}`];
    const share = ([state, count]) => `${state} ${format(100 * count / found.whole)} % (${format(count)})`;
    return [`${name}, ${span}`, found.counts.map(share).join(', ')];
  }

  describeUnit(row, found) {
    const counted = found.counts?.[0]?.[1] ?? 0;
    if (row.kind === 'queue') {
      if (!found.counts) return `${found.depth ?? 0} of ${row.entries} entries`;
      return `${format(counted / found.count)} of ${row.entries} entries, mean of ${found.count} looks`;
    }
    if (!found.counts) return found.depth ? 'taken' : 'free';
    return `taken in ${format(counted)} cycles, ${format(100 * counted / found.whole)} %`;
  }

  tooltip() {
    const hit = this.pointer && this.hit(...this.pointer);
    if (!hit) return '';
    const row = this.data.rows[hit.row];
    const found = this.at(hit.row, hit.cycle);
    const sentences = [...this.describe(row, found), ...(found.place ? [found.place] : [])];
    return sentences.map(sentence => echarts.format.encodeHTML(sentence)).join('<br>');
  }

  // Shows what is at a place beside the timeline, with links to its source lines.
  choose(hit) {
    if (!hit) return;
    const row = this.data.rows[hit.row];
    const found = this.at(hit.row, hit.cycle);
    this.output.replaceChildren(this.describe(row, found).join(': '));
    if (found.place) this.output.append(': ', ...this.lineLink(found.place));
    else if (found.counts && row.engine !== undefined && this.data.activity) this.appendLines(row.engine, found);
  }

  // The line's link, and its code; its name alone when the page does not have it.
  lineLink(place, note = '') {
    const rows = [...document.querySelectorAll(`#${this.figure.dataset.run}-source tr[id][data-p]`)];
    const line = rows.find(candidate => candidate.dataset.p === place);
    if (!line) return [place + note];
    const link = document.createElement('a');
    link.href = `#${line.id}`;
    link.textContent = place;
    const code = document.createElement('code');
    code.textContent = ' ' + line.querySelector('code').textContent.trim();
    return [link, note, code];
  }

  // The engine's costliest lines around an interval.
  appendLines(engine, {from, to}) {
    const around = this.data.linesIn(engine, from, to);
    const add = (key, title) => {
      const lines = around.lines.filter(line => line[key] > 0).sort((a, b) => b[key] - a[key]).slice(0, 3);
      for (const [i, line] of lines.entries()) {
        const entry = document.createElement('div');
        const head = `${title}, cycles ${format(around.from)} to ${format(around.to - 1)}: `;
        entry.append(i === 0 ? head : '', ...this.lineLink(line.place, ` ${format(line[key])} cycles`));
        this.output.append(entry);
      }
    };
    add('busy', `engine ${engine} busy with`);
    add('waiting', `engine ${engine}'s threads waited behind`);
  }

  // Marks the slices of a source line, the others fade; none: unmarks.
  chooseLine(place) {
    this.place = place;
    this.output.replaceChildren(place === undefined ? '' : this.lineSummary(place));
    this.draw();
  }

  lineSummary(place) {
    const threads = this.data.rows.filter(row => row.kind === 'thread');
    const slices = threads.flatMap(row => row.slices.filter(slice => slice.place === place));
    const first = slices.length > 0 ? `, the first from cycle ${Math.min(...slices.map(slice => slice.from))}` : '';
    const cycles = sumOf(slices.map(({from, to}) => to - from));
    const text = [`${place}: ${slices.length} slices, ${cycles} cycles of threads${first}`];
    for (const {engine, busy, waiting} of this.data.lines.filter(line => line.place === place)) {
      text.push(`in the whole run engine ${engine} was busy with it ${format(sumOf(busy))} cycles, ` +
                `and threads waited behind it ${format(sumOf(waiting))}`);
    }
    return text.join('; ');
  }

  // Moves what keys have chosen by rows and by what is drawn in the row, and shows it.
  moveCursor(rows, slices) {
    const {data, area} = this;
    const {row, cycle} = this.cursor ?? {row: 0, cycle: Math.floor(Math.max(area.from, data.from))};
    const next = Math.min(data.rows.length - 1, Math.max(0, row + (this.cursor ? rows : 0)));
    const found = this.at(next, cycle);
    const moved = slices > 0 ? found.to : slices < 0 ? found.from - 1 : cycle;
    this.cursor = {row: next, cycle: Math.min(data.to - 1, Math.max(data.from, moved))};
    this.choose(this.cursor);
    this.chart.setOption({series: [{data: [[data.from, 0]]}]});  // paints anew
  }

  showRange({from, to}) {
    this.chart.dispatchAction({type: 'dataZoom', startValue: from, endValue: to});
  }
}

const CURSOR_KEYS = {'ArrowUp': [-1, 0], 'ArrowDown': [1, 0], '.': [0, 1], ',': [0, -1]};

// Buttons that show the ranges with slices, and keys that go from row to row and from slice to slice.
function addTimelineControls(figure) {
  const view = timelines.get(figure);
  for (const range of view.data.activity ? view.data.ranges : []) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = `${format(range.from)}–${format(range.to - 1)}`;
    button.setAttribute('aria-label', `show cycles ${range.from} to ${range.to - 1}`);
    button.addEventListener('click', () => view.showRange(range));
    figure.querySelector('.zoom').append(button);
  }
  figure.querySelector('.plot').addEventListener('keydown', event => {
    const move = CURSOR_KEYS[event.key];
    if (move) view.moveCursor(...move);
    else if (event.key === 'Enter') view.output.querySelector('a')?.click();
    else return;
    event.preventDefault();
  });
}

function drawTimeline(figure) {
  if (!timelines.has(figure)) timelines.set(figure, new TimelineView(figure, new TimelineData(figure)));
  timelines.get(figure).draw();
}

// Marks the slices of a row of the annotated source in its run's timeline; the same row again unmarks them.
function chooseLine(row) {
  const view = timelines.get(document.getElementById(`${row.closest('.sources').id.replace('-source', '')}-timeline`));
  if (!view) return;
  document.querySelectorAll('tr.chosen').forEach(other => other.classList.remove('chosen'));
  const place = view.place === row.dataset.p ? undefined : row.dataset.p;
  if (place !== undefined) row.classList.add('chosen');
  view.chooseLine(place);
}
