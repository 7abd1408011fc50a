import type { Assembly } from '../assembly.js';
import { faultyStep } from '../assembly.js';
import type { LoopDefinition } from '../loop-definition.js';
import { listed, type OperandReader } from '../operand-reader.js';
import type { ScenarioRun } from '../scenario-run.js';
import { flow, type Step } from '../step.js';
import type { ListOperand, Operand } from '../syntax.js';
import { textOf } from '../value.js';
import { readPart } from './copy-variable.js';
import { needsHostSession, notInThisVersion } from './refused-form.js';

type SystemValue = (run: ScenarioRun) => string | undefined;

/** Items that the edge names for a request; the same as those of the NAME-OF tag. */
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

const hostItems = new Set([
  'RELAY',
  'PRINT-RELAY',
  'PSEUDO-TERMINAL',
  'TERMINAL',
  'SNA-STATUS',
  'LOGMODE',
  'PASSWORD',
  'SCREEN-COLUMNS',
  'SCREEN-LINES',
  'SCREEN-INPUT-FIELDS',
  'SCREEN-FIELDS',
  'CURRENT-LINE',
  'CURRENT-COLUMN',
]);

/**
 * COPY$ SYSTEM-TO-VARIABLE,FIELD=(class,item),VAR='v'[,OFFSET=n][,LENGTH=n][,TYPE=REPLACE]. Classes: HTTP-HEADER,
 * TCT-HTTP-HEADER, NAME-OF, VALUE-OF, NUMBER-OF.
 */
export function copyFromSystem(operands: OperandReader, assembly: Assembly): Step {
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

/** The label of a FOREACH$ may follow what is said of a loop. */
function takesLoopLabel(field: ListOperand | undefined): boolean {
  const item = field?.items[1];
  return (item?.kind === 'word' || item?.kind === 'string') && item.text.toUpperCase().startsWith('CURRENT-FOREACH');
}

function readSystemValue(assembly: Assembly, field: ListOperand): SystemValue | undefined {
  const [classOperand, itemOperand, labelOperand] = field.items;
  const className = classOperand?.kind === 'word' ? classOperand.word : '';
  const item = itemOperand?.kind === 'word' || itemOperand?.kind === 'string' ? itemOperand.text : undefined;
  if (className === 'USER-SECURITY-PROFILE' || className === 'NEW-PASSTICKET-FOR-TRANSACTION') {
    assembly.report(field, `${className} ${notInThisVersion}`);
    return undefined;
  }
  const read = Object.hasOwn(classes, className) ? classes[className] : undefined;
  if (read === undefined || item === undefined) {
    assembly.report(field, `FIELD= must be (class,item), its class one of ${listed(Object.keys(classes))}`);
    return undefined;
  }
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
      return value === undefined ? undefined : textOf(value);
    });
  }
  if (name === 'CURRENT-FOREACH-NAME') return readLoopItem(assembly, place, label, (loop) => loop.variable);
  if (name === 'DIRECTORY') return (run) => run.directory;
  if (name === 'ROUTING-PARAMETER') return (run) => run.routingParameter;
  if (requestItems.includes(name)) return (run) => run.request.names.get(name);
  assembly.report(place, hostItems.has(name) ? `${name} ${needsHostSession}` : `${name} is not an item that is known`);
  return undefined;
};

const readNumber: ClassReader = (assembly, item, place, label) => {
  const name = item.toUpperCase();
  if (name.startsWith('CURRENT-FOREACH')) {
    return readLoopItem(assembly, place, label, (_loop, frame) => String(frame.index + 1));
  }
  assembly.report(place, hostItems.has(name) ? `${name} ${needsHostSession}` : `${name} is not an item that is known`);
  return undefined;
};

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
  if (loop === undefined) {
    assembly.report(label ?? place, 'this stands in no FOREACH$ of this kind');
    return undefined;
  }
  return (run) => {
    const frame = run.loopFrame(loop);
    return frame === undefined ? undefined : currentOf(loop, frame);
  };
}

const settable = ['DIRECTORY', 'ROUTING-PARAMETER'];
const settableOnHost = new Set(['USER', 'PASSWORD', 'LOGMODE', 'RELAY', 'SCREEN-COLUMNS', 'SCREEN-LINES']);

/** COPY$ VARIABLE-TO-SYSTEM,VAR='v',FIELD=DIRECTORY or ROUTING-PARAMETER. */
export function copyToSystem(operands: OperandReader, assembly: Assembly): Step {
  const variable = operands.requiredText('VAR');
  const field = operands.required('FIELD');
  const operand = field?.kind === 'list' ? field.items.at(-1) : field;
  const item = operand?.kind === 'word' || operand?.kind === 'string' ? operand.text.toUpperCase() : undefined;
  if (operand !== undefined && (item === undefined || !settable.includes(item))) {
    const host = item !== undefined && settableOnHost.has(item);
    assembly.report(operand, host ? `${item} ${needsHostSession}` : `FIELD= must be ${listed(settable)}`);
  }
  if (variable === undefined || item === undefined) return faultyStep;
  return (run) => {
    const text = run.textOfVariable(variable);
    run.notFound = text === undefined;
    if (text === undefined) return flow.next;
    if (item === 'DIRECTORY') run.directory = text;
    else run.routingParameter = text;
    return flow.next;
  };
}
