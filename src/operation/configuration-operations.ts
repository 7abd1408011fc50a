import type { Actor } from '../access/audit/audit-entry.js';
import type { SourceDiagnostic } from '../lib/documents/source-diagnostic.js';
import { type DifferenceLine, LineComparison } from '../lib/text/line-comparison.js';

/** A configuration file as it was read. */
export interface ReadConfiguration {
  /** Another one for every other content of the file; it tells nothing of what is in it. */
  readonly tag: string;
  /** As YAML: without comments, secrets masked. */
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly readAt: number;
}

/** What a configuration is that was checked, and what a reload would do with it. */
type CheckedConfiguration =
  | ({
      readonly kind: 'sound';
      readonly read: ReadConfiguration;
      readonly warnings: readonly SourceDiagnostic[];
    } & Replaced)
  | Exclude<ReloadOutcome, { kind: 'done' }>;

/** The configuration, as it is operated. */
export interface OperatedConfiguration {
  readonly file: string;
  /** That was taken over last; some of it may need a restart. */
  readonly running: ReadConfiguration;
  /** The latest one; undefined: there was none since the start. */
  readonly lastReload: ReloadReport | undefined;
  /** What needs a restart to be served, of what was taken over last. */
  readonly needsRestart: Replaced['needsRestart'];
  /** Of the file as it is now; undefined: it cannot be read. */
  tagOfFile(): Promise<string | undefined>;
  /** Checks the file, and whether all parts can work with it. Nothing is taken over. Never rejects. */
  check(): Promise<CheckedConfiguration>;
  /** Never rejects. @param seen tag of the file that is meant; undefined: whatever it says now */
  reload(actor: Actor, seen?: string): Promise<ReloadOutcome>;
}

/** What a check tells whoever asked for it. */
export type ConfigurationCheck =
  | (Extract<CheckedConfiguration, { kind: 'sound' }> & { readonly difference: readonly DifferenceLine[] })
  | Exclude<CheckedConfiguration, { kind: 'sound' }>;

/** What administrators do with the configuration. Reloads are put on record where they are made. */
export class ConfigurationOperations {
  readonly #configuration: OperatedConfiguration;
  /** One at a time, whoever asks. */
  #checking: Promise<ConfigurationCheck> | undefined;

  constructor(configuration: OperatedConfiguration) {
    this.#configuration = configuration;
  }

  get state(): Pick<OperatedConfiguration, 'file' | 'running' | 'lastReload' | 'needsRestart'> {
    return this.#configuration;
  }

  /** Whether the file says what is served; undefined: it cannot be read. Files that it names are not looked at. */
  async isFileServed(): Promise<boolean | undefined> {
    const tag = await this.#configuration.tagOfFile();
    return tag === undefined ? undefined : tag === this.#configuration.running.tag;
  }

  /** Whether the file could be taken over, what that would change, and how it differs from what is served. */
  check(): Promise<ConfigurationCheck> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  reload(actor: Actor, seen?: string): Promise<ReloadOutcome> {
    return this.#configuration.reload(actor, seen);
  }

  async #check(): Promise<ConfigurationCheck> {
    const checked = await this.#configuration.check();
    if (checked.kind !== 'sound') return checked;
    const lines = (text: string) => text.trimEnd().split('\n');
    const { running } = this.#configuration;
    return { ...checked, difference: new LineComparison().compare(lines(running.text), lines(checked.read.text)) };
  }
}

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
