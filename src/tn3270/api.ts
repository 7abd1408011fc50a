import { findCodePage } from './codepage/code-pages.js';
import type { ActRefusal } from './conversation/act.js';
import { Conversation } from './conversation/conversation.js';
import { positionOf, rowAndColumnOf, rowTexts, textAt } from './conversation/displayed-text.js';
import { hostEndWords } from './conversation/host-end-words.js';
import type { ScreenDefinition } from './conversation/screen-definition.js';
import type { StepEnd } from './conversation/step.js';
import { type HostTlsOptions, openHostConnection } from './host/host-connection.js';
import { allFunctions } from './host/host-session-options.js';
import type { ScreenImage } from './screen/screen-image.js';
import { findTerminalModel } from './screen/screen-size.js';

/** Public interface of the 3270 engine, `sallyport/tn3270`. Its exports change only in a new major version. */

/** Row and column, counted from 1. A negative row counts from the bottom: -1 is the last row. */
export type Place = readonly [row: number, column: number];

/** First row and column, last row and column, counted from 1, inclusive. */
export type Area = readonly [row: number, column: number, lastRow: number, lastColumn: number];

/** Condition on the displayed screen. */
export type Condition =
  /** Text within one row: anywhere, in a given row, at a place or in an area. */
  | { readonly text: string; readonly row?: number; readonly column?: number; readonly area?: Area }
  | { readonly not: Condition }
  | { readonly fields: number }
  | { readonly inputFields: number }
  | { readonly cursor: Place }
  | { readonly blank: true };

export interface TlsOptions {
  /** False: accept any certificate. Default: true. */
  readonly verify?: boolean;
  /** PEM: certificate authorities to trust instead of those of the system. */
  readonly ca?: string | Buffer;
  /** PEM: client certificate, with its key in `key`. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  readonly passphrase?: string;
  /** Name in the certificate, if it differs from the address. */
  readonly serverName?: string;
}

export interface ConnectOptions {
  /** `IBM-3278-2` to `IBM-3279-5-E`. Default: `IBM-3279-2-E`. */
  readonly deviceType?: string;
  /** EBCDIC code page of the host. Default: `IBM1047`. */
  readonly codePage?: string;
  /** Logical units to request, in this order, until the host accepts one. Default: the host chooses. */
  readonly logicalUnits?: readonly string[];
  /** False: plain TN3270. Default: true. */
  readonly tn3270e?: boolean;
  /** TLS from the first byte. Default: false. */
  readonly tls?: boolean | TlsOptions;
  /** Time limit for connection, TLS and negotiation together, in seconds. Default: 30. */
  readonly within?: number;
  readonly signal?: AbortSignal;
}

export interface WaitOptions {
  /** Time limit in seconds. Default: 30. */
  readonly within?: number;
  /** Seconds without a write of the host after which its answer is complete. Default: 0. */
  readonly quiet?: number;
  readonly signal?: AbortSignal;
}

/** Finds a field by the place of its first character, or by a label left of it or above it. */
export type Fill = ({ readonly at: Place } | { readonly label: string }) & { readonly text: string };

export interface PressOptions extends WaitOptions {
  /** Conditions that the next screen must meet. Default: any screen. */
  readonly expect?: Condition | readonly Condition[];
}

export interface Column {
  /** Counted from 1. */
  readonly column: number;
  readonly length: number;
  /** Default: `string`, without blanks at both ends. A `decimal` is a string with the digits of the host. */
  readonly as?: 'string' | 'integer' | 'decimal' | 'boolean';
}

export interface Table {
  readonly rows: readonly [first: number, last: number];
  readonly columns: Readonly<Record<string, Column>>;
  /** Key for the next page. Default: there is one page. */
  readonly next?: string;
  /** A text without a place ends the table before its row. Any other condition ends it after its page. */
  readonly until?: Condition;
  /** Limit of rows. Default: 500; at most 10,000. */
  readonly most?: number;
}

export type Row = Readonly<Record<string, string | number | boolean>>;

export interface TransferOptions {
  readonly host: 'tso' | 'vm' | 'cics';
  /** Name in the syntax of the host: `'USER.SOURCE(MEMBER)'`, `PROFILE EXEC A`. */
  readonly hostFile: string;
  /** Translates between UTF-8 and the code page of the host; each line is a record. Default: false. */
  readonly text?: boolean;
  readonly append?: boolean;
  readonly recordFormat?: 'fixed' | 'variable' | 'undefined';
  readonly recordLength?: number;
  /** Largest file to receive, in bytes. Default: 64 MiB. */
  readonly mostBytes?: number;
  readonly signal?: AbortSignal;
}

/** Error of a host session. Neither its message nor its members contain typed text. */
export class HostError extends Error {
  readonly code: HostErrorCode;
  /** Screen at the time of the error; undefined if there was none. */
  readonly screen: HostScreen | undefined;

  constructor(code: HostErrorCode, message: string, screen?: HostScreen) {
    super(message);
    this.name = 'HostError';
    this.code = code;
    this.screen = screen;
  }
}

export type HostErrorCode =
  /** The connection failed, or the host ended it. */
  | 'ended'
  /** The host did not answer in time. */
  | 'timedOut'
  /** The host answered with another screen. */
  | 'otherScreen'
  /** The screen has no such field or place, or the terminal rejects the input. */
  | 'refused'
  /** The host sent a malformed record (X PROG). */
  | 'programCheck'
  /** A text in a table does not have the type of its column. */
  | 'otherValue'
  | 'transferFailed';

/** The constructors are private to keep their parameter types out of the declaration file. */
let screenOf: (image: ScreenImage) => HostScreen;
let hostOf: (conversation: Conversation) => Host;

/** Snapshot of a screen. Non-displayable fields are blank. */
export class HostScreen {
  readonly #image: ScreenImage;

  static {
    screenOf = (image) => new HostScreen(image);
  }

  private constructor(image: ScreenImage) {
    this.#image = image;
  }

  get rows(): number {
    return this.#image.rows;
  }

  get columns(): number {
    return this.#image.columns;
  }

  get cursor(): Place {
    return rowAndColumnOf(this.#image, this.#image.cursor);
  }

  /** All rows, without trailing blanks, separated by LF. */
  text(): string {
    return rowTexts(this.#image)
      .map((row) => row.trimEnd())
      .join('\n');
  }

  /** @throws RangeError if the place is not on the screen */
  textAt(place: Place, length: number): string {
    const position = positionOf(this.#image, place);
    if (position === undefined || length < 0 || position + length > this.#image.cells.length)
      throw new RangeError(`the screen has no ${length} characters at row ${place[0]}, column ${place[1]}`);
    return textAt(this.#image, position, length);
  }
}

const SECONDS = 30;
const MOST_FILE_BYTES = 64 << 20;
const CLOSE_MILLISECONDS = 5_000;
const ADDRESS = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/;

/**
 * Connects a terminal to a TN3270E or TN3270 host.
 * @param address `host:port`; IPv6 addresses in brackets
 * @throws HostError if the session is not established in time
 * @throws RangeError if the address or an option is not valid
 */
export async function connect(address: string, options: ConnectOptions = {}): Promise<Host> {
  const [, six, name, port = ''] = ADDRESS.exec(address) ?? [];
  const host = six ?? name;
  if (host === undefined || Number(port) > 65_535) throw new RangeError(`not an address as host:port: ${address}`);
  const { deviceType = 'IBM-3279-2-E', codePage: pageName = 'IBM1047', within = SECONDS, signal } = options;
  const model = findTerminalModel(deviceType);
  if (model.kind === 'fault') throw new RangeError(model.fault);
  const codePage = findCodePage(pageName);
  if (codePage === undefined) throw new RangeError(`no code page: ${pageName}`);
  const { tls = false, logicalUnits = [], tn3270e = true } = options;
  const tlsOptions: HostTlsOptions | undefined = tls === true ? {} : tls || undefined;
  const milliseconds = within * 1_000;
  const conversation = new Conversation({
    model: model.value,
    codePage,
    entryRules: { numericLock: false, blankFill: false },
    deviceNames: logicalUnits,
    tn3270e,
    functions: allFunctions,
    environment: new Map(),
    connect: (handler, stopped) =>
      openHostConnection(
        {
          address: { host, port: Number(port) },
          ...(tlsOptions && { tls: tlsOptions }),
          connectMilliseconds: milliseconds,
          signal: stopped,
        },
        handler,
      ),
    startTls: undefined,
    negotiationMilliseconds: undefined,
    keepAlive: undefined,
    trace: undefined,
  });
  conversation.connect();
  const how = await conversation
    .waitUntil(() => conversation.screen.partner !== 'none', { withinMilliseconds: milliseconds, signal })
    .catch((error) => {
      conversation.stop();
      throw error;
    });
  if (how === 'holds') return hostOf(conversation);
  conversation.stop();
  if (how === 'aborted') throw signal?.reason;
  if (conversation.end !== undefined) throw new HostError('ended', hostEndWords(conversation.end));
  throw new HostError('timedOut', `${address} did not complete the negotiation within ${within} seconds`);
}

/** A session with a host, created by {@link connect}. */
export class Host {
  readonly #conversation: Conversation;

  static {
    hostOf = (conversation) => new Host(conversation);
  }

  private constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** Snapshot of the current screen. */
  get screen(): HostScreen {
    return screenOf(this.#conversation.image);
  }

  /** Logical unit assigned by the host. */
  get logicalUnit(): string | undefined {
    return this.#conversation.deviceName;
  }

  /** Description of the end of the session; undefined until then. */
  get ended(): string | undefined {
    const { end } = this.#conversation;
    return end === undefined ? undefined : hostEndWords(end);
  }

  /** Waits until the host has answered with a screen that meets all conditions. @throws HostError */
  async expect(condition: Condition | readonly Condition[], options: WaitOptions = {}): Promise<HostScreen> {
    return this.#screenOf(
      await this.#conversation.expect([definitionOf(condition)], expectationOf(options)),
      options.within,
    );
  }

  /** Waits until the host has answered, then types into all fields, or into none. @throws HostError */
  async fill(fields: readonly Fill[], options: WaitOptions = {}): Promise<void> {
    await this.#settled(options);
    this.#refuse(this.#conversation.act({ fill: fields }));
  }

  /**
   * Waits until the host has answered the previous key, presses a key and waits for the answer.
   * @param key `Enter`, `PF1` to `PF24`, `PA1` to `PA3`, `Clear`, `Attn` or `SysReq`
   * @throws HostError
   * @throws RangeError if the key does not exist
   */
  async press(key: string, options: PressOptions = {}): Promise<HostScreen> {
    const expect = options.expect === undefined ? undefined : [definitionOf(options.expect)];
    const step = { at: undefined, act: { press: key }, expect, ...expectationOf(options) };
    return this.#screenOf(await this.#conversation.step(step), options.within);
  }

  /**
   * Reads a table, over several pages if it has a key for the next page.
   * @param at conditions that each page must meet before the key is pressed
   * @throws HostError
   */
  async readTable(
    at: Condition | readonly Condition[],
    table: Table,
    options: WaitOptions = {},
  ): Promise<{ readonly rows: readonly Row[]; readonly isComplete: boolean }> {
    const end = await this.#conversation.readTable({ at: [definitionOf(at)], table, ...expectationOf(options) });
    if (end.kind === 'done') return { rows: end.rows, isComplete: end.isComplete };
    if (end.kind !== 'extractFault') throw this.#errorOf(end, options.within);
    const words = end.faults.map(({ name, row, expected }) => `row ${row}: ${name} is not ${expected}`);
    throw new HostError('otherValue', words.join('; '), screenOf(end.image));
  }

  /** Sends a file with IND$FILE. The screen must accept host commands. @throws HostError */
  async sendFile(file: Uint8Array, options: TransferOptions): Promise<void> {
    await this.#transfer('send', file, options);
  }

  /** Receives a file with IND$FILE. The screen must accept host commands. @throws HostError */
  async receiveFile(options: TransferOptions): Promise<Uint8Array> {
    return (await this.#transfer('receive', undefined, options)) ?? new Uint8Array();
  }

  /** Ends the session; resolves after at most 5 seconds. */
  async close(): Promise<void> {
    this.#conversation.stop();
    await this.#conversation.waitUntil(() => this.#conversation.end !== undefined, {
      withinMilliseconds: CLOSE_MILLISECONDS,
    });
  }

  async #transfer(
    direction: 'send' | 'receive',
    file: Uint8Array | undefined,
    { text = false, mostBytes = MOST_FILE_BYTES, ...options }: TransferOptions,
  ): Promise<Uint8Array | undefined> {
    await this.#settled(options);
    const end = await this.#conversation.transferFile({
      ...options,
      direction,
      file,
      text,
      lines: text,
      mostBytes,
    });
    if (end.kind === 'done') return end.file;
    throw new HostError('transferFailed', end.words, this.screen);
  }

  async #settled(options: WaitOptions): Promise<void> {
    const end = await this.#conversation.step({ at: undefined, ...expectationOf(options) });
    this.#screenOf(end, options.within);
  }

  #refuse(refusal: ActRefusal | undefined): void {
    if (refusal === undefined) return;
    const words =
      refusal.kind === 'locked'
        ? 'the host has the keyboard'
        : refusal.kind === 'notThere'
          ? refusal.differs
          : `the terminal rejects the input at row ${refusal.at[0]}, column ${refusal.at[1]}: ${refusal.code}`;
    throw new HostError('refused', words, this.screen);
  }

  #screenOf(end: StepEnd, within?: number): HostScreen {
    if (end.kind === 'done') return screenOf(end.image);
    throw this.#errorOf(end, within);
  }

  #errorOf(end: Exclude<StepEnd, { kind: 'done' }>, within = SECONDS): HostError {
    if (end.kind === 'hostGone') return new HostError('ended', hostEndWords(end.end));
    const screen = screenOf(end.image);
    switch (end.kind) {
      case 'timedOut':
        return new HostError('timedOut', `the host did not answer within ${within} seconds`, screen);
      case 'guardFailed':
        return new HostError('otherScreen', end.differs.flatMap(({ differs }) => differs).join('; '), screen);
      case 'screenFault':
        return new HostError(
          'programCheck',
          `the host sent a record that is malformed or not supported: ${end.programCheck}`,
          screen,
        );
      case 'operatorError':
        return new HostError('refused', `the terminal rejects the input: ${end.code}`, screen);
      default:
        return new HostError('refused', 'the key was not sent', screen);
    }
  }
}

function definitionOf(condition: Condition | readonly Condition[]): ScreenDefinition {
  return { name: 'expected', conditions: Array.isArray(condition) ? condition : [condition as Condition] };
}

function expectationOf({ within = SECONDS, quiet = 0, signal }: WaitOptions) {
  return { withinMilliseconds: within * 1_000, quietMilliseconds: quiet * 1_000, signal };
}
