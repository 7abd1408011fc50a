import type { Assembly, StatementDefinition } from '../assembly.js';
import { jumpTarget, listed, OperandReader, type TextSource } from '../operand-reader.js';
import { flow, type ScenarioRun } from '../scenario-run.js';
import type { ScenarioScreen } from '../scenario-screen.js';
import { readArea } from '../screen-area.js';
import { screenText } from './case.js';
import { comparisonNames, comparisons } from './comparison.js';
import { noFileTransfer, refuseForm } from './form-statement.js';

type Condition = (run: ScenarioRun) => boolean;

const forms: Readonly<Record<string, (operands: OperandReader, assembly: Assembly) => Condition>> = {
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
  'FIRST-PASS': () => (run) => run.surroundings.isFirstPass,
  'APPLICATION-TIMEOUT': () => (run) => run.applicationTimeout,
  CURSOR: readCursorCondition,
  'OIA-STATUS-IS-INHIBITED': screenCondition((screen) => screen.isInhibited),
  'SCREEN-IS-BLANK': screenCondition((screen) => screen.isBlank),
  'SCREEN-IS-UNFORMATTED': screenCondition((screen) => screen.isUnformatted),
  'SCREEN-IS-UNMODIFIED': screenCondition((screen) => screen.isUnmodified),
};

function screenCondition(
  holds: (screen: ScenarioScreen) => boolean,
): (_: OperandReader, assembly: Assembly) => Condition {
  return (_operands, assembly) => {
    assembly.usesScreen();
    return (run) => holds(run.screen);
  };
}

const rejectedOperands = {
  'IND$FILE-TIMEOUT': noFileTransfer,
  'SESSION-SWITCH':
    'is never true here, because a user does not switch between host sessions of one terminal: remove the test, and go to its ELSE',
};

/** IF$ condition,THEN=label,ELSE=label; without a label for the result, the next instruction follows. */
export const ifStatement: StatementDefinition = (assembly) => {
  const operands = new OperandReader(assembly);
  const condition = readCondition(operands, assembly);
  const then = readBranch(assembly, operands, 'THEN');
  const otherwise = readBranch(assembly, operands, 'ELSE');
  if (then === undefined && otherwise === undefined) {
    assembly.report(operands.place, 'IF$ has no target: THEN= or ELSE= is missing');
  }
  operands.done();
  return (run) => (condition(run) ? then : otherwise)?.index ?? flow.next;
};

function readCondition(operands: OperandReader, assembly: Assembly): Condition {
  for (const [form, read] of Object.entries(forms)) if (operands.takeWord(form)) return read(operands, assembly);
  const area = operands.takeArea();
  if (area !== undefined) return readComparison(operands, screenText(assembly, area));
  refuseForm(operands, [...Object.keys(forms), '(row,column,length)'], rejectedOperands);
  operands.rest();
  for (const name of comparisonNames) operands.optional(name);
  return () => false;
}

function readVariableCondition(operands: OperandReader): Condition {
  const name = readVariableName(operands);
  return readComparison(operands, (run) => run.textOfVariable(name));
}

function readComparison(operands: OperandReader, subject: (run: ScenarioRun) => string | undefined): Condition {
  const found: Condition[] = [];
  for (const comparison of comparisonNames) {
    const source: TextSource | undefined = operands.optionalSource(comparison);
    if (source === undefined) continue;
    found.push((run) => {
      const left = subject(run);
      const right = source.text(run);
      return left !== undefined && right !== undefined && comparisons[comparison](run, left, right);
    });
  }
  const [condition] = found;
  if (condition !== undefined && found.length === 1) return condition;
  operands.report(operands.place, `exactly one of ${listed(comparisonNames.map((each) => `${each}=`))} is needed`);
  return () => false;
}

/** CURSOR,EQ=(row,column[,length]) or NE=: true if the cursor is in the area or, for NE, outside it. */
function readCursorCondition(operands: OperandReader, assembly: Assembly): Condition {
  assembly.usesScreen();
  const equal = operands.optional('EQ');
  const place = equal ?? operands.optional('NE');
  if (place === undefined) {
    operands.report(operands.place, 'EQ=(row,column) or NE=(row,column) is required');
    return () => false;
  }
  const area = readArea(assembly, place, { length: 'optional' });
  return (run) => {
    if (area === undefined) return false;
    const { screen } = run;
    const { position, length = 1 } = area(run, screen);
    const isThere = screen.cursor >= position && screen.cursor < position + length;
    return isThere === (equal !== undefined);
  };
}

function readVariableName(operands: OperandReader): string {
  return operands.nextText('the name of the variable')?.text ?? '';
}

function readBranch(assembly: Assembly, operands: OperandReader, name: 'THEN' | 'ELSE') {
  const operand = operands.optional(name);
  return operand && jumpTarget(assembly, operand);
}
