import type { SourceDiagnostic } from '../lib/documents/source-diagnostic.js';
import type { Structure } from './map/definition.js';
import { flow, type LoopDefinition, type Step } from './scenario-run.js';
import type { ScenarioKind, SourceInstruction, SourcePlace, StartedKind } from './syntax.js';

/** A place that instructions jump to; its index is filled in when all labels are known. */
export interface JumpTarget {
  readonly label: string;
  readonly place: SourcePlace;
  index: number;
}

/** What an instruction may ask while it is assembled. */
export interface Assembly {
  readonly instruction: SourceInstruction;
  /** Of the scenario that the instruction stands in; undefined outside of one, which is reported. */
  readonly kind: ScenarioKind | undefined;
  /** Index that the instruction will have in its module. */
  readonly index: number;
  report(place: SourcePlace, message: string): void;
  /** Reports what is accepted and does nothing. */
  warn(place: SourcePlace, message: string): void;
  /** The target of a GOTO$, a CASE$ branch and the like: a label of the same scenario, or FAIL or SUCCESS. */
  jumpTo(label: string, place: SourcePlace): JumpTarget;
  /** The target of a PERFORM$: a SUBROUTINE scenario of the module, or a label of the same scenario. */
  subroutine(label: string, place: SourcePlace): JumpTarget;
  /** The output structure of this label, known once the whole module is read. */
  structure(label: string, place: SourcePlace): () => Structure | undefined;
  /** The index of a label, known once the whole module is read. */
  indexOfLabel(label: string): number | undefined;
  openLoop(loop: LoopDefinition): void;
  /** The innermost open loop, which the ENDFOR$ being assembled closes. */
  closeLoop(label: string | undefined, place: SourcePlace): LoopDefinition | undefined;
  /** An enclosing loop by its label, or the innermost one. */
  enclosingLoop(label: string | undefined): LoopDefinition | undefined;
  usesLine(line: string, place: SourcePlace): void;
  usesFile(file: string, place: SourcePlace): void;
  /** The instruction works a screen, which is reported where none can be. */
  usesScreen(): void;
}

/** One instruction of the language: its name and how it is assembled. A fault is reported and gives any step. */
export interface StatementDefinition {
  readonly name: string;
  readonly assemble: (assembly: Assembly) => Step;
}

/** The step of an instruction that was reported as faulty: its module is never run. */
export const faultyStep: Step = () => flow.ended;

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
