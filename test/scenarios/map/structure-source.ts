import type { Structure } from '../../../src/scenarios/map/definition.js';
import { MapAssembler, type MapFault } from '../../../src/scenarios/map/map-assembler.js';
import {
  isMapDefinition,
  isMapExecution,
  type MapExecution,
  parseMapExecution,
} from '../../../src/scenarios/map/map-execution.js';
import { parseScenarioSource } from '../../../src/scenarios/parser.js';

export interface AssembledSource {
  readonly structures: ReadonlyMap<string, Structure>;
  readonly executions: readonly MapExecution[];
  readonly executes: MapAssembler['executes'];
  /** In the order of the source. */
  readonly faults: readonly MapFault[];
}

/** Assembles the MAP$ and TOVAR$ instructions of a source. */
export function assembleMaps(source: string): AssembledSource {
  const { instructions, diagnostics } = parseScenarioSource(source, 'structure.scn');
  const assembler = new MapAssembler();
  const executions: MapExecution[] = [];
  const faults: MapFault[] = [...diagnostics];
  for (const instruction of instructions) {
    if (isMapDefinition(instruction)) assembler.add(instruction);
    if (!isMapExecution(instruction)) continue;
    const report = ({ line, column }: { line: number; column: number }, message: string): undefined => {
      faults.push({ line, column, message });
    };
    const execution = parseMapExecution({ instruction, report, warn: () => {} });
    if (execution !== undefined) executions.push(execution);
  }
  const structures = assembler.finish();
  faults.push(...assembler.diagnostics);
  faults.sort((one, other) => one.line - other.line || one.column - other.column);
  return { structures, executions, executes: assembler.executes, faults };
}

/** The structure of this label, of a source that must have no fault. */
export function structureOf(source: string, label = 'OUTPUT'): Structure {
  const { structures, faults } = assembleMaps(source);
  const structure = structures.get(label);
  if (structure === undefined || faults.length > 0) throw new Error(`the source is faulty: ${JSON.stringify(faults)}`);
  return structure;
}
