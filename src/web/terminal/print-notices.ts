import type { ServerMessage } from '../../screen-protocol/server-message.js';
import type { BrowserSession } from '../../session/browser-session.js';
import type { DocumentFacts } from '../../spool/spooled-document.js';
import { printerOf, visiblePrinterOf } from '../sessions/session-printing.js';
import { siteOf } from '../sessions/session-site.js';

/** Tells one page of a session which document of its printer is there to be opened: the newest, and none that it was told before. */
export class PrintNotices {
  readonly #session: BrowserSession;
  readonly #send: (message: ServerMessage) => void;
  readonly #unwatch: (() => void) | undefined;
  #told = 0;

  constructor(session: BrowserSession, send: (message: ServerMessage) => void) {
    this.#session = session;
    this.#send = send;
    this.#unwatch = printerOf(session)?.watch(() => void this.tell());
  }

  async tell(): Promise<void> {
    const site = siteOf(this.#session);
    const printer = site && (await visiblePrinterOf(site, this.#session));
    const document: DocumentFacts | undefined = printer?.list()[0];
    if (printer === undefined || document === undefined || document.number <= this.#told) return;
    this.#told = document.number;
    if (printer.waits(document)) this.#send({ k: 'p', i: document.number, n: document.pages });
  }

  end(): void {
    this.#unwatch?.();
  }
}
