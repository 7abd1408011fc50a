import type { LockCode } from '../../src/screen-protocol/lock-code.js';
import { operatorErrorWords } from './model/operator-error-words.js';

/** What the operator information line says. */
interface Information {
  readonly online: boolean;
  readonly ended: string | undefined;
  readonly lock: LockCode;
  readonly insertMode: boolean;
  readonly typedAhead: number;
  readonly row: number;
  readonly column: number;
  readonly message: string;
  /** What goes on beside the typing: a macro is recorded, or played. */
  readonly activity: string;
}

/** Sign and words for the state of the keyboard. */
export function keyboardWords({ lock, online, ended }: Information): readonly [sign: string, words: string] {
  if (ended !== undefined) return ['X', ended];
  if (!online) return ['X COMM', 'Not connected: trying again'];
  if (lock === 0) return ['', ''];
  if (lock === 1) return ['X SYSTEM', 'The host is at work'];
  if (lock === 2) return ['X WAIT', 'Waiting for the host'];
  return operatorErrorWords(lock);
}

/** The line below the screen: state of the keyboard, insert mode, place of the cursor. */
export class InformationLine {
  readonly #sign: HTMLElement;
  readonly #words: HTMLElement;
  readonly #insert: HTMLElement;
  readonly #place: HTMLElement;

  constructor(line: HTMLElement) {
    const part = (name: string) => {
      const element = document.createElement('span');
      element.className = name;
      return element;
    };
    this.#sign = part('sign');
    this.#words = part('words');
    this.#insert = part('insert');
    this.#place = part('place');
    // what is said to a screen reader is said by the announcer
    this.#place.setAttribute('aria-hidden', 'true');
    line.replaceChildren(this.#sign, this.#words, this.#insert, this.#place);
  }

  show(information: Information): void {
    const [sign, words] = keyboardWords(information);
    const { insertMode, typedAhead, row, column, message, activity } = information;
    put(this.#sign, sign);
    const further = message || (typedAhead > 0 ? `${typedAhead} typed ahead` : '');
    put(
      this.#words,
      [
        words && !/^X (SYSTEM|WAIT)$/.test(sign)
          ? `${words}${/^X (?:[o<-]|DBCS|PROG)/.test(sign) ? ' – press Reset (Esc)' : ''}`
          : words,
        activity,
        further,
      ]
        .filter(Boolean)
        .join(' · '),
    );
    put(this.#insert, insertMode ? 'Insert' : '');
    put(this.#place, `${String(row).padStart(2, '0')}/${String(column).padStart(3, '0')}`);
  }
}

function put(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
