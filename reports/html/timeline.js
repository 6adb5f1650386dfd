// The timeline of a run as a reader uses it: zoomed, pointed at, clicked and walked through by keys.
'use strict';

const timelines = new Map();  // by figure

// What the heat of a row shows.
const KIND_NAMES = {engine: 'engines', thread: 'threads', bus: 'buses', queue: 'queues'};
const HEAT_NAMES = {useful: 'useful', executing: 'executing, polls included', active: 'busy', entries: 'filled'};

// A figure's chart, and what is pointed at in it.
class TimelineView extends TimelinePicture {
  constructor(figure, data) {
    super(data);
    this.figure = figure;
    this.output = figure.querySelector('output');
  }

  draw() {
    const plot = this.figure.querySelector('.plot');
    const old = charts.get(this.figure)?.getOption().dataZoom[0];
    plot.setAttribute('role', 'application');
    plot.setAttribute('aria-label', `Timeline of ${this.figure.dataset.name}; what the keys choose is told below it`);
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
    const slices = [...this.data.states.map((state, i) => [state, color(state, i)]), ['bus busy', BUS_COLOR],
                    ['queue, full height: no room', QUEUE_COLOR]];
    const kinds = [...new Set(this.data.rows.map(({kind}) => kind))];
    const heats = kinds.map(kind => {
      const {hot} = this.data.rows.find(row => row.kind === kind);
      return [`${KIND_NAMES[kind]}: ${HEAT_NAMES[hot]}`, `linear-gradient(to right, ${heatShades(kind).join(', ')})`];
    });
    const line = (title, entries, kind) => {
      const paragraph = document.createElement('p');
      paragraph.className = `legend ${kind}`;
      paragraph.append(title, ...entries.map(([name, swatch]) => {
        const entry = document.createElement('span');
        entry.style.setProperty('--swatch', swatch);
        entry.textContent = name;
        return entry;
      }));
      return paragraph;
    };
    this.figure.querySelector('.legends').replaceChildren(
        ...(this.data.activity ? [line('Far, from 0 to 100 %', heats, 'heat')] : []),
        ...(this.data.exact ? [line('Near, cycle by cycle', slices, 'states')] : []));
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
      xAxis: {type: 'value', min: from, max: to, axisLabel: {color: text, ...roundLabels(() => this.chart)}, splitLine: {show: false},
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

  paint(area) {
    const view = this.area = this.view(area);
    const {x, y, width, height} = view;
    return {type: 'image', style: {image: this.picture(view), x, y, width, height}};
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
      return `${format(counted / found.count)} of ${row.entries} entries, mean of ${found.count} samples`;
    }
    if (!found.counts) return found.depth ? 'busy' : 'free';
    return `busy in ${format(counted)} cycles, ${format(100 * counted / found.whole)} %`;
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
    add('waiting', `engine ${engine}'s threads waited after`);
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
      text.push(`over the entire run, engine ${engine} was busy with it for ${format(sumOf(busy))} cycles, ` +
                `and threads waited after it for ${format(sumOf(waiting))} cycles`);
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
    const name = range.name ? `${range.name}: ` : '';
    button.textContent = `${name}${format(range.from)}–${format(range.to - 1)}`;
    button.setAttribute('aria-label', `show ${name}cycles ${range.from} to ${range.to - 1}`);
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
