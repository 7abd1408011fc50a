import type { SettingName, TerminalSettings } from '../../terminal/settings/terminal-settings.js';
import type { Transaction } from './transaction.js';

export interface TerminalSettingsRule {
  readonly defaults?: Partial<TerminalSettings> | undefined;
  readonly locked?: readonly SettingName[] | undefined;
}

interface EntryPointTerminalSettings extends TerminalSettingsRule {
  /** Override the rule of the entry point for users of a group. */
  readonly groups?: Readonly<Record<string, TerminalSettingsRule>> | undefined;
}

export interface EntryPointDefinition {
  readonly name: string;
  readonly description: string;
  readonly directory: string;
  /** Minutes without user input after which a session ends; 0: never. */
  readonly timeoutMinutes: number;
  /** Minutes that a session waits for a new page after the last one was closed; 0: ten seconds. */
  readonly awayMinutes: number;
  readonly lastPage?: string | undefined;
  /** Module whose IDENTIFICATION scenario processes every call before its transaction is selected. */
  readonly identificationScenario?: string | undefined;
  /** Services callable over HTTP: all, a list, or none. */
  readonly services: true | readonly string[] | undefined;
  /** Users who may call them with HTTP Basic: all, the members of a list of groups, or none. */
  readonly serviceUsers: true | readonly string[] | undefined;
  /** Origins whose pages may embed pages of the entry point. */
  readonly embedders: readonly string[];
  readonly terminalSettings: EntryPointTerminalSettings | undefined;
  /** In the order of the configuration: the first match wins. */
  readonly transactions: readonly Transaction[];
}

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

  transaction(externalName: string): Transaction | undefined {
    return this.#byExactName.get(externalName) ?? this.#byFoldedName.get(externalName.toUpperCase()) ?? this.#universal;
  }
}
