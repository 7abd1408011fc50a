import type { Assembly, StatementDefinition } from '../assembly.js';
import { listed, OperandReader, type TextSource } from '../operand-reader.js';
import type { ScenarioRun } from '../scenario-run.js';
import { flow } from '../step.js';
import { comparisonNames, comparisons } from './comparison.js';
import { jumpTarget } from './jump-operand.js';
import { needsHostSession, refuseForm } from './refused-form.js';

type Condition = (run: ScenarioRun) => boolean;

const forms: Readonly<Record<string, (operands: OperandReader) => Condition>> = {
  VARIABLE: readVariableCondition,
  'EXISTS-VARIABLE': (operands) => {
    const name = readVariableName(operands);
    return (run) => run.variables.has(name);
  },
  'NOT-EXISTS-VARIABLE': (operands) => {
    const name = readVariableName(operands);
    return (run) => !run.variables.has(name);
  },
  'NOT-FOUND': () => (run) => run.notFound,
  // An INITIAL scenario runs once for its transaction: its only pass is the first.
  'FIRST-PASS': () => () => true,
};

const needHost = [
  'APPLICATION-TIMEOUT',
  'CURSOR',
  'IND$FILE-TIMEOUT',
  'OIA-STATUS-IS-INHIBITED',
  'SCREEN-IS-BLANK',
  'SCREEN-IS-UNFORMATTED',
  'SCREEN-IS-UNMODIFIED',
  'SESSION-SWITCH',
];

/** IF$ condition,THEN=label,ELSE=label; the branch that is not given goes to the next instruction. */
export const ifStatement: StatementDefinition = {
  name: 'IF$',
  assemble(assembly) {
    const operands = new OperandReader(assembly);
    const condition = readCondition(operands);
    const then = readBranch(assembly, operands, 'THEN');
    const otherwise = readBranch(assembly, operands, 'ELSE');
    if (then === undefined && otherwise === undefined) {
      assembly.report(operands.place, 'IF$ goes nowhere: THEN= or ELSE= is missing');
    }
    operands.done();
    return (run) => (condition(run) ? then : otherwise)?.index ?? flow.next;
  },
};

function readCondition(operands: OperandReader): Condition {
  for (const [form, read] of Object.entries(forms)) if (operands.takeWord(form)) return read(operands);
  refuseForm(operands, Object.keys(forms), Object.fromEntries(needHost.map((form) => [form, needsHostSession])));
  operands.rest();
  for (const name of comparisonNames) operands.optional(name);
  return () => false;
}

function readVariableCondition(operands: OperandReader): Condition {
  const name = readVariableName(operands);
  const found: Condition[] = [];
  for (const comparison of comparisonNames) {
    const source: TextSource | undefined = operands.optionalSource(comparison);
    if (source === undefined) continue;
    found.push((run) => {
      const left = run.textOfVariable(name);
      const right = source.text(run);
      return left !== undefined && right !== undefined && comparisons[comparison](run, left, right);
    });
  }
  const [condition] = found;
  if (condition !== undefined && found.length === 1) return condition;
  operands.report(operands.place, `exactly one of ${listed(comparisonNames.map((each) => `${each}=`))} is needed`);
  return () => false;
}

function readVariableName(operands: OperandReader): string {
  return operands.nextText('the name of the variable')?.text ?? '';
}

function readBranch(assembly: Assembly, operands: OperandReader, name: 'THEN' | 'ELSE') {
  const operand = operands.optional(name);
  return operand && jumpTarget(assembly, operand);
}
