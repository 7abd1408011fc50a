import type { DocumentFacts } from '../../printing/spooled-document.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import type { ServerMessage } from '../../terminal/protocol/server-message.js';
import { printerOf, visiblePrinterOf } from '../sessions/session-printing.js';
import { siteOf } from '../sessions/session-site.js';

/** The session has a printer, and nothing waits. */
const NONE = { number: 0, pages: 0 } as const;

/** Tells one page of a session which document of its printer is there to be opened: the newest, and none that it was told before. */
export class PrintNotices {
  readonly #session: BrowserSession;
  readonly #send: (message: ServerMessage) => void;
  readonly #unwatch: (() => void) | undefined;
  #told: number | undefined;

  constructor(session: BrowserSession, send: (message: ServerMessage) => void) {
    this.#session = session;
    this.#send = send;
    this.#unwatch = printerOf(session)?.watch(() => void this.tell());
  }

  async tell(): Promise<void> {
    const site = siteOf(this.#session);
    const printer = site && (await visiblePrinterOf(site, this.#session));
    const document: DocumentFacts | undefined = printer?.list()[0];
    if (printer === undefined) return;
    const waiting = document !== undefined && printer.waits(document) ? document : undefined;
    const { number, pages } = waiting ?? NONE;
    if (number === this.#told) return;
    this.#told = number;
    this.#send({ k: 'p', i: number, n: pages });
  }

  end(): void {
    this.#unwatch?.();
  }
}
