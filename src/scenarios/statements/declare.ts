import { type AreaAction, areaKeyField, type ClickableArea } from '../../templates/page-declarations.js';
import { faultyStep, type StatementDefinition } from '../assembly.js';
import { OperandReader, type TextSource, textSource } from '../operand-reader.js';
import { ScenarioAbendError } from '../scenario-abend-error.js';
import { flow, type ScenarioRun } from '../scenario-run.js';
import { hostKeyNamed } from '../scenario-screen.js';
import { type AreaSource, readArea } from '../screen-area.js';
import { DeclaredOnPage } from '../session-effects.js';
import type { Operand } from '../syntax.js';
import { onlyInKinds, refuseForm } from './form-statement.js';

export const beforePages = ['INITIAL', 'INPUT', 'OUTPUT'] as const;

const LONGEST_URL = 2_048;
/** Arbitrary base: a relative URL must stay on the same site. */
const RELATIVE_TO = 'https://relative.invalid/';
const reservedNames = new RegExp(`^(?:V[0-9A-F]{7}|pf|cursorField|focusField|SESSKEY|${areaKeyField})$`, 'i');

type ActionSource = (run: ScenarioRun) => AreaAction | undefined;
type Condition = (run: ScenarioRun) => ClickableArea['condition'] | 'absent';

const forms: Readonly<Record<string, (operands: OperandReader) => ActionSource | undefined>> = {
  'AS-PFKEY': readKey,
  'AS-PARAMETER': readParameter,
  'AS-HREF': readLink,
};

/**
 * DECLARE$ (row,column,length[,'value'[,EQ or NE]]),AS-PFKEY,KEY=key · AS-PARAMETER,FIELD='name',VALUE='text' ·
 * AS-HREF,URL='text': generated pages show the area of the screen as a button or a link.
 */
export const declareStatement: StatementDefinition = (assembly) => {
  assembly.usesScreen();
  onlyInKinds(assembly, 'DECLARE$', beforePages);
  const operands = new OperandReader(assembly);
  const place = operands.takeArea();
  if (place === undefined) operands.report(operands.place, '(row,column,length) is missing');
  const area = place && readArea(assembly, withoutCondition(place), { length: 'required' });
  const condition = readCondition(operands, place);
  const action = readAction(operands);
  operands.done();
  if (area === undefined || action === undefined) return faultyStep;
  return (run) => {
    declare(run, area, condition, action);
    return flow.next;
  };
};

function declare(run: ScenarioRun, area: AreaSource, conditionOf: Condition, actionOf: ActionSource): void {
  const action = actionOf(run);
  const condition = conditionOf(run);
  run.notFound = action === undefined || condition === 'absent';
  if (action === undefined || condition === 'absent') return;
  run.effects.declarations ??= new DeclaredOnPage();
  const characters = (condition?.text.length ?? 0) + Object.values(action).reduce((sum, text) => sum + text.length, 0);
  run.effects.declarations.addArea({ ...placeOf(run, area), action, condition }, characters);
}

export function placeOf(run: ScenarioRun, area: AreaSource): { row: number; column: number; length: number } {
  const { screen } = run;
  const { position, length } = area(run, screen);
  if (length === undefined) throw new ScenarioAbendError('the current screen position has no length');
  return { row: Math.floor(position / screen.columns) + 1, column: (position % screen.columns) + 1, length };
}

function withoutCondition(place: Operand): Operand {
  return place.kind === 'list' ? { ...place, items: place.items.slice(0, 3) } : place;
}

function readCondition(operands: OperandReader, place: Operand | undefined): Condition {
  const [text, comparison, further] = place?.kind === 'list' ? place.items.slice(3) : [];
  if (text === undefined) return () => undefined;
  if (text.kind !== 'string' && text.kind !== 'word') operands.report(text, 'the value to compare with is missing');
  const word = comparison === undefined ? 'EQ' : comparison.kind === 'word' ? comparison.word : '';
  if (word !== 'EQ' && word !== 'NE') operands.report(comparison ?? text, 'the comparison must be EQ or NE');
  if (further !== undefined) operands.report(further, 'an area is (row,column,length,value,EQ or NE)');
  const source = textSource(text.kind === 'string' || text.kind === 'word' ? text.text : '');
  return (run) => {
    const value = source.text(run);
    return value === undefined ? 'absent' : { text: value, isEqual: word === 'EQ' };
  };
}

function readAction(operands: OperandReader): ActionSource | undefined {
  for (const [form, read] of Object.entries(forms)) if (operands.takeWord(form)) return read(operands);
  refuseForm(operands, Object.keys(forms));
  for (const name of ['KEY', 'FIELD', 'VALUE', 'URL']) operands.optional(name);
  return undefined;
}

function readKey(operands: OperandReader): ActionSource | undefined {
  const operand = operands.required('KEY');
  const source = operand && textSource(operand.kind === 'string' || operand.kind === 'word' ? operand.text : '');
  return checked(operands, source, 'KEY= must be a key that goes to the host, such as ENTER, PF3 or 7D', (text) => {
    const key = hostKeyNamed(text);
    return key === undefined ? undefined : { kind: 'key', key: key.toUpperCase() };
  });
}

/** FIELD= must be a constant, so that text from the screen cannot choose the form field. */
function readParameter(operands: OperandReader): ActionSource | undefined {
  const name = operands.requiredText('FIELD');
  const value = operands.requiredSource('VALUE');
  if (name === undefined || value === undefined) return undefined;
  if (!/^[\w$.-]{1,64}$/.test(name) || reservedNames.test(name)) {
    return operands.report(
      operands.place,
      'FIELD= must be a name of 1 to 64 letters, digits and $ . - _, and not a name that forms already use',
    );
  }
  return (run) => {
    const text = value.text(run);
    return text === undefined ? undefined : { kind: 'parameter', name, value: text };
  };
}

function readLink(operands: OperandReader): ActionSource | undefined {
  const source = operands.requiredSource('URL');
  const complaint = `URL= must be an http: or https: URL, or a path of the same site, in ${LONGEST_URL} characters at most`;
  return checked(operands, source, complaint, (text) => (leadsToPage(text) ? { kind: 'link', url: text } : undefined));
}

/** Parses the URL as browsers do: `java\nscript:` is also a script. */
function leadsToPage(text: string): boolean {
  if (text === '' || text.length > LONGEST_URL || !URL.canParse(text, RELATIVE_TO)) return false;
  const { protocol } = new URL(text, RELATIVE_TO);
  return protocol === 'http:' || protocol === 'https:';
}

/** Constants are checked at assembly. A variable with an invalid value is treated as missing. */
function checked(
  operands: OperandReader,
  source: TextSource | undefined,
  complaint: string,
  read: (text: string) => AreaAction | undefined,
): ActionSource | undefined {
  if (source === undefined) return undefined;
  if (source.constant !== undefined) {
    const action = read(source.constant);
    if (action === undefined) operands.report(operands.place, complaint);
    return () => action;
  }
  return (run) => {
    const text = source.text(run);
    return text === undefined ? undefined : read(text);
  };
}
