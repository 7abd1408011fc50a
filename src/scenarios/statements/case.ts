import type { Assembly, JumpTarget, StatementDefinition } from '../assembly.js';
import { isText, jumpTarget, listed, OperandReader, type TextSource, textSource } from '../operand-reader.js';
import { flow, type ScenarioRun } from '../scenario-run.js';
import { readArea, textOfArea } from '../screen-area.js';
import type { ListOperand, Operand } from '../syntax.js';
import { valueText } from '../value.js';
import { type Comparison, comparisonNames, comparisons, isComparison, isEmpty } from './comparison.js';

interface Branch {
  readonly holds: (run: ScenarioRun, subject: string) => boolean;
  readonly target: JumpTarget;
}

type Subject = (run: ScenarioRun) => string | undefined;

/**
 * CASE$ 'variable',(condition,'value',label)…,ELSE=label: jumps to the label of the first condition that is true. The
 * variable can be replaced by (row,column,length), CURRENT-SCREEN-POSITION, or CURRENT-FOREACH-VARIABLE-OF,label. A
 * variable that does not exist jumps to ELSE. Without ELSE, the next instruction follows.
 */
export const caseStatement: StatementDefinition = (assembly) => {
  const operands = new OperandReader(assembly);
  const subject = readSubject(assembly, operands);
  const trim = readTrim(operands);
  const branches: Branch[] = [];
  for (const operand of operands.rest()) {
    const branch = readBranch(assembly, operand);
    if (branch !== undefined) branches.push(branch);
  }
  const otherwise = operands.optional('ELSE');
  const otherwiseTarget = otherwise && jumpTarget(assembly, otherwise);
  if (branches.length === 0) assembly.report(operands.place, 'CASE$ has no branch: (condition,value,label) is missing');
  operands.done();
  return (run) => {
    const text = subject(run);
    if (text !== undefined) {
      const compared = trim(text);
      const branch = branches.find(({ holds }) => holds(run, compared));
      if (branch !== undefined) return branch.target.index;
    }
    return otherwiseTarget?.index ?? flow.next;
  };
};

function readSubject(assembly: Assembly, operands: OperandReader): Subject {
  const operand = operands.next();
  if (operand?.kind === 'string') {
    const { text } = operand;
    return (run) => run.textOfVariable(text);
  }
  if (operand?.kind === 'word' && operand.word === 'CURRENT-FOREACH-VARIABLE-OF') {
    const label = operands.nextText('the label of a FOREACH$');
    const loop = label && assembly.enclosingLoop(label.text.toUpperCase());
    if (label !== undefined && loop === undefined) {
      assembly.report(label, `${label.text} is not the label of a FOREACH$ that contains this instruction`);
    }
    return (run) => {
      const frame = loop && run.loopFrame(loop);
      const value = frame?.values[frame.index];
      return value === undefined ? undefined : valueText(value);
    };
  }
  if (operand?.kind === 'list' || (operand?.kind === 'word' && operand.word === 'CURRENT-SCREEN-POSITION')) {
    return screenText(assembly, operand);
  }
  assembly.report(operand ?? operands.place, 'the variable to compare is missing: give its name in quotes');
  return () => undefined;
}

export function screenText(assembly: Assembly, operand: Operand): (run: ScenarioRun) => string | undefined {
  assembly.usesScreen();
  const area = readArea(assembly, operand, { length: 'required' });
  return (run) => (area === undefined ? undefined : textOfArea(run.screen, area(run, run.screen)));
}

/** LTRIM=YES and RTRIM=YES remove blanks, LTRIM='0' removes this character. */
function readTrim(operands: OperandReader): (text: string) => string {
  const left = trimmedCharacter(operands.optionalText('LTRIM'));
  const right = trimmedCharacter(operands.optionalText('RTRIM'));
  if (left === undefined && right === undefined) return (text) => text;
  return (text) => {
    let start = 0;
    let end = text.length;
    while (left !== undefined && start < end && text[start] === left) start++;
    while (right !== undefined && end > start && text[end - 1] === right) end--;
    return text.slice(start, end);
  };
}

function trimmedCharacter(operand: string | undefined): string | undefined {
  if (operand === undefined || operand.toUpperCase() === 'NO') return undefined;
  return operand.length === 1 ? operand : ' ';
}

function readBranch(assembly: Assembly, operand: Operand): Branch | undefined {
  if (operand.kind !== 'list')
    return assembly.report(operand, 'a branch is a list in parentheses: (condition,value,label)');
  const [condition, ...items] = operand.items;
  const word = condition?.kind === 'word' ? condition.word : '';
  if (word === 'EMPTY') {
    const target = branchTarget(assembly, operand, items, 1);
    return target && { holds: (_run, subject) => isEmpty(subject), target };
  }
  if (!isComparison(word))
    return assembly.report(condition ?? operand, `the condition must be ${listed([...comparisonNames, 'EMPTY'])}`);
  return readComparison(assembly, operand, word, items);
}

function readComparison(
  assembly: Assembly,
  operand: ListOperand,
  comparison: Comparison,
  items: readonly Operand[],
): Branch | undefined {
  const typed = items.length === 3 && items[0]?.kind === 'word' ? items[0].word : undefined;
  const value = items[typed === undefined ? 0 : 1];
  if (!isText(value)) {
    const fault = value === undefined ? 'the value to compare with is missing' : 'a text in quotes was expected';
    return assembly.report(value ?? operand, fault);
  }
  if (typed !== undefined && typed !== 'VARIABLE' && typed !== 'STRING')
    return assembly.report(items[0] ?? operand, 'this must be VARIABLE or STRING');
  const target = branchTarget(assembly, operand, items, typed === undefined ? 2 : 3);
  if (target === undefined) return undefined;
  const source = comparedText(typed, value.text);
  const compare = comparisons[comparison];
  return {
    target,
    holds: (run, subject) => {
      const text = source.text(run);
      return text !== undefined && compare(run, subject, text);
    },
  };
}

function comparedText(typed: 'VARIABLE' | 'STRING' | undefined, text: string): TextSource {
  if (typed === 'VARIABLE') return textSource(`*${text}`);
  return typed === 'STRING' ? { text: () => text, constant: text } : textSource(text);
}

function branchTarget(
  assembly: Assembly,
  branch: ListOperand,
  items: readonly Operand[],
  expected: number,
): JumpTarget | undefined {
  const label = items[expected - 1];
  if (label === undefined || items.length !== expected)
    return assembly.report(items[expected] ?? branch, 'a branch is (condition,value,label), or (EMPTY,label)');
  return jumpTarget(assembly, label);
}
