import type { SourceDiagnostic } from '../lib/documents/source-diagnostic.js';
import type { Structure } from './map/definition.js';
import type { ScenarioKind, StartedKind } from './scenario-kind.js';
import type { Step } from './step.js';
import type { SourceInstruction, SourcePlace } from './syntax.js';

export interface AssembledInstruction {
  readonly source: SourceInstruction;
  readonly step: Step;
}

export interface Scenario {
  readonly kind: ScenarioKind;
  /** The label of a SUBROUTINE, by which PERFORM$ calls it. */
  readonly label: string | undefined;
  /** Index of its first instruction, and of the first one past its last. */
  readonly start: number;
  readonly end: number;
}

/** An assembled source: holds at most one scenario of each kind, and any number of SUBROUTINE scenarios. */
export interface PresentationModule {
  readonly name: string;
  readonly file: string;
  readonly instructions: readonly AssembledInstruction[];
  readonly scenarios: ReadonlyMap<StartedKind, Scenario>;
  readonly subroutines: readonly Scenario[];
  readonly structures: ReadonlyMap<string, Structure>;
  /** Of what the source says and nothing comes of, in its order. */
  readonly warnings: readonly SourceDiagnostic[];
  /** Outbound lines and template files that the module names by constants, with the first place of each. */
  readonly uses: {
    readonly lines: ReadonlyMap<string, SourcePlace>;
    readonly files: ReadonlyMap<string, SourcePlace>;
  };
}
