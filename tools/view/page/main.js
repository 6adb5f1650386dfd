// The page of nplab view: a client of the debugger that draws the chip.
import {Assembly} from './assembly.js';
import {ChipPicture} from './chip.js';
import {Connection, kAnotherPage} from './connection.js';
import {byId, element, number} from './elements.js';
import {Motion} from './motion.js';
import {Packets} from './packets.js';
import {Sources} from './sources.js';
import {ThreadState} from './state.js';
import {describeThreads, Threads} from './threads.js';

const kTries = 5;  // a page that is loaded again may come before the old one is gone
const kMostOutput = 500;  // paragraphs

const say = text => {
  if (byId('status').textContent !== text) byId('status').textContent = text;
};

function print(text, kind = '') {
  const log = byId('log');
  log.append(element('p', {class: kind}, text));
  while (log.childElementCount > kMostOutput) log.firstChild.remove();
  log.scrollTop = log.scrollHeight;
}

class Page {
  #connection; #chip = null; #chosen = 0; #followed = null; #wanted = null; #showing = null;

  constructor(connection) {
    this.#connection = connection;
    const choose = id => this.#choose(id);
    this.sources = new Sources(connection, say);
    this.assembly = new Assembly(connection, say);
    this.threads = new Threads(choose);
    this.picture = new ChipPicture(choose);
    this.packets = new Packets(packet => this.follow(packet), packet => this.ask(`packet ${packet}`));
    this.state = new ThreadState(connection, frame => this.sources.show(this.#chip, this.#chosen, frame));
    this.motion = new Motion(connection, {thread: () => this.#chosen, refresh: (...stop) => this.refresh(...stop), say});
    connection.on('output', ({output, category}) => print(output.trimEnd(), category));
    this.#listen();
  }

  #listen() {
    byId('go-to').addEventListener('submit', event => {
      event.preventDefault();
      this.ask(`cycle ${byId('go-to-cycle').value.replaceAll(',', '').trim()}`);
    });
    byId('ask').addEventListener('submit', event => {
      event.preventDefault();
      const text = byId('expression').value.trim();
      byId('expression').value = '';
      if (text) this.ask(text);
    });
    byId('misclassified').addEventListener('change', () => this.#setFilters());
    byId('quit').addEventListener('click', () => this.#connection.ask('disconnect').catch(() => {}));
  }

  async load() {
    await this.sources.load();
    await this.#clearBreakpoints();
    document.querySelector('main').hidden = false;
    await this.refresh({reason: 'entry'});
    byId('target').textContent = this.#chip.target;
    document.title = `${this.#chip.target} - nplab view`;
    document.body.dataset.ready = 'true';
  }

  // Those of a page that was loaded before this one are not shown here.
  async #clearBreakpoints() {
    await this.sources.clear();
    await this.#connection.ask('setInstructionBreakpoints', {breakpoints: []});
    await this.#setFilters();
  }

  #setFilters() {
    return this.#connection.ask('setExceptionBreakpoints', {filters: byId('misclassified').checked ? ['misclassified'] : []});
  }

  // A command or an expression of the console.
  async ask(expression) {
    print(`> ${expression}`, 'question');
    try {
      const {result} = await this.motion.during(() =>
        this.#connection.ask('evaluate', {expression, frameId: this.state.frameId, context: 'repl'}));
      print(result);
    } catch (error) {
      print(error.message, 'stderr');
      say(error.message);
    }
  }

  follow(packet) {
    this.#followed = packet;
    this.#show().catch(error => say(error.message));
  }

  #choose(id) {
    this.#chosen = id;
    this.#show().catch(error => say(error.message));
  }

  // The run has stopped; `plays`: it is about to go on.
  async refresh(stop, plays = false) {
    const chip = await this.#connection.ask('nplab/chip');
    describeThreads(chip);
    if (this.#chip === null) this.assembly.load(chip);
    this.#chip = chip;
    const staysWithThread = ['entry', 'begin', 'end', 'pause'].includes(stop.reason);
    if (!chip.threads.some(({id}) => id === this.#chosen)) this.#chosen = chip.threads[0]?.id ?? 0;
    if (!staysWithThread && stop.threadId) this.#chosen = stop.threadId;
    const carrier = this.#followedPacket()?.places.find(place => 'context' in place);
    if (carrier && !staysWithThread)
      this.#chosen = chip.threads.find(({engine, context}) => engine === carrier.engine && context === carrier.context)?.id ?? this.#chosen;
    await this.#show(plays);
    if (!plays) say(this.#words(stop));
  }

  #words(stop) {
    const cycle = `cycle ${number(this.#chip.cycle)}`;
    if (stop.reason === 'begin' || stop.reason === 'end') return stop.text;
    if (stop.reason === 'entry') return `Stands at ${cycle}`;
    const thread = this.#chip.threads.find(({id}) => id === stop.threadId)?.name;
    if (stop.reason === 'step' || stop.reason === 'pause' || stop.reason === 'goto') return `Stands at ${cycle}, thread ${thread}`;
    return `Stopped at ${cycle} by ${stop.reason}, thread ${thread}${stop.text ? `: ${stop.text}` : ''}`;
  }

  #followedPacket() {
    return this.#followed === null ? undefined : this.#chip.packets.find(({packet}) => packet === this.#followed);
  }

  // Shows the chip as it stands. While it does, the page is busy and only the latest wish is kept.
  #show(plays = false) {
    this.#wanted = {plays};
    document.body.setAttribute('aria-busy', 'true');
    this.#showing ??= this.#showWanted().finally(() => {
      this.#showing = null;
      document.body.setAttribute('aria-busy', 'false');
    });
    return this.#showing;
  }

  async #showWanted() {
    while (this.#wanted) {
      const {plays} = this.#wanted, chip = this.#chip, thread = chip.threads.find(({id}) => id === this.#chosen);
      this.#wanted = null;
      byId('cycle').textContent = `cycle ${number(chip.cycle)}`;
      this.threads.show(chip, this.#chosen);
      this.picture.show(chip, this.#chosen, this.#followedPacket());
      this.packets.show(chip, this.#followed);
      await this.assembly.show(chip, this.#chosen);
      const frame = thread ? await this.state.show(thread, plays) : null;
      await this.sources.show(chip, this.#chosen, frame);
    }
  }
}

function end(text) {
  say(text);
  for (const control of document.querySelectorAll('button, select, input')) control.disabled = true;
}

async function begin(tries) {
  const address = new URL('session', location.href);
  address.protocol = 'ws:';
  let hasTerminated = false;
  const connection = new Connection(address, ({code, reason}) => {
    if (code === kAnotherPage && tries > 1) setTimeout(() => begin(tries - 1), 300);
    else if (code === kAnotherPage) end('Another page shows this run. Close it, then load this page again.');
    else if (hasTerminated) end('The session has ended.');
    else end(`The connection to nplab view is closed${reason ? `: ${reason}` : ''}. Start it again for a new session.`);
  });
  connection.on('terminated', () => { hasTerminated = true; });
  await connection.opened;
  const isServed = await connection.ask('nplab/chip').then(() => true, () => false);
  if (isServed) await new Page(connection).load().catch(error => say(error.message));
}

begin(kTries);
