import { basename } from 'node:path';
import { type SourceDiagnostic, SourceError } from '../lib/documents/source-diagnostic.js';
import { atOnce, inTurns, type RestingWork } from '../lib/turns/work-in-turns.js';
import type { AssembledInstruction, Assembly, JumpTarget, PresentationModule, Scenario } from './assembly.js';
import { MapAssembler } from './map/map-assembler.js';
import { isMapDefinition } from './map/map-execution.js';
import { listed } from './operand-reader.js';
import { parsedStatements, parserLimits } from './parser.js';
import { flow, type Instruction, type LoopDefinition } from './scenario-run.js';
import { refusedStatements, statements } from './statements/statements.js';
import {
  type Operand,
  type ScenarioKind,
  type SourceInstruction,
  type SourcePlace,
  type StartedKind,
  scenarioKinds,
} from './syntax.js';

const STATEMENTS_AT_A_STRETCH = 100;

/**
 * Assembles one source of the scenario language (reference/4) into a presentation module.
 *
 * @param file file name for messages; without extension and in upper case it is the name of a module without SCREENS
 * @throws SourceError with every error of the source and its place
 */
export function assemble(source: string, file: string): PresentationModule {
  return atOnce(assembly(source, file));
}

export function assembleInTurns(source: string, file: string): Promise<PresentationModule> {
  return inTurns(assembly(source, file));
}

function* assembly(source: string, file: string): RestingWork<PresentationModule> {
  const diagnostics: SourceDiagnostic[] = [];
  const assembler = new Assembler(file);
  let statements = 0;
  for (const instruction of parsedStatements(source, file, diagnostics)) {
    if (instruction !== undefined) assembler.add(instruction);
    statements += 1;
    if (statements % STATEMENTS_AT_A_STRETCH === 0) yield;
  }
  const module = assembler.finish(moduleNameOf(file));
  const faults = [...diagnostics, ...assembler.diagnostics].sort(bySourcePlace);
  if (faults.length > 0) throw new SourceError(faults, source);
  return { ...module, warnings: [...module.warnings].sort(bySourcePlace) };
}

function bySourcePlace(left: SourcePlace, right: SourcePlace): number {
  return left.line - right.line || left.column - right.column;
}

/** `templates/scenarios/scenrate.scn` → `SCENRATE`. */
export function moduleNameOf(file: string): string {
  return basename(file)
    .replace(/\.[^.]*$/, '')
    .toUpperCase();
}

const MOST_WARNINGS = 100;
/** Words that end a scenario, in SCENARIO instructions and as targets of branches. */
const enders: ReadonlyMap<string, number> = new Map([
  ['DISCARD', flow.discarded],
  ['END', flow.ended],
  ['FAIL', flow.failed],
  ['SUCCESS', flow.succeeded],
]);
const labelInstructions = new Set(['DS', 'EQU', 'LABEL$']);
const listingInstructions = new Set(['EJECT', 'PRINT', 'SPACE', 'TITLE']);
/** Instructions allowed at the end of a scenario: execution never continues past it. */
const endingInstructions = new Set(['GOTO$', 'RETURN$', 'SCENARIO']);
const structureInstructions = new Set(['ENDFOR$', 'MAP$', 'TOVAR$']);

interface OpenScenario {
  readonly kind: ScenarioKind;
  /** True for SCENARIO INPUT,OUTPUT. */
  readonly isBoth: boolean;
  readonly label: string | undefined;
  readonly place: SourcePlace;
  readonly start: number;
}

interface KnownLabel {
  readonly index: number;
  readonly scenario: OpenScenario;
  readonly place: SourcePlace;
}

interface PendingJump {
  readonly target: JumpTarget;
  readonly scenario: OpenScenario | undefined;
  readonly callsSubroutine: boolean;
}

class Assembler {
  readonly diagnostics: SourceDiagnostic[] = [];
  readonly #warnings: SourceDiagnostic[] = [];
  readonly #instructions: AssembledInstruction[] = [];
  readonly #structures = new MapAssembler();
  readonly #labels = new Map<string, KnownLabel>();
  readonly #scenarios: Scenario[] = [];
  readonly #jumps: PendingJump[] = [];
  readonly #structureUses: { label: string; place: SourcePlace; scenario: OpenScenario | undefined }[] = [];
  readonly #loops: LoopDefinition[] = [];
  readonly #lines = new Map<string, SourcePlace>();
  readonly #files = new Map<string, SourcePlace>();
  #found: ReturnType<MapAssembler['finish']> = new Map();
  #open: OpenScenario | undefined;
  #name: string | undefined;
  #ended = false;

  constructor(readonly file: string) {}

  add(instruction: SourceInstruction): void {
    if (this.#ended) return;
    if (listingInstructions.has(instruction.name)) return;
    const structural = structuralInstructions[instruction.name];
    if (structural !== undefined) structural.call(this, instruction);
    else if (labelInstructions.has(instruction.name)) this.#addLabel(instruction, instruction.label);
    else if (isMapDefinition(instruction)) this.#structures.add(instruction);
    else this.#addStatement(instruction);
  }

  finish(fallbackName: string): PresentationModule {
    this.#closeScenario();
    this.#found = this.#structures.finish();
    for (const { line, column, message } of this.#structures.diagnostics) this.report({ line, column }, message);
    for (const { message, ...place } of this.#structures.warnings) this.warn(place, message);
    for (const jump of this.#jumps) this.#resolve(jump);
    this.#checkExecutes();
    for (const use of this.#structureUses) {
      if (!this.#found.has(use.label)) this.report(use.place, `no output structure is called ${use.label}`);
    }
    if (this.#scenarios.length === 0) this.report({ line: 1, column: 1 }, 'the module contains no scenario');
    return {
      name: this.#name ?? fallbackName,
      file: this.file,
      instructions: this.#instructions,
      scenarios: startedScenarios(this.#scenarios),
      subroutines: this.#scenarios.filter(({ kind }) => kind === 'SUBROUTINE'),
      structures: this.#found,
      warnings: this.#warnings,
      uses: { lines: this.#lines, files: this.#files },
    };
  }

  report({ line, column }: SourcePlace, message: string): undefined {
    if (this.diagnostics.length >= parserLimits.faults) return;
    this.diagnostics.push({ file: this.file, line, column, message, severity: 'error' });
  }

  warn({ line, column }: SourcePlace, message: string): void {
    if (this.#warnings.length >= MOST_WARNINGS) return;
    this.#warnings.push({ file: this.file, line, column, message, severity: 'warning' });
  }

  beginModule({ label, operands, ...place }: SourceInstruction): void {
    for (const operand of operands) this.#checkModuleOperand(operand, label);
    if (this.#name !== undefined) this.report(place, 'SCREENS occurs twice: a source contains only one module');
    else if (label === undefined) this.report(place, 'SCREENS needs a label: the name of the module');
    else this.#name = label;
  }

  endModule(): void {
    this.#ended = true;
  }

  /** APPL= with the name of the module and EXEC=NO describe the standard behavior, so they cause no warning. */
  #checkModuleOperand(operand: Operand, label: string | undefined): void {
    const value = operand.kind === 'keyword' && operand.value.kind === 'word' ? operand.value.word : undefined;
    const name = operand.kind === 'keyword' ? operand.name : undefined;
    const isSo = (name === 'APPL' && value === label?.toUpperCase()) || (name === 'EXEC' && value === 'NO');
    if (isSo) return;
    const what = name === undefined ? 'this operand' : `${name}=`;
    this.warn(operand, `${what} has no effect${name === 'APPL' ? `: the label names the module, ${label}` : ''}`);
  }

  /** `SCENARIO kind` begins a scenario; `SCENARIO END`, DISCARD, FAIL and SUCCESS end a run. */
  scenario(instruction: SourceInstruction): void {
    const operand = instruction.operands[0];
    const word = operand?.kind === 'word' ? operand.word : '';
    const place = operand ?? instruction;
    const ending = enders.get(word);
    const kind = scenarioKinds.find((each) => each === word);
    const [, second] = instruction.operands;
    const isBoth = kind === 'INPUT' && second?.kind === 'word' && second.word === 'OUTPUT';
    for (const extra of instruction.operands.slice(isBoth ? 2 : 1)) {
      this.warn(extra, `this has no effect after SCENARIO ${word}`);
    }
    if (ending !== undefined) this.#addEnder(instruction, ending);
    else if (kind !== undefined) this.#openScenario(instruction, kind, isBoth);
    else this.report(place, `SCENARIO must be followed by ${listed([...scenarioKinds, ...enders.keys()])}`);
  }

  #openScenario(instruction: SourceInstruction, kind: ScenarioKind, isBoth: boolean): void {
    this.#closeScenario();
    const { label, line, column } = instruction;
    for (const each of isBoth ? (['INPUT', 'OUTPUT'] as const) : [kind]) {
      if (each === 'SUBROUTINE' || !this.#isThere(each)) continue;
      this.report(instruction, `a module holds one ${each} scenario; this is the second one`);
    }
    if (kind === 'SUBROUTINE' && label === undefined) {
      this.report(instruction, 'SCENARIO SUBROUTINE needs a label, by which PERFORM$ calls it');
    }
    this.#open = { kind, isBoth, label, place: { line, column }, start: this.#instructions.length };
    this.#addLabel(instruction, label);
  }

  #isThere(kind: ScenarioKind): boolean {
    return this.#scenarios.some((scenario) => scenario.kind === kind);
  }

  #closeScenario(): void {
    for (const loop of this.#loops.splice(0)) this.report(loop.place, 'FOREACH$ is not closed: ENDFOR$ is missing');
    const open = this.#open;
    if (open === undefined) return;
    const last = this.#instructions.at(-1);
    const { start, kind, isBoth, label } = open;
    const end = this.#instructions.length;
    if (end === start || last === undefined || !endingInstructions.has(last.source.name)) {
      this.report(open.place, `the scenario that begins here does not end: SCENARIO END is missing`);
    }
    this.#scenarios.push({ kind, label, start, end });
    if (isBoth) this.#scenarios.push({ kind: 'OUTPUT', label, start, end });
    this.#open = undefined;
  }

  #addLabel(instruction: SourcePlace, label: string | undefined): void {
    if (label === undefined) return;
    const place = labelPlace(instruction);
    const known = this.#labels.get(label);
    if (known !== undefined) this.report(place, `the label ${label} is already defined in line ${known.place.line}`);
    else if (this.#open === undefined) this.report(place, `the label ${label} is outside a scenario`);
    else this.#labels.set(label, { index: this.#instructions.length, scenario: this.#open, place });
  }

  /** In a subroutine, SCENARIO END returns to the caller. All other forms end the whole run. */
  #addEnder(source: SourceInstruction, ending: number): void {
    const returns = this.#open?.kind === 'SUBROUTINE' && ending === flow.ended;
    this.#append(source, (run) => (returns ? run.returnFromSubroutine() : undefined) ?? ending);
  }

  #addStatement(source: SourceInstruction): void {
    const statement = statements.get(source.name);
    const refusal = refusedStatements.get(source.name);
    if (statement !== undefined) this.#append(source, statement(this.#assemblyOf(source)));
    else
      this.report(source, refusal === undefined ? `${source.name} is not an instruction` : `${source.name} ${refusal}`);
  }

  #append(source: SourceInstruction, step: Instruction): void {
    if (this.#open === undefined)
      this.report(source, `${source.name} is outside a scenario: SCENARIO INITIAL is missing`);
    else if (!structureInstructions.has(source.name)) this.#addLabel(source, source.label);
    this.#instructions.push({ source, step });
  }

  #assemblyOf(instruction: SourceInstruction): Assembly {
    const scenario = this.#open;
    const jump = (label: string, { line, column }: SourcePlace, callsSubroutine: boolean) => {
      const target: JumpTarget = { label, place: { line, column }, index: -1 };
      this.#jumps.push({ target, scenario, callsSubroutine });
      return target;
    };
    return {
      instruction,
      kind: scenario?.kind,
      index: this.#instructions.length,
      report: (place, message) => this.report(place, message),
      warn: (place, message) => this.warn(place, message),
      jumpTo: (label, place) => jump(label, place, false),
      subroutine: (label, place) => jump(label, place, true),
      structure: (label, place) => {
        this.#structureUses.push({ label, place: labelPlace(place), scenario });
        return () => this.#found.get(label);
      },
      indexOfLabel: (label) => this.#labels.get(label)?.index,
      openLoop: (loop) => this.#loops.push(loop),
      closeLoop: (label, place) => this.#closeLoop(place, label),
      enclosingLoop: (label) => this.#loops.findLast((loop) => label === undefined || loop.label === label),
      usesLine: (line, place) => noteFirst(this.#lines, line, place),
      usesFile: (file, place) => noteFirst(this.#files, file, place),
      usesScreen: () => {
        if (scenario?.kind === 'IDENTIFICATION') {
          this.report(
            instruction,
            `${instruction.name} needs a screen, and an IDENTIFICATION scenario runs before there is one`,
          );
        }
      },
    };
  }

  #closeLoop(place: SourcePlace, label: string | undefined): LoopDefinition | undefined {
    const loop = this.#loops.pop();
    if (loop === undefined) this.report(place, 'ENDFOR$ has no open FOREACH$ to close');
    else if (label !== undefined && label !== loop.label) {
      this.report(
        place,
        `ENDFOR$ with the label ${label} closes the FOREACH$ of line ${loop.place.line}, whose label is ${loop.label ?? 'missing'}`,
      );
    }
    return loop;
  }

  /** MAP$ EXECUTE can call the same labels as a PERFORM$ next to the instruction that executes the mapping. */
  #checkExecutes(): void {
    for (const { label, structure, ...place } of this.#structures.executes) {
      const known = this.#labels.get(label);
      if (known === undefined) {
        this.report(place, `there is no label ${label}`);
        continue;
      }
      if (isSubroutine(known, label)) continue;
      const use = this.#structureUses.find((each) => each.label === structure && each.scenario !== known.scenario);
      if (use === undefined) continue;
      const where = `line ${known.place.line}) than the mapping (line ${use.place.line})`;
      this.report(place, `the label ${label} is in another scenario (${where}: only a SUBROUTINE can be called`);
    }
  }

  #resolve({ target, scenario, callsSubroutine }: PendingJump): void {
    const known = this.#labels.get(target.label);
    const ending = enders.get(target.label);
    if (known === undefined && !callsSubroutine && ending !== undefined) {
      target.index = ending;
      return;
    }
    if (known === undefined) this.report(target.place, `there is no label ${target.label}`);
    else if (known.scenario === scenario || (callsSubroutine && isSubroutine(known, target.label))) {
      target.index = known.index;
    } else this.report(target.place, `the label ${target.label} is in another scenario (line ${known.place.line})`);
  }
}

const structuralInstructions: Readonly<Record<string, (this: Assembler, instruction: SourceInstruction) => void>> = {
  SCREENS: Assembler.prototype.beginModule,
  SCRNEND: Assembler.prototype.endModule,
  END: Assembler.prototype.endModule,
  SCENARIO: Assembler.prototype.scenario,
};

function startedScenarios(scenarios: readonly Scenario[]): ReadonlyMap<StartedKind, Scenario> {
  const started = new Map<StartedKind, Scenario>();
  for (const scenario of scenarios) if (scenario.kind !== 'SUBROUTINE') started.set(scenario.kind, scenario);
  return started;
}

function isSubroutine({ scenario }: KnownLabel, label: string): boolean {
  return scenario.kind === 'SUBROUTINE' && scenario.label === label;
}

function labelPlace({ line }: SourcePlace): SourcePlace {
  return { line, column: 1 };
}

function noteFirst(uses: Map<string, SourcePlace>, name: string, { line, column }: SourcePlace): void {
  if (!uses.has(name)) uses.set(name, { line, column });
}
