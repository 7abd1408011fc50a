import { type Assembly, faultyStep, type StatementDefinition } from '../assembly.js';
import { OperandReader } from '../operand-reader.js';
import { flow, type ScenarioRun, startTrace } from '../scenario-run.js';
import { notInThisVersionBut, refuseForm } from './form-statement.js';

const useScenarioTrace = notInThisVersionBut('use DEBUG$ TRACE,SCENARIO to trace a run');

/** DEBUG$ TRACE,SCENARIO and DEBUG$ NOTRACE,SCENARIO[,WHEN=ALWAYS or (TRANSACTION-NAME-STARTS-WITH,'p')]. */
export const debugStatement: StatementDefinition = (assembly) => {
  const operands = new OperandReader(assembly);
  const starts = operands.takeWord('TRACE');
  if (!starts && !operands.takeWord('NOTRACE')) {
    refuseForm(operands, ['TRACE', 'NOTRACE'], { SNAP: useScenarioTrace });
    return faultyStep;
  }
  if (!operands.takeWord('SCENARIO')) {
    refuseForm(operands, ['SCENARIO'], {
      LINE: useScenarioTrace,
      TERMINAL: useScenarioTrace,
    });
    return faultyStep;
  }
  const applies = readWhen(assembly, operands);
  operands.done();
  return (run) => {
    if (!applies(run)) return flow.next;
    if (starts) startTrace(run);
    else run.trace = undefined;
    return flow.next;
  };
};

function readWhen(assembly: Assembly, operands: OperandReader): (run: ScenarioRun) => boolean {
  const when = operands.optional('WHEN');
  if (when === undefined || (when.kind === 'word' && when.word === 'ALWAYS')) return () => true;
  const [condition, prefix] = when.kind === 'list' ? when.items : [];
  if (condition?.kind !== 'word' || condition.word !== 'TRANSACTION-NAME-STARTS-WITH' || prefix?.kind !== 'string') {
    assembly.report(when, "WHEN= must be ALWAYS or (TRANSACTION-NAME-STARTS-WITH,'prefix')");
    return () => false;
  }
  operands.warnOfRest(when, 2);
  return (run) => (run.request.names.get('TRANSACTION-EXTERNAL') ?? '').startsWith(prefix.text);
}
