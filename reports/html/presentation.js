// How things look on the page: colours, so that a state, and what is waited for, look the same in every chart; figures
// as text.
'use strict';

// Okabe and Ito's colours: told apart with any colour vision, on white and on black.
const PALETTE = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8c8c8c', '#b8a800', '#7d5fb2',
                 '#4d8f6f'];
const STATES = {executing: '#0072b2', aborted: '#e69f00', stalled: '#d55e00', idle: '#9aa3ad', ready: '#56b4e9',
                off: '#c9ced4', useful: '#0072b2', polling: '#9aa3ad', 'aborted, stalled': '#e69f00'};
// What threads wait for, `fbi` being its registers and FIFOs.
const WAITS = {sram: '#cc79a7', sdram: '#7d5fb2', fbi: '#b8a800', scratch: '#4d8f6f', hash: '#2a7a7a',
               start_receive: '#e6d98f', inter_thread: '#8a6d4b', voluntary: '#b0b7bf'};
const PARTS = {aborted: STATES.aborted, stalled: STATES.stalled};  // by a cause each: tints of the state's colour
const IDLE_TINT = 0.4;  // an idle cycle is the wait's colour, paler
const TINTS = [0, 0.45, 0.2, 0.65, 0.35];

// A colour nearer to white by a share.
function tinted(hex, share) {
  const parts = [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16));
  const mixed = parts.map(part => Math.round(part + (255 - part) * share));
  return '#' + mixed.map(part => part.toString(16).padStart(2, '0')).join('');
}

// Of a series named as a state (`executing`), a wait (`waiting sram`) or a part of a state (`idle: sram`,
// `stalled: sram.order_queue`); any other by its number.
function color(name, i) {
  if (STATES[name]) return STATES[name];
  const [state, cause] = name.split(/: | /, 2);
  if (state === 'waiting') return WAITS[cause] ?? PALETTE[i % PALETTE.length];
  if (state === 'idle') return tinted(WAITS[cause] ?? STATES[cause] ?? STATES.idle, IDLE_TINT);
  return PARTS[state] ? tinted(PARTS[state], TINTS[i % TINTS.length]) : PALETTE[i % PALETTE.length];
}

function style(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const format = value => value === null || value === undefined ? '-'
    : Number.isInteger(value) ? value.toLocaleString('en') : value.toLocaleString('en', {maximumFractionDigits: 1});
const short = value => Math.abs(value) >= 1e6 ? `${+(value / 1e6).toFixed(2)} M`
    : Math.abs(value) >= 1e4 ? `${+(value / 1e3).toFixed(1)} k` : format(value);

const charts = new Map();  // by figure
