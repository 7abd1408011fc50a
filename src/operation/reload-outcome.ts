import type { SourceDiagnostic } from '../lib/documents/source-diagnostic.js';

/** Something of the configuration that changes when the server is started again, and not before. */
export interface NeedsRestart {
  /** Where it stands in the configuration. */
  readonly what: string;
  readonly reason: string;
}

/** What came of another configuration, or would. */
export interface Replaced {
  /** What is served by the new one from now on, by where it stands in the configuration. */
  readonly takenOver: readonly string[];
  readonly needsRestart: readonly NeedsRestart[];
}

/** What came of reading the configuration again. */
export type ReloadOutcome =
  | ({ readonly kind: 'done' } & Replaced)
  /** It has errors, and is refused whole: everything goes on as before. */
  | { readonly kind: 'wrong'; readonly diagnostics: readonly SourceDiagnostic[] }
  /** A part cannot work with it, or it could not be put on record: everything goes on as before. */
  | { readonly kind: 'refused'; readonly reason: string };

/** A reload of before. */
export interface ReloadReport {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly who: string;
  readonly outcome: ReloadOutcome;
}
