import type { Actor } from '../access/audit/audit-entry.js';
import type { SourceDiagnostic } from '../lib/documents/source-diagnostic.js';
import { type DifferenceLine, LineComparison } from '../lib/text/line-comparison.js';

export interface ReadConfiguration {
  /** Keyed hash of the file, with a key per process, so that it reveals nothing of the content. */
  readonly tag: string;
  /** YAML without comments and with masked secrets. */
  readonly text: string;
  readonly readAt: number;
}

type CheckedConfiguration =
  | ({
      readonly kind: 'sound';
      readonly read: ReadConfiguration;
      readonly warnings: readonly SourceDiagnostic[];
    } & Replaced)
  | Exclude<ReloadOutcome, { kind: 'done' }>;

export interface OperatedConfiguration {
  readonly file: string;
  /** Configuration applied last; parts of it may need a restart. */
  readonly running: ReadConfiguration;
  readonly lastReload: ReloadReport | undefined;
  readonly needsRestart: Replaced['needsRestart'];
  tagOfFile(): Promise<string | undefined>;
  /** Checks the file and its effects on all parts without applying it. Never rejects. */
  check(): Promise<CheckedConfiguration>;
  /** Never rejects. @param seen tag of the file to apply; undefined for its current content */
  reload(actor: Actor, seen?: string): Promise<ReloadOutcome>;
}

export type ConfigurationCheck =
  | (Extract<CheckedConfiguration, { kind: 'sound' }> & { readonly difference: readonly DifferenceLine[] })
  | Exclude<CheckedConfiguration, { kind: 'sound' }>;

/** The configuration writes the audit entries of reloads. */
export class ConfigurationOperations {
  readonly #configuration: OperatedConfiguration;
  /** Concurrent checks share one result. */
  #checking: Promise<ConfigurationCheck> | undefined;

  constructor(configuration: OperatedConfiguration) {
    this.#configuration = configuration;
  }

  get state(): Pick<OperatedConfiguration, 'file' | 'running' | 'lastReload' | 'needsRestart'> {
    return this.#configuration;
  }

  /** True if the file equals the active configuration; undefined if unreadable. Ignores the files that it names. */
  async isFileServed(): Promise<boolean | undefined> {
    const tag = await this.#configuration.tagOfFile();
    return tag === undefined ? undefined : tag === this.#configuration.running.tag;
  }

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

export interface NeedsRestart {
  readonly what: string;
  readonly reason: string;
}

export interface Replaced {
  /** Paths of settings that take effect immediately. */
  readonly takenOver: readonly string[];
  readonly needsRestart: readonly NeedsRestart[];
}

export type ReloadOutcome =
  | ({ readonly kind: 'done' } & Replaced)
  /** The file has errors; the current configuration stays active. */
  | { readonly kind: 'wrong'; readonly diagnostics: readonly SourceDiagnostic[] }
  /** A part cannot apply it, or the audit trail is not available; the current configuration stays active. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface ReloadReport {
  readonly at: number;
  readonly who: string;
  readonly outcome: ReloadOutcome;
}
