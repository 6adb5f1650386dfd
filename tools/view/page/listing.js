// Lines of a source or words of a program: threads stand at their lines, and breakpoints can be set.
import {element} from './elements.js';

// A list box: one stop of the Tab key, with a cursor that the arrow keys move.
export class Listing {
  #box; #lines = []; #cursor = -1; #toggle; #prefix;

  // `toggle(index)` is called for a line at which the user wants a breakpoint, or no longer.
  constructor(box, name, toggle) {
    this.#box = box;
    this.#prefix = `${box.id}-`;
    this.#toggle = toggle;
    box.setAttribute('role', 'listbox');
    box.setAttribute('tabindex', '0');
    this.name(name);
    box.addEventListener('keydown', event => this.#key(event));
    box.addEventListener('click', event => this.#click(event));
    box.addEventListener('focus', () => this.#moveTo(Math.max(this.#cursor, 0)));
  }

  name(text) {
    this.#box.setAttribute('aria-label', `${text}; Enter sets a breakpoint`);
  }

  // `lines`: {label, text, note, stops}: `stops` says whether a breakpoint can be here.
  fill(lines) {
    this.#cursor = -1;
    this.#box.removeAttribute('aria-activedescendant');
    this.#lines = lines.map(({label, text, note, stops}, index) => {
      const marks = element('span', {class: 'marks'});
      const row = element('div', {class: stops ? 'line stops' : 'line', role: 'option', 'aria-selected': 'false',
                                  id: this.#prefix + index, 'data-index': index},
                          element('span', {class: 'breakpoint'}), element('span', {class: 'label'}, String(label)), marks,
                          element('code', {}, text), note ? element('small', {}, note) : null);
      return {row, marks, stops};
    });
    this.#box.replaceChildren(...this.#lines.map(({row}) => row));
  }

  // `places`: by index, the threads there, as {name, chosen, state}.
  showThreads(places) {
    this.#lines.forEach(({row, marks}, index) => {
      const threads = places.get(index) ?? [];
      if (threads.length === 0 && !marks.hasChildNodes()) return;
      row.classList.toggle('current', threads.length > 0);
      row.classList.toggle('chosen', threads.some(({chosen}) => chosen));
      marks.replaceChildren(...threads.map(({name, chosen, state}) =>
        element('b', {class: chosen ? 'mark chosen' : 'mark', title: `thread ${name}: ${state}`}, name)));
    });
  }

  showBreakpoints(indices) {
    this.#lines.forEach(({row}, index) => {
      const has = indices.has(index);
      row.classList.toggle('has-breakpoint', has);
      row.firstChild.textContent = has ? '●' : '';
      row.firstChild.title = has ? 'breakpoint' : '';
    });
  }

  // Scrolls the box alone, not the page.
  reveal(index) {
    const line = this.#lines[index];
    if (!line) return;
    const top = line.row.offsetTop;  // the box is positioned
    const isVisible = top >= this.#box.scrollTop && top + line.row.offsetHeight <= this.#box.scrollTop + this.#box.clientHeight;
    if (!isVisible) this.#box.scrollTop = top - this.#box.clientHeight / 3;
  }

  #moveTo(index) {
    if (this.#lines.length === 0) return;
    this.#lines[this.#cursor]?.row.setAttribute('aria-selected', 'false');
    this.#cursor = Math.min(Math.max(index, 0), this.#lines.length - 1);
    const {row} = this.#lines[this.#cursor];
    row.setAttribute('aria-selected', 'true');
    this.#box.setAttribute('aria-activedescendant', row.id);
    this.reveal(this.#cursor);
  }

  #key(event) {
    const page = 15, last = this.#lines.length - 1;
    const moves = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -last, End: last};
    if (event.key in moves) this.#moveTo(this.#cursor + moves[event.key]);
    else if (event.key === 'Enter' || event.key === ' ') this.#ask(this.#cursor);
    else return;
    event.preventDefault();
  }

  #click(event) {
    const row = event.target.closest('.line');
    if (!row) return;
    this.#moveTo(Number(row.dataset.index));
    if (event.target.closest('.breakpoint, .label')) this.#ask(this.#cursor);
  }

  #ask(index) {
    if (this.#lines[index]?.stops) this.#toggle(index);
  }
}
