// The pane of assembly: the program of one engine, with the words that its threads execute next.
import {byId, fillOptions} from './elements.js';
import {Listing} from './listing.js';

export class Assembly {
  #connection; #listing; #programs = new Map(); #shown = -1; #chip = null; #chosen = 0; #say;

  constructor(connection, say) {
    this.#connection = connection;
    this.#say = say;
    this.#listing = new Listing(byId('assembly-words'), 'Assembly', index => this.#toggle(index));
    byId('engine').addEventListener('change', event => this.#open(Number(event.target.value)).then(() => this.#mark()));
  }

  load(chip) {
    fillOptions(byId('engine'), chip.engines.map(({engine, role}) => ({value: engine, text: `${engine} ${role}`})));
  }

  async show(chip, chosen) {
    this.#chip = chip;
    this.#chosen = chosen;
    const thread = chip.threads.find(({id}) => id === chosen);
    if (thread) await this.#open(thread.engine);
    this.#mark();
    if (thread) this.#listing.reveal(thread.word);
  }

  async #open(number) {
    if (number === this.#shown) return;
    const engine = this.#chip.engines.find(each => each.engine === number);
    if (!this.#programs.has(number)) {
      const {instructions} = await this.#connection.ask('disassemble',
        {memoryReference: engine.memoryReference, instructionCount: engine.words});
      const words = instructions.map(({address, instruction, symbol}, index) =>
        ({label: index, text: instruction, note: symbol, stops: true, address}));
      this.#programs.set(number, {words, breakpoints: new Set()});
    }
    this.#shown = number;
    byId('engine').value = number;
    const {words, breakpoints} = this.#programs.get(number);
    this.#listing.name(`Assembly of engine ${number}`);
    this.#listing.fill(words);
    this.#listing.showBreakpoints(breakpoints);
  }

  #mark() {
    const places = new Map();
    for (const {engine, word, name, text, id} of this.#chip.threads)
      if (engine === this.#shown) places.set(word, [...places.get(word) ?? [], {name, state: text, chosen: id === this.#chosen}]);
    this.#listing.showThreads(places);
  }

  async #toggle(index) {
    const engine = this.#shown, {breakpoints} = this.#programs.get(engine);
    if (!breakpoints.delete(index)) breakpoints.add(index);
    this.#listing.showBreakpoints(breakpoints);
    const all = [...this.#programs.values()].flatMap(program =>
      [...program.breakpoints].map(each => ({instructionReference: program.words[each].address})));
    await this.#connection.ask('setInstructionBreakpoints', {breakpoints: all});
    this.#say(`${breakpoints.has(index) ? 'Breakpoint' : 'No breakpoint'} at word ${index} of engine ${engine}`);
  }
}
