import type { LockCode } from '../../../../src/terminal/protocol/server-message.js';
import type { KeyOutcome } from '../../../../src/tn3270/keyboard/keyboard-terminal.js';
import type { BrowserTerminal } from '../../model/browser-terminal.js';
import type { RecordedScreen } from './screen-identity.js';
import type { InputField } from './visit-recorder.js';

/** An unprotected field that is not displayed. */
export interface HiddenField {
  /** Address of its first character. */
  readonly start: number;
  readonly length: number;
}

interface TerminalLink {
  /** Sends a key that the keyboard model does not handle: ATTN or SYSREQ. */
  send(key: string): void;
  /** Why playing is impossible: the session has ended, or the connection is lost. */
  breach(): string | undefined;
  show(): void;
}

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

  get hiddenField(): HiddenField | undefined {
    const { cursor, fields } = this.#model;
    return fields.find(
      ({ isNonDisplayable, isProtected, start, length }) =>
        isNonDisplayable && !isProtected && cursor >= start && cursor < start + length,
    );
  }

  get picture(): RecordedScreen {
    const { columns, fields } = this.#model;
    return { columns, fields, cells: this.#model.cells() };
  }

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

  /** True if the lines fit below each other from the cursor on, in unprotected fields. Blanks may be anywhere. */
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

  /** Text of the rectangle between two positions; hidden fields are blank. */
  copy(from: number, to: number): string {
    return this.#model.copyText(from, to, true);
  }

  show(): void {
    this.#link.show();
  }
}
