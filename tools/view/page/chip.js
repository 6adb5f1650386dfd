// The picture of the chip: engines with their threads, software's queues between them, and the queues of the units.
import {byId, drawn, element, number, patch} from './elements.js';

const kEngine = {width: 168, height: 84}, kGap = 190, kRow = 100, kMargin = 10;
const kQueue = {width: 150, height: 76}, kUnit = {width: 150, row: 16};
const kSigns = {running: '▶', ready: '●', waiting: '…', ended: '×'};

// The column of each engine: one after those that it gets entries from.
function columnsOf(chip) {
  const columns = new Map(chip.engines.map(({engine}) => [engine, 0]));
  for (let round = 0; round < chip.engines.length; ++round)  // more rounds would follow a cycle for ever
    for (const {producers, consumers} of chip.queues)
      for (const from of producers)
        for (const to of consumers)
          if (from !== to) columns.set(to, Math.max(columns.get(to), Math.min(columns.get(from) + 1, chip.engines.length - 1)));
  return columns;
}

// Places {x, y} of engines and queues, and the size of both together.
function layoutOf(chip) {
  const columns = columnsOf(chip), engines = new Map(), queues = new Map(), used = new Map();
  const inOneColumn = Math.max(...columns.values()) === 0;
  chip.engines.forEach(({engine}, index) => {
    const column = inOneColumn ? index % 4 : columns.get(engine), row = inOneColumn ? Math.floor(index / 4) : used.get(column) ?? 0;
    used.set(column, row + 1);
    engines.set(engine, {x: kMargin + column * (kEngine.width + (inOneColumn ? 12 : kGap)), y: kMargin + row * kRow});
  });
  const rows = Math.max(1, ...used.values());
  const below = new Map();
  for (const {name, producers} of chip.queues) {
    const column = columns.get(producers[0]) ?? 0, place = below.get(column) ?? 0;
    below.set(column, place + 1);
    queues.set(name, {x: kMargin + column * (kEngine.width + kGap) + kEngine.width + (kGap - kQueue.width) / 2,
                      y: kMargin + place * (kQueue.height + 12)});
  }
  const bottom = place => Math.max(0, ...[...place.values()].map(({y}) => y));
  return {engines, queues, width: Math.max(...[...engines.values()].map(({x}) => x + kEngine.width)) + kMargin,
          height: Math.max(bottom(engines) + kEngine.height, queues.size ? bottom(queues) + kQueue.height : 0, rows * kRow) + kMargin};
}

function bar(x, y, width, height, share, title) {
  const level = Math.round(Math.min(1, share) * width);
  return drawn('g', {}, drawn('title', {}, title), drawn('rect', {class: 'trough', x, y, width, height}),
               drawn('rect', {class: share >= 1 ? 'level full' : 'level', x, y, width: level, height}));
}

// A ring fills from the bottom.
function ringBar(x, y, width, height, share, title, isFollowed) {
  const level = share > 0 ? Math.max(2, Math.round(Math.min(1, share) * height)) : 0;
  return drawn('g', {}, drawn('title', {}, title),
               drawn('rect', {class: isFollowed ? 'trough followed' : 'trough', x, y, width, height}),
               drawn('rect', {class: share >= 1 ? 'level full' : 'level', x, y: y + height - level, width, height: level}));
}

export class ChipPicture {
  #choose;

  constructor(choose) { this.#choose = choose; }

  // `followed`: the packet, or undefined.
  show(chip, chosen, followed) {
    const layout = layoutOf(chip), places = followed?.places ?? [];
    const units = this.#units(chip, layout.height + 24, layout.width);
    const width = Math.max(layout.width, 4 * (kUnit.width + 12)), height = units.bottom;
    const svg = drawn('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': this.#summary(chip)},
      ...this.#wires(chip, layout),
      ...chip.engines.map(engine => this.#engine(chip, engine, layout.engines.get(engine.engine), chosen, places)),
      ...chip.queues.map(queue => this.#queue(queue, layout.queues.get(queue.name), places)), units.group);
    svg.style.minWidth = `${Math.round(width * 0.75)}px`;
    svg.style.maxWidth = `${Math.round(width * 1.4)}px`;
    const legend = element('p', {class: 'legend'},
      ...Object.entries(kSigns).map(([state, sign]) => element('span', {class: state}, `${sign} ${state}`)),
      element('span', {}, `${number(chip.packets.length)} packets in the chip`));
    const old = [...byId('picture').children];
    if (old.length === 0) byId('picture').append(svg, legend);
    else [svg, legend].forEach((fresh, index) => patch(old[index], fresh));
  }

  // What the picture shows, for those who do not see it.
  #summary(chip) {
    const queues = chip.queues.map(({name, entries, size}) =>
      `queue ${name}: ${entries.reduce((a, b) => a + b, 0)} of ${size * entries.length} entries`);
    const waiting = chip.threads.filter(({state}) => state === 'waiting').length;
    return [`Chip: ${chip.engines.length} engines, ${waiting} of ${chip.threads.length} threads waiting`, ...queues].join('; ');
  }

  #wires(chip, {engines, queues}) {
    const wires = [];
    const wire = (from, to) => {
      const middle = (from.x + to.x) / 2;
      wires.push(drawn('path', {class: 'wire', d: `M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`}));
    };
    for (const {name, producers, consumers} of chip.queues) {
      const {x, y} = queues.get(name), middle = y + kQueue.height / 2;
      for (const engine of producers)
        wire({x: engines.get(engine).x + kEngine.width, y: engines.get(engine).y + kEngine.height / 2}, {x, y: middle});
      for (const engine of consumers)
        wire({x: x + kQueue.width, y: middle}, {x: engines.get(engine).x, y: engines.get(engine).y + kEngine.height / 2});
    }
    return wires;
  }

  #engine(chip, {engine, role}, {x, y}, chosen, places) {
    const threads = chip.threads.filter(thread => thread.engine === engine);
    const fifo = chip.unit_queues.find(({name}) => name === `engine${engine}.command_fifo`);
    const step = Math.min(38, (kEngine.width - 12) / Math.max(threads.length, 1));
    const title = `engine ${engine} ${role}`;
    return drawn('g', {class: 'engine'}, drawn('title', {}, title),
      drawn('rect', {class: 'box', x, y, width: kEngine.width, height: kEngine.height, rx: 6}),
      drawn('text', {x: x + 8, y: y + 17}, title.length > 23 ? `${title.slice(0, 22)}…` : title),
      ...threads.map((thread, index) => {
        const left = x + 6 + index * step;
        const isFollowed = places.some(place => place.engine === engine && place.context === thread.context);
        return drawn('g', {class: `thread ${thread.state}${thread.id === chosen ? ' chosen' : ''}${isFollowed ? ' followed' : ''}`,
                           'data-key': thread.id, onclick: () => this.#choose(thread.id)},
          drawn('title', {}, `thread ${thread.name}: ${thread.text}`),
          drawn('rect', {x: left, y: y + 25, width: step - 4, height: 34, rx: 3}),
          drawn('text', {x: left + (step - 4) / 2, y: y + 39, class: 'middle small'}, String(thread.context)),
          drawn('text', {x: left + (step - 4) / 2, y: y + 53, class: 'middle small'}, kSigns[thread.state]));
      }),
      fifo ? bar(x + 6, y + kEngine.height - 17, kEngine.width - 12, 9, fifo.entries / fifo.size,
                 `command FIFO: ${fifo.entries} of ${fifo.size}`) : null);
  }

  #queue({name, entries, size, put}, {x, y}, places) {
    const total = entries.reduce((a, b) => a + b, 0), step = Math.min(24, (kQueue.width - 12) / entries.length);
    const text = `${name}: ${number(total)} of ${number(size * entries.length)}`;
    const isFollowed = places.some(place => place.queue === name);
    return drawn('g', {class: 'queue'}, drawn('title', {}, `queue ${text} entries; put so far: ${put.reduce((a, b) => a + b, 0)}`),
      drawn('rect', {class: isFollowed ? 'box followed' : 'box', x, y, width: kQueue.width, height: kQueue.height, rx: 6}),
      drawn('text', {x: x + 8, y: y + 17}, text),
      ...entries.map((count, ring) => ringBar(x + 6 + ring * step, y + 25, step - 2, kQueue.height - 31, count / size,
        `${name}[${ring}]: ${count} of ${size} entries`, places.some(place => place.queue === name && place.ring === ring))));
  }

  // Memories and the FBI, side by side, with a bar for each queue of references.
  #units(chip, top, width) {
    const units = new Map();
    for (const queue of chip.unit_queues) {
      const [unit, name] = queue.name.split('.');
      if (!unit.startsWith('engine')) units.set(unit, [...units.get(unit) ?? [], {...queue, name}]);
    }
    const perRow = Math.max(1, Math.min(units.size, Math.floor((Math.max(width, 4 * (kUnit.width + 12))) / (kUnit.width + 12))));
    const most = Math.max(0, ...[...units.values()].map(queues => queues.length));
    const height = 28 + most * kUnit.row;
    const boxes = [...units].map(([unit, queues], index) => {
      const x = kMargin + (index % perRow) * (kUnit.width + 12), y = top + Math.floor(index / perRow) * (height + 12);
      return drawn('g', {class: 'unit'}, drawn('rect', {class: 'box', x, y, width: kUnit.width, height, rx: 6}),
        drawn('text', {x: x + 8, y: y + 17}, unit.toUpperCase()),
        ...queues.flatMap(({name, entries, size}, row) => {
          const line = y + 24 + row * kUnit.row, title = `${name.replaceAll('_', ' ')}: ${entries} of ${size}`;
          return [drawn('text', {x: x + 8, y: line + 9, class: 'small'}, name.replace(/_queue$/, '').replaceAll('_', ' ')),
                  bar(x + 92, line, kUnit.width - 100, 10, entries / size, title)];
        }));
    });
    return {group: drawn('g', {}, ...boxes), bottom: top + Math.ceil(units.size / perRow) * (height + 12)};
  }
}
