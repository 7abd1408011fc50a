import type { ItemNames } from '../templates/render.js';

export interface RequestFile {
  readonly name: string;
  /** Name given by the client, without folders. */
  readonly fileName: string;
  readonly bytes: Buffer;
}

export interface ScenarioRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Decoded parameters of the query, then of the posted form, in order; a repeated parameter has several values. */
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer | undefined;
  readonly files: readonly RequestFile[];
  /** Values of the NAME-OF items of the request: LINE-INTERNAL, TRANSACTION-EXTERNAL, PAGE, URL … */
  readonly names: ItemNames;
  /** Directory of the entry point, which OUTPUT-FILE-TO-VARIABLE searches first. */
  readonly directory: string;
}

export type ScenarioOutcome = ScenarioAnswer | ScenarioPage;

/** Response of SEND$ AS-ANSWER or SEND$ AS-FILE. */
export interface ScenarioAnswer {
  readonly kind: 'answer';
  /** Sent unchanged, without an added charset. */
  readonly contentType: string;
  readonly body: Buffer;
  /** `immediately`: `Expires: 0`; `endOfDay`: the next midnight. */
  readonly expires: 'immediately' | 'endOfDay';
  readonly fileName: string | undefined;
}

export interface ScenarioPage {
  readonly kind: 'page';
  /** Undefined: the template of the URL. */
  readonly page: string | undefined;
  readonly valuesOf: (variable: string) => readonly string[] | undefined;
  readonly trace: string | undefined;
  /** EBCDIC code page at the end of the run, see SET$ ENCODING,UTF-8,'cp'. */
  readonly codePage: string | undefined;
}
