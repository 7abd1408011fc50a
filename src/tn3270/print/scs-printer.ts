import type { CodePage } from '../codepage/code-page.js';
import { attributeTypes, characterSets } from '../datastream/attributes.js';
import {
  MOST_PRINT_POSITIONS,
  PAPER_FULL,
  type Paper,
  type PrintFault,
  printedAplCharacter,
  printedCharacter,
  printedPair,
} from './paper.js';
import { type PrintStyle, printStyles, withAttribute } from './printed-page.js';

/** Control codes of the SNA character string (GA23-0059, chapter 9; GC20-1868). */
const scsCodes = {
  null: 0x00,
  verticalChannelSelect: 0x04,
  horizontalTab: 0x05,
  graphicEscape: 0x08,
  verticalTab: 0x0b,
  formFeed: 0x0c,
  carriageReturn: 0x0d,
  shiftOut: 0x0e,
  shiftIn: 0x0f,
  enablePresentation: 0x14,
  newLine: 0x15,
  backspace: 0x16,
  interchangeRecordSeparator: 0x1e,
  inhibitPresentation: 0x24,
  lineFeed: 0x25,
  setAttribute: 0x28,
  set: 0x2b,
  bell: 0x2f,
  presentationPosition: 0x34,
  transparent: 0x35,
} as const;

/** Byte after SET. A length that includes itself follows. */
const scsFormats = { horizontal: 0xc1, vertical: 0xc2 } as const;

const scsMoves = {
  absoluteHorizontal: 0xc0,
  absoluteVertical: 0xc4,
  relativeHorizontal: 0xc8,
  relativeVertical: 0x4c,
} as const;

const FIRST_GRAPHIC = 0x40;
const SET_HEAD_BYTES = 3;
const NOTHING = new Uint8Array(0);

/**
 * Executes the control at index `at`. Returns the index after it; `undefined` if the record ends within the control.
 */
type Control = (bytes: Uint8Array, at: number) => number | undefined;

/**
 * Prints SNA character strings, as LU type 1 sends them. A control may be split between two records. Positions count
 * from 1, as in the data stream. Never throws for malformed records.
 */
export class ScsPrinter {
  readonly #codePage: CodePage;
  readonly #paper: Paper;
  readonly #controls: ReadonlyMap<number, Control>;
  #horizontal = defaultHorizontalFormat;
  #vertical = defaultVerticalFormat;
  #position = 1;
  #style: PrintStyle = printStyles.plain;
  #isShifted = false;
  #characterSet: number = characterSets.default;
  #isInhibited = false;
  #firstOfPair: number | undefined;
  #rest: Uint8Array = NOTHING;

  constructor(codePage: CodePage, paper: Paper) {
    this.#codePage = codePage;
    this.#paper = paper;
    this.#controls = this.#controlTable();
  }

  print(record: Uint8Array): PrintFault | undefined {
    const bytes = this.#rest.length === 0 ? record : Uint8Array.of(...this.#rest, ...record);
    this.#rest = NOTHING;
    for (let at = 0; at < bytes.length; ) {
      const code = bytes[at] as number;
      if (code >= FIRST_GRAPHIC) {
        this.#character(code);
        at++;
        continue;
      }
      const control = this.#controls.get(code) ?? this.#stray;
      const next = control(bytes, at);
      if (next === undefined) {
        this.#rest = bytes.slice(at);
        break;
      }
      at = next;
    }
    if (!this.#paper.isFull) return undefined;
    return { sense: 'interventionRequired', reason: PAPER_FULL, offset: record.length };
  }

  /** Moves the carriage to the start of the line. The formats apply to the whole session and are kept. */
  endJob(): void {
    this.#position = this.#horizontal.leftMargin;
    this.#resetAttributes();
    this.#isInhibited = false;
    this.#rest = NOTHING;
  }

  reset(): void {
    this.#horizontal = defaultHorizontalFormat;
    this.#vertical = defaultVerticalFormat;
    this.endJob();
  }

  #controlTable(): ReadonlyMap<number, Control> {
    const single = (act: () => void): Control => {
      return (_bytes, at) => {
        act();
        return at + 1;
      };
    };
    const nothing = single(() => undefined);
    return new Map<number, Control>([
      [scsCodes.null, nothing],
      [scsCodes.bell, nothing],
      [scsCodes.backspace, single(() => this.#backspace())],
      [scsCodes.carriageReturn, single(() => this.#moveTo(this.#horizontal.leftMargin))],
      [scsCodes.newLine, single(() => this.#newLine())],
      [scsCodes.interchangeRecordSeparator, single(() => this.#newLine())],
      [scsCodes.lineFeed, single(() => this.#down(this.#paper.line + 1))],
      [scsCodes.formFeed, single(() => this.#formFeed())],
      [scsCodes.horizontalTab, single(() => this.#horizontalTab())],
      [scsCodes.verticalTab, single(() => this.#verticalTab())],
      [scsCodes.inhibitPresentation, single(() => this.#inhibit(true))],
      [scsCodes.enablePresentation, single(() => this.#inhibit(false))],
      [scsCodes.shiftOut, single(() => this.#shift(true))],
      [scsCodes.shiftIn, single(() => this.#shift(false))],
      [scsCodes.verticalChannelSelect, (bytes, at) => this.#selectChannel(bytes, at)],
      [scsCodes.graphicEscape, (bytes, at) => this.#graphicEscape(bytes, at)],
      [scsCodes.setAttribute, (bytes, at) => this.#setAttribute(bytes, at)],
      [scsCodes.presentationPosition, (bytes, at) => this.#move(bytes, at)],
      [scsCodes.transparent, (bytes, at) => this.#pass(bytes, at)],
      [scsCodes.set, (bytes, at) => this.#set(bytes, at)],
    ]);
  }

  /** Unknown codes are printed as a blank. */
  readonly #stray: Control = (_bytes, at) => {
    this.#put(' ');
    return at + 1;
  };

  #character(code: number): void {
    if (!this.#takesPairs) {
      const isApl = this.#characterSet === characterSets.apl;
      this.#put(isApl ? printedAplCharacter(code) : printedCharacter(this.#codePage, code));
      return;
    }
    const first = this.#firstOfPair;
    this.#firstOfPair = first === undefined ? code : undefined;
    if (first !== undefined) this.#put(printedPair(this.#codePage, first, code), 2);
  }

  get #takesPairs(): boolean {
    if (this.#codePage.doubleByte === undefined) return false;
    return this.#isShifted || this.#characterSet === characterSets.doubleByte;
  }

  #put(character: string, columns = 1): void {
    if (this.#vertical.maximumLine > 1 && this.#paper.line + 1 > this.#vertical.bottomMargin) this.#feed();
    if (this.#position + columns - 1 > this.#horizontal.maximumPosition) this.#newLine();
    if (!this.#isInhibited) this.#paper.print(this.#position - 1, character, this.#style);
    this.#position += columns;
  }

  #moveTo(position: number): void {
    this.#position = Math.min(Math.max(1, position), this.#horizontal.maximumPosition + 1);
  }

  #backspace(): void {
    this.#moveTo(this.#position - (this.#takesPairs ? 2 : 1));
  }

  /** @param line line of the paper, from 0; a line after the bottom margin starts a new page */
  #down(line: number): void {
    const { maximumLine } = this.#vertical;
    if (maximumLine > 1 && line >= maximumLine) this.#feed();
    else this.#paper.goTo(line);
  }

  #newLine(): void {
    this.#down(this.#paper.line + 1);
    this.#position = this.#horizontal.leftMargin;
  }

  #formFeed(): void {
    this.#feed();
    this.#position = this.#horizontal.leftMargin;
  }

  #feed(): void {
    this.#paper.newPage();
    this.#paper.goTo(this.#vertical.topMargin - 1);
  }

  #horizontalTab(): void {
    const stop = nextTab(this.#horizontal.tabs, this.#position);
    if (stop === undefined) this.#put(' ');
    else this.#position = stop;
  }

  #verticalTab(): void {
    const stop = nextTab(this.#vertical.tabs, this.#paper.line + 1);
    this.#down(stop === undefined ? this.#paper.line + 1 : stop - 1);
  }

  #inhibit(isInhibited: boolean): void {
    this.#isInhibited = isInhibited;
  }

  #shift(isShifted: boolean): void {
    this.#isShifted = isShifted;
    this.#firstOfPair = undefined;
  }

  #resetAttributes(): void {
    this.#style = printStyles.plain;
    this.#characterSet = characterSets.default;
    this.#shift(false);
  }

  /** Channels are positions defined by the form. No form is defined, so a channel is one line. */
  #selectChannel(bytes: Uint8Array, at: number): number | undefined {
    if (at + 1 >= bytes.length) return undefined;
    this.#down(this.#paper.line + 1);
    return at + 2;
  }

  #graphicEscape(bytes: Uint8Array, at: number): number | undefined {
    if (at + 1 >= bytes.length) return undefined;
    this.#put(printedAplCharacter(bytes[at + 1] as number));
    return at + 2;
  }

  #setAttribute(bytes: Uint8Array, at: number): number | undefined {
    if (at + 2 >= bytes.length) return undefined;
    const [type, value] = [bytes[at + 1] as number, bytes[at + 2] as number];
    if (type === attributeTypes.resetAll) this.#resetAttributes();
    else if (type === attributeTypes.characterSet) {
      this.#characterSet = value;
      this.#firstOfPair = undefined;
    } else this.#style = withAttribute(this.#style, type, value);
    return at + 3;
  }

  #move(bytes: Uint8Array, at: number): number | undefined {
    if (at + 2 >= bytes.length) return undefined;
    const value = bytes[at + 2] as number;
    switch (bytes[at + 1]) {
      case scsMoves.absoluteHorizontal:
        this.#moveTo(value);
        break;
      case scsMoves.relativeHorizontal:
        this.#moveTo(this.#position + value);
        break;
      case scsMoves.absoluteVertical:
        if (value - 1 < this.#paper.line) this.#feed();
        this.#down(value - 1);
        break;
      case scsMoves.relativeVertical:
        this.#down(this.#paper.line + value);
        break;
    }
    return at + 3;
  }

  #pass(bytes: Uint8Array, at: number): number | undefined {
    const length = bytes[at + 1];
    if (length === undefined || at + 2 + length > bytes.length) return undefined;
    this.#paper.pass(bytes.subarray(at + 2, at + 2 + length));
    return at + 2 + length;
  }

  #set(bytes: Uint8Array, at: number): number | undefined {
    const length = bytes[at + 2];
    // a length of 0 does not include itself: no parameters
    const end = at + 2 + Math.max(1, length ?? 1);
    if (length === undefined || end > bytes.length) return undefined;
    const parameters = bytes.subarray(at + SET_HEAD_BYTES, end);
    if (bytes[at + 1] === scsFormats.horizontal) {
      this.#horizontal = readHorizontalFormat(parameters);
      this.#moveTo(this.#position);
    } else if (bytes[at + 1] === scsFormats.vertical) this.#vertical = readVerticalFormat(parameters);
    return end;
  }
}

/** Lines of the longest page of a 3287. */
const MOST_LINES = 255;

interface HorizontalFormat {
  readonly maximumPosition: number;
  readonly leftMargin: number;
  readonly tabs: readonly number[];
}

interface VerticalFormat {
  /** 1: only form feeds end a page. */
  readonly maximumLine: number;
  readonly topMargin: number;
  readonly bottomMargin: number;
  readonly tabs: readonly number[];
}

const defaultHorizontalFormat: HorizontalFormat = {
  maximumPosition: MOST_PRINT_POSITIONS,
  leftMargin: 1,
  tabs: [],
};
const defaultVerticalFormat: VerticalFormat = { maximumLine: 1, topMargin: 1, bottomMargin: 1, tabs: [] };

/**
 * SHF: maximum print position, left margin, right margin (ignored by printers), then tab stops. Missing and
 * out-of-range parameters have their default.
 */
function readHorizontalFormat(parameters: Uint8Array): HorizontalFormat {
  const [mpp = 0, lm = 0] = parameters;
  const maximumPosition = mpp >= 1 && mpp <= MOST_PRINT_POSITIONS ? mpp : MOST_PRINT_POSITIONS;
  const leftMargin = lm >= 1 && lm < maximumPosition ? lm : 1;
  return { maximumPosition, leftMargin, tabs: tabsOf(parameters.subarray(3), maximumPosition) };
}

function readVerticalFormat(parameters: Uint8Array): VerticalFormat {
  const [mpl = 0, tm = 0, bm = 0] = parameters;
  const maximumLine = mpl >= 1 && mpl <= MOST_LINES ? mpl : 1;
  const topMargin = tm >= 1 && tm < maximumLine ? tm : 1;
  const bottomMargin = bm >= topMargin && bm < maximumLine ? bm : maximumLine;
  return { maximumLine, topMargin, bottomMargin, tabs: tabsOf(parameters.subarray(3), maximumLine) };
}

function tabsOf(stops: Uint8Array, last: number): number[] {
  return [...new Set(stops)].filter((stop) => stop >= 1 && stop <= last).sort((left, right) => left - right);
}

function nextTab(tabs: readonly number[], place: number): number | undefined {
  return tabs.find((stop) => stop > place);
}
