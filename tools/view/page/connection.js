// A client of the Debug Adapter Protocol over a WebSocket: one message of text is one message of the protocol.

export const kAnotherPage = 4000;  // close code of page_server.cpp

export class Connection {
  #socket;
  #waiting = new Map();   // by number of the request
  #handlers = new Map();  // by name of the event
  // Answers to a page that was loaded before this one carry lower numbers.
  #sequence = Date.now() * 1000;

  // `closed` is called with the close event.
  constructor(address, closed) {
    this.#socket = new WebSocket(address);
    this.opened = new Promise(done => this.#socket.addEventListener('open', done));
    this.#socket.addEventListener('message', ({data}) => this.#receive(JSON.parse(data)));
    this.#socket.addEventListener('close', event => {
      for (const {reject} of this.#waiting.values()) reject(new Error('The session has ended.'));
      this.#waiting.clear();
      closed(event);
    });
  }

  on(event, handler) { this.#handlers.set(event, handler); }

  // The body of the answer; an answer that refuses is an Error with its message.
  ask(command, args = {}) {
    const seq = ++this.#sequence;
    return new Promise((resolve, reject) => {
      if (this.#socket.readyState !== WebSocket.OPEN) {
        reject(new Error('The session has ended.'));
        return;
      }
      this.#waiting.set(seq, {resolve, reject});
      this.#socket.send(JSON.stringify({seq, type: 'request', command, arguments: args}));
    });
  }

  #receive(message) {
    if (message.type === 'event') {
      this.#handlers.get(message.event)?.(message.body ?? {});
      return;
    }
    const request = this.#waiting.get(message.request_seq);
    this.#waiting.delete(message.request_seq);
    if (message.success) request?.resolve(message.body ?? {});
    else request?.reject(new Error(message.message));
  }
}
