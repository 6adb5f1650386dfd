// How things look on the page: colours, so that a state, and what is waited for, look the same in every chart; figures
// as text.
'use strict';

// Okabe and Ito's colours: told apart with any colour vision, on white and on black.
const PALETTE = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8c8c8c', '#b8a800', '#7d5fb2',
                 '#4d8f6f'];
// Polling is grey; what is idle is left in the ground's colour.
const STATES = {executing: '#0072b2', aborted: '#e69f00', stalled: '#d55e00', idle: '#dfe3e8', ready: '#56b4e9',
                off: '#c9ced4', useful: '#0072b2', starved: '#b9c0c8', blocked: '#7d8792', 'lock spin': '#4b535c',
                polling: '#9aa3ad', 'aborted, stalled': '#e69f00'};
// What threads wait for, `fbi` being its registers and FIFOs.
const WAITS = {sram: '#cc79a7', sdram: '#7d5fb2', fbi: '#b8a800', scratch: '#4d8f6f', hash: '#2a7a7a',
               start_receive: '#e6d98f', inter_thread: '#8a6d4b', voluntary: '#b0b7bf'};
// Parts of a state by cause: steps of its hue, from dark to light, in turn so that neighbours differ.
const RAMPS = {aborted: ['#8f5200', '#f0b03c', '#c27a00', '#fbdc9c', '#5f3700', '#e69f00'],
               stalled: ['#f2854d', '#8c2d04', '#fcbf9f', '#c04a10', '#5c1a00', '#d55e00']};
const IDLE_TINT = 0.2;  // an idle cycle is the wait's colour, paler

const channels = hex => [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16));

// A colour nearer to another by a share.
function mixed(hex, other, share) {
  const target = channels(other);
  const parts = channels(hex).map((part, i) => Math.round(part + (target[i] - part) * share));
  return '#' + parts.map(part => part.toString(16).padStart(2, '0')).join('');
}

// Of a series named as a state (`executing`), a wait (`waiting sram`) or a part of a state (`idle: sram`,
// `stalled: sram.order_queue`), the `i`th of its kind; any other by its number.
function color(name, i) {
  if (STATES[name]) return STATES[name];
  const [state, cause] = name.split(/: | /, 2);
  if (state === 'waiting') return WAITS[cause] ?? PALETTE[i % PALETTE.length];
  if (state === 'idle') return mixed(WAITS[cause] ?? STATES[cause] ?? STATES.idle, '#ffffff', IDLE_TINT);
  return RAMPS[state] ? RAMPS[state][i % RAMPS[state].length] : PALETTE[i % PALETTE.length];
}

// Colours of series in their order; parts of a state count from its first.
function colors(names) {
  const state = name => name.split(': ')[0];
  return names.map((name, i) => color(name, RAMPS[state(name)] ? i - names.findIndex(one => state(one) === state(name)) : i));
}

function style(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const SHADES = 33;

// What the heat of a kind of row goes through, from nothing to all, in the page's present scheme.
function heatShades(kind) {
  const [cold, hot] = ['--cold', `--hot-${kind}`].map(style);
  return Array.from({length: SHADES}, (_, i) => mixed(cold, hot, i / (SHADES - 1)));
}

// Labels of an axis at round numbers alone: its ends may be any, where data or a zoom chose them.
function roundLabels(chart, text = format) {
  return {hideOverlap: true, formatter: value => {
    const [from, to] = chart().getModel().getComponent('xAxis').axis.scale.getExtent();
    const unit = 10 ** (Math.floor(Math.log10(to - from)) - 1);
    return Math.abs(value / unit - Math.round(value / unit)) < 1e-6 ? text(value) : '';
  }};
}

const format = value => value === null || value === undefined ? '-'
    : Number.isInteger(value) ? value.toLocaleString('en') : value.toLocaleString('en', {maximumFractionDigits: 1});
const short = value => Math.abs(value) >= 1e6 ? `${+(value / 1e6).toFixed(2)} M`
    : Math.abs(value) >= 1e4 ? `${+(value / 1e3).toFixed(1)} k` : format(value);

const charts = new Map();  // by figure
