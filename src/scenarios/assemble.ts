import { basename } from 'node:path';
import { type SourceDiagnostic, SourceError } from '../lib/documents/source-diagnostic.js';
import { atOnce, inTurns, type RestingWork } from '../lib/turns/work-in-turns.js';
import { Assembler } from './assembler.js';
import { parsedStatements } from './parser.js';
import type { PresentationModule } from './presentation-module.js';
import type { SourcePlace } from './syntax.js';

/** Before the work may rest. */
const STATEMENTS_AT_A_STRETCH = 100;

/**
 * Assembles one source of the scenario language (reference/4) into a presentation module: lexed, parsed, checked.
 *
 * @param file the name shown in messages; without its ending and upper-cased it is the module's name where the source
 * has no SCREENS instruction
 * @throws SourceError with every fault of the source and its place
 */
export function assemble(source: string, file: string): PresentationModule {
  return atOnce(assembly(source, file));
}

/**
 * The same, and others have the event loop meanwhile.
 * @throws SourceError as `assemble` does
 */
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
