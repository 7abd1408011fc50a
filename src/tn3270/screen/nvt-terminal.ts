import type { BufferAddress } from '../datastream/buffer-address.js';
import { type LineCommand, NvtLineEditor } from './nvt-line-editor.js';
import { NvtParser } from './nvt-parser.js';
import { NvtPen } from './nvt-pen.js';
import { NvtRegion } from './nvt-region.js';
import { Planes } from './planes.js';
import type { ScreenState } from './screen-state.js';

const TAB_WIDTH = 8;

class NvtTabStops {
  readonly #changed = new Map<number, boolean>();
  #usual = true;

  reset(): void {
    this.#changed.clear();
    this.#usual = true;
  }

  set(column: number, isStop: boolean): void {
    this.#changed.set(column, isStop);
  }

  clear(): void {
    this.#changed.clear();
    this.#usual = false;
  }

  next(column: number, count: number, columns: number): number {
    let left = count;
    for (let at = column + 1; at < columns - 1; at++) {
      const isStop = this.#changed.get(at) ?? (this.#usual && at % TAB_WIDTH === 0);
      if (isStop && --left === 0) return at;
    }
    return columns - 1;
  }
}

/** Numbers in `ESC [ number ~` for PF5 and higher; PF1 to PF4 send `ESC O P` to `ESC O S` (VT220). */
const FUNCTION_KEYS = [15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34] as const;
const FIRST_LETTER = 'P'.charCodeAt(0);

const cursorLetters: Readonly<Record<string, string>> = {
  Up: 'A',
  Down: 'B',
  Right: 'C',
  Left: 'D',
  End: 'F',
  Home: 'H',
};

const others: Readonly<Record<string, string>> = {
  Enter: '\r',
  Newline: '\n',
  Tab: '\t',
  Erase: '\b',
  BackSpace: '\b',
  Delete: '\x7f',
  DeleteField: '\x15',
  DeleteWord: '\x17',
  Clear: '\x1b[2K',
};

/** @param isApplication application cursor keys (DECCKM) */
function lineKeySequence(key: string, isApplication: boolean): string | undefined {
  const letter = cursorLetters[key];
  if (letter !== undefined) return `\x1b${isApplication ? 'O' : '['}${letter}`;
  const [, kind, digits] = /^P([AF])(\d+)$/.exec(key) ?? [];
  if (kind === undefined) return others[key];
  const number = Number(digits);
  if (kind === 'A' || number <= 4) return `\x1bO${String.fromCharCode(FIRST_LETTER + number - 1)}`;
  const code = FUNCTION_KEYS[number - 5];
  return code === undefined ? undefined : `\x1b[${code}~`;
}

/** The alternate screen for full-screen programs: empty when shown; the first screen is restored later. */
class AlternateLineScreen {
  #first: { readonly planes: Planes; readonly lineCharacters: Uint32Array | undefined } | undefined;

  show(state: ScreenState, isShown: boolean): void {
    const { planes } = state.space;
    state.noteErased();
    if (isShown && this.#first === undefined) {
      const kept = new Planes(planes.positions, planes.hasDoubleByte);
      kept.copyFrom(planes);
      this.#first = { planes: kept, lineCharacters: state.lineCharacters };
      planes.clear();
      state.lineCharacters = undefined;
    } else if (!isShown && this.#first !== undefined) {
      planes.copyFrom(this.#first.planes);
      state.lineCharacters = this.#first.lineCharacters;
      this.forget();
    }
  }

  forget(): void {
    this.#first = undefined;
  }
}

const UNREPRESENTABLE = 0x3f;
const [INSERT_MODE, NEW_LINE_MODE] = [4, 20];

/** Parameters of a sequence; `first` is 0 and `count` 1 if the first one is missing. */
interface SequenceValues {
  readonly first: number;
  readonly count: number;
  readonly parameters: readonly number[];
}

interface NvtPort {
  send(bytes: Uint8Array): void;
  sendCommand(command: LineCommand): void;
}

/** A line terminal on the presentation space (RFC 854, "The Network Virtual Terminal"), with common ANSI sequences. */
export class NvtTerminal {
  readonly #state: ScreenState;
  readonly #port: NvtPort;
  readonly #parser: NvtParser;
  readonly #alternate = new AlternateLineScreen();
  /** True if the host echoes input; keys are then sent immediately. */
  hostEchoes = false;
  /** True if a line feed also returns to column 0, because the terminal edits the line locally. */
  #newLines = false;
  /** True if the host requests this behaviour (LNM). */
  #makesNewLines = false;
  /** True if the last column was written, so that the next character starts a new row. */
  #wraps = false;
  #hasApplicationKeys = false;
  #isWrapping = true;
  #inserts = false;
  readonly #pen = new NvtPen();
  readonly #tabStops = new NvtTabStops();
  #saved: { readonly cursor: BufferAddress; readonly look: NvtPen['look'] } | undefined;
  readonly #region: NvtRegion;
  readonly #editor: NvtLineEditor;

  constructor(state: ScreenState, port: NvtPort) {
    this.#state = state;
    this.#port = port;
    this.#region = new NvtRegion(state);
    this.#editor = new NvtLineEditor({
      show: (text) => this.#show(text),
      eraseLast: () => this.#eraseLast(),
      newLine: () => this.#newLine(),
      send: (text) => this.#sendText(text),
      sendCommand: (command) => port.sendCommand(command),
    });
    const handler = {
      character: (codePoint: number) => this.#put(codePoint),
      control: (code: number, count: number) => NvtTerminal.#controls[code]?.(this, count),
      escape: (final: string) => NvtTerminal.#escapes[final]?.(this),
      sequence: (final: string, parameters: readonly number[], isPrivate: boolean) =>
        this.#sequence(final, parameters, isPrivate),
    };
    this.#parser = new NvtParser(handler, state.model.marksInvalidText === true);
  }

  begin(): void {
    this.#editor.forget();
    this.#alternate.forget();
    this.#wraps = false;
    this.#restart();
    this.#region.reset();
    this.#parser.reset();
    this.#state.lineCharacters = undefined;
  }

  #restart(): void {
    this.#hasApplicationKeys = false;
    this.#isWrapping = true;
    this.#pen.reset();
    this.#tabStops.reset();
    this.#saved = undefined;
    this.#inserts = false;
    this.#makesNewLines = false;
  }

  /** @param raw true if the host itself moves the cursor to column 0 */
  receive(bytes: Uint8Array, raw: boolean): void {
    this.#newLines = !raw && !this.hostEchoes;
    this.#parser.feed(bytes);
  }

  type(text: string): void {
    if (this.hostEchoes) this.#sendText(text);
    else for (const character of text) this.#editor.take(character);
  }

  set wrapsLines(on: boolean) {
    this.#isWrapping = on;
    this.#wraps &&= on;
  }

  moveCursor(address: BufferAddress): void {
    this.#state.space.cursor = address;
    this.#wraps = false;
  }

  press(key: string): boolean {
    const sequence = lineKeySequence(key, this.#hasApplicationKeys);
    if (sequence === undefined) return false;
    // TELNET does not allow CR alone (RFC 854, "The TELNET printer and keyboard")
    if (this.hostEchoes) this.#sendText(sequence === '\r' ? '\r\0' : sequence);
    // the tab is the only control character that does not edit the line
    else if (sequence.length === 1 && sequence !== '\t') this.#editor.take(sequence);
    else this.#editor.add(sequence);
    return true;
  }

  #sendText(text: string): void {
    this.#port.send(new TextEncoder().encode(text));
  }

  #eraseLast(): void {
    const { space } = this.#state;
    const before = space.previous(space.cursor);
    this.#region.clear(before, before + 1);
    space.cursor = before;
    this.#wraps = false;
  }

  #show(text: string): void {
    for (const character of text) {
      if (character === '\b') this.#moveTo(this.#row, this.#column - 1);
      else this.#put(character.codePointAt(0) as number);
    }
  }

  #put(codePoint: number): void {
    const { space } = this.#state;
    if (this.#wraps) {
      this.#newLine();
    }
    if (this.#inserts) this.#region.shiftLine(1);
    this.#store(space.cursor, codePoint);
    if (this.#column === space.columns - 1) this.#wraps = this.#isWrapping;
    else space.cursor++;
  }

  #store(at: BufferAddress, codePoint: number): void {
    const { space, codePage } = this.#state;
    const { planes } = space;
    const code = codePage.encodeCodePoint(codePoint);
    planes.setCharacter(at, code >= 0 ? code : UNREPRESENTABLE);
    this.#pen.mark(planes, at);
    if (this.#state.lineCharacters === undefined) this.#state.lineCharacters = new Uint32Array(planes.positions);
    this.#state.lineCharacters[at] = codePoint;
  }

  static readonly #controls: Readonly<Record<number, (line: NvtTerminal, count: number) => void>> = {
    7: (line, count) => {
      line.#state.alarms += count;
    },
    8: (line, count) => line.#moveTo(line.#row, line.#column - count),
    9: (line, count) => line.#moveTo(line.#row, line.#tabStops.next(line.#column, count, line.#columns)),
    10: (line, count) => {
      if (line.#newLines || line.#makesNewLines) line.#moveTo(line.#row, 0);
      line.#lineFeed(count);
    },
    11: (line, count) => line.#lineFeed(count),
    12: (line) => line.#clear(),
    13: (line) => line.#moveTo(line.#row, 0),
  };

  static readonly #escapes: Readonly<Record<string, (line: NvtTerminal) => void>> = {
    7: (line) => line.#save(),
    8: (line) => line.#restoreSaved(),
    D: (line) => line.#lineFeed(1),
    E: (line) => line.#newLine(),
    H: (line) => line.#tabStops.set(line.#column, true),
    M: (line) => {
      line.#wraps = false;
      if (line.#row === line.#region.top) line.#region.scrollDown(line.#region.top, 1);
      else line.#moveTo(line.#row - 1, line.#column);
    },
    c: (line) => {
      line.#clear();
      line.#restart();
    },
  };

  #sequence(final: string, parameters: readonly number[], isPrivate: boolean): void {
    if (isPrivate) {
      if (final === 'h' || final === 'l') for (const mode of parameters) this.#setPrivateMode(mode, final === 'h');
      return;
    }
    const [first = 0] = parameters;
    NvtTerminal.#sequences[final]?.(this, { first, count: Math.max(1, first), parameters });
  }

  static readonly #sequences: Readonly<Record<string, (line: NvtTerminal, values: SequenceValues) => void>> = {
    A: (line, { count }) => line.#step(line.#row - count, line.#column),
    B: (line, { count }) => line.#step(line.#row + count, line.#column),
    C: (line, { count }) => line.#step(line.#row, line.#column + count),
    D: (line, { count }) => line.#step(line.#row, line.#column - count),
    G: (line, { count }) => line.#moveTo(line.#row, count - 1),
    d: (line, { count }) => line.#moveTo(count - 1, line.#column),
    g: (line, { first }) => {
      if (first === 0) line.#tabStops.set(line.#column, false);
      else if (first === 3) line.#tabStops.clear();
    },
    h: (line, { parameters }) => line.#setModes(parameters, true),
    l: (line, { parameters }) => line.#setModes(parameters, false),
    H: (line, { count, parameters: [, column = 1] }) => line.#moveTo(count - 1, Math.max(1, column) - 1),
    f: (line, values) => NvtTerminal.#sequences.H?.(line, values),
    J: (line, { first }) => line.#eraseParts(first, 0, line.#state.space.positions),
    K: (line, { first }) => line.#eraseParts(first, line.#row * line.#columns, (line.#row + 1) * line.#columns),
    // outside the margins, lines are not inserted or deleted (VT102 User Guide, "Editing functions")
    L: (line, { count }) => line.#region.holds(line.#row) && line.#region.scrollDown(line.#row, count),
    M: (line, { count }) => line.#region.holds(line.#row) && line.#region.scrollUp(line.#row, count),
    P: (line, { count }) => line.#region.shiftLine(-Math.min(count, line.#columns - line.#column)),
    '@': (line, { count }) => line.#region.shiftLine(Math.min(count, line.#columns - line.#column)),
    r: (line, { count, parameters }) => {
      if (line.#region.set(count - 1, (parameters[1] || line.#state.space.rows) - 1)) line.#moveTo(0, 0);
    },
    m: (line, { parameters }) => line.#pen.select(parameters),
    c: (line) => line.#sendText('\x1b[?1;2c'),
    n: (line, { first }) => {
      if (first === 6) line.#sendText(`\x1b[${line.#row + 1};${line.#column + 1}R`);
      else if (first === 5) line.#sendText('\x1b[0n');
    },
    s: (line) => line.#save(),
    u: (line) => line.#restoreSaved(),
  };

  #setModes(modes: readonly number[], isOn: boolean): void {
    if (modes.includes(INSERT_MODE)) this.#inserts = isOn;
    if (modes.includes(NEW_LINE_MODE)) this.#makesNewLines = isOn;
  }

  #setPrivateMode(mode: number, isOn: boolean): void {
    if (mode === 1) this.#hasApplicationKeys = isOn;
    else if (mode === 7) this.#isWrapping = isOn;
    else if (mode === 47 || mode === 1047 || mode === 1049) this.#alternate.show(this.#state, isOn);
  }

  /** 0: cursor to end; 1: start to cursor; 2: all. */
  #eraseParts(which: number, start: BufferAddress, end: BufferAddress): void {
    const { cursor } = this.#state.space;
    if (which === 0) this.#region.clear(cursor, end);
    else if (which === 1) this.#region.clear(start, cursor + 1);
    else if (which === 2) this.#region.clear(start, end);
    this.#wraps = false;
  }

  #save(): void {
    this.#saved = { cursor: this.#state.space.cursor, look: this.#pen.look };
    this.#parser.saveSets();
  }

  /** If nothing was saved: first position, plain text (VT102 User Guide, "Restore Cursor"). */
  #restoreSaved(): void {
    const { space } = this.#state;
    space.cursor = Math.min(this.#saved?.cursor ?? 0, space.positions - 1);
    this.#wraps = false;
    if (this.#saved === undefined) this.#pen.reset();
    else this.#pen.look = this.#saved.look;
    this.#parser.restoreSets();
  }

  get #row(): number {
    return Math.floor(this.#state.space.cursor / this.#columns);
  }

  get #column(): number {
    return this.#state.space.cursor % this.#columns;
  }

  get #columns(): number {
    return this.#state.space.columns;
  }

  /** At the edge of the screen, the cursor and a pending line wrap do not change. */
  #step(row: number, column: number): void {
    const { space } = this.#state;
    const wrapped = this.#wraps;
    const before = space.cursor;
    this.#moveTo(row, column);
    this.#wraps = wrapped && space.cursor === before;
  }

  #moveTo(row: number, column: number): void {
    const { space } = this.#state;
    const boundedRow = Math.max(0, Math.min(space.rows - 1, row));
    space.cursor = boundedRow * space.columns + Math.max(0, Math.min(space.columns - 1, column));
    this.#wraps = false;
  }

  #newLine(): void {
    this.#moveTo(this.#row, 0);
    this.#lineFeed(1);
  }

  #clear(): void {
    this.#region.clear(0, this.#state.space.positions);
    this.#moveTo(0, 0);
  }

  #lineFeed(count: number): void {
    const { space } = this.#state;
    this.#wraps = false;
    const row = this.#row;
    const lowest = row <= this.#region.bottom ? this.#region.bottom : space.rows - 1;
    const down = Math.min(count, lowest - row);
    space.cursor += down * space.columns;
    if (lowest === this.#region.bottom && down < count) this.#region.scrollUp(this.#region.top, count - down);
  }
}
