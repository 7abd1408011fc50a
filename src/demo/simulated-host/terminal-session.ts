import type { Duplex } from 'node:stream';
import { setTimeout as setTimer } from 'node:timers/promises';
import { PacedReader } from '../../lib/turns/paced-reader.js';
import { aidName } from '../../tn3270/datastream/aid.js';
import { encodeWriteStructuredField, readPartitionQuery, type WriteControl } from '../../tn3270/datastream/encoder.js';
import { decodeInboundRecord, describeTerminal, type InboundField } from '../../tn3270/datastream/inbound-decoder.js';
import { positiveResponseTo } from '../../tn3270/host/record-response.js';
import { DEFAULT_SIZE, findTerminalModel } from '../../tn3270/screen/screen-size.js';
import { encodeBindImage, unbindReasons } from '../../tn3270/telnet/bind-image.js';
import { HostNegotiation, isPrinterType } from '../../tn3270/telnet/host-negotiation.js';
import { telnetCommands } from '../../tn3270/telnet/telnet-codes.js';
import { TelnetDecoder } from '../../tn3270/telnet/telnet-decoder.js';
import { encodeRecord } from '../../tn3270/telnet/telnet-encoder.js';
import {
  dataTypes,
  decodeTn3270eHeader,
  encodeTn3270eHeader,
  requestFlags,
  responseFlags,
  TN3270E_HEADER_BYTES,
} from '../../tn3270/telnet/tn3270e-header.js';
import type { RejectReason, Tn3270eFunction } from '../../tn3270/telnet/tn3270e-words.js';
import type { Application, PanelInput, Terminal } from './application.js';
import { Panel, type PanelTerminal } from './panel.js';
import { PrinterDevice } from './printer-device.js';
import { TerminalOutput } from './terminal-output.js';
import type { TerminalSessionOptions } from './terminal-session-options.js';

const words: Readonly<Partial<Record<RejectReason, string>>> = {
  deviceInUse: 'The device is in use, or all of them are.',
  invalidName: 'There is no device of this name.',
};

/** Message for rejections in plain TN3270. @param reason undefined if the client is not a 3270 terminal */
function wordsOfRefusal(reason: RejectReason | undefined): string {
  return (reason === undefined ? undefined : words[reason]) ?? 'This host supports only 3270 terminals.';
}

function sizeOf(deviceType: string): PanelTerminal {
  const model = findTerminalModel(deviceType);
  const { rows, columns } = model.kind === 'fault' ? DEFAULT_SIZE : model.value.alternateSize;
  const isLarge = rows * columns > DEFAULT_SIZE.rows * DEFAULT_SIZE.columns;
  return { rows, columns, isLarge, extended: model.kind === 'read' && model.value.extended };
}

/** Record that an application waits for; only one at a time. */
class AwaitedRecord {
  #waiting: { readonly take: (record: Uint8Array) => void; readonly reject: (error: Error) => void } | undefined;

  /** @param read returns undefined if the record is not the answer; waiting then continues */
  wait<Read>(read: (record: Uint8Array) => Read | undefined): Promise<Read> {
    return new Promise((resolve, reject) => {
      const take = (record: Uint8Array) => {
        const answer = read(record);
        if (answer === undefined) return;
        this.#waiting = undefined;
        resolve(answer);
      };
      this.#waiting = { take, reject };
    });
  }

  take(record: Uint8Array): void {
    this.#waiting?.take(record);
  }

  fail(error: Error): void {
    this.#waiting?.reject(error);
    this.#waiting = undefined;
  }
}

/** Longest record of a terminal; a screen of 160 by 62 with attributes is shorter. */
const MOST_INBOUND_BYTES = 1 << 18;
const QUERY_MILLISECONDS = 3_000;
/** Time after which a printer without answer counts as out of order. */
const PRINTER_MILLISECONDS = 30_000;

class TerminalGoneError extends Error {
  override readonly name = 'TerminalGoneError';
}

export class TerminalSession implements Terminal {
  user: string | undefined;
  transferBytes = 0;
  readonly #options: TerminalSessionOptions;
  readonly #output: TerminalOutput;
  readonly #decoder: TelnetDecoder;
  readonly #negotiation: HostNegotiation;
  #size: PanelTerminal = { ...DEFAULT_SIZE, isLarge: false, extended: false };
  #panel: Panel | undefined;
  readonly #awaited = new AwaitedRecord();
  #printer: PrinterDevice | undefined;
  #queryTimer: NodeJS.Timeout | undefined;
  /** Ends terminals that do not complete negotiation, and later idle ones. */
  #silence: NodeJS.Timeout | undefined;
  /** Requested by commands of the terminal. Several commands in one chunk are answered once. */
  #toShow: 'panel' | 'services' | undefined;
  readonly #gone = new AbortController();
  #started = false;
  #atServices = false;
  #sequenceNumber = 0;

  constructor(stream: Duplex, options: TerminalSessionOptions) {
    this.#options = options;
    const reader = new PacedReader(
      stream,
      {
        take: (chunk, mayGoOn) => this.#answered(this.#decoder.feed(chunk, mayGoOn)),
        goOn: (mayGoOn) => this.#answered(this.#decoder.goOn(mayGoOn)),
      },
      () => this.#left(),
    );
    this.#output = new TerminalOutput(stream, options, () => reader.waitForDrain());
    this.#negotiation = new HostNegotiation(options, {
      send: (bytes) => this.#output.send(bytes),
      assign: (name, deviceType) => options.assign(name, isPrinterType(deviceType)),
      associate: (display) => options.associate(display),
      ready: () => this.#ready(),
      unsuitable: (reason) => this.#turnAway(reason),
    });
    this.#decoder = new TelnetDecoder(
      {
        record: (bytes) => this.#takeRecord(bytes),
        data: () => undefined,
        negotiation: (verb, option) => this.#negotiation.negotiation(verb, option),
        subnegotiation: (body) => this.#negotiation.subnegotiation(body),
        command: (code) => this.#takeCommand(code),
        tooLong: () => this.end(),
      },
      MOST_INBOUND_BYTES,
    );
    this.#decoder.gathersRecords = true;
    this.#silence = setTimeout(() => this.#giveUp(), options.agreeMilliseconds);
    reader.start();
    this.#negotiation.start();
  }

  get rows(): number {
    return this.#size.rows;
  }

  get columns(): number {
    return this.#size.columns;
  }

  get deviceName(): string {
    return this.#negotiation.deviceName ?? '';
  }

  readonly encode = (text: string): Uint8Array => this.#options.codePage.encode(text);

  get deviceType(): string {
    return this.#negotiation.deviceType;
  }

  panel(name?: string, title = ''): Panel {
    const panel = new Panel(this.#options.codePage);
    if (name === undefined) return panel;
    panel.text(1, 2, name, { colour: 'turquoise' });
    return panel.text(1, 30, title, { colour: 'neutralWhite', intensified: true });
  }

  async show(panel: Panel): Promise<PanelInput> {
    if (this.#options.services.faults.delete('broadcast')) await this.#ask(broadcast(this.panel()));
    return this.#ask(panel);
  }

  #ask(panel: Panel): Promise<PanelInput> {
    this.#gone.signal.throwIfAborted();
    this.#panel = panel;
    this.#send3270(panel.encode(this.#size, this.#control({ resetModified: true })));
    return this.#awaited.wait((record) => this.#answerOf(record));
  }

  exchange(record: Uint8Array): Promise<Uint8Array> {
    this.#gone.signal.throwIfAborted();
    // wait first, because a terminal in this process may answer during the send
    const answer = this.#awaited.wait((bytes) => bytes);
    this.#send3270(record);
    return answer;
  }

  async showLive(panel: Panel, everyMilliseconds: number, update: () => Panel): Promise<PanelInput> {
    const timer = setInterval(() => {
      if (!this.#atServices) this.#send3270(update().encode(this.#size, { restoreKeyboard: false }, false));
    }, everyMilliseconds);
    try {
      return await this.show(panel);
    } finally {
      clearInterval(timer);
    }
  }

  async pause(milliseconds: number): Promise<void> {
    const { signal } = this.#gone;
    await setTimer(milliseconds, undefined, { signal }).catch(() => signal.throwIfAborted());
  }

  end(): void {
    if (this.#isTn3270e('bindImage') && this.#started) {
      this.#sendTyped(dataTypes.unbind, Uint8Array.of(unbindReasons.normal));
    }
    this.#output.end();
  }

  #ready(): void {
    // after a return to plain TN3270 the application is already running
    if (this.#started) return;
    this.#started = true;
    if (this.#negotiation.isPrinter) {
      this.#becomePrinter();
      return;
    }
    this.#waitForKey();
    const { deviceType } = this.#negotiation;
    this.#size = sizeOf(deviceType);
    if (this.#isTn3270e('bindImage')) this.#bind();
    if (!deviceType.endsWith('-E') && deviceType !== 'IBM-DYNAMIC') {
      this.#run();
      return;
    }
    this.#send3270(encodeWriteStructuredField(readPartitionQuery()));
    this.#queryTimer = setTimeout(() => this.#queried(new Map()), QUERY_MILLISECONDS);
  }

  /** Printers have no idle limit. */
  #becomePrinter(): void {
    clearTimeout(this.#silence);
    this.#printer = new PrinterDevice({
      negotiation: this.#negotiation,
      send: (record) => this.#output.sendRecord(record),
      applicationName: this.#applicationName,
      answerMilliseconds: PRINTER_MILLISECONDS,
    });
    this.#options.services.printers.attach(this.deviceName, this.#printer);
  }

  get #applicationName(): Uint8Array {
    return this.#options.codePage.encode('SALLYSIM');
  }

  #bind(): void {
    const { rows, columns } = this.#size;
    const alternate = this.deviceType === 'IBM-DYNAMIC' ? undefined : { rows, columns };
    this.#sendTyped(dataTypes.bindImage, encodeBindImage(DEFAULT_SIZE, alternate, this.#applicationName));
  }

  #queried(replies: ReadonlyMap<number, Uint8Array>): void {
    if (this.#queryTimer === undefined) return;
    clearTimeout(this.#queryTimer);
    this.#queryTimer = undefined;
    const found = describeTerminal(replies);
    if (found !== undefined) {
      const isLarge = found.rows !== DEFAULT_SIZE.rows || found.columns !== DEFAULT_SIZE.columns;
      this.transferBytes = found.transferBytes;
      this.#size = { rows: found.rows, columns: found.columns, isLarge, extended: true };
    }
    this.#run();
  }

  #run(): void {
    this.#runApplications().then(
      () => this.end(),
      (error: unknown) => {
        if (!(error instanceof TerminalGoneError)) this.end();
      },
    );
  }

  async #runApplications(): Promise<void> {
    const { applications, first, services } = this.#options;
    for (let next: string | undefined = first; next !== undefined; ) {
      const application: Application | undefined = applications[next];
      if (application === undefined) return;
      next = await application(this, services);
    }
  }

  #turnAway(reason: RejectReason | undefined): void {
    this.#output.send(new TextEncoder().encode(`${wordsOfRefusal(reason)}\r\n`));
    this.#output.end();
  }

  /** Sent as plain text, because no mode was agreed on. */
  #giveUp(): void {
    const seconds = this.#options.agreeMilliseconds / 1_000;
    this.#output.send(
      new TextEncoder().encode(`The negotiation did not complete within ${seconds} seconds. Goodbye.\r\n`),
    );
    this.#output.end();
  }

  #waitForKey(): void {
    clearTimeout(this.#silence);
    this.#silence = undefined;
    const { idleMilliseconds } = this.#options;
    if (idleMilliseconds === undefined) return;
    this.#silence = setTimeout(() => {
      const minutes = idleMilliseconds / 60_000;
      this.#sayLast(`No key was pressed for ${minutes} minutes: the session has ended.`);
    }, idleMilliseconds);
  }

  /** No UNBIND follows, so that the terminal keeps displaying the text. */
  #sayLast(text: string): void {
    const panel = this.panel().text(1, 2, text, { intensified: true });
    this.#send3270(panel.encode(this.#size, { restoreKeyboard: false }), false);
    this.#output.end();
  }

  #takeRecord(bytes: Uint8Array): void {
    if (this.#started) this.#silence?.refresh();
    if (this.#negotiation.mode === 'tn3270') {
      // printers send nothing in plain TN3270
      if (this.#printer === undefined) this.#take3270(bytes);
      return;
    }
    const header = this.#negotiation.mode === 'tn3270e' ? decodeTn3270eHeader(bytes) : undefined;
    if (header === undefined) return;
    const body = bytes.subarray(TN3270E_HEADER_BYTES);
    if (this.#printer !== undefined) this.#printer.take(header, body);
    else if (header.dataType === dataTypes.data3270) {
      if (header.responseFlag === responseFlags.always) this.#output.send(positiveResponseTo(header));
      this.#take3270(body);
    } else if (header.dataType === dataTypes.sscpLuData) {
      this.#takeServicesText(body);
    }
  }

  #take3270(record: Uint8Array): void {
    if (this.#queryTimer === undefined) {
      this.#awaited.take(record);
      return;
    }
    const inbound = decodeInboundRecord(record, this.rows * this.columns);
    if (inbound.kind === 'queryReplies') this.#queried(inbound.replies);
  }

  #answerOf(record: Uint8Array): PanelInput | undefined {
    const inbound = decodeInboundRecord(record, this.rows * this.columns);
    if (inbound.kind !== 'read') return undefined;
    const key = aidName(inbound.aid);
    return key === undefined || key === 'none' ? undefined : { key, fields: this.#fieldsOf(inbound.fields) };
  }

  #fieldsOf(fields: readonly InboundField[]): Record<string, string> {
    const names = this.#panel?.fieldNames(this.columns) ?? new Map<number, string>();
    const values: Record<string, string> = {};
    for (const { address, text } of fields) {
      const name = names.get(address);
      if (name !== undefined) values[name] = this.#options.codePage.decode(text).trimEnd();
    }
    return { ...this.#panel?.initialValues(), ...values };
  }

  #takeCommand(code: number): void {
    const isAttention = code === telnetCommands.interruptProcess || code === telnetCommands.break;
    if (code === telnetCommands.abortOutput && this.#isTn3270e('sysReq')) {
      // SYS REQ switches between the host's services and the application
      this.#atServices = !this.#atServices;
      this.#toShow = this.#atServices ? 'services' : 'panel';
    } else if (isAttention && this.#panel !== undefined) {
      this.#toShow = 'panel';
    } else {
      return;
    }
    if (this.#started) this.#silence?.refresh();
  }

  #answered(isRead: boolean): boolean {
    const toShow = this.#toShow;
    this.#toShow = undefined;
    if (toShow === 'panel') this.#showAgain();
    else if (toShow === 'services') this.#showServices();
    return isRead;
  }

  #showServices(): void {
    const text = 'SERVICES: TYPE LOGOFF, OR PRESS SYS REQ TO GO BACK ';
    this.#sendTyped(dataTypes.sscpLuData, this.#options.codePage.encode(text));
  }

  #takeServicesText(bytes: Uint8Array): void {
    if (/LOGOFF\s*$/i.test(this.#options.codePage.decode(bytes))) this.end();
    else
      this.#sendTyped(dataTypes.sscpLuData, Uint8Array.of(0x15, ...this.#options.codePage.encode('UNKNOWN COMMAND ')));
  }

  #showAgain(): void {
    if (this.#panel !== undefined)
      this.#send3270(this.#panel.encode(this.#size, this.#control({ resetModified: true })));
  }

  #control(control: WriteControl): WriteControl {
    const isLocked = this.#options.services.faults.has('locked');
    return { reset: true, restoreKeyboard: !isLocked, ...control };
  }

  #isTn3270e(name: Tn3270eFunction): boolean {
    return this.#negotiation.mode === 'tn3270e' && this.#negotiation.functions.has(name);
  }

  /**
   * Never sets KEYBOARD-RESTORE: the write control character restores the keyboard, and s3270 4.6 processes a file
   * transfer frame twice if both are set.
   * @param givesTurn SEND-DATA: the terminal may send
   */
  #send3270(record: Uint8Array, givesTurn = true): void {
    const requestFlag = givesTurn && this.#isTn3270e('contentionResolution') ? requestFlags.sendData : 0;
    if (this.#negotiation.mode === 'tn3270e') this.#sendTyped(dataTypes.data3270, record, requestFlag);
    else this.#output.sendRecord(encodeRecord(record));
  }

  #sendTyped(dataType: number, body: Uint8Array, requestFlag = 0): void {
    const sequenceNumber = this.#isTn3270e('responses') ? this.#sequenceNumber++ & 0x7fff : 0;
    const header = encodeTn3270eHeader({ dataType, requestFlag, responseFlag: responseFlags.none, sequenceNumber });
    this.#output.sendRecord(encodeRecord(body, header), dataType === dataTypes.data3270);
  }

  #left(): void {
    this.end();
    clearTimeout(this.#silence);
    clearTimeout(this.#queryTimer);
    this.#queryTimer = undefined;
    this.#gone.abort(new TerminalGoneError());
    this.#printer?.gone();
    this.#awaited.fail(new TerminalGoneError());
  }
}

/** Operator message that replaces the application's screen until a key is pressed. */
function broadcast(panel: Panel): Panel {
  return panel
    .text(1, 2, 'BROADCAST', { colour: 'red', intensified: true })
    .text(3, 2, 'Message of the operators: the system will be stopped at 18:00.', { colour: 'yellow' })
    .text(24, 2, 'Any key=Continue', { colour: 'blue' });
}
