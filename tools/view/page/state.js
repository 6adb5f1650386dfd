// What the chosen thread sees: its stack's frames, and the scopes of one of them.
import {byId, element} from './elements.js';

export class ThreadState {
  #connection; #open = new Set(['Locals', 'Packet under way']); #showPlace; #frame = null; #turn = 0;

  // `showPlace(frame)`: the user chose a frame.
  constructor(connection, showPlace) {
    this.#connection = connection;
    this.#showPlace = showPlace;
  }

  get frameId() { return this.#frame?.id; }

  // Gives the innermost frame. While the run plays, the scopes stay as they were.
  async show(thread, plays) {
    const turn = ++this.#turn;
    const {stackFrames} = await this.#connection.ask('stackTrace', {threadId: thread.id});
    if (turn !== this.#turn) return null;
    this.#frame = stackFrames[0] ?? null;
    byId('state-thread').textContent = thread.name;
    this.#showFrames(stackFrames);
    byId('scopes').classList.toggle('stale', plays);
    if (!plays) await this.#showScopes(turn);
    return this.#frame;
  }

  #showFrames(frames) {
    byId('frames').replaceChildren(...frames.flatMap((frame, index) => [index > 0 ? ' called by ' : '',
      element('button', {class: 'plain', onclick: () => this.#choose(frame)},
              `${frame.name}${frame.source ? `, ${frame.source.name.split('/').at(-1)}:${frame.line}` : ''}`)]));
  }

  #choose(frame) {
    this.#frame = frame;
    this.#showPlace(frame);
    this.#showScopes(++this.#turn);
  }

  async #showScopes(turn) {
    if (!this.#frame) return;
    const {scopes} = await this.#connection.ask('scopes', {frameId: this.#frame.id});
    const parts = await Promise.all(scopes.map(async scope => {
      const body = element('div', {});
      const details = element('details', {open: this.#open.has(scope.name)}, element('summary', {}, scope.name), body);
      const fill = async () => body.replaceChildren(await this.#table(scope.variablesReference));
      if (details.open) await fill();
      details.addEventListener('toggle', () => {
        if (details.open) this.#open.add(scope.name); else this.#open.delete(scope.name);
        if (details.open && !body.hasChildNodes()) fill();
      });
      return details;
    }));
    if (turn === this.#turn) byId('scopes').replaceChildren(...parts);
  }

  async #table(reference) {
    const {variables} = await this.#connection.ask('variables', {variablesReference: reference});
    return element('table', {}, element('tbody', {}, ...variables.map(variable => element('tr', {},
      element('th', {scope: 'row'}, variable.name), element('td', {}, this.#value(variable))))));
  }

  // Parts are asked for when they are opened: pointers may lead in circles.
  #value({value, variablesReference}) {
    if (variablesReference === 0) return value;
    const body = element('div', {});
    const details = element('details', {}, element('summary', {}, value), body);
    details.addEventListener('toggle', async () => {
      if (details.open && !body.hasChildNodes()) body.replaceChildren(await this.#table(variablesReference));
    });
    return details;
  }
}
