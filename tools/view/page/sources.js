// The pane of source text: task C, the engines' library and generated C.
import {byId, fillOptions} from './elements.js';
import {Listing} from './listing.js';

const keyOf = source => source.path ?? `generated ${source.sourceReference}`;

export class Sources {
  #connection; #listing; #known = new Map(); #shown = null; #breakpoints = new Map(); #chip = null; #chosen = 0; #say;

  constructor(connection, say) {
    this.#connection = connection;
    this.#say = say;
    this.#listing = new Listing(byId('source-lines'), 'Source', index => this.#toggle(index));
    byId('file').addEventListener('change', event => this.#open(event.target.value).then(() => this.#mark()));
  }

  async load() {
    const {sources} = await this.#connection.ask('loadedSources');
    const readable = sources.filter(source => source.path || source.sourceReference);
    for (const source of readable) this.#known.set(keyOf(source), {source});
    fillOptions(byId('file'), readable.map(source => ({value: keyOf(source), text: source.name})));
    if (readable.length > 0) await this.#open(keyOf(readable[0]));
  }

  // Takes all breakpoints in sources away.
  async clear() {
    for (const {source} of this.#known.values()) await this.#connection.ask('setBreakpoints', {source, breakpoints: []});
  }

  // Shows where the chosen thread is, and all threads whose lines are in the same file.
  async show(chip, chosen, place) {
    this.#chip = chip;
    this.#chosen = chosen;
    if (place?.source) await this.#open(keyOf(place.source));
    this.#mark();
    if (place?.source && this.#shown === keyOf(place.source)) this.#listing.reveal(place.line - 1);
  }

  async #open(key) {
    if (key === this.#shown || !this.#known.has(key)) return;
    const file = this.#known.get(key);
    if (!file.lines) {
      const {source} = file;
      const {content} = await this.#connection.ask('source', {source, sourceReference: source.sourceReference ?? 0});
      const lines = content.replace(/\n$/, '').split('\n');
      const {breakpoints} = await this.#connection.ask('breakpointLocations',
        {source: {path: source.path ?? source.name}, line: 1, endLine: lines.length});
      const withCode = new Set(breakpoints.map(({line}) => line));
      file.lines = lines.map((text, index) => ({label: index + 1, text, stops: withCode.has(index + 1)}));
    }
    this.#shown = key;
    byId('file').value = key;
    this.#listing.name(`Source ${file.source.name}`);
    this.#listing.fill(file.lines);
    this.#listing.showBreakpoints(this.#indices());
  }

  #mark() {
    const places = new Map();
    for (const thread of this.#chip?.threads ?? []) {
      if (!thread.source || keyOf(thread.source) !== this.#shown) continue;
      const index = thread.line - 1;
      places.set(index, [...places.get(index) ?? [], {name: thread.name, state: thread.text, chosen: thread.id === this.#chosen}]);
    }
    this.#listing.showThreads(places);
  }

  #indices() {
    return new Set([...this.#breakpoints.get(this.#shown) ?? []].map(line => line - 1));
  }

  async #toggle(index) {
    const key = this.#shown, line = index + 1;
    const lines = this.#breakpoints.get(key) ?? new Set();
    this.#breakpoints.set(key, lines);
    if (!lines.delete(line)) lines.add(line);
    this.#listing.showBreakpoints(this.#indices());
    const {source} = this.#known.get(key);
    await this.#connection.ask('setBreakpoints', {source, breakpoints: [...lines].map(each => ({line: each}))});
    this.#say(`${lines.has(line) ? 'Breakpoint' : 'No breakpoint'} at ${source.name}:${line}`);
  }
}
