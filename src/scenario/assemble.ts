import { basename } from 'node:path';
import { SourceError } from '../source-diagnostic.js';
import { Assembler } from './assembler.js';
import { parseScenarioSource } from './parser.js';
import type { PresentationModule } from './presentation-module.js';
import type { SourcePlace } from './syntax.js';

/**
 * Assembles one source of the scenario language (reference/4) into a presentation module: lexed, parsed, checked.
 *
 * @param file the name shown in messages; without its ending and upper-cased it is the module's name where the source
 * has no SCREENS instruction
 * @throws SourceError with every fault of the source and its place
 */
export function assemble(source: string, file: string): PresentationModule {
  const { instructions, diagnostics } = parseScenarioSource(source, file);
  const assembler = new Assembler(file);
  for (const instruction of instructions) assembler.add(instruction);
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
