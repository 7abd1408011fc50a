import { deviceRefusalWords } from '../../machines/device-refusal.js';
import type { HostServices } from '../../src/demo/simulated-host/application.js';
import type { PrintOutcome, QueuedJob } from '../../src/demo/simulated-host/printer-device.js';
import { SimulatedHost, type SimulatedHostOptions } from '../../src/demo/simulated-host/simulated-host.js';
import { detailText } from '../../src/lib/locale.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { type HostConnection, openHostConnection } from '../../src/tn3270/host/host-connection.js';
import type { PrintedPage } from '../../src/tn3270/print/printed-page.js';
import {
  PrinterSession,
  type PrinterSessionListener,
  type PrinterSessionOptions,
} from '../../src/tn3270/printer/printer-session.js';
import { eventually } from './eventually.js';
import { RawTerminal } from './raw-terminal.js';

const codePageOf = (name: string) => {
  const page = findCodePage(name);
  if (page === undefined) throw new Error(`no code page ${name}`);
  return page;
};

/** A simulated host that prints jobs of a test on printers connected to its port. */
export class PrintingHost {
  readonly host: SimulatedHost;
  readonly port: number;
  readonly display: RawTerminal;
  readonly #services: HostServices;
  readonly displayName: string;

  private constructor(host: SimulatedHost, port: number, display: RawTerminal, services: HostServices, name: string) {
    this.host = host;
    this.port = port;
    this.display = display;
    this.#services = services;
    this.displayName = name;
  }

  static async start(options: Partial<SimulatedHostOptions> = {}): Promise<PrintingHost> {
    let found: { readonly services: HostServices; readonly name: string } | undefined;
    const host = new SimulatedHost({
      codePage: codePageOf('cp037'),
      users: {},
      start: 'MENU',
      applications: {
        MENU: async (terminal, services) => {
          found = { services, name: terminal.deviceName };
          await terminal.pause(1_000_000);
          return undefined;
        },
      },
      ...options,
    });
    const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
    const display = new RawTerminal({ port });
    if (options.tn3270e === false) {
      // TERMINAL-TYPE IS IBM-3278-2; END-OF-RECORD and BINARY in both directions
      display.send('fffb18 fffa1800 49424d2d333237382d32 fff0 fffb19 fffd19 fffb00 fffd00');
    } else {
      display.send('fffb28');
      display.send(RawTerminal.deviceRequest);
      display.send('fffa280307 04 fff0');
    }
    const { services, name } = await eventually(() => found);
    return new PrintingHost(host, port, display, services, name);
  }

  async print(name: string, job: QueuedJob): Promise<PrintOutcome> {
    await eventually(() => (this.#services.printers.isConnected(name) ? true : undefined));
    return this.#services.printers.print(name, job);
  }

  async close(): Promise<void> {
    this.display.destroy();
    await this.host.close();
  }
}

export class TestPrinter {
  readonly session: PrinterSession;
  readonly documents: { readonly pages: readonly PrintedPage[]; readonly isComplete: boolean }[] = [];
  readonly transparent: Uint8Array[] = [];
  readonly faults: string[] = [];
  end: string | undefined;
  isReady = true;
  keeps = true;

  constructor(port: number, options: Partial<PrinterSessionOptions> & { readonly codePageName?: string } = {}) {
    const { codePageName = 'cp037', ...more } = options;
    const printer = this;
    const listener: PrinterSessionListener = {
      changed: () => undefined,
      get isReady() {
        return printer.isReady;
      },
      printed: async ({ pages, transparent }, isComplete) => {
        if (transparent.length > 0) this.transparent.push(transparent);
        if (pages.length > 0) this.documents.push({ pages, isComplete });
        return this.keeps;
      },
      fault: ({ reason }) => this.faults.push(reason),
      ended: (end) => {
        const detail =
          end.kind === 'deviceRefused'
            ? deviceRefusalWords(end.refusals)
            : 'detail' in end && detailText(end.detail, 'en');
        this.end = detail === false ? end.kind : `${end.kind}: ${detail}`;
      },
    };
    this.session = new PrinterSession(
      {
        codePage: codePageOf(codePageName),
        deviceNames: [],
        associate: undefined,
        silenceMilliseconds: undefined,
        connect: (handler, signal): Promise<HostConnection> =>
          openHostConnection({ address: { host: '127.0.0.1', port }, connectMilliseconds: 10_000, signal }, handler),
        startTls: undefined,
        tn3270e: true,
        keepAlive: undefined,
        negotiationMilliseconds: 10_000,
        ...more,
      },
      listener,
    );
    this.session.connect();
  }

  async connected(): Promise<string> {
    await eventually(() => (this.session.isConnected || this.end !== undefined ? true : undefined));
    return this.session.deviceName ?? this.end ?? '';
  }

  async ended(): Promise<string> {
    return eventually(() => this.end);
  }

  stop(): void {
    this.session.stop();
  }
}
