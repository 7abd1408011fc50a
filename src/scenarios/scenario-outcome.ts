import type { ItemNames } from '../templates/render.js';

/** A file that a form of the request carries. */
export interface RequestFile {
  /** Of its field in the form. */
  readonly name: string;
  /** As the client calls it, without folders. */
  readonly fileName: string;
  readonly bytes: Buffer;
}

/** The request that started a scenario run, as the run sees it. */
export interface ScenarioRequest {
  readonly requestId: string;
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly query: string;
  /** Decoded parameters of the query, then of the form that was posted, in order; one given twice has two values. */
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it came. */
  readonly body: Buffer | undefined;
  readonly files: readonly RequestFile[];
  /** Values of the items of NAME-OF that the edge knows: LINE-INTERNAL, TRANSACTION-EXTERNAL, PAGE, URL … */
  readonly names: ItemNames;
  /** The directory of the entry point, where OUTPUT-FILE-TO-VARIABLE looks first. */
  readonly directory: string;
}

/** How a scenario run ends when it does not fail. */
export type ScenarioOutcome = ScenarioAnswer | ScenarioPage;

/** The scenario made the response itself (SEND$ AS-ANSWER, SEND$ AS-FILE). */
export interface ScenarioAnswer {
  readonly kind: 'answer';
  /** Sent as it is, no charset added. */
  readonly contentType: string;
  readonly body: Buffer;
  /** `immediately`: `Expires: 0`; `endOfDay`: the next midnight. */
  readonly expires: 'immediately' | 'endOfDay';
  /** Present: an attachment of this name. */
  readonly fileName: string | undefined;
}

/** The template that the URL names (or SET$ PAGE) is to be rendered with the variables of the run. */
export interface ScenarioPage {
  readonly kind: 'page';
  /** Undefined: the template of the URL. */
  readonly page: string | undefined;
  readonly valuesOf: (variable: string) => readonly string[] | undefined;
  /** The trace of the run as JSON where one was asked for (DEBUG$ TRACE,SCENARIO). */
  readonly trace: string | undefined;
  /** Code page set by SET$ ENCODING,UTF-8,'cp'. */
  readonly codePage: string | undefined;
}
