import type { BufferAddress } from '../datastream/buffer-address.js';
import { AlternateLineScreen } from './alternate-line-screen.js';
import { colourOfAnsi, highlightingBits } from './nvt-graphics.js';
import { lineKeySequence } from './nvt-keys.js';
import { NvtParser } from './nvt-parser.js';
import type { ScreenState } from './screen-state.js';

/** What is typed before Enter, where the terminal edits the line itself. */
export const LONGEST_TYPED_LINE = 1_024;
const TAB_WIDTH = 8;
const UNREPRESENTABLE = 0x3f;

interface NvtPort {
  send(bytes: Uint8Array): void;
}

/** A line terminal on the presentation space (RFC 854, "The Network Virtual Terminal"), with the usual ANSI sequences. */
export class NvtTerminal {
  readonly #state: ScreenState;
  readonly #port: NvtPort;
  readonly #parser: NvtParser;
  readonly #alternate = new AlternateLineScreen();
  /** The host sends back what is typed: keys go out as they are pressed. */
  hostEchoes = false;
  #typed = '';
  /** A line feed also goes to column 0: where the terminal edits the line, it makes the end of it, too. */
  #newLines = false;
  /** The cursor stands on the last column, and the next character goes to the next line. */
  #wraps = false;
  #hasApplicationKeys = false;
  #isWrapping = true;
  #foreground = 0;
  #background = 0;
  #highlighting = 0;
  #saved: BufferAddress = 0;
  /** First and last row of what scrolls; undefined: the whole screen. */
  #region: { readonly top: number; readonly bottom: number } | undefined;

  constructor(state: ScreenState, port: NvtPort) {
    this.#state = state;
    this.#port = port;
    this.#parser = new NvtParser({
      character: (codePoint) => this.#put(codePoint),
      control: (code, count) => this.#control(code, count),
      escape: (final) => this.#escape(final),
      sequence: (final, parameters, isPrivate) => this.#sequence(final, parameters, isPrivate),
    });
  }

  begin(): void {
    this.#typed = '';
    this.#alternate.forget();
    this.#wraps = false;
    this.#hasApplicationKeys = false;
    this.#isWrapping = true;
    this.#selectGraphics([0]);
    this.#saved = 0;
    this.#region = undefined;
    this.#parser.reset();
    this.#state.lineCharacters = undefined;
  }

  /** @param raw the host moves the cursor to column 0 itself, whoever echoes */
  receive(bytes: Uint8Array, raw: boolean): void {
    this.#newLines = !raw && !this.hostEchoes;
    this.#parser.feed(bytes);
  }

  /** One character from the keyboard. */
  type(text: string): void {
    if (this.hostEchoes) {
      this.#port.send(new TextEncoder().encode(text));
    } else if (this.#typed.length < LONGEST_TYPED_LINE) {
      this.#typed += text;
      for (const character of text) this.#put(character.codePointAt(0) as number);
    }
  }

  /** @returns whether the key means something to a line terminal */
  press(key: string): boolean {
    const sequence = lineKeySequence(key, this.#hasApplicationKeys);
    if (sequence === undefined) return false;
    // a carriage return alone is none for telnet (RFC 854, "The TELNET printer and keyboard")
    if (this.hostEchoes) this.#sendText(sequence === '\r' ? '\r\0' : sequence);
    else this.#edit(key, sequence);
    return true;
  }

  /** A key in a line that the terminal edits itself; sequences are shown as carets and characters, and sent with the line. */
  #edit(key: string, sequence: string): void {
    if (key === 'Enter' || key === 'Newline') {
      this.#sendText(`${this.#typed}\r\n`);
      this.#typed = '';
      this.#moveTo(this.#row, 0);
      this.#lineFeed(1);
    } else if (key === 'BackSpace' || key === 'Delete' || key === 'Erase') {
      this.#eraseTyped();
    } else if (key === 'DeleteField') {
      while (this.#typed !== '') this.#eraseTyped();
    } else if (this.#typed.length + sequence.length <= LONGEST_TYPED_LINE) {
      this.#typed += sequence;
      for (const character of shownLiterally(sequence)) this.#put(character.charCodeAt(0));
    }
  }

  #eraseTyped(): void {
    for (const _ of shownLiterally(this.#typed.slice(-1))) this.#eraseLast();
    this.#typed = this.#typed.slice(0, -1);
  }

  #sendText(text: string): void {
    this.#port.send(new TextEncoder().encode(text));
  }

  #eraseLast(): void {
    const { space } = this.#state;
    const before = space.previous(space.cursor);
    this.#clear(before, before + 1);
    space.cursor = before;
    this.#wraps = false;
  }

  #put(codePoint: number): void {
    const { space } = this.#state;
    if (this.#wraps) {
      this.#wraps = false;
      this.#moveTo(this.#row, 0);
      this.#lineFeed(1);
    }
    this.#store(space.cursor, codePoint);
    if (this.#column === space.columns - 1) this.#wraps = this.#isWrapping;
    else space.cursor++;
  }

  #store(at: BufferAddress, codePoint: number): void {
    const { space, codePage } = this.#state;
    const { planes } = space;
    const code = codePage.encodeCodePoint(codePoint);
    planes.setCharacter(at, code >= 0 ? code : UNREPRESENTABLE);
    planes.foregrounds[at] = this.#foreground;
    planes.setBackground(at, this.#background);
    planes.highlightings[at] = this.#highlighting;
    if (this.#state.lineCharacters === undefined) this.#state.lineCharacters = new Uint32Array(planes.positions);
    this.#state.lineCharacters[at] = codePoint;
  }

  #control(code: number, count: number): void {
    const { space } = this.#state;
    switch (code) {
      case 0x07:
        this.#state.alarms += count;
        break;
      case 0x08:
        this.#moveTo(this.#row, this.#column - count);
        break;
      case 0x09:
        this.#moveTo(
          this.#row,
          Math.min(space.columns - 1, (Math.floor(this.#column / TAB_WIDTH) + count) * TAB_WIDTH),
        );
        break;
      case 0x0a:
        if (this.#newLines) this.#moveTo(this.#row, 0);
        this.#lineFeed(count);
        break;
      case 0x0b:
        this.#lineFeed(count);
        break;
      case 0x0c:
        this.#clear(0, space.positions);
        this.#moveTo(0, 0);
        break;
      case 0x0d:
        this.#moveTo(this.#row, 0);
        break;
    }
  }

  #escape(final: string): void {
    switch (final) {
      case '7':
        this.#saved = this.#state.space.cursor;
        break;
      case '8':
        this.#state.space.cursor = Math.min(this.#saved, this.#state.space.positions - 1);
        break;
      case 'D':
        this.#lineFeed(1);
        break;
      case 'E':
        this.#moveTo(this.#row, 0);
        this.#lineFeed(1);
        break;
      case 'M':
        if (this.#row === this.#top) this.#scrollDown(this.#top, 1);
        else this.#moveTo(this.#row - 1, this.#column);
        break;
      case 'c':
        this.#clear(0, this.#state.space.positions);
        this.#moveTo(0, 0);
        this.#selectGraphics([0]);
        break;
    }
  }

  #sequence(final: string, parameters: readonly number[], isPrivate: boolean): void {
    if (isPrivate) {
      if (final === 'h' || final === 'l') for (const mode of parameters) this.#setMode(mode, final === 'h');
      return;
    }
    const { space } = this.#state;
    const first = parameters[0] ?? 0;
    const count = Math.max(1, first);
    switch (final) {
      case 'A':
        this.#moveTo(this.#row - count, this.#column);
        break;
      case 'B':
        this.#moveTo(this.#row + count, this.#column);
        break;
      case 'C':
        this.#moveTo(this.#row, this.#column + count);
        break;
      case 'D':
        this.#moveTo(this.#row, this.#column - count);
        break;
      case 'H':
      case 'f':
        this.#moveTo(count - 1, Math.max(1, parameters[1] ?? 1) - 1);
        break;
      case 'J':
        this.#eraseParts(first, 0, space.positions);
        break;
      case 'K':
        this.#eraseParts(first, this.#row * space.columns, (this.#row + 1) * space.columns);
        break;
      case 'L':
        if (this.#isInRegion) this.#scrollDown(this.#row, count);
        break;
      case 'M':
        if (this.#isInRegion) this.#scrollUp(this.#row, count);
        break;
      case 'P':
        this.#shiftLine(-Math.min(count, space.columns - this.#column));
        break;
      case '@':
        this.#shiftLine(Math.min(count, space.columns - this.#column));
        break;
      case 'r':
        this.#setRegion(count - 1, (parameters[1] || space.rows) - 1);
        break;
      case 'm':
        this.#selectGraphics(parameters.length > 0 ? parameters : [0]);
        break;
      case 'c':
        this.#sendText('\x1b[?1;2c');
        break;
      case 'n':
        if (first === 6) this.#sendText(`\x1b[${this.#row + 1};${this.#column + 1}R`);
        else if (first === 5) this.#sendText('\x1b[0n');
        break;
      case 's':
        this.#saved = space.cursor;
        break;
      case 'u':
        space.cursor = Math.min(this.#saved, space.positions - 1);
        break;
    }
  }

  /** Modes of VT100 and xterm: who reads the cursor keys, whether lines wrap, and the screen for programs that fill it. */
  #setMode(mode: number, isOn: boolean): void {
    if (mode === 1) this.#hasApplicationKeys = isOn;
    else if (mode === 7) this.#isWrapping = isOn;
    else if (mode === 47 || mode === 1047 || mode === 1049) this.#alternate.show(this.#state, isOn);
  }

  /** From the cursor to the end, from the start to the cursor, or all. */
  #eraseParts(which: number, start: BufferAddress, end: BufferAddress): void {
    const { cursor } = this.#state.space;
    if (which === 0) this.#clear(cursor, end);
    else if (which === 1) this.#clear(start, cursor + 1);
    else if (which === 2) this.#clear(start, end);
    this.#wraps = false;
  }

  #selectGraphics(parameters: readonly number[]): void {
    for (const value of parameters) {
      if (value === 0) {
        this.#foreground = 0;
        this.#background = 0;
        this.#highlighting = 0;
      } else if (value in highlightingBits) {
        const bits = (this.#highlighting & 0x0f) | (highlightingBits[value] as number);
        this.#highlighting = 0xf0 | bits;
      } else if (value >= 30 && value <= 37) {
        this.#foreground = colourOfAnsi[value - 30] as number;
      } else if (value === 39) {
        this.#foreground = 0;
      } else if (value >= 40 && value <= 47) {
        this.#background = colourOfAnsi[value - 40] as number;
      } else if (value === 49) {
        this.#background = 0;
      }
    }
  }

  get #row(): number {
    return Math.floor(this.#state.space.cursor / this.#state.space.columns);
  }

  get #column(): number {
    return this.#state.space.cursor % this.#state.space.columns;
  }

  #moveTo(row: number, column: number): void {
    const { space } = this.#state;
    const boundedRow = Math.max(0, Math.min(space.rows - 1, row));
    space.cursor = boundedRow * space.columns + Math.max(0, Math.min(space.columns - 1, column));
    this.#wraps = false;
  }

  get #top(): number {
    return this.#region?.top ?? 0;
  }

  get #bottom(): number {
    return this.#region?.bottom ?? this.#state.space.rows - 1;
  }

  #setRegion(top: number, bottom: number): void {
    const { rows } = this.#state.space;
    if (top >= bottom || bottom >= rows) return;
    this.#region = top === 0 && bottom === rows - 1 ? undefined : { top, bottom };
    this.#moveTo(0, 0);
  }

  /** Outside of the margins no lines are inserted or deleted (VT102 User Guide, "Editing functions"). */
  get #isInRegion(): boolean {
    return this.#row >= this.#top && this.#row <= this.#bottom;
  }

  #lineFeed(count: number): void {
    const { space } = this.#state;
    const row = this.#row;
    const lowest = row <= this.#bottom ? this.#bottom : space.rows - 1;
    const down = Math.min(count, lowest - row);
    space.cursor += down * space.columns;
    if (lowest === this.#bottom && down < count) this.#scrollUp(this.#top, count - down);
  }

  /** From a row down to the end of the region everything goes up. */
  #scrollUp(row: number, count: number): void {
    const { columns } = this.#state.space;
    const start = row * columns;
    const end = (this.#bottom + 1) * columns;
    const gone = Math.min(count * columns, end - start);
    this.#move(start + gone, start, end - start - gone);
    this.#clear(end - gone, end);
  }

  #scrollDown(row: number, count: number): void {
    const { columns } = this.#state.space;
    const start = row * columns;
    const end = (this.#bottom + 1) * columns;
    const gone = Math.min(count * columns, end - start);
    this.#move(start, start + gone, end - start - gone);
    this.#clear(start, start + gone);
  }

  /** What stands from the cursor on goes to the right, or over the cursor to the left. */
  #shiftLine(count: number): void {
    const { space } = this.#state;
    const start = space.cursor;
    const end = (this.#row + 1) * space.columns;
    if (count > 0) {
      this.#move(start, start + count, end - start - count);
      this.#clear(start, start + count);
    } else {
      this.#move(start - count, start, end - start + count);
      this.#clear(end + count, end);
    }
  }

  #move(from: BufferAddress, to: BufferAddress, count: number): void {
    const { space, lineCharacters } = this.#state;
    space.planes.moveRange(from, to, count);
    lineCharacters?.copyWithin(to, from, from + count);
  }

  #clear(start: BufferAddress, end: BufferAddress): void {
    this.#state.space.planes.clearRange(start, end);
    this.#state.lineCharacters?.fill(0, start, end);
  }
}

/** Controls as a caret and the character that makes them. */
function shownLiterally(text: string): string {
  return text.replace(/\p{Cc}/gu, (control) => `^${String.fromCharCode(control.charCodeAt(0) ^ 0x40)}`);
}
