import { type HotspotLabel, hotspotLabels } from './model/hotspot-labels.js';
import { shownScreen } from './shown-screen.js';
import type { Terminal } from './terminal.js';
import { words } from './words/words.js';

const LONGEST_WORDS = 16;

export class HostKeys {
  readonly #terminal: Terminal;
  readonly #place: HTMLElement;
  readonly #further: readonly HTMLElement[];
  #shown = '';

  constructor(terminal: Terminal, place: HTMLElement, further: readonly HTMLElement[]) {
    this.#terminal = terminal;
    this.#place = place;
    this.#further = further;
    place.setAttribute('aria-label', words('hostKeys.label'));
    // keeps the on-screen keyboard open
    place.addEventListener('pointerdown', (event) => event.preventDefault());
    terminal.listen({ screen: () => this.#show() });
    this.#show();
  }

  #show(): void {
    const { model } = this.#terminal;
    const labels = model.revision === undefined ? [] : hotspotLabels(shownScreen(model)).filter(isKey);
    const named = new Map<string, string>([['ENTER', '']]);
    for (const { key, words: said } of labels) if (!named.get(key)) named.set(key, said.trim());
    const shown = JSON.stringify([...named]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const buttons = [...named].map(([key, said]) => this.#button(key, said));
    this.#place.replaceChildren(...buttons, ...this.#further);
  }

  #button(key: string, said: string): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    const name = document.createElement('b');
    name.textContent = key === 'ENTER' ? words('key.ENTER') : key.replace(/^P?F0?/, 'F');
    const meaning = said.length > LONGEST_WORDS ? `${said.slice(0, LONGEST_WORDS - 1).trimEnd()}…` : said;
    button.append(name, meaning === '' ? '' : ` ${meaning}`);
    if (key === 'ENTER') button.className = 'main';
    button.addEventListener('click', () => this.#terminal.press(key));
    return button;
  }
}

function isKey(label: HotspotLabel): label is HotspotLabel & { readonly kind: 'key' } {
  return label.kind === 'key';
}
