import { capitalOf, smallOf } from '../../lib/text/characters.js';
import type { RestingWork } from '../../lib/turns/work-in-turns.js';
import { faultyStep, type StatementDefinition } from '../assembly.js';
import { OperandReader } from '../operand-reader.js';
import { ScenarioAbendError } from '../scenario-abend-error.js';
import { flow } from '../scenario-run.js';
import {
  bytesOf,
  encoding,
  isEbcdic,
  originalTextOf,
  type ScenarioValue,
  UNITS_AT_A_STRETCH,
  valueText,
} from '../value.js';
import { refuseForm } from './form-statement.js';
import { doneWithValues } from './values-in-turns.js';

type Conversion = (value: ScenarioValue, codePage: string, table: string | undefined) => RestingWork<ScenarioValue>;

function* toEbcdic(value: ScenarioValue, codePage: string): RestingWork<ScenarioValue> {
  const text = valueText(value);
  yield;
  return yield* encoding(text, codePage, originalTextOf(value, text));
}

/**
 * Text values are already decoded. Bytes are decoded with TABLE, otherwise with their own EBCDIC code page, otherwise
 * with the current one.
 */
// biome-ignore lint/correctness/useYield: it rests between values
function* fromEbcdic(value: ScenarioValue, codePage: string, table: string | undefined): RestingWork<ScenarioValue> {
  if (typeof value === 'string') return value;
  const readAs = table !== undefined || !isEbcdic(value.encoding) ? codePage : value.encoding;
  return valueText({ bytes: value.bytes, encoding: readAs });
}

/** Keeps the length of the text, as a translate table does. A result that the value's encoding lacks is not used. */
const inPlace = (change: (character: string) => string): Conversion =>
  function* (value) {
    if (typeof value === 'string') return yield* changing(value, change);
    const name = value.encoding;
    const changed = (character: string) => {
      const other = change(character);
      return other === character || has(name, other) || !has(name, character) ? other : character;
    };
    const text = valueText(value);
    yield;
    const result = yield* changing(text, changed);
    const original = originalTextOf(value, text);
    return yield* encoding(result, name, original === text ? result : yield* changing(original, changed));
  };

/** Changes single UTF-16 units and caches each result; surrogate pairs stay unchanged. */
function* changing(text: string, change: (character: string) => string): RestingWork<string> {
  const changedUnits = new Uint16Array(0x10000);
  let result = '';
  for (let start = 0; start < text.length; start += UNITS_AT_A_STRETCH) {
    const units = Buffer.from(text.slice(start, start + UNITS_AT_A_STRETCH), 'utf16le');
    for (let at = 0; at < units.length; at += 2) {
      const unit = units.readUInt16LE(at);
      if (changedUnits[unit] === 0) changedUnits[unit] = change(String.fromCharCode(unit)).charCodeAt(0);
      units.writeUInt16LE(changedUnits[unit] as number, at);
    }
    result += units.toString('utf16le');
    yield;
  }
  return result;
}

function has(encoding: string, character: string): boolean {
  return valueText({ bytes: bytesOf(character, encoding), encoding }) === character;
}

const conversions: Readonly<Record<string, Conversion>> = {
  'ASCII-TO-EBCDIC': toEbcdic,
  'UTF8-TO-EBCDIC': toEbcdic,
  'EBCDIC-TO-ASCII': fromEbcdic,
  'EBCDIC-TO-UTF8': fromEbcdic,
  'EBCDIC-TO-UPPERCASE': inPlace(capitalOf),
  'EBCDIC-TO-LOWERCASE': inPlace(smallOf),
};

/** CONVERT$ direction,VAR='v'[,TABLE='code page']: converts every value of the variable. */
export const convertStatement: StatementDefinition = (assembly) => {
  const operands = new OperandReader(assembly);
  const name = Object.keys(conversions).find((each) => operands.takeWord(each));
  if (name === undefined) refuseForm(operands, Object.keys(conversions));
  const variable = operands.requiredText('VAR');
  const table = operands.optionalSource('TABLE');
  if (table?.constant !== undefined && !isEbcdic(table.constant)) {
    assembly.report(operands.place, `TABLE='${table.constant}' is not a known code page`);
  }
  operands.done();
  const convert = name === undefined ? undefined : conversions[name];
  if (convert === undefined || variable === undefined) return faultyStep;
  return (run) => {
    const named = table?.text(run);
    if (named !== undefined && !isEbcdic(named)) throw new ScenarioAbendError('TABLE= does not name a known code page');
    const codePage = named ?? run.codePage;
    const values = run.variables.values(variable);
    if (values === undefined) return flow.next;
    const work = converting(values, (value) => convert(value, codePage, named));
    return doneWithValues(run, values, work, (converted) => {
      run.replaceAll(run.variables.storedName(variable), converted);
      return flow.next;
    });
  };
};

function* converting(
  values: readonly ScenarioValue[],
  convert: (value: ScenarioValue) => RestingWork<ScenarioValue>,
): RestingWork<ScenarioValue[]> {
  const converted: ScenarioValue[] = [];
  for (const value of values) {
    converted.push(yield* convert(value));
    yield;
  }
  return converted;
}
