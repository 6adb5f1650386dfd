// Packets in the chip, and the one that is followed.
import {byId, element, fillRows, number} from './elements.js';

const ruleText = rule => rule === null ? 'no match' : `rule ${rule}`;

const verdictOf = packet => packet.verdict ? ruleText(packet.rule) : 'no verdict yet';

export const isWrong = packet => packet.verdict && 'expected' in packet && packet.rule !== packet.expected;

function placeText(place) {
  if ('queue' in place) return `queue ${place.queue}, ring ${place.ring}, ${place.ahead} ahead`;
  return `thread ${place.engine}.${place.context}, ${place.place}`;
}

export function placesText(packet) {
  if (packet.places.length > 0) return packet.places.map(placeText).join('; ');
  return packet.received === null ? 'being received' : 'in a buffer';
}

export class Packets {
  #follow; #goToVerdict; #followed = null; #last = null;

  // `follow(number)`: the user chose a packet, or null. `goToVerdict(number)`.
  constructor(follow, goToVerdict) {
    this.#follow = follow;
    this.#goToVerdict = goToVerdict;
  }

  // `packets`: null for a program that has none.
  show(chip, followed) {
    byId('packets').hidden = chip.packets.length === 0 && followed === null && chip.queues.length === 0;
    if (followed !== this.#followed) this.#last = null;
    this.#followed = followed;
    fillRows(byId('packets').querySelector('tbody'), chip.packets.map(packet => element('tr',
      {class: packet.packet === followed ? 'chosen' : ''},
      element('th', {scope: 'row'}, element('button', {'data-key': packet.packet, 'aria-pressed': String(packet.packet === followed),
        onclick: () => this.#follow(packet.packet === this.#followed ? null : packet.packet)}, String(packet.packet))),
      element('td', {}, String(packet.port)),
      element('td', {class: isWrong(packet) ? 'wrong' : ''}, verdictOf(packet) + (isWrong(packet) ? ', wrong' : '')),
      element('td', {}, placesText(packet)))));
    this.#showFollowed(chip);
  }

  #showFollowed(chip) {
    const box = byId('followed');
    box.hidden = this.#followed === null;
    if (this.#followed === null) {
      box.replaceChildren();
      return;
    }
    const packet = chip.packets.find(each => each.packet === this.#followed);
    if (packet) this.#last = packet;
    const where = packet ? placesText(packet)
      : `not in the chip in cycle ${number(chip.cycle)}`;
    const known = packet ?? this.#last;
    const facts = [['Where it is', where]];
    if (known) {
      facts.push(['Port', String(known.port)], ['Received', known.received === null ? 'not all of it' : `cycle ${number(known.received)}`],
                 ['Verdict', verdictOf(known)]);
      if ('expected' in known) facts.push(['Rule of the reference', ruleText(known.expected)]);
      if (known.forward_port !== null) facts.push(['Goes to port', String(known.forward_port)]);
      facts.push(...known.header.map(([name, value]) => [name[0].toUpperCase() + name.slice(1), value]));
    }
    const hasFocus = box.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    box.replaceChildren(element('h3', {}, `Packet ${this.#followed}`),
      element('dl', {}, ...facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)])),
      element('p', {}, element('button', {'data-key': 'verdict', onclick: () => this.#goToVerdict(this.#followed)}, 'Go to its verdict'), ' ',
              element('button', {'data-key': 'leave', onclick: () => this.#follow(null)}, 'No longer follow')));
    if (hasFocus) box.querySelector(`[data-key="${hasFocus}"]`)?.focus();
  }
}
