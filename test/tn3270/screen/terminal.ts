import { soundValue } from '../../../src/lib/read-outcome.js';
import { findTerminalCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { Screen } from '../../../src/tn3270/screen/screen.js';
import { findTerminalModel } from '../../../src/tn3270/screen/screen-size.js';

const bytes = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const hex = (of: Uint8Array) => Buffer.from(of).toString('hex');

export interface TerminalOptions {
  readonly model?: string;
  readonly oversize?: string;
  readonly codePage?: string;
  readonly numericLock?: boolean;
  readonly blankFill?: boolean;
}

/** A screen with nothing behind it: a host's records go in as hexadecimal, what it sends comes out so. */
export class Terminal {
  readonly screen: Screen;
  readonly sent: string[] = [];
  /** What of each record is not displayed. */
  readonly hidden: string[] = [];

  constructor({
    model = '3279-2-E',
    oversize,
    codePage = 'cp037',
    numericLock = false,
    blankFill = false,
  }: TerminalOptions = {}) {
    const found = soundValue(findTerminalModel(model, oversize));
    const page = findTerminalCodePage(codePage);
    if (page === undefined) throw new Error(`no code page ${codePage}`);
    this.screen = new Screen(
      found,
      page,
      { numericLock, blankFill },
      {
        sendRecord: ({ bytes: record, nonDisplayable }) => {
          this.sent.push(hex(record));
          this.hidden.push(nonDisplayable.map(({ start, end }) => hex(record.subarray(start, end))).join(' '));
        },
        sendServicesText: (record) => this.sent.push(`services ${hex(record)}`),
        sendLineData: (data) => this.sent.push(`line ${hex(data)}`),
        sendLineCommand: (command) => this.sent.push(`line ${command}`),
      },
    );
    this.screen.setPartner('application');
  }

  /** The host writes. */
  host(record: string) {
    return this.screen.receive(bytes(record));
  }

  /** Keys by name; what begins with a quote is typed. */
  press(...keys: readonly string[]): this {
    for (const key of keys) {
      if (key.startsWith("'")) this.screen.keyboard.type(key.slice(1));
      else if (this.screen.keyboard.press(key) === undefined) throw new Error(`no key ${key}`);
    }
    return this;
  }

  get cursor(): number {
    return this.screen.state.space.cursor;
  }

  get error(): string | undefined {
    return this.screen.state.operator.operatorError;
  }

  /** Codes from a position on. */
  codes(at: number, length: number): string {
    return hex(this.screen.state.space.planes.codes.subarray(at, at + length));
  }

  text(at: number, length: number): string {
    return this.screen.image.text.cells.slice(at, at + length).join('');
  }

  isModified(field: number): boolean {
    return ((this.screen.state.space.planes.fieldAttributes[field] as number) & 1) === 1;
  }
}
