import type { RestingWork } from '../../lib/turns/work-in-turns.js';
import { type Assembly, faultyStep, type StatementDefinition } from '../assembly.js';
import { OperandReader, readVariablePair, type TextSource, textSource } from '../operand-reader.js';
import { flow, type ScenarioRun } from '../scenario-run.js';
import type { Operand } from '../syntax.js';
import { type ScenarioValue, valueText } from '../value.js';
import { comparisons } from './comparison.js';
import { refuseForm } from './form-statement.js';
import { doneWithValues } from './values-in-turns.js';

/** Result of a rule; TextSource replaces the value. */
type Result = 'DROP' | 'KEEP' | TextSource;

interface Rule {
  readonly holds: (run: ScenarioRun, text: string) => boolean;
  readonly result: Result;
}

const ruleComparisons: Readonly<Record<string, (run: ScenarioRun, left: string, right: string) => boolean>> = {
  WHEN: comparisons.EQ,
  BEGIN: comparisons.BEGIN,
  CONTAINS: comparisons.CONTAINS,
};

/**
 * FILTER$ VARIABLE-TO-VARIABLE,VAR=('from','to'),(WHEN|BEGIN|CONTAINS,'value',result)…,OTHERWISE=result: applies the
 * first matching rule to each value of `from` and appends the result to `to`. A result is KEEP, DROP or a text. Values
 * without a matching rule are dropped unless OTHERWISE= is given.
 */
export const filterStatement: StatementDefinition = (assembly) => {
  const operands = new OperandReader(assembly);
  if (!operands.takeWord('VARIABLE-TO-VARIABLE')) {
    refuseForm(operands, ['VARIABLE-TO-VARIABLE']);
    return faultyStep;
  }
  const pair = readVariablePair(operands);
  const replace = operands.optionalChoice('TYPE', ['REPLACE']) !== undefined;
  const rules: Rule[] = [];
  for (const operand of operands.rest()) {
    const rule = readRule(assembly, operand);
    if (rule !== undefined) rules.push(rule);
  }
  const otherwise = operands.optional('OTHERWISE');
  const fallback: Result = otherwise === undefined ? 'DROP' : readResult(assembly, otherwise);
  if (rules.length === 0) assembly.report(operands.place, 'FILTER$ has no rule: (WHEN,value,result) is missing');
  operands.done();
  if (pair === undefined) return faultyStep;
  return (run) => {
    const values = run.variables.values(pair.from);
    run.notFound = values === undefined;
    if (values === undefined) return flow.next;
    const store = (kept: readonly ScenarioValue[]) => {
      if (replace) run.replaceAll(pair.to, kept);
      else for (const value of kept) run.append(pair.to, value);
      return flow.next;
    };
    return doneWithValues(run, values, filtering(run, values, rules, fallback), store);
  };
};

function* filtering(
  run: ScenarioRun,
  values: readonly ScenarioValue[],
  rules: readonly Rule[],
  fallback: Result,
): RestingWork<ScenarioValue[]> {
  const kept: ScenarioValue[] = [];
  for (const value of values) {
    kept.push(...filtered(run, value, rules, fallback));
    yield;
  }
  return kept;
}

function filtered(run: ScenarioRun, value: ScenarioValue, rules: readonly Rule[], fallback: Result): ScenarioValue[] {
  const text = valueText(value);
  const result = rules.find(({ holds }) => holds(run, text))?.result ?? fallback;
  if (result === 'DROP') return [];
  return [result === 'KEEP' ? value : (result.text(run) ?? '')];
}

function readRule(assembly: Assembly, operand: Operand): Rule | undefined {
  const [kind, value, result, ...more] = operand.kind === 'list' ? operand.items : [];
  const compare = kind?.kind === 'word' ? ruleComparisons[kind.word] : undefined;
  if (compare === undefined || value?.kind !== 'string' || result === undefined || more.length > 0) {
    return assembly.report(
      operand,
      "a rule is (WHEN,'value',result), (BEGIN,'value',result) or (CONTAINS,'value',result)",
    );
  }
  const source = textSource(value.text);
  return {
    holds: (run, text) => {
      const compared = source.text(run);
      return compared !== undefined && compare(run, text, compared);
    },
    result: readResult(assembly, result),
  };
}

function readResult(assembly: Assembly, operand: Operand): Result {
  if (operand.kind === 'string') return textSource(operand.text);
  if (operand.kind === 'word' && (operand.word === 'KEEP' || operand.word === 'DROP')) return operand.word;
  assembly.report(operand, 'the result of a rule is KEEP, DROP or a text in quotes');
  return 'DROP';
}
