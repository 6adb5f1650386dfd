// What is in sight of a timeline, for a picture and as a table.
'use strict';

// For a chart that draws what a view shows.
function timelineOption(view, chart) {
  const copy = Object.create(view);
  copy.chart = chart;
  return copy.option();
}

// A line for each slice, and for each state of each interval: cycles of engines, threads and buses, entries of queues.
function timelineCsv(view) {
  const lines = [['row', 'from cycle', 'to cycle', 'state', 'cycles or entries', 'source line']];
  const {from, to} = view.area;
  const ranges = view.exactRanges();
  for (const row of view.data.rows) {
    for (const range of ranges) {
      const end = Math.min(range.to, to);
      for (let i = firstSlice(row.slices, Math.max(range.from, from)); row.slices[i]?.from < end; ++i) {
        const slice = row.slices[i];
        lines.push([row.label, slice.from, slice.to, slice.state ?? (row.kind === 'bus' ? 'busy' : 'entries'),
                    row.kind === 'queue' ? slice.depth : slice.to - slice.from, slice.place]);
      }
    }
    if (ranges.length === 0) lines.push(...intervalLines(view, row));
  }
  return csvText(lines);
}

function intervalLines(view, row) {
  const {data, area} = view;
  const level = data.levelFor(row, 1 / area.scale);
  const lines = [];
  const length = row.interval * LEVEL_STEP ** level;
  const last = Math.min(Math.ceil(area.to / length), row.parts[0]?.levels[level]?.length ?? 0);
  for (let i = Math.max(0, Math.floor(area.from / length)); i < last; ++i) {
    const interval = data.intervalAt(row, level, i);
    for (const {state, levels} of row.parts) {
      const count = levels[level][i];
      if (count > 0)
        lines.push([row.label, interval.from, interval.to, state, row.kind === 'queue' ? count / interval.count : count, '']);
    }
  }
  return lines;
}
