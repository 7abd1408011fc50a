import { encodeBindImage } from '../../tn3270/telnet/bind-image.js';
import type { DeviceAssignment, HostNegotiation } from '../../tn3270/telnet/host-negotiation.js';
import { encodeRecord } from '../../tn3270/telnet/telnet-encoder.js';
import {
  dataTypes,
  encodeTn3270eHeader,
  nextSequenceNumber,
  responseFlags,
  responseKinds,
  type Tn3270eHeader,
} from '../../tn3270/telnet/tn3270e-header.js';
import type { DevicePool } from './device-pool.js';

export type PrintStream = 'scs' | '3270';

export interface QueuedJob {
  readonly stream: PrintStream;
  /** Without TN3270E header. */
  readonly records: readonly Uint8Array[];
}

export type PrintOutcome =
  | { readonly kind: 'printed' }
  | { readonly kind: 'refused'; readonly code: number }
  | { readonly kind: 'gone' | 'busy' | 'silent' | 'wrongStream' };

interface PrinterDeviceOptions {
  readonly negotiation: HostNegotiation;
  readonly send: (record: Uint8Array) => void;
  /** EBCDIC, for the BIND. */
  readonly applicationName: Uint8Array;
  readonly answerMilliseconds: number;
}

const PRINTER_SIZE = { rows: 24, columns: 80 } as const;
const LARGEST_PRINTER_SIZE = { rows: 27, columns: 132 } as const;

type RecordAnswer = 'positive' | 'gone' | 'silent' | { readonly refusal: number };

/** A connected printer. Jobs are sent one at a time, and each record is answered before the next. */
export class PrinterDevice {
  readonly #options: PrinterDeviceOptions;
  #sequenceNumber = 0;
  #waiting: { readonly sequenceNumber: number; readonly answer: (answer: RecordAnswer) => void } | undefined;
  #isPrinting = false;
  #isGone = false;

  constructor(options: PrinterDeviceOptions) {
    this.#options = options;
    if (!options.negotiation.functions.has('bindImage')) return;
    const bind = encodeBindImage(PRINTER_SIZE, LARGEST_PRINTER_SIZE, options.applicationName);
    void this.#send(dataTypes.bindImage, bind, responseFlags.none);
  }

  async print({ stream, records }: QueuedJob): Promise<PrintOutcome> {
    if (this.#isPrinting) return { kind: 'busy' };
    if (this.#isGone) return { kind: 'gone' };
    const { functions } = this.#options.negotiation;
    if (this.#options.negotiation.mode === 'tn3270') return this.#printPlain(stream, records);
    if (!functions.has(stream === 'scs' ? 'scsControlCodes' : 'dataStreamControl')) return { kind: 'wrongStream' };
    this.#isPrinting = true;
    try {
      const dataType = stream === 'scs' ? dataTypes.scsData : dataTypes.data3270;
      const flag = functions.has('responses') ? responseFlags.always : responseFlags.none;
      for (const record of records) {
        const answer = await this.#send(dataType, record, flag);
        if (answer !== 'positive') return outcomeOf(answer);
      }
      const answer = await this.#send(dataTypes.printEndOfJob, new Uint8Array(0), flag);
      return answer === 'positive' ? { kind: 'printed' } : outcomeOf(answer);
    } finally {
      this.#isPrinting = false;
    }
  }

  /** Plain TN3270 supports only the 3270 data stream, and neither answers nor end-of-job records. */
  #printPlain(stream: PrintStream, records: readonly Uint8Array[]): PrintOutcome {
    if (stream === 'scs') return { kind: 'wrongStream' };
    for (const record of records) this.#options.send(encodeRecord(record));
    return { kind: 'printed' };
  }

  take(header: Tn3270eHeader, body: Uint8Array): void {
    const waiting = this.#waiting;
    if (header.dataType !== dataTypes.response || waiting?.sequenceNumber !== header.sequenceNumber) return;
    this.#waiting = undefined;
    const isPositive = header.responseFlag === responseKinds.positive;
    waiting.answer(isPositive ? 'positive' : { refusal: body[0] ?? 0 });
  }

  gone(): void {
    this.#isGone = true;
    this.#waiting?.answer('gone');
    this.#waiting = undefined;
  }

  async #send(dataType: number, body: Uint8Array, responseFlag: number): Promise<RecordAnswer> {
    if (this.#isGone) return 'gone';
    const sequenceNumber = this.#sequenceNumber;
    if (this.#options.negotiation.functions.has('responses')) this.#sequenceNumber = nextSequenceNumber(sequenceNumber);
    const header = encodeTn3270eHeader({ dataType, requestFlag: 0, responseFlag, sequenceNumber });
    if (responseFlag === responseFlags.none) {
      this.#options.send(encodeRecord(body, header));
      return 'positive';
    }
    const answered = new Promise<RecordAnswer>((resolve) => {
      const timer = setTimeout(() => resolve('silent'), this.#options.answerMilliseconds);
      const answer = (said: RecordAnswer) => {
        clearTimeout(timer);
        resolve(said);
      };
      this.#waiting = { sequenceNumber, answer };
    });
    this.#options.send(encodeRecord(body, header));
    return answered;
  }
}

function outcomeOf(answer: Exclude<RecordAnswer, 'positive'>): PrintOutcome {
  return typeof answer === 'string' ? { kind: answer } : { kind: 'refused', code: answer.refusal };
}

const LONGEST_NAME = 8;

export class PrinterList {
  readonly #displays: DevicePool;
  readonly #names: DevicePool;
  readonly #printers = new Map<string, PrinterDevice>();

  constructor(displays: DevicePool, names: DevicePool) {
    this.#displays = displays;
    this.#names = names;
  }

  assign(name: string | undefined): DeviceAssignment {
    return name !== undefined && this.#displays.has(name) ? { reject: 'typeNameError' } : this.#names.take(name);
  }

  assignTo(display: string): DeviceAssignment {
    return this.#displays.has(display) ? this.#names.take(printerOf(display)) : { reject: 'invalidAssociation' };
  }

  giveBack(name: string): void {
    this.#printers.delete(name);
    this.#names.giveBack(name);
  }

  attach(name: string, printer: PrinterDevice): void {
    this.#printers.set(name, printer);
  }

  isConnected(name: string): boolean {
    return this.#printers.has(name);
  }

  /** Default printer of a display: its own, or else the one connected first. */
  nearest(display: string): string | undefined {
    const own = printerOf(display);
    return this.isConnected(own) ? own : this.#printers.keys().next().value;
  }

  async print(name: string, job: QueuedJob): Promise<PrintOutcome> {
    return (await this.#printers.get(name)?.print(job)) ?? { kind: 'gone' };
  }
}

/** P and the end of the display's name: SIM00012 has PIM00012. */
function printerOf(display: string): string {
  return `P${display.slice(1 - LONGEST_NAME)}`.slice(0, LONGEST_NAME);
}
