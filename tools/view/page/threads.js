// The table of threads.
import {byId, element, fillOptions, fillRows, number} from './elements.js';

// Adds what several panes show to the threads of an answer: `name` as 1.2, and `text`, the state in words.
export function describeThreads(chip) {
  const roles = new Map(chip.engines.map(({engine, role}) => [engine, role]));
  for (const thread of chip.threads) {
    thread.name = `${thread.engine}.${thread.context}`;
    thread.role = roles.get(thread.engine) ?? '';
    const cycles = chip.cycle - thread.since;
    thread.text = thread.state === 'waiting'
      ? `waiting for ${thread.waits_for}, ${number(cycles)} cycle${cycles === 1 ? '' : 's'}` : thread.state;
  }
}

const placeOf = thread => thread.source ? `${thread.source.name.split('/').at(-1)}:${thread.line}` : `word ${thread.word}`;

export class Threads {
  #choose;

  constructor(choose) {
    this.#choose = choose;
    byId('thread').addEventListener('change', event => choose(Number(event.target.value)));
  }

  show(chip, chosen) {
    fillOptions(byId('thread'), chip.threads.map(({id, name, role}) => ({value: id, text: `${name} ${role}`})));
    byId('thread').value = chosen;
    fillRows(byId('threads').querySelector('tbody'), chip.threads.map(thread => element('tr',
      {class: `thread ${thread.state}${thread.id === chosen ? ' chosen' : ''}`},
      element('th', {scope: 'row'}, element('button',
        {'data-key': thread.id, 'aria-pressed': String(thread.id === chosen), onclick: () => this.#choose(thread.id)}, thread.name)),
      element('td', {}, thread.role), element('td', {class: 'state'}, thread.text), element('td', {}, placeOf(thread)))));
  }
}
