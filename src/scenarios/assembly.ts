import type { SourceDiagnostic } from '../lib/documents/source-diagnostic.js';
import type { Structure } from './map/definition.js';
import { flow, type Instruction, type LoopDefinition } from './scenario-run.js';
import type { ScenarioKind, SourceInstruction, SourcePlace, StartedKind } from './syntax.js';

export interface JumpTarget {
  readonly label: string;
  readonly place: SourcePlace;
  index: number;
}

export interface Assembly {
  readonly instruction: SourceInstruction;
  /** Kind of the enclosing scenario; undefined outside a scenario, which is a reported error. */
  readonly kind: ScenarioKind | undefined;
  readonly index: number;
  report(place: SourcePlace, message: string): undefined;
  warn(place: SourcePlace, message: string): void;
  /** Target of a branch: a label of the same scenario, FAIL or SUCCESS. */
  jumpTo(label: string, place: SourcePlace): JumpTarget;
  /** Target of PERFORM$: a SUBROUTINE scenario of the module, or a label of the same scenario. */
  subroutine(label: string, place: SourcePlace): JumpTarget;
  structure(label: string, place: SourcePlace): () => Structure | undefined;
  indexOfLabel(label: string): number | undefined;
  openLoop(loop: LoopDefinition): void;
  closeLoop(label: string | undefined, place: SourcePlace): LoopDefinition | undefined;
  enclosingLoop(label: string | undefined): LoopDefinition | undefined;
  usesLine(line: string, place: SourcePlace): void;
  usesFile(file: string, place: SourcePlace): void;
  /** Reports an error if the instruction needs a screen in a scenario that cannot have one. */
  usesScreen(): void;
}

/** An instruction of the language: reports errors and then returns any step. */
export type StatementDefinition = (assembly: Assembly) => Instruction;

/** Step of an instruction with a reported error; its module never runs. */
export const faultyStep: Instruction = () => flow.ended;

export interface AssembledInstruction {
  readonly source: SourceInstruction;
  readonly step: Instruction;
}

export interface Scenario {
  readonly kind: ScenarioKind;
  readonly label: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** An assembled source, with at most one scenario of each kind except SUBROUTINE. */
export interface PresentationModule {
  readonly name: string;
  readonly file: string;
  readonly instructions: readonly AssembledInstruction[];
  readonly scenarios: ReadonlyMap<StartedKind, Scenario>;
  readonly subroutines: readonly Scenario[];
  readonly structures: ReadonlyMap<string, Structure>;
  readonly warnings: readonly SourceDiagnostic[];
  readonly uses: {
    readonly lines: ReadonlyMap<string, SourcePlace>;
    readonly files: ReadonlyMap<string, SourcePlace>;
  };
}
