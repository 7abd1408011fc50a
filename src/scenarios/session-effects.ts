import type { DeclaredOnPage } from './declared-on-page.js';

/** How a run ended: `SCENARIO END`, DISCARD, SUCCESS or FAIL. */
export type ScenarioEnding = 'end' | 'discard' | 'success' | 'fail';

/** What a run asks of the session that it ran in, beside its variables. */
export interface SessionEffects {
  /** ACTION$ DISCONNECT: now; ACTION$ TERMSESS: once the next message has gone to the browser. */
  disconnects: 'now' | 'afterMessage' | undefined;
  /** ACTION$ TO-TERMINAL: what the user sent stays here, and the screen is shown as it is. */
  toTerminal: boolean;
  /** ACTION$ REFRESH-TERMINAL: pages that ask for changes are told that there are some. */
  refreshesTerminal: boolean;
  /** ACTION$ SERVE-ANOTHER-USER: the host session is kept for the next request. */
  servesAnotherUser: boolean;
  /** ACTION$ TO-APPLICATION,AND=(DO-NOT-PROCESS-RESPONSE): no OUTPUT scenario looks at what is on the screen now. */
  skipsOutput: boolean;
  /** SET$ PAGE: for all pages that follow. */
  page: string | undefined;
  /** SET$ TEMPORARY-PAGE: for the next page. */
  temporaryPage: string | undefined;
  /** DECLARE$ and FIELD$: what generated pages make of the screen; undefined: nothing was declared. */
  declarations: DeclaredOnPage | undefined;
  /** SET$ TRANSACTION, of an IDENTIFICATION scenario. */
  transaction: string | undefined;
  /** COPY$ VARIABLE-TO-SYSTEM: what the session is begun with, of an IDENTIFICATION scenario. */
  readonly wishes: Map<TerminalWish, string>;
}

export const terminalWishes = ['LOGMODE', 'RELAY', 'SCREEN-COLUMNS', 'SCREEN-LINES'] as const;
export type TerminalWish = (typeof terminalWishes)[number];

export function noEffects(): SessionEffects {
  return {
    disconnects: undefined,
    toTerminal: false,
    refreshesTerminal: false,
    servesAnotherUser: false,
    skipsOutput: false,
    page: undefined,
    temporaryPage: undefined,
    declarations: undefined,
    transaction: undefined,
    wishes: new Map(),
  };
}
