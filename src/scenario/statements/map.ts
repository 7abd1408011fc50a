import { documentEncoding } from '../../soap/document-encoding.js';
import { type Assembly, faultyStep, type StatementDefinition } from '../assembly.js';
import type { Structure } from '../map/definition.js';
import { readDocument } from '../map/document.js';
import { type MapExecution, type MapSource, parseMapExecution } from '../map/map-execution.js';
import { mapToRecord } from '../map/map-record.js';
import { mapToVariables } from '../map/map-to-variables.js';
import type { MappingPort, MappingResult, SubroutineCall } from '../map/mapping-port.js';
import { recordToVariables } from '../map/record-to-variables.js';
import { ScenarioAbend } from '../scenario-abend.js';
import type { ScenarioRun } from '../scenario-run.js';
import { flow, type Step } from '../step.js';
import { textOf } from '../value.js';
import { parameterValues } from './copy-input.js';

type Mapping = Generator<SubroutineCall, MappingResult, void>;

/** `g MAP$ FROM-INPUT|FROM-FIELD|FROM-VARIABLE …` and `g MAP$ TO-VARIABLE,VAR='v'`. The definitions are not steps. */
export const mapStatement: StatementDefinition = { name: 'MAP$', assemble: assembleExecution };

/** `g TOVAR$ FROM-INPUT|FROM-FIELD|FROM-VARIABLE …`: one variable per field of the structure. */
export const tovarStatement: StatementDefinition = { name: 'TOVAR$', assemble: assembleExecution };

function assembleExecution(assembly: Assembly): Step {
  const execution = parseMapExecution(assembly);
  if (execution === undefined) return faultyStep;
  const structureOf = assembly.structure(execution.structure, assembly.instruction);
  if (execution.kind === 'toVariable') {
    return (run) => {
      const record = run.records.get(execution.structure);
      if (record === undefined)
        throw new ScenarioAbend(`${execution.structure} MAP$ TO-VARIABLE: nothing was mapped before`);
      run.replace(execution.variable, record);
      return flow.next;
    };
  }
  return (run) => {
    const structure = structureOf();
    if (structure === undefined) throw new ScenarioAbend(`there is no output structure ${execution.structure}`);
    const mapping = startMapping(run, execution, structure);
    const first = mapping.next();
    if (first.done) return finishMapping(run, execution, first.value);
    return performCalls(run, assembly, mapping, first.value).then((result) => finishMapping(run, execution, result));
  };
}

function startMapping(
  run: ScenarioRun,
  execution: Exclude<MapExecution, { kind: 'toVariable' }>,
  structure: Structure,
): Mapping {
  const text = sourceText(run, execution.source);
  const port: MappingPort = {
    valueOf: (variable) => run.textOfVariable(variable),
    append: (variable, value) => run.append(variable, value),
    replace: (variable, value) => run.replace(variable, value),
  };
  const { kind, format } = execution;
  if (format === 'RECORD') return recordToVariables(structure, text, port);
  return (kind === 'record' ? mapToRecord : mapToVariables)(structure, readDocument(format, text), port);
}

/** Runs the subroutines that a mapping calls in its middle (MAP$ EXECUTE), each before the mapping goes on. */
async function performCalls(
  run: ScenarioRun,
  assembly: Assembly,
  mapping: Mapping,
  first: SubroutineCall,
): Promise<MappingResult> {
  let call = first;
  for (;;) {
    const target = assembly.indexOfLabel(call.execute);
    if (target === undefined) throw new ScenarioAbend(`there is no label ${call.execute}`);
    await run.perform(target);
    const next = mapping.next();
    if (next.done) return next.value;
    call = next.value;
  }
}

function finishMapping(
  run: ScenarioRun,
  { kind, structure }: MapExecution,
  { record, abended }: MappingResult,
): number {
  if (abended !== undefined) throw new ScenarioAbend(`MAP$ ABEND of line ${abended.line} was reached`);
  if (kind === 'record') run.records.set(structure, record);
  return run.ended ? flow.ended : flow.next;
}

function sourceText(run: ScenarioRun, source: MapSource): string {
  if (source.from === 'variable') return run.textOfVariable(source.variable) ?? '';
  if (source.from === 'field') return parameterValues(run.request.parameters, source.field)?.[0] ?? '';
  const { body, query, headers } = run.request;
  if (body === undefined) return query;
  const contentType = headers['content-type'];
  return textOf({
    bytes: body,
    encoding: documentEncoding(body, Array.isArray(contentType) ? contentType[0] : contentType),
  });
}
