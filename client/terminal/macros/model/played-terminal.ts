import type { LockCode } from '../../../../src/terminal/protocol/server-message.js';
import type { KeyOutcome } from '../../../../src/tn3270/keyboard/keyboard-terminal.js';
import type { BrowserTerminal } from '../../model/browser-terminal.js';
import type { ScreenPicture } from './screen-identity.js';
import type { InputField } from './visit-recorder.js';

/** A field that is not displayed and can be typed into. */
export interface HiddenField {
  /** Of its first character. */
  readonly start: number;
  readonly length: number;
}

/** What the terminal has beside its model. */
interface TerminalLink {
  /** Sends a key that the keyboard knows nothing of: ATTN and SYSREQ. */
  send(key: string): void;
  /** Why there is nothing to play on: the session is over, the connection is lost. */
  breach(): string | undefined;
  show(): void;
}

/** The terminal as a macro plays on it. */
export class PlayedTerminal {
  readonly #model: BrowserTerminal;
  readonly #link: TerminalLink;

  constructor(model: BrowserTerminal, link: TerminalLink) {
    this.#model = model;
    this.#link = link;
  }

  get lock(): LockCode {
    return this.#model.lock;
  }

  /** Of the screen that is shown. */
  get revision(): number | undefined {
    return this.#model.revision;
  }

  get breach(): string | undefined {
    return this.#link.breach();
  }

  get rows(): number {
    return this.#model.rows;
  }

  get columns(): number {
    return this.#model.columns;
  }

  get cursor(): number {
    return this.#model.cursor;
  }

  /** That the cursor is in. */
  get hiddenField(): HiddenField | undefined {
    const { cursor, fields } = this.#model;
    return fields.find(
      ({ isNonDisplayable, isProtected, start, length }) =>
        isNonDisplayable && !isProtected && cursor >= start && cursor < start + length,
    );
  }

  get picture(): ScreenPicture {
    const { columns, fields } = this.#model;
    return { columns, fields, cells: this.#model.cells() };
  }

  /** Fields that can be typed into. @param labelOf the words for a field, by the address of its attribute */
  inputFields(key: string, labelOf: (field: number) => string): readonly InputField[] {
    const cells = this.#model.cells();
    const typed = new Set(this.#model.formFor(key).fields.map(({ address }) => address));
    return this.#model.fields
      .filter(({ isProtected, length }) => !isProtected && length > 0)
      .map(({ address, start, length, isNonDisplayable }) => ({
        start,
        length,
        label: labelOf(address),
        isHidden: isNonDisplayable,
        isTyped: typed.has(start),
        text: [...cells, ...cells]
          .slice(start, start + length)
          .join('')
          .trimEnd(),
      }));
  }

  /** @param key as the terminal names it */
  press(key: string): KeyOutcome | undefined {
    if (key !== 'ATTN' && key !== 'SYSREQ') return this.#model.press(key);
    this.#link.send(key);
    return 'done';
  }

  type(character: string): KeyOutcome {
    return this.#model.type(character);
  }

  move(position: number): KeyOutcome {
    return this.#model.moveCursor(position);
  }

  /** Whether lines from the cursor on, one below the other, stand in fields that can be typed into, blanks apart. */
  hasRoomFor(lines: readonly string[]): boolean {
    const { rows, columns, cursor, isFormatted, fields } = this.#model;
    if (!isFormatted) return true;
    const positions = rows * columns;
    const takesTyping = (position: number) =>
      fields.some(
        ({ isProtected, start, length }) => !isProtected && (position - start + positions) % positions < length,
      );
    return lines.every((line, row) =>
      [...line].every((character, column) => {
        const position = cursor + row * columns + column;
        return character === ' ' || position >= positions || takesTyping(position);
      }),
    );
  }

  paste(text: string): KeyOutcome {
    return this.#model.paste(text).outcome;
  }

  /** The box between two positions; what is not displayed is blank. */
  copy(from: number, to: number): string {
    return this.#model.copyText(from, to, true);
  }

  show(): void {
    this.#link.show();
  }
}
