import type { Choice, FieldControl } from '../../templates/page-declarations.js';
import { faultyStep, type StatementDefinition } from '../assembly.js';
import { OperandReader, type TextSource, textSource } from '../operand-reader.js';
import { ScenarioAbendError } from '../scenario-abend-error.js';
import { flow, type ScenarioRun } from '../scenario-run.js';
import { readArea } from '../screen-area.js';
import { DeclaredOnPage } from '../session-effects.js';
import type { Operand } from '../syntax.js';
import { valueText } from '../value.js';
import { beforePages, placeOf } from './declare.js';
import { onlyInKinds, refuseForm } from './form-statement.js';

/** Undefined if a variable does not exist. Choices are added to existing ones. */
type ControlSource = (run: ScenarioRun) => FieldControl | undefined;

const forms: Readonly<Record<string, (operands: OperandReader) => ControlSource | undefined>> = {
  'DEFINE-CHOICE': readChoices,
  'DEFINE-VARIABLE-CHOICE': readVariableChoices,
  'IS-BINARY-CHOICE': readBinaryChoice,
  HIDE: () => () => ({ kind: 'hidden' }),
};

/**
 * FIELD$ (row,column,length),DEFINE-CHOICE,('value','label')… · DEFINE-VARIABLE-CHOICE,VAR='values'[,LABELS='labels'] ·
 * IS-BINARY-CHOICE[,ON='value'][,OFF='value'] · HIDE: control of an input field in generated pages.
 */
export const fieldStatement: StatementDefinition = (assembly) => {
  assembly.usesScreen();
  onlyInKinds(assembly, 'FIELD$', beforePages);
  const operands = new OperandReader(assembly);
  const place = operands.takeArea();
  if (place === undefined) operands.report(operands.place, '(row,column,length) is missing');
  const area = place && readArea(assembly, place, { length: 'required' });
  const source = readControl(operands);
  operands.done();
  if (area === undefined || source === undefined) return faultyStep;
  return (run) => {
    const control = source(run);
    run.notFound = control === undefined;
    if (control === undefined) return flow.next;
    const { row, column, length } = placeOf(run, area);
    refuseLonger(control, length);
    run.effects.declarations ??= new DeclaredOnPage();
    if (control.kind === 'choice') run.effects.declarations.addChoices(row, column, control.choices);
    else run.effects.declarations.setControl(row, column, control);
    return flow.next;
  };
};

function refuseLonger(control: FieldControl, length: number): void {
  const values =
    control.kind === 'choice'
      ? control.choices.map(({ value }) => value)
      : control.kind === 'binary'
        ? [control.on, control.off]
        : [];
  if (values.some((value) => [...value].length > length)) {
    throw new ScenarioAbendError(`a choice is longer than the ${length} positions of its field`);
  }
}

function readControl(operands: OperandReader): ControlSource | undefined {
  for (const [form, read] of Object.entries(forms)) if (operands.takeWord(form)) return read(operands);
  refuseForm(operands, Object.keys(forms));
  for (const name of ['VAR', 'LABELS', 'ON', 'OFF']) operands.optional(name);
  operands.rest();
  return undefined;
}

/** A choice is a text or (value,label). `'*v'` is the value of a variable; without it, the choice is omitted. */
function readChoices(operands: OperandReader): ControlSource | undefined {
  const read = operands.rest().map((operand) => readChoice(operands, operand));
  if (read.length === 0) operands.report(operands.place, "a choice is missing: 'value' or ('value','label')");
  return (run) => {
    const choices = read.flatMap((choiceOf) => choiceOf?.(run) ?? []);
    return choices.length === 0 ? undefined : { kind: 'choice', choices };
  };
}

function readChoice(operands: OperandReader, operand: Operand): ((run: ScenarioRun) => Choice | undefined) | undefined {
  const items = operand.kind === 'list' ? operand.items : [operand];
  const [value, label] = items.map(sourceOf);
  if (value === undefined || items.length > 2 || (items.length === 2 && label === undefined))
    return operands.report(operand, "a choice is 'value' or ('value','label')");
  return (run) => {
    const text = value.text(run);
    return text === undefined ? undefined : choice(text, label?.text(run) ?? text);
  };
}

function sourceOf(operand: Operand): TextSource | undefined {
  return operand.kind === 'string' || operand.kind === 'word' ? textSource(operand.text) : undefined;
}

function readVariableChoices(operands: OperandReader): ControlSource | undefined {
  const variable = operands.requiredText('VAR');
  const labels = operands.optionalText('LABELS');
  if (variable === undefined) return undefined;
  return (run) => {
    const values = run.variables.values(variable);
    if (values === undefined || values.length === 0) return undefined;
    const shown = labels === undefined ? undefined : run.variables.values(labels);
    const choices = values.map((value, index) => {
      const label = shown?.[index];
      return choice(valueText(value), valueText(label ?? value));
    });
    return { kind: 'choice', choices };
  };
}

function readBinaryChoice(operands: OperandReader): ControlSource | undefined {
  const on = operands.optionalText('ON') ?? 'X';
  const off = operands.optionalText('OFF') ?? '';
  if (on.trimEnd() !== '' && on.trimEnd() !== off.trimEnd()) {
    return () => ({ kind: 'binary', on: on.trimEnd(), off: off.trimEnd() });
  }
  return operands.report(operands.place, 'ON= must be a text that differs from OFF=');
}

function choice(value: string, label: string): Choice {
  return { value: value.trimEnd(), label: label.trim() };
}
