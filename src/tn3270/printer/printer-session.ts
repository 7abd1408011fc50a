import type { HostSessionEnd } from '../../../machines/host-session.machine.js';
import { messageOf } from '../../lib/text/messages.js';
import type { CodePage } from '../codepage/code-page.js';
import type { HostConnection, HostConnectionHandler } from '../host/host-connection.js';
import { createHostSessionActor, FOR_EVER, type HostSessionActor } from '../host/host-session-actor.js';
import type { HostSessionOptions } from '../host/host-session-options.js';
import { KeepAlive } from '../host/keep-alive.js';
import { OutboundHeaders, responseTo } from '../host/record-response.js';
import { StartTls } from '../host/start-tls.js';
import type { PrintFault } from '../print/paper.js';
import { associatedPrinterWords, type ClientMode, ClientNegotiation } from '../telnet/client-negotiation.js';
import { TelnetDecoder } from '../telnet/telnet-decoder.js';
import { encodeRecord } from '../telnet/telnet-encoder.js';
import {
  dataTypes,
  decodeTn3270eHeader,
  type negativeResponses,
  TN3270E_HEADER_BYTES,
  type Tn3270eHeader,
} from '../telnet/tn3270e-header.js';
import type { Tn3270eFunction } from '../telnet/tn3270e-words.js';
import { type PrintedJob, PrintJob } from './print-job.js';

const MOST_PRINT_RECORD_BYTES = 1 << 16;

const DEVICE_TYPE = 'IBM-3287-1';
/** Plain TN3270 cannot signal the end of a job. */
const PLAIN_SILENCE_MILLISECONDS = 10_000;
const functions: readonly Tn3270eFunction[] = ['bindImage', 'dataStreamControl', 'responses', 'scsControlCodes'];

/** Prints for one host over TN3270E (RFC 2355) or plain TN3270 (RFC 1576, 1646). */
export class PrinterSession {
  readonly #options: PrinterSessionOptions;
  readonly #listener: PrinterSessionListener;
  readonly #actor: HostSessionActor;
  readonly #decoder: TelnetDecoder;
  readonly #negotiation: ClientNegotiation;
  readonly #job: PrintJob;
  readonly #keepAlive: KeepAlive;
  #connection: HostConnection | undefined;
  #hasPartner = false;
  #unit: string | undefined;
  #isBound = false;
  readonly #startTls: StartTls;
  readonly #headers = new OutboundHeaders();
  #silence: NodeJS.Timeout | undefined;

  constructor(options: PrinterSessionOptions, listener: PrinterSessionListener) {
    this.#options = options;
    this.#listener = listener;
    this.#job = new PrintJob(options.codePage, (record) => this.#sendReply(record));
    this.#keepAlive = new KeepAlive(options.keepAlive, (bytes) => this.#write(bytes));
    this.#startTls = new StartTls(options, {
      drop: () => this.#decoder.drop(),
      secured: () => {
        // the BIND and the job received before TLS did not come from the verified host
        this.#beginAnew();
        this.#negotiation.restart();
      },
      failed: (detail) => this.#actor.send({ type: 'host.failed', detail }),
    });
    this.#decoder = new TelnetDecoder(
      this.#startTls.guard({
        record: (bytes) => this.#takeRecord(bytes),
        data: () => undefined,
        negotiation: (verb, option) => this.#negotiation.negotiation(verb, option),
        subnegotiation: (body) => this.#negotiation.subnegotiation(body),
        command: () => undefined,
        tooLong: (what) => listener.fault({ sense: 'commandReject', reason: `a ${what} that is too long`, offset: 0 }),
      }),
      MOST_PRINT_RECORD_BYTES,
    );
    this.#negotiation = new ClientNegotiation(
      {
        deviceType: DEVICE_TYPE,
        terminalType: DEVICE_TYPE,
        deviceNames: options.deviceNames,
        associate: options.associate,
        tn3270e: options.tn3270e,
        functions,
        environment: new Map(),
        startTls: options.startTls !== undefined,
        rows: 24,
        columns: 80,
      },
      {
        send: (bytes) => this.#write(bytes),
        changed: () => this.#negotiated(),
        startTls: () => this.#startTls.begin(this.#connection),
        deviceRefused: (refusals) => this.#actor.send({ type: 'host.deviceRefused', refusals }),
      },
    );
    this.#actor = createHostSessionActor({
      negotiationMilliseconds: options.negotiationMilliseconds ?? FOR_EVER,
      connect: async (signal) => {
        const connection = await options.connect(this.#handler(), signal);
        if (signal.aborted) connection.destroy();
        else this.#connected(connection);
      },
      // a printer without an agreed session has printed nothing
      endConnection: () => (this.isConnected ? this.#connection?.end() : this.#connection?.leave()),
      release: () => this.#release(),
    });
    this.#actor.subscribe({
      error: (error) => listener.ended({ kind: 'failed', detail: String(error) }),
      complete: () => listener.ended(this.#startTls.endOf(this.#actor.getSnapshot().context.end)),
    });
    this.#actor.start();
  }

  connect(): void {
    this.#actor.send({ type: 'operator.connect' });
  }

  stop(): void {
    this.#actor.send({ type: 'operator.stop' });
  }

  get deviceName(): string | undefined {
    return this.#negotiation.deviceName;
  }

  get mode(): ClientMode {
    return this.#negotiation.mode;
  }

  get functions(): ReadonlySet<Tn3270eFunction> {
    return this.#negotiation.functions;
  }

  get isConnected(): boolean {
    return this.#connection !== undefined && this.#hasPartner && this.#isAgreed;
  }

  get #isAgreed(): boolean {
    const { mode } = this.#negotiation;
    return mode === 'tn3270e' || mode === 'tn3270';
  }

  #handler(): HostConnectionHandler {
    return {
      take: (chunk, mayGoOn) => {
        this.#keepAlive.traffic();
        return this.#carryOut(() => this.#decoder.feed(chunk, mayGoOn));
      },
      goOn: (mayGoOn) => this.#carryOut(() => this.#decoder.goOn(mayGoOn)),
      ended: () => this.#hostEnded(),
      failed: (fault) => this.#actor.send({ type: 'host.failed', detail: fault.detail }),
    };
  }

  /** A programming error ends only this session. */
  #carryOut(carryOut: () => boolean): boolean {
    const connection = this.#connection;
    connection?.cork();
    try {
      return carryOut();
    } catch (error) {
      this.#actor.send({ type: 'host.failed', detail: messageOf(error) });
      return true;
    } finally {
      connection?.uncork();
    }
  }

  #connected(connection: HostConnection): void {
    this.#connection = connection;
    if (connection.secured !== undefined) this.#negotiation.secured();
    this.#startTls.connected(connection);
    this.#keepAlive.start();
    // all data for a printer comes in records
    this.#decoder.gathersRecords = true;
    connection.start();
    this.#listener.changed();
  }

  #hostEnded(): void {
    if (this.#startTls.isMissing) this.#startTls.missing({ code: 'startTls.closed' });
    const { refusal } = this.#negotiation;
    if (refusal !== undefined) this.#actor.send({ type: 'host.deviceRefused', refusals: [refusal] });
    this.#actor.send({ type: 'host.ended' });
  }

  #negotiated(): void {
    const { associate } = this.#options;
    if (this.deviceName !== this.#unit) this.#beginAnew();
    this.#unit = this.deviceName;
    if (this.mode === 'tn3270' && associate !== undefined) {
      this.#actor.send({
        type: 'host.deviceRefused',
        refusals: [{ device: associatedPrinterWords(associate), reason: { code: 'device.noAssociation' } }],
      });
    } else if (this.#isAgreed && !this.#hasPartner) {
      this.#hasPartner = true;
      this.#actor.send({ type: 'host.partnerFound' });
    }
    this.#listener.changed();
  }

  #takeRecord(bytes: Uint8Array): void {
    if (this.mode === 'tn3270') this.#printPlain(bytes);
    if (this.mode !== 'tn3270e') return;
    const header = decodeTn3270eHeader(bytes);
    if (header === undefined) return;
    const body = bytes.subarray(TN3270E_HEADER_BYTES);
    switch (header.dataType) {
      case dataTypes.scsData:
        this.#print(header, () => this.#job.scs.print(body));
        break;
      case dataTypes.data3270:
        this.#print(header, () => this.#job.dataStream.print(body));
        break;
      case dataTypes.printEndOfJob:
        this.#endJob(header);
        break;
      case dataTypes.bindImage:
        this.#beginAnew();
        this.#isBound = this.#negotiation.functions.has('bindImage');
        this.#respond(header, undefined);
        break;
      case dataTypes.unbind:
        this.#isBound = false;
        this.#endJob(header);
        this.#job.reset();
        break;
      case dataTypes.sscpLuData:
      case dataTypes.nvtData:
        this.#respond(header, 'commandReject');
        break;
      default:
        // printers ignore responses and requests
        break;
    }
  }

  #print(header: Tn3270eHeader, print: () => PrintFault | undefined): void {
    if (this.#negotiation.functions.has('bindImage') && !this.#isBound) return;
    if (!this.#listener.isReady) {
      this.#respond(header, 'interventionRequired');
      return;
    }
    const fault = print();
    if (fault !== undefined) this.#listener.fault(fault);
    this.#respond(header, fault?.sense);
    this.#waitForSilence();
  }

  /** Plain TN3270 has no header and no responses: records that fail are lost and logged. */
  #printPlain(record: Uint8Array): void {
    const fault = this.#listener.isReady ? this.#job.dataStream.print(record) : notReady;
    if (fault !== undefined) this.#listener.fault(fault);
    this.#waitForSilence();
  }

  /** Responds after the document was stored. */
  #endJob(header: Tn3270eHeader): void {
    const kept = this.#tearOff(true);
    // respond synchronously: a host may end thousands of empty jobs
    if (kept === undefined) this.#respond(header, undefined);
    else
      kept.then(
        (isKept) => this.#respond(header, isKept ? undefined : 'interventionRequired'),
        () => this.#respond(header, 'interventionRequired'),
      );
  }

  #tearOff(isComplete: boolean): Promise<boolean> | undefined {
    clearTimeout(this.#silence);
    const printed = this.#job.end();
    return printed && this.#listener.printed(printed, isComplete);
  }

  /**
   * Starts with an empty buffer for another application, another logical unit or TLS. An unfinished job is incomplete.
   */
  #beginAnew(): void {
    const isComplete = false;
    this.#isBound = false;
    void this.#tearOff(isComplete);
    this.#job.reset();
  }

  #waitForSilence(): void {
    const { silenceMilliseconds = this.mode === 'tn3270' ? PLAIN_SILENCE_MILLISECONDS : undefined } = this.#options;
    clearTimeout(this.#silence);
    if (silenceMilliseconds === undefined || !this.#job.hasBegun) return;
    this.#silence = setTimeout(() => void this.#tearOff(true), silenceMilliseconds).unref();
  }

  #respond(header: Tn3270eHeader, refusal: keyof typeof negativeResponses | undefined): void {
    const response = responseTo(header, refusal);
    if (response !== undefined) this.#write(response);
  }

  #sendReply(record: Uint8Array): void {
    const isNumbered = this.#negotiation.functions.has('responses');
    const header = this.mode === 'tn3270' ? undefined : this.#headers.next(dataTypes.data3270, isNumbered);
    this.#write(encodeRecord(record, header));
  }

  #write(bytes: Uint8Array): void {
    if (!this.#startTls.maySend(bytes)) return;
    this.#keepAlive.traffic();
    this.#connection?.write(bytes);
  }

  /** Stores an unfinished job as incomplete. */
  #release(): void {
    this.#keepAlive.stop();
    this.#decoder.drop();
    this.#connection?.destroy();
    this.#connection = undefined;
    void this.#tearOff(false);
  }
}
const notReady: PrintFault = { sense: 'interventionRequired', reason: 'the printer is not ready', offset: 0 };

export interface PrinterSessionOptions
  extends Pick<
    HostSessionOptions,
    'connect' | 'startTls' | 'requiresStartTls' | 'tn3270e' | 'keepAlive' | 'negotiationMilliseconds'
  > {
  readonly codePage: CodePage;
  /** Logical units to request, in this order. If empty, the host chooses. */
  readonly deviceNames: readonly string[];
  /** Logical unit of the display whose printer this is; `deviceNames` is then ignored. */
  readonly associate: string | undefined;
  /**
   * A job also ends after this silence of the host. Undefined: never in TN3270E, after a default time in plain TN3270.
   */
  readonly silenceMilliseconds: number | undefined;
}

export interface PrinterSessionListener {
  changed(): void;
  /** If false, the host receives "intervention required". */
  readonly isReady: boolean;
  /** Called at the end of a job. @returns false if the document was not stored: the host gets a negative response */
  printed(printed: PrintedJob, isComplete: boolean): Promise<boolean>;
  fault(fault: PrintFault): void;
  ended(end: HostSessionEnd): void;
}
