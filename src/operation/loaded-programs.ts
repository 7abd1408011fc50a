import type { SourceDiagnostic } from '../lib/documents/source-diagnostic.js';

interface Sourced {
  readonly name: string;
  readonly file: string;
  /** What the check of the file had to say. */
  readonly diagnostics: readonly SourceDiagnostic[];
}

export interface LoadedTransaction {
  readonly entryPoint: string;
  /** As it stands in addresses. */
  readonly name: string;
  readonly description: string;
  readonly kind: 'hostApplication' | 'serverProgram' | 'externalServer' | 'pageDirectory' | 'line';
  /** The host, module, server, directory or line it leads to; undefined: none. */
  readonly application: string | undefined;
  readonly page: string | undefined;
  readonly scenarios: readonly string[];
}

export interface LoadedScenario extends Sourced {
  /** Of its scenarios; none where no version has assembled. */
  readonly kinds: readonly string[];
  /** Whether the file assembles: where it does not, and there are kinds, an earlier version of it runs. */
  readonly assembles: boolean;
}

export interface LoadedService extends Sourced {
  readonly description: string;
  /** The pool whose sessions it walks, or the module it is made of. */
  readonly runs: { readonly kind: 'pool' | 'scenario'; readonly name: string } | undefined;
  readonly parameters: readonly string[];
  /** Whether it can be called: those without a pool are for pools, to sign on and off. */
  readonly isCallable: boolean;
}

export interface LoadedScreen {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

/** What the server has read, and from which files, as it is now. */
export interface LoadedPrograms {
  /** Where entry points and transactions stand. */
  readonly configurationFile: string;
  readonly transactions: readonly LoadedTransaction[];
  readonly scenarios: readonly LoadedScenario[];
  readonly services: readonly LoadedService[];
  readonly screens: readonly LoadedScreen[];
  /** Of files of the services folder that hold no service. */
  readonly diagnostics: readonly SourceDiagnostic[];
  readonly directories: readonly LoadedDirectory[];
}

export interface LoadedDirectory {
  readonly name: string;
  readonly folder: string;
  /** In order. */
  files(): Promise<readonly string[]>;
  /** Of one of its files, as it was when somebody asked for it last. */
  stateOf(file: string): LoadedFile;
}

export interface LoadedFile {
  /** `unread`: nobody has asked for it of late; `broken`: it cannot be served, or an earlier version of it is. */
  readonly state: 'unread' | 'template' | 'file' | 'broken' | 'hidden';
  /** In words. */
  readonly remarks: readonly string[];
}
