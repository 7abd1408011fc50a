import type { SourceDiagnostic } from '../lib/documents/source-diagnostic.js';

interface Sourced {
  readonly name: string;
  readonly file: string;
  readonly diagnostics: readonly SourceDiagnostic[];
}

export interface LoadedTransaction {
  readonly entryPoint: string;
  readonly name: string;
  readonly description: string;
  readonly kind: 'hostApplication' | 'serverProgram' | 'externalServer' | 'pageDirectory' | 'line';
  readonly application: string | undefined;
  readonly page: string | undefined;
  readonly scenarios: readonly string[];
}

export interface LoadedScenario extends Sourced {
  /** Kinds of its scenarios; empty if no version of the file has assembled. */
  readonly kinds: readonly string[];
  /** False if the current file has errors. If `kinds` is not empty, an earlier version is active. */
  readonly assembles: boolean;
}

export interface LoadedService extends Sourced {
  readonly description: string;
  readonly runs: { readonly kind: 'pool' | 'scenario'; readonly name: string } | undefined;
  readonly parameters: readonly string[];
  /** False for services without a pool, which pools use to sign on and off. */
  readonly isCallable: boolean;
}

export interface LoadedScreen {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

export interface LoadedPrograms {
  readonly configurationFile: string;
  readonly transactions: readonly LoadedTransaction[];
  readonly scenarios: readonly LoadedScenario[];
  readonly services: readonly LoadedService[];
  readonly screens: readonly LoadedScreen[];
  /** Of files in the services folder that contain no service. */
  readonly diagnostics: readonly SourceDiagnostic[];
  readonly directories: readonly LoadedDirectory[];
}

export interface LoadedDirectory {
  readonly name: string;
  readonly folder: string;
  files(): Promise<readonly string[]>;
  /** State of a file when it was last requested. */
  stateOf(file: string): LoadedFile;
}

export interface LoadedFile {
  /** `unread`: not requested recently. `broken`: cannot be served, or an earlier version is served. */
  readonly state: 'unread' | 'template' | 'file' | 'broken' | 'hidden';
  readonly remarks: readonly string[];
}
