import type { SettingName, TerminalSettings } from '../../terminal/settings/terminal-settings.js';
import type { Transaction } from './transaction.js';

/** What administrators have decided about the settings of the terminal. */
export interface TerminalSettingsRule {
  /** For users who have set nothing else. */
  readonly defaults?: Partial<TerminalSettings> | undefined;
  /** Users cannot change them. */
  readonly locked?: readonly SettingName[] | undefined;
}

interface EntryPointTerminalSettings extends TerminalSettingsRule {
  /** Over those of the entry point, for users of a group. */
  readonly groups?: Readonly<Record<string, TerminalSettingsRule>> | undefined;
}

export interface EntryPointDefinition {
  readonly name: string;
  readonly description: string;
  /** Name of the default directory of templates and pages. */
  readonly directory: string;
  /** Minutes without a user message after which a session ends; 0: never. */
  readonly timeoutMinutes: number;
  /** Minutes that a session waits for the next page after its last one was closed; 0: ten seconds. */
  readonly awayMinutes: number;
  readonly lastPage?: string | undefined;
  /** Module whose IDENTIFICATION scenario looks at every call before its transaction is chosen. */
  readonly identificationScenario?: string | undefined;
  /** Services that programs may call over HTTP: all, those named, or none. */
  readonly services: true | readonly string[] | undefined;
  /** Users who may call them with HTTP Basic: all, those of groups named, or none. */
  readonly serviceUsers: true | readonly string[] | undefined;
  /** Origins whose pages may have its pages in theirs. */
  readonly embedders: readonly string[];
  readonly terminalSettings: EntryPointTerminalSettings | undefined;
  /** In the order of the configuration: the first match wins. */
  readonly transactions: readonly Transaction[];
}

/** Holds the transactions that exist for the requests of a line. */
export class EntryPoint {
  readonly #byExactName = new Map<string, Transaction>();
  readonly #byFoldedName = new Map<string, Transaction>();
  readonly #universal: Transaction | undefined;

  constructor(readonly definition: EntryPointDefinition) {
    for (const transaction of definition.transactions) {
      const { externalName } = transaction;
      if (!this.#byExactName.has(externalName)) this.#byExactName.set(externalName, transaction);
      const folded = externalName.toUpperCase();
      if (!this.#byFoldedName.has(folded)) this.#byFoldedName.set(folded, transaction);
    }
    this.#universal = this.#byExactName.get('*');
  }

  /** The transaction that a URL names, or undefined where there is none. */
  transaction(externalName: string): Transaction | undefined {
    return this.#byExactName.get(externalName) ?? this.#byFoldedName.get(externalName.toUpperCase()) ?? this.#universal;
  }
}
