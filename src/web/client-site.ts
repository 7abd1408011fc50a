import type { EntryPoint } from '../line/entry-point.js';
import type { InboundLineDefinition } from '../line/line-definition.js';
import type { Transaction } from '../line/transaction.js';
import type { Log } from '../log.js';
import type { ScenarioOutcome, ScenarioRequest } from '../scenario/scenario-outcome.js';
import type { SessionService } from '../session/session-service.js';
import type { StopSignal } from '../stop-signal.js';
import type { CompiledTemplate } from '../template/compiled-template.js';

/** A file that is served as it is. */
export interface StaticPage {
  readonly kind: 'static';
  readonly body: Buffer;
  readonly contentType: string;
  /** With its quotes. */
  readonly etag: string;
  readonly lastModified: Date;
}

export interface TemplatePage {
  readonly kind: 'template';
  readonly template: CompiledTemplate;
}

export type FoundPage = StaticPage | TemplatePage | undefined;

/**
 * Finds a page or template of a directory; names in any case. Undefined where there is none. A promise only where the
 * disk must be looked at.
 */
export type FindPage = (directory: string, name: string) => FoundPage | Promise<FoundPage>;

/** Runs the initial scenario of a transaction; stops when the signal is aborted. */
export type RunScenario = (
  transaction: Transaction,
  request: ScenarioRequest,
  signal: StopSignal,
) => Promise<ScenarioOutcome>;

/** What a client line serves, and with what. */
export interface ClientSite {
  readonly line: InboundLineDefinition;
  readonly entryPoint: EntryPoint;
  /** Of the product. */
  readonly version: string;
  readonly log: Log;
  readonly findPage: FindPage;
  readonly runScenario: RunScenario;
  /** Undefined: no host sessions are to be had here. */
  readonly sessions?: SessionService | undefined;
  /** The code page of `SET-OUTPUT-ENCODING-UTF-8 ""` (DEFUTF8). */
  readonly defaultCodePage: string;
}

/** The page of `/`: it has the name of the entry point. */
export function defaultPageName({ entryPoint }: ClientSite): string {
  return `${entryPoint.definition.name}.HTML`;
}
