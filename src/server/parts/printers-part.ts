import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../access/audit/audit-entry.js';
import type { Configuration } from '../../config/configuration.js';
import type { PrinterDocument } from '../../config/configuration-document.js';
import type { Log } from '../../lib/log/log.js';
import { type Metrics, noMetrics } from '../../lib/metrics.js';
import type { PrinterReport } from '../../operation/server-figures.js';
import { DocumentOutput } from '../../printing/document-output.js';
import { DocumentSpool } from '../../printing/document-spool.js';
import { FileSpoolStore } from '../../printing/file-spool-store.js';
import { HostPrinter } from '../../printing/host-printer.js';
import { preparePdf } from '../../printing/pdf-document.js';
import { PrintedFolder } from '../../printing/printed-folder.js';
import { SessionPrinter } from '../../printing/session-printer.js';
import { MemorySpoolStore } from '../../printing/spool-store.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import { noTerminalWishes } from '../../sessions/session-host.js';
import type { PrinterSessionOptions } from '../../tn3270/printer/printer-session.js';
import type { SitePrinters } from '../../web/http/client-site.js';
import { needsRestartOutcome, type Part, type Replacement, unchanged } from '../part.js';
import type { HostsPart } from './hosts-part.js';
import type { SecurityPart } from './security-part.js';

/** Default, in the data folder. */
const SPOOL_FOLDER = 'printed';
const AGEING_MILLISECONDS = 60_000;

interface SharedPrinter {
  readonly printer: HostPrinter;
  readonly spool: DocumentSpool | undefined;
  readonly output: DocumentOutput;
}

interface PrinterState {
  readonly name: string;
  readonly isConnected: boolean;
  /** Fraction of the spool limits used by unopened documents. Undefined without a spool. */
  readonly unopenedShare: number | undefined;
}

export class PrintersPart implements Part, SitePrinters {
  readonly name = 'printers';
  readonly reads = ['printers'] as const;
  readonly #printers: Configuration['printers'];
  readonly #folder: string;
  readonly #hosts: HostsPart;
  readonly #security: SecurityPart;
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #outputs = new Map<string, DocumentOutput>();
  readonly #shared = new Map<string, SharedPrinter>();
  readonly #ofSessions = new Map<string, Set<HostPrinter>>();
  #ageing: NodeJS.Timeout | undefined;

  constructor(
    { printers, data }: Configuration,
    { hosts, security }: { readonly hosts: HostsPart; readonly security: SecurityPart },
    log: Log,
    metrics = noMetrics,
  ) {
    this.#printers = printers;
    this.#folder = join(data, SPOOL_FOLDER);
    this.#hosts = hosts;
    this.#security = security;
    this.#log = log;
    this.#metrics = metrics;
  }

  get reports(): readonly PrinterReport[] {
    return [...this.#printers].map(([name, { host, associate }]) => {
      const shared = this.#shared.get(name)?.printer;
      const printers = shared === undefined ? [...(this.#ofSessions.get(name) ?? [])] : [shared];
      const printed = printers.reduce<number | undefined>(latest, undefined);
      return {
        name,
        host,
        ofSessions: associate,
        printers: printers.length,
        connected: printers.filter(({ state }) => state === 'connected').length,
        logicalUnit: shared?.logicalUnit,
        documents: printers.reduce((sum, { documents }) => sum + documents, 0),
        trouble: printers.find(({ trouble }) => trouble !== undefined)?.trouble,
        lastPrinted: printed === undefined ? undefined : new Date(printed).toISOString(),
      };
    });
  }

  get states(): readonly PrinterState[] {
    return [...this.#shared].map(([name, { printer }]) => ({
      name,
      isConnected: printer.state === 'connected',
      unopenedShare: printer.unopenedShare,
    }));
  }

  async start(): Promise<void> {
    await this.#tryFonts();
    for (const [name, definition] of this.#printers) {
      const output = outputOf(name, definition);
      this.#outputs.set(name, output);
      await this.#removeHalfWritten(name, output);
      if (definition.associate) continue;
      const spool = definition.groups.length === 0 ? undefined : await this.#openSpool(name, definition);
      const session = this.#sessionOptions(definition, undefined);
      if (session === undefined) throw new Error(`printer ${name}: the host ${definition.host} is not there`);
      const printer = this.#hostPrinter(name, definition, { session, spool, output, owner: `printer ${name}` });
      this.#shared.set(name, { printer, spool, output });
      printer.start();
    }
    this.#ageing = setInterval(() => {
      for (const { spool } of this.#shared.values()) spool?.removeOld();
    }, AGEING_MILLISECONDS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#ageing);
    const ofSessions = [...this.#ofSessions.values()].flatMap((printers) => [...printers]);
    const shared = [...this.#shared.values()].map(({ printer }) => printer);
    await Promise.all([...ofSessions, ...shared].map((printer) => printer.stop()));
  }

  async replace({ printers }: Configuration): Promise<Replacement> {
    if (isDeepStrictEqual(printers, this.#printers)) return unchanged;
    return needsRestartOutcome({ what: 'printers', reason: 'hosts may be printing, and documents would be lost' });
  }

  noteOpened(actor: Actor, name: string, document: number): Promise<void> {
    const { audit } = this.#security.users;
    return audit.note({ ...actor, what: 'document.opened', subject: `printer ${name}`, after: { document } });
  }

  openFor(name: string, session: BrowserSession): SessionPrinter | undefined {
    const definition = this.#printers.get(name);
    const output = this.#outputs.get(name);
    if (definition === undefined || output === undefined) return undefined;
    if (definition.associate) return this.#openOwn(name, { definition, output, session });
    const { spool, printer } = this.#shared.get(name) ?? {};
    if (spool === undefined) return undefined;
    const { groups } = definition;
    return new SessionPrinter({ name, spool, output, groups, logicalUnit: () => printer?.logicalUnit });
  }

  /** An unreadable folder is reported with the first document. */
  async #removeHalfWritten(printer: string, output: DocumentOutput): Promise<void> {
    try {
      for (const file of await output.removeHalfWritten())
        this.#log.info({ printer, file }, 'an incomplete file of a killed process was removed');
    } catch (error) {
      this.#log.warn({ printer, err: error }, 'incomplete files cannot be removed');
    }
  }

  async #tryFonts(): Promise<void> {
    const tried = new Set<string | undefined>();
    for (const [name, { form }] of this.#printers) {
      if (tried.has(form.font)) continue;
      tried.add(form.font);
      await preparePdf(form).catch((error: unknown) => {
        throw new Error(`printer ${name}: form.font ${form.font}: ${error instanceof Error ? error.message : error}`);
      });
    }
  }

  /** @throws Error if the folder is not usable, because the documents would be lost with the server */
  async #openSpool(printer: string, definition: PrinterDocument): Promise<DocumentSpool> {
    const folder = join(definition.spool.folder ?? this.#folder, printer);
    try {
      const { store, documents } = await FileSpoolStore.open(folder, (file) =>
        this.#log.warn({ printer, file }, 'the folder of printed documents contains another file'),
      );
      const report = (reason: string) => this.#log.warn({ printer, reason }, 'a printed document could not be removed');
      return new DocumentSpool({ limits: spoolLimitsOf(definition), store, documents, report });
    } catch (error) {
      throw new Error(`printer ${printer}: ${(error as Error).message}`);
    }
  }

  /** Printer associated with the display of a session. It ends with the session. */
  #openOwn(
    name: string,
    {
      definition,
      output,
      session,
    }: { readonly definition: PrinterDocument; readonly output: DocumentOutput; readonly session: BrowserSession },
  ): SessionPrinter | undefined {
    const { deviceName } = session.conversation;
    const options = deviceName === undefined ? undefined : this.#sessionOptions(definition, deviceName);
    if (options === undefined) {
      this.#log.warn(
        { ...session.logged, printer: name },
        'the host did not assign a logical unit, so the session has no printer',
      );
      return undefined;
    }
    const spool = new DocumentSpool({ limits: spoolLimitsOf(definition), store: new MemorySpoolStore() });
    const owner = session.facts.user === '' ? `session from ${session.facts.address}` : session.facts.user;
    const printer = this.#hostPrinter(name, definition, { session: options, spool, output, owner });
    const printers = this.#ofSessions.get(name) ?? new Set();
    this.#ofSessions.set(name, printers.add(printer));
    session.whenEnded(() => {
      void printer.stop();
      printers.delete(printer);
    });
    printer.start();
    return new SessionPrinter({
      name,
      spool,
      output,
      groups: undefined,
      logicalUnit: () => printer.logicalUnit,
    });
  }

  #hostPrinter(
    name: string,
    { host }: PrinterDocument,
    options: Pick<ConstructorParameters<typeof HostPrinter>[0], 'session' | 'spool' | 'output' | 'owner'>,
  ): HostPrinter {
    const audit = () => this.#security.users.audit;
    return new HostPrinter({ ...options, name, host, audit, log: this.#log, metrics: this.#metrics });
  }

  #sessionOptions(
    { host, luName, silenceSeconds }: PrinterDocument,
    associate: string | undefined,
  ): PrinterSessionOptions | undefined {
    const options = this.#hosts.sessionHosts.get(host)?.optionsFor(noTerminalWishes);
    if (options?.kind !== 'read') return undefined;
    const { connect, startTls, requiresStartTls, tn3270e, keepAlive, negotiationMilliseconds, codePage } =
      options.value;
    return {
      connect,
      startTls,
      requiresStartTls,
      tn3270e,
      keepAlive,
      negotiationMilliseconds,
      codePage,
      deviceNames: luName === undefined ? [] : [luName.toUpperCase()],
      associate,
      silenceMilliseconds: silenceSeconds === 0 ? undefined : silenceSeconds * 1_000,
    };
  }
}

function latest(found: number | undefined, { lastPrinted }: HostPrinter): number | undefined {
  return lastPrinted !== undefined && lastPrinted > (found ?? 0) ? lastPrinted : found;
}

function outputOf(printer: string, { form, output }: PrinterDocument): DocumentOutput {
  return new DocumentOutput({
    printer,
    form,
    folder: output && { files: new PrintedFolder(output.folder, output.mostFiles), as: output.as },
  });
}

function spoolLimitsOf({ spool: { documents, mebibytes, minutes } }: PrinterDocument) {
  return { documents, bytes: mebibytes << 20, milliseconds: minutes * 60_000 };
}
