import { capitalOf, smallOf } from '../../letter-case.js';
import { faultyStep, type StatementDefinition } from '../assembly.js';
import { OperandReader } from '../operand-reader.js';
import { ScenarioAbendError } from '../scenario-abend-error.js';
import { flow } from '../step.js';
import { bytesOf, encodedText, isEbcdic, originalTextOf, textOf, type Value } from '../value.js';
import { refuseForm } from './refused-form.js';

type Conversion = (value: Value, codePage: string, table: string | undefined) => Value;

const toEbcdic: Conversion = (value, codePage) => encodedText(textOf(value), codePage, originalTextOf(value));

/** Text is what EBCDIC is inside a run already; bytes are read by the table named, else by their own encoding. */
const fromEbcdic: Conversion = (value, codePage, table) => {
  if (typeof value === 'string') return value;
  const readAs = table !== undefined || !isEbcdic(value.encoding) ? codePage : value.encoding;
  return textOf({ bytes: value.bytes, encoding: readAs });
};

/** As the translation of a table does: as many characters as before, and none that the value's encoding lacks. */
const inPlace =
  (change: (character: string) => string): Conversion =>
  (value) => {
    if (typeof value === 'string') return changedText(value, change);
    const { encoding } = value;
    const changed = (character: string) => {
      const other = change(character);
      return other === character || has(encoding, other) || !has(encoding, character) ? other : character;
    };
    return encodedText(changedText(textOf(value), changed), encoding, changedText(originalTextOf(value), changed));
  };

/** Unit by unit, each looked up once: a long text takes no longer than its conversion. Pairs of surrogates stay. */
function changedText(text: string, change: (character: string) => string): string {
  const units = Buffer.from(text, 'utf16le');
  const changedUnits = new Uint16Array(0x10000);
  for (let at = 0; at < units.length; at += 2) {
    const unit = units.readUInt16LE(at);
    if (changedUnits[unit] === 0) changedUnits[unit] = change(String.fromCharCode(unit)).charCodeAt(0);
    units.writeUInt16LE(changedUnits[unit] as number, at);
  }
  return units.toString('utf16le');
}

function has(encoding: string, character: string): boolean {
  return textOf({ bytes: bytesOf(character, encoding), encoding }) === character;
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
export const convertStatement: StatementDefinition = {
  name: 'CONVERT$',
  assemble(assembly) {
    const operands = new OperandReader(assembly);
    const name = Object.keys(conversions).find((each) => operands.takeWord(each));
    if (name === undefined) refuseForm(operands, Object.keys(conversions), {});
    const variable = operands.requiredText('VAR');
    const table = operands.optionalSource('TABLE');
    if (table?.constant !== undefined && !isEbcdic(table.constant)) {
      assembly.report(operands.place, `TABLE='${table.constant}' is not a code page that is known`);
    }
    operands.done();
    const convert = name === undefined ? undefined : conversions[name];
    if (convert === undefined || variable === undefined) return faultyStep;
    return (run) => {
      const named = table?.text(run);
      if (named !== undefined && !isEbcdic(named))
        throw new ScenarioAbendError('TABLE= does not name a code page that is known');
      const codePage = named ?? run.codePage;
      const values = run.variables.values(variable);
      if (values !== undefined) {
        run.replaceAll(
          run.variables.storedName(variable),
          values.map((value) => convert(value, codePage, named)),
        );
      }
      return flow.next;
    };
  },
};
