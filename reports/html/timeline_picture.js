// The picture of a timeline: from far, a heat map of the entire run; near, inside the ranges that were looked at cycle
// by cycle, slices.
'use strict';

const BUS_COLOR = '#009e73', QUEUE_COLOR = '#8c8c8c';
const FADED = 0.15;
const NARROWEST_EXACT = 64;   // pixels that a range must have before its slices are drawn
const MARK_HEIGHT = 3;

// Edges of intervals lie on the screen's pixels, so that no seams show between them.
const wholePixel = x => Math.round(x * devicePixelRatio) / devicePixelRatio;

// Paints rows into the area of a chart, and knows what lies where in it.
class TimelinePicture {
  constructor(data) {
    this.data = data;
    this.area = undefined;    // where the picture lies, and which cycles are in sight
    this.place = undefined;   // the source line whose slices are marked
    this.cursor = null;       // {row, cycle}: what keys have chosen
  }

  // Above and below a row there is a pixel's room.
  rowPlace(number, view) {
    return [number * view.rowHeight + 1, view.rowHeight - 2];
  }

  // All rows as one picture: quicker by far than an element a slice.
  picture(view) {
    const ratio = devicePixelRatio;
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(view.width * ratio);
    canvas.height = Math.ceil(view.height * ratio);
    const context = canvas.getContext('2d');
    context.scale(ratio, ratio);
    this.data.rows.forEach((row, number) => this.paintRow(context, row, number, view));
    this.paintRanges(context, view);
    return canvas;
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
    const level = data.levelFor(row, 1 / view.scale);
    const length = row.interval * LEVEL_STEP ** level;
    const last = Math.min(Math.ceil(Math.min(view.to, data.to) / length), row.parts[0]?.levels[level]?.length ?? 0);
    const shades = heatShades(row.kind);
    context.globalAlpha = this.place === undefined || row.kind === 'bus' || row.kind === 'queue' ? 1 : FADED;
    for (let i = Math.max(0, Math.floor(view.from / length)); i < last; ++i) {
      const {from, to} = data.intervalAt(row, level, i);
      const [left, right] = [from, to].map(cycle => wholePixel((cycle - view.from) * view.scale));
      context.fillStyle = shades[Math.round(data.heatAt(row, level, i) * (shades.length - 1))];
      context.fillRect(left, top, right - left, height);
    }
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
    return row.kind === 'queue' ? QUEUE_COLOR : color(state, number);
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
    const level = this.data.levelFor(row, 1 / this.area.scale);
    const i = Math.floor(cycle / (row.interval * LEVEL_STEP ** level));
    const interval = this.data.intervalAt(row, level, i);
    const counts = row.parts.map(({state, levels}) => [state, levels[level]?.[i] ?? 0]);
    return {...interval, counts: counts.filter(([, count]) => count > 0), whole: this.data.whole(row, interval)};
  }
}
