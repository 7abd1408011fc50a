import type { SessionPrinter } from '../../printing/session-printer.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import type { ClientSite } from '../http/client-site.js';
import { RunningMacro } from '../terminal/running-macro.js';
import { SocketPages } from '../terminal/socket-pages.js';
import { ShownPages } from './shown-page.js';

/** State of the pages that show one session. The session owns it, and both are discarded together. */
class ViewState {
  /** The pages and transactions of the session's start. They stay in use after a reload of the line. */
  site: ClientSite | undefined;
  printer: SessionPrinter | undefined;
  readonly shown = new ShownPages();
  readonly #session: BrowserSession;
  #socketPages: SocketPages | undefined;
  #macros: RunningMacro | undefined;

  constructor(session: BrowserSession) {
    this.#session = session;
  }

  get socketPages(): SocketPages {
    this.#socketPages ??= new SocketPages();
    return this.#socketPages;
  }

  get macros(): RunningMacro {
    this.#macros ??= new RunningMacro(this.#session);
    return this.#macros;
  }
}

export function viewOf(session: BrowserSession): ViewState {
  return session.view(ViewState);
}
