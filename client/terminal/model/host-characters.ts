import type { CharactersMessage } from '../../../src/terminal/protocol/server-message.js';
import { type CharacterWidth, unicodeWidth } from './character-width.js';

/** The characters of the host's code page. Until the server sends them, Unicode properties decide. */
export class HostCharacters {
  #narrow: ReadonlySet<string> | undefined;
  /** One bit for each code point of the Basic Multilingual Plane. */
  #wide = '';
  #wideOthers: ReadonlySet<string> = new Set();

  take({ s, w = '', x = [] }: CharactersMessage): void {
    this.#narrow = new Set(s);
    this.#wide = atob(w);
    this.#wideOthers = new Set(x);
  }

  get areKnown(): boolean {
    return this.#narrow !== undefined;
  }

  readonly widthOf: CharacterWidth = (character) => {
    if (this.#narrow === undefined) return unicodeWidth(character);
    if (this.#narrow.has(character)) return 1;
    if (this.#wideOthers.has(character)) return 2;
    const unit = character.charCodeAt(0);
    const isWide = character.length === 1 && ((this.#wide.charCodeAt(unit >> 3) >> (unit & 7)) & 1) === 1;
    return isWide ? 2 : 0;
  };
}
