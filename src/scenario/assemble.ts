import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type SourceDiagnostic, SourceError } from '../source-diagnostic.js';
import { Assembler } from './assembler.js';
import { parsedStatements } from './parser.js';
import type { PresentationModule } from './presentation-module.js';
import type { SourcePlace } from './syntax.js';

/** Before others have the event loop. */
const STATEMENTS_AT_A_STRETCH = 500;

/**
 * Assembles one source of the scenario language (reference/4) into a presentation module: lexed, parsed, checked.
 *
 * @param file the name shown in messages; without its ending and upper-cased it is the module's name where the source
 * has no SCREENS instruction
 * @throws SourceError with every fault of the source and its place
 */
export function assemble(source: string, file: string): PresentationModule {
  const assembling = assembly(source, file);
  for (;;) {
    const next = assembling.next();
    if (next.done) return next.value;
  }
}

/**
 * The same, and others have the event loop meanwhile.
 * @throws SourceError as `assemble` does
 */
export async function assembleInTurns(source: string, file: string): Promise<PresentationModule> {
  const assembling = assembly(source, file);
  for (;;) {
    const next = assembling.next();
    if (next.done) return next.value;
    await nextTurn();
  }
}

/** Yields from time to time. */
function* assembly(source: string, file: string): Generator<undefined, PresentationModule> {
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
