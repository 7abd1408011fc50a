import { inTurns, type RestingWork } from '../../lib/turns/work-in-turns.js';
import { type Assembly, faultyStep } from '../assembly.js';
import type { Structure } from '../map/definition.js';
import { documentEncoding, documentReading } from '../map/document.js';
import { mapToRecord, mapToVariables } from '../map/map-document.js';
import { type MapExecution, type MapSource, parseMapExecution } from '../map/map-execution.js';
import type { Mapping, MappingOutcome, MappingPort, SubroutineCall } from '../map/mapping.js';
import { recordToVariables } from '../map/record-to-variables.js';
import { ScenarioAbendError } from '../scenario-abend-error.js';
import { flow, type Instruction, type ScenarioRun } from '../scenario-run.js';
import { isEbcdic, originalTextOf, type ScenarioValue, substituted, valueText } from '../value.js';
import { parameterValues } from './copy-input.js';

type MappedDocument = Exclude<MapExecution, { kind: 'toVariable' }>;
type MappingStep = IteratorResult<SubroutineCall | undefined, MappingOutcome>;

/**
 * `g MAP$ FROM-INPUT|FROM-FIELD|FROM-VARIABLE …` and `g MAP$ TO-VARIABLE,VAR='v'`, and `g TOVAR$ FROM-INPUT|FROM-FIELD|
 * FROM-VARIABLE …`: one variable per field of the structure. Definitions are not steps.
 */
export function mapStatement(assembly: Assembly): Instruction {
  const execution = parseMapExecution(assembly);
  if (execution === undefined) return faultyStep;
  const structureOf = assembly.structure(execution.structure, assembly.instruction);
  if (execution.kind === 'toVariable') {
    return (run) => {
      const record = run.records.get(execution.structure);
      if (record === undefined)
        throw new ScenarioAbendError(`${execution.structure} MAP$ TO-VARIABLE: there is no mapped document`);
      run.replace(execution.variable, record);
      return flow.next;
    };
  }
  return (run) => {
    const structure = structureOf();
    if (structure === undefined) throw new ScenarioAbendError(`there is no output structure ${execution.structure}`);
    const mapping = mappingOf(run, execution, structure);
    const first = mapping.next();
    if (first.done) return finishMapping(run, execution, first.value);
    return completed(run, assembly, mapping, first).then((outcome) =>
      outcome === undefined ? flow.ended : finishMapping(run, execution, outcome),
    );
  };
}

function* mappingOf(run: ScenarioRun, execution: MappedDocument, structure: Structure): Mapping {
  const { value: read, codePage } = sourceOf(run, execution.source);
  const port: MappingPort = {
    valueOf: (variable) => run.textOfVariable(variable),
    append: (variable, value) => run.append(variable, value),
    replace: (variable, value) => run.replace(variable, value),
    storable: (text) => (codePage === undefined ? text : substituted(text, codePage)),
    numericFault: (area, fault) => run.noteNumericFault(execution.structure, area, fault),
  };
  const { kind, format } = execution;
  if (format === 'RECORD') return yield* recordToVariables(structure, valueText(read), port);
  const document = yield* documentReading(format, originalTextOf(read), (reason) =>
    logUnreadable(run, execution, reason),
  );
  return yield* (kind === 'record' ? mapToRecord : mapToVariables)(structure, document, port);
}

/**
 * Completes a mapping: runs the subroutines of MAP$ EXECUTE and pauses for the event loop.
 * @returns undefined if a subroutine ended the scenario
 */
async function completed(
  run: ScenarioRun,
  assembly: Assembly,
  mapping: Mapping,
  first: MappingStep,
): Promise<MappingOutcome | undefined> {
  for (let step = first; ; step = await inTurns(upToCall(run, mapping), run.request.names.client?.peer)) {
    if (step.done) return step.value;
    if (step.value === undefined) continue;
    const target = assembly.indexOfLabel(step.value.execute);
    if (target === undefined) throw new ScenarioAbendError(`there is no label ${step.value.execute}`);
    await run.perform(target);
    if (run.ended) return undefined;
  }
}

function* upToCall(run: ScenarioRun, mapping: Mapping): RestingWork<MappingStep> {
  for (;;) {
    if (run.signal.aborted) throw new ScenarioAbendError('the run was stopped');
    const step = mapping.next();
    if (step.done || step.value !== undefined) return step;
    yield;
  }
}

function finishMapping(run: ScenarioRun, { kind, structure }: MapExecution, outcome: MappingOutcome): number {
  if (outcome.kind === 'abended') throw new ScenarioAbendError(`MAP$ ABEND of line ${outcome.at.line} was reached`);
  if (kind === 'record') run.records.set(structure, outcome.record);
  return flow.next;
}

/** Logs only the reason, because the document may contain secrets. */
function logUnreadable(run: ScenarioRun, { structure, source, format }: MappedDocument, reason: string): void {
  const of = source.from === 'variable' ? source.variable : source.from === 'field' ? source.field : 'the request';
  run.ports.log.warn(
    { requestId: run.request.requestId, module: run.moduleName, structure, document: of, format, reason },
    'document could not be read, mapped as an empty one',
  );
}

interface Source {
  readonly value: ScenarioValue;
  /** EBCDIC code page of the document, which is also used for the record. */
  readonly codePage: string | undefined;
}

function sourceOf(run: ScenarioRun, source: MapSource): Source {
  if (source.from === 'variable') {
    const value = run.valueOf(source.variable) ?? '';
    const codePage = typeof value !== 'string' && isEbcdic(value.encoding) ? value.encoding : undefined;
    return { value, codePage };
  }
  if (source.from === 'field') {
    return { value: parameterValues(run.request.parameters, source.field)?.[0] ?? '', codePage: undefined };
  }
  const { body, query, headers } = run.request;
  if (body === undefined) return { value: query, codePage: undefined };
  const contentType = headers['content-type'];
  const encoding = documentEncoding(body, Array.isArray(contentType) ? contentType[0] : contentType);
  return { value: { bytes: body, encoding }, codePage: undefined };
}
