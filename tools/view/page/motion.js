// Controls of time: steps, runs to a stop, and playing at a speed, forwards and backwards.
import {byId} from './elements.js';

const kFrame = 100;  // ms between two pictures, at most

export class Motion {
  #connection; #page; #stopped = null; #playing = null; #isAsking = false; #refreshing = null;

  // `page`: {thread(), refresh(stop), say(text)}.
  constructor(connection, page) {
    this.#connection = connection;
    this.#page = page;
    connection.on('stopped', stop => this.#stop(stop));
    const granularity = () => byId('granularity').value;
    this.actions = {
      'reverse-continue': () => this.#run('reverseContinue'),
      'play-back': () => this.#play('reverseContinue'),
      'step-back': () => this.#run('stepBack', {granularity: granularity()}),
      'pause': () => this.pause(),
      'step': () => this.#run('next', {granularity: granularity()}),
      'play': () => this.#play('continue'),
      'continue': () => this.#run('continue'),
    };
    for (const [id, action] of Object.entries(this.actions)) byId(id).addEventListener('click', action);
    const keys = {F6: 'pause', F8: 'continue', F9: 'play', F10: 'step', 'Shift+F8': 'reverse-continue',
                  'Shift+F9': 'play-back', 'Shift+F10': 'step-back'};
    document.addEventListener('keydown', event => {
      const action = keys[`${event.shiftKey ? 'Shift+' : ''}${event.key}`];
      if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      this.actions[action]();
    });
    this.#show();
  }

  get isMoving() { return this.#isAsking || this.#stopped !== null || this.#playing !== null; }

  // What `question` asks may move the run: nothing else moves it meanwhile.
  async during(question) {
    if (this.isMoving) throw new Error('The run is moving: pause it first.');
    this.#isAsking = true;
    this.#show();
    try {
      const answer = await question();
      await this.#refreshing;
      return answer;
    } finally {
      this.#isAsking = false;
      this.#show();
    }
  }

  // What plays ends with its picture; what runs to a stop is told to pause.
  pause() {
    if (this.#playing) this.#playing = null;
    else if (this.#stopped) this.#connection.ask('pause', {threadId: this.#page.thread()});
  }

  #stop(stop) {
    const waits = this.#stopped;
    this.#stopped = null;
    if (waits) waits(stop);
    else this.#refreshing = this.#page.refresh(stop).catch(error => this.#page.say(error.message));  // a jump of the console
  }

  // Gives the stop at which the motion ends.
  async #go(command, args = {}) {
    const stop = new Promise(done => { this.#stopped = done; });
    try {
      await this.#connection.ask(command, {threadId: this.#page.thread(), ...args});
    } catch (error) {
      this.#stopped = null;
      throw error;
    }
    return stop;
  }

  async #run(command, args) {
    if (this.isMoving) return;
    const motion = this.#go(command, args);
    this.#show();
    try {
      await this.#page.refresh(await motion);
    } catch (error) {
      this.#page.say(error.message);
    }
    this.#show();
  }

  async #play(command) {
    if (this.isMoving) return;
    this.#playing = command;
    this.#show();
    this.#page.say(command === 'continue' ? 'Playing' : 'Playing backwards');
    try {
      while (this.#playing) {
        const speed = Number(byId('speed').value), pictureTime = Math.max(kFrame, 1000 / speed), began = performance.now();
        const stop = await this.#go(command, {cycles: Math.round(speed * pictureTime / 1000)});
        const isOver = stop.reason !== 'step';
        if (isOver) this.#playing = null;
        await this.#page.refresh(stop, !isOver && this.#playing !== null);
        const rest = pictureTime - (performance.now() - began);
        if (this.#playing && rest > 0) await new Promise(done => setTimeout(done, rest));
      }
    } catch (error) {
      this.#playing = null;
      this.#page.say(error.message);
    }
    this.#show();
  }

  // A button that is disabled would lose the focus: keys go on from where they were.
  #show() {
    for (const id of Object.keys(this.actions)) {
      const isOff = id === 'pause' ? !this.isMoving : this.isMoving;
      byId(id).setAttribute('aria-disabled', String(isOff));
    }
  }
}
