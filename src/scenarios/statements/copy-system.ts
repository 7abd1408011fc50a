import { type Assembly, faultyStep } from '../assembly.js';
import { listed, type OperandReader } from '../operand-reader.js';
import { flow, type Instruction, type LoopDefinition, type ScenarioRun } from '../scenario-run.js';
import type { ScenarioScreen } from '../scenario-screen.js';
import { terminalWishes } from '../session-effects.js';
import type { ListOperand, Operand } from '../syntax.js';
import { valueText } from '../value.js';
import { readPart } from './copy-variable.js';
import { notInThisVersionBut, onlyInKinds } from './form-statement.js';

type SystemValue = (run: ScenarioRun) => string | undefined;

const requestItems = [
  'CHARACTER-SET',
  'DATE-TIME',
  'DEMO-CURRENCY-SERVICE',
  'ENTRY-POINT',
  'GROUP',
  'LINE-EXTERNAL',
  'LINE-INTERNAL',
  'PAGE',
  'PAGE-INTERNAL',
  'QUERY',
  'SVC',
  'SVC-VERSION',
  'TRANSACTION-EXTERNAL',
  'TRANSACTION-INTERNAL',
  'URL',
  'USER',
  'USER-IP-ADDRESS',
];

const screenNames: Readonly<Record<string, (screen: ScenarioScreen) => string | undefined>> = {
  RELAY: ({ deviceName }) => deviceName,
  'PSEUDO-TERMINAL': ({ deviceName }) => deviceName,
  'SNA-STATUS': ({ isInhibited }) => (isInhibited ? 'X' : ' '),
};
const screenNumbers: Readonly<Record<string, (screen: ScenarioScreen) => number>> = {
  'SCREEN-COLUMNS': ({ columns }) => columns,
  'SCREEN-LINES': ({ rows }) => rows,
  'SCREEN-FIELDS': ({ fieldCount }) => fieldCount,
  'SCREEN-INPUT-FIELDS': ({ inputFieldCount }) => inputFieldCount,
  'CURRENT-LINE': ({ cursor, columns }) => Math.floor(cursor / columns) + 1,
  'CURRENT-COLUMN': ({ cursor, columns }) => (cursor % columns) + 1,
};
const refusedItems: ReadonlyMap<string, string> = new Map([
  ['PRINT-RELAY', notInThisVersionBut('use it in a page: {{{NAME-OF (PRINT-RELAY)}}}')],
  ['TERMINAL', notInThisVersionBut('USER-IP-ADDRESS is the address of the browser')],
  ['LOGMODE', notInThisVersionBut('use SCREEN-LINES and SCREEN-COLUMNS for the current size')],
  ['PASSWORD', notInThisVersionBut('no scenario reads one')],
]);
const refusedClasses: ReadonlyMap<string, string> = new Map([
  ['USER-SECURITY-PROFILE', notInThisVersionBut('(NAME-OF,GROUP) is the group of the user')],
  [
    'NEW-PASSTICKET-FOR-TRANSACTION',
    notInThisVersionBut('let the host generate it, or call a service with a pool of signed-on sessions'),
  ],
]);

/**
 * COPY$ SYSTEM-TO-VARIABLE,FIELD=(class,item),VAR='v'[,OFFSET=n][,LENGTH=n][,TYPE=REPLACE]. Classes: HTTP-HEADER,
 * TCT-HTTP-HEADER, NAME-OF, VALUE-OF, NUMBER-OF.
 */
export function copyFromSystem(operands: OperandReader, assembly: Assembly): Instruction {
  const field = operands.requiredList('FIELD');
  const variable = operands.requiredText('VAR');
  const part = readPart(operands);
  const replace = operands.optionalChoice('TYPE', ['REPLACE']) !== undefined;
  const value = field && readSystemValue(assembly, field);
  operands.warnOfRest(field, takesLoopLabel(field) ? 3 : 2);
  if (value === undefined || variable === undefined) return faultyStep;
  return (run) => {
    const text = value(run);
    run.copyTo(variable, text === undefined ? [] : [part(text)], replace);
    return flow.next;
  };
}

/** Items of a loop may be followed by the label of its FOREACH$. */
function takesLoopLabel(field: ListOperand | undefined): boolean {
  const item = field?.items[1];
  return (item?.kind === 'word' || item?.kind === 'string') && item.text.toUpperCase().startsWith('CURRENT-FOREACH');
}

function readSystemValue(assembly: Assembly, field: ListOperand): SystemValue | undefined {
  const [classOperand, itemOperand, labelOperand] = field.items;
  const className = classOperand?.kind === 'word' ? classOperand.word : '';
  const item = itemOperand?.kind === 'word' || itemOperand?.kind === 'string' ? itemOperand.text : undefined;
  const refusal = refusedClasses.get(className);
  if (refusal !== undefined) return assembly.report(field, `${className} ${refusal}`);
  const read = Object.hasOwn(classes, className) ? classes[className] : undefined;
  if (read === undefined || item === undefined)
    return assembly.report(field, `FIELD= must be (class,item), its class one of ${listed(Object.keys(classes))}`);
  return read(assembly, item, itemOperand ?? field, labelOperand);
}

type ClassReader = (
  assembly: Assembly,
  item: string,
  place: Operand,
  label: Operand | undefined,
) => SystemValue | undefined;

const readHeader: ClassReader = (_assembly, item) => {
  const name = item.toLowerCase();
  return (run) => {
    const value = run.request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
};

const readItem: ClassReader = (assembly, item, place, label) => {
  const name = item.toUpperCase();
  if (name.startsWith('CURRENT-FOREACH-VARIABLE')) {
    return readLoopItem(assembly, place, label, (_loop, frame) => {
      const value = frame.values[frame.index];
      return value === undefined ? undefined : valueText(value);
    });
  }
  if (name === 'CURRENT-FOREACH-NAME') return readLoopItem(assembly, place, label, (loop) => loop.variable);
  if (name === 'DIRECTORY') return (run) => run.directory;
  if (name === 'ROUTING-PARAMETER') return (run) => run.routingParameter;
  if (requestItems.includes(name)) return (run) => run.request.names.get(name);
  const ofScreen = Object.hasOwn(screenNames, name) ? screenNames[name] : undefined;
  if (ofScreen === undefined) return readScreenNumber(assembly, place, name);
  assembly.usesScreen();
  return (run) => ofScreen(run.screen);
};

const readNumber: ClassReader = (assembly, item, place, label) => {
  const name = item.toUpperCase();
  if (name.startsWith('CURRENT-FOREACH')) {
    return readLoopItem(assembly, place, label, (_loop, frame) => String(frame.index + 1));
  }
  return readScreenNumber(assembly, place, name);
};

function readScreenNumber(assembly: Assembly, place: Operand, name: string): SystemValue | undefined {
  const ofScreen = Object.hasOwn(screenNumbers, name) ? screenNumbers[name] : undefined;
  if (ofScreen === undefined) return refuseItem(assembly, place, name);
  assembly.usesScreen();
  return (run) => String(ofScreen(run.screen));
}

function refuseItem(assembly: Assembly, place: Operand, name: string): undefined {
  assembly.report(place, `${name} ${refusedItems.get(name) ?? 'is not a known item'}`);
}

const classes: Readonly<Record<string, ClassReader>> = {
  'HTTP-HEADER': readHeader,
  'TCT-HTTP-HEADER': readHeader,
  'NAME-OF': readItem,
  'VALUE-OF': readItem,
  'NUMBER-OF': readNumber,
};

function readLoopItem(
  assembly: Assembly,
  place: Operand,
  label: Operand | undefined,
  currentOf: (loop: LoopDefinition, frame: NonNullable<ReturnType<ScenarioRun['loopFrame']>>) => string | undefined,
): SystemValue | undefined {
  const loop = assembly.enclosingLoop(label?.kind === 'word' ? label.word : undefined);
  if (loop === undefined) return assembly.report(label ?? place, 'this is outside a FOREACH$ of this kind');
  return (run) => {
    const frame = run.loopFrame(loop);
    return frame === undefined ? undefined : currentOf(loop, frame);
  };
}

const settable = ['DIRECTORY', 'ROUTING-PARAMETER'];
const refusedSettings: ReadonlyMap<string, string> = new Map([
  ['USER', 'is set only by SET$ SIGNON'],
  ['PASSWORD', 'is set only by SET$ SIGNON'],
]);

/**
 * COPY$ VARIABLE-TO-SYSTEM,VAR='v',FIELD=DIRECTORY or ROUTING-PARAMETER; in an IDENTIFICATION scenario also LOGMODE,
 * RELAY, SCREEN-COLUMNS or SCREEN-LINES of the new session.
 */
export function copyToSystem(operands: OperandReader, assembly: Assembly): Instruction {
  const variable = operands.requiredText('VAR');
  const field = operands.required('FIELD');
  const operand = field?.kind === 'list' ? field.items.at(-1) : field;
  const item = operand?.kind === 'word' || operand?.kind === 'string' ? operand.text.toUpperCase() : undefined;
  const wish = terminalWishes.find((each) => each === item);
  if (wish !== undefined) onlyInKinds(assembly, wish, ['IDENTIFICATION']);
  else if (operand !== undefined && (item === undefined || !settable.includes(item))) {
    const refusal = refusedSettings.get(item ?? '');
    const words = `FIELD= must be ${listed([...settable, ...terminalWishes])}`;
    assembly.report(operand, refusal === undefined ? words : `${item} ${refusal}`);
  }
  if (variable === undefined || item === undefined) return faultyStep;
  return (run) => {
    const text = run.textOfVariable(variable);
    run.notFound = text === undefined;
    if (text === undefined) return flow.next;
    if (wish !== undefined) run.effects.wishes.set(wish, text.trim());
    else if (item === 'DIRECTORY') run.directory = text;
    else run.routingParameter = text;
    return flow.next;
  };
}
