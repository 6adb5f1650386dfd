// What a timeline shows, read from the run's data in the page: a row for each engine, thread, memory bus and queue.
'use strict';

const UNOBSERVED = 'unobserved';
const GENERATED = '<generated>:0';  // the place of what has no source line
const USES = ['useful', 'starved', 'blocked', 'lock_spin', 'aborted', 'stalled'];
const BUSY = ['executing', 'aborted', 'stalled'];
const LEVEL_STEP = 4;         // intervals that make one of the next level
const FEWEST_INTERVALS = 100;

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
// `slices`, in order ({from, to, state, place} or {from, to, depth}). `hot` is the state whose share its heat shows.
class TimelineData {
  constructor(figure) {
    const read = name => JSON.parse(figure.querySelector(`script.${name}`)?.textContent ?? 'null');
    this.exact = read('exact');
    this.activity = read('activity');
    this.uses = read('uses');
    this.roles = read('roles');
    this.ranges = this.exact ? this.exact.ranges ?? [this.exact] : [];
    this.from = this.activity ? 0 : this.exact.from;
    this.to = this.activity ? Number(figure.dataset.cycles) : this.exact.to;
    this.interval = this.activity?.interval_cycles ?? this.to;
    this.rows = [...this.engineRows(), ...this.unitRows()];
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
      if (!threads.has(label)) threads.set(label, {kind: 'thread', label, engine, thread, hot: 'executing', interval: this.interval, parts: [], slices: []});
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
    const slices = threads.flatMap(({slices, thread}) => slices.filter(({state}) => BUSY.includes(state))
                                                             .map(slice => ({...slice, thread})));
    slices.sort((a, b) => a.from - b.from);
    return {kind: 'engine', label: `engine ${engine}`, engine, role: this.roles?.[engine] ?? '', slices,
            ...this.engineParts(engine, threads)};
  }

  // An engine's cycles by use; by state in records that do not distinguish uses.
  engineParts(engine, threads) {
    const known = this.uses?.engines.find(one => one.engine === engine);
    if (known) {
      const parts = USES.map(use => ({state: use.replace('_', ' '), levels: levelsOf(readSeries(known[use]))}));
      return {hot: 'useful', interval: this.uses.interval_cycles,
              parts: parts.filter(({levels}) => sumOf(levels[0]) > 0)};
    }
    const all = threads.flatMap(({parts}) => parts);
    const series = state => all.filter(part => part.state === state).map(part => part.levels[0]);
    const seen = BUSY.filter(state => series(state).length > 0);
    return {hot: 'executing', interval: this.interval,
            parts: seen.map(state => ({state, levels: levelsOf(sumOfSeries(series(state)))}))};
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
      if (!rows.has(name)) rows.set(name, {kind, label, name, entries, hot: kind === 'bus' ? 'active' : 'entries', interval: this.interval, parts: [], slices: []});
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

  // Interval `i` of a row's level: its cycles, and how many of the finest it is made of.
  intervalAt(row, level, i) {
    const length = row.interval * LEVEL_STEP ** level;
    const from = i * length;
    const to = Math.min(from + length, this.to);
    return {from, to, count: Math.ceil((to - from) / row.interval)};
  }

  // What a full interval of a row would hold.
  whole(row, {from, to, count}) {
    return row.kind === 'queue' ? count * row.entries : to - from;
  }

  // The finest level of a row whose intervals are at least a pixel.
  levelFor(row, cyclesPerPixel) {
    const levels = Math.max(1, ...row.parts.map(part => part.levels.length));
    let level = 0;
    while (level + 1 < levels && row.interval * LEVEL_STEP ** level < cyclesPerPixel) ++level;
    return level;
  }

  // The share, from 0 to 1, that a row's heat shows of an interval.
  heatAt(row, level, i) {
    const hot = row.parts.find(({state}) => state === row.hot);
    return (hot?.levels[level]?.[i] ?? 0) / this.whole(row, this.intervalAt(row, level, i));
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
