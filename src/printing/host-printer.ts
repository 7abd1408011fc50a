import { deviceRefusalWords } from '../../machines/device-refusal.js';
import type { HostSessionEnd } from '../../machines/host-session.machine.js';
import type { AuditEntry } from '../access/audit/audit-entry.js';
import type { AuditTrail } from '../access/audit/audit-trail.js';
import { detailText } from '../lib/locale.js';
import type { Log } from '../lib/log/log.js';
import { PacedLines } from '../lib/log/paced-lines.js';
import type { Metrics } from '../lib/metrics.js';
import { messageOf } from '../lib/text/messages.js';
import type { PrintFault } from '../tn3270/print/paper.js';
import type { PrintedJob } from '../tn3270/printer/print-job.js';
import { PrinterSession, type PrinterSessionOptions } from '../tn3270/printer/printer-session.js';
import type { DocumentOutput } from './document-output.js';
import { type DocumentSpool, SPOOL_WARNING_SHARE } from './document-spool.js';

/** The last delay repeats. A connection that printed, or lasted longer than the last delay, resets the delays. */
const RETRY_MILLISECONDS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000] as const;
/** Maximum number of documents being stored. Above it, the printer reports to the host that it is not ready. */
const MOST_UNFINISHED = 4;
const OPEN_OR_RAISE = 'open them in the terminal, or raise spool.documents or spool.mebibytes of the printer';
const SPOOL_IS_FULL = `its spool is full of unopened documents, and no document is accepted: ${OPEN_OR_RAISE}`;

type PrinterState = 'connecting' | 'connected' | 'waiting' | 'stopped';

interface HostPrinterOptions {
  readonly name: string;
  readonly host: string;
  readonly session: PrinterSessionOptions;
  readonly spool: DocumentSpool | undefined;
  readonly output: DocumentOutput;
  readonly owner: string;
  readonly audit: () => AuditTrail;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly retryMilliseconds?: readonly number[];
}

export class HostPrinter {
  readonly #options: HostPrinterOptions;
  #session: PrinterSession | undefined;
  #state: PrinterState = 'stopped';
  #timer: NodeJS.Timeout | undefined;
  #attempts = 0;
  #connectedAt: number | undefined;
  #trouble: string | undefined;
  #spoolLevel: 'free' | 'nearlyFull' | 'full' = 'free';
  #documents = 0;
  #lastNumber: number;
  #lastPrinted: number | undefined;
  #unfinished = new Set<Promise<boolean>>();
  readonly #faults = new PacedLines();
  /** Resolves when the session has ended; until then the host may complete its job. */
  #over = Promise.resolve();

  constructor(options: HostPrinterOptions) {
    this.#options = options;
    this.#lastNumber = options.spool?.lastNumber ?? 0;
  }

  get name(): string {
    return this.#options.name;
  }

  get host(): string {
    return this.#options.host;
  }

  get state(): PrinterState {
    return this.#state;
  }

  get trouble(): string | undefined {
    return this.#trouble ?? this.#spoolTrouble;
  }

  get #spoolTrouble(): string | undefined {
    const share = this.unopenedShare ?? 0;
    if (share >= 1) return SPOOL_IS_FULL;
    if (share < SPOOL_WARNING_SHARE) return undefined;
    return `its spool is ${percentOf(share)} % full of unopened documents: ${OPEN_OR_RAISE}`;
  }

  get unopenedShare(): number | undefined {
    return this.#options.spool?.unopenedShare;
  }

  get logicalUnit(): string | undefined {
    return this.#session?.deviceName;
  }

  get documents(): number {
    return this.#documents;
  }

  get lastPrinted(): number | undefined {
    return this.#lastPrinted;
  }

  start(): void {
    if (this.#state !== 'stopped') return;
    this.#warnOfSpool();
    this.#connect();
  }

  async stop(): Promise<void> {
    this.#state = 'stopped';
    clearTimeout(this.#timer);
    this.#session?.stop();
    await this.#over;
    await Promise.all(this.#unfinished);
  }

  get #isReady(): boolean {
    return this.#unfinished.size < MOST_UNFINISHED && this.#options.spool?.hasRoom !== false;
  }

  #connect(): void {
    this.#state = 'connecting';
    const printer = this;
    let over: () => void = () => undefined;
    this.#over = new Promise((resolve) => {
      over = resolve;
    });
    const session = new PrinterSession(this.#options.session, {
      changed: () => this.#changed(),
      get isReady() {
        return printer.#isReady;
      },
      printed: (printed, isComplete) => this.#printed(printed, isComplete),
      fault: (fault) => this.#fault(fault),
      ended: (end) => {
        over();
        this.#ended(end);
      },
    });
    this.#session = session;
    session.connect();
  }

  #changed(): void {
    if (this.#state !== 'connecting' || this.#session?.isConnected !== true) return;
    this.#state = 'connected';
    this.#connectedAt = performance.now();
    this.#trouble = undefined;
    this.#say('info', 'a printer is connected', { logicalUnit: this.logicalUnit });
  }

  #ended(end: HostSessionEnd): void {
    if (this.#state === 'stopped') return;
    const { retryMilliseconds = RETRY_MILLISECONDS } = this.#options;
    const longest = retryMilliseconds.at(-1) ?? 0;
    if (this.#connectedAt !== undefined && performance.now() - this.#connectedAt > longest) this.#attempts = 0;
    this.#connectedAt = undefined;
    const delay = retryMilliseconds[Math.min(this.#attempts, retryMilliseconds.length - 1)] ?? 0;
    this.#attempts++;
    this.#state = 'waiting';
    this.#trouble = endText(end);
    this.#say('warn', 'a printer is not connected', { reason: this.#trouble, nextTryMilliseconds: delay });
    this.#timer = setTimeout(() => this.#connect(), delay).unref();
  }

  #fault({ reason, sense, offset }: PrintFault): void {
    this.#faults.say((leftOut) => {
      const facts = { reason, sense, offset, ...(leftOut === undefined ? {} : { leftOut }) };
      this.#say('warn', 'a printer could not print a record', facts);
    });
  }

  #printed(printed: PrintedJob, isComplete: boolean): Promise<boolean> {
    // a document that consists only of commands has no readable content
    if (printed.pages.length === 0 && !this.#options.output.writesTransparent) return Promise.resolve(true);
    const kept = this.#keep(printed, isComplete).catch((error: unknown) => {
      this.#options.metrics.documentPrinted(this.name, 'failed');
      this.#trouble = `a document could not be stored: ${messageOf(error)}`;
      this.#say('error', 'a printed document was not stored', { reason: this.#trouble });
      return false;
    });
    this.#unfinished.add(kept);
    return kept.finally(() => this.#unfinished.delete(kept));
  }

  /** A document without audit entry is not stored. */
  async #keep(printed: PrintedJob, isComplete: boolean): Promise<boolean> {
    const { pages } = printed;
    const { name, host, owner, spool, output, audit, metrics } = this.#options;
    const logicalUnit = this.logicalUnit ?? '';
    const facts = { number: ++this.#lastNumber, printed: Date.now(), pages: pages.length, isComplete };
    this.#documents++;
    this.#lastPrinted = facts.printed;
    const entry: AuditEntry = {
      who: owner,
      from: `host ${host}`,
      what: 'document.printed',
      subject: `printer ${name}`,
      after: { document: facts.number, pages: facts.pages, complete: isComplete, logicalUnit },
    };
    await audit().record(entry, async () => {
      await output.write(facts, printed, logicalUnit);
      if (spool !== undefined && pages.length > 0 && !(await spool.add(facts, pages)))
        throw new Error('there is no room for it in the spool');
    });
    this.#trouble = undefined;
    this.#attempts = 0;
    metrics.documentPrinted(name, isComplete ? 'printed' : 'cut');
    this.#say('info', 'a document was printed', { document: facts.number, pages: facts.pages, isComplete });
    this.#warnOfSpool();
    return true;
  }

  /** Logs once when the spool becomes nearly full, and once when it becomes full. */
  #warnOfSpool(): void {
    const reason = this.#spoolTrouble;
    const isFull = reason === SPOOL_IS_FULL;
    const level = reason === undefined ? 'free' : isFull ? 'full' : 'nearlyFull';
    if (level === this.#spoolLevel) return;
    this.#spoolLevel = level;
    if (reason !== undefined)
      this.#say('warn', isFull ? 'a printer is not ready' : 'the spool of a printer is nearly full', { reason });
  }

  /** Must not log printed text. */
  #say(level: 'info' | 'warn' | 'error', message: string, facts: object): void {
    this.#options.log[level]({ printer: this.name, host: this.host, ...facts }, message);
  }
}

function percentOf(share: number): number {
  return Math.floor(share * 100);
}

function endText(end: HostSessionEnd): string {
  switch (end.kind) {
    case 'deviceRefused':
      return `the host refused ${deviceRefusalWords(end.refusals)}`;
    case 'failed':
      return detailText(end.detail, 'en');
    case 'silent':
      return 'the host does not accept a printer session';
    default:
      return 'the host has ended the session';
  }
}
