import { faultyStep, type StatementDefinition } from '../assembly.js';
import { OperandReader } from '../operand-reader.js';
import { ScenarioAbendError } from '../scenario-abend-error.js';
import { flow } from '../step.js';
import { encodedText, isEbcdic, originalTextOf, textOf, type Value } from '../value.js';
import { refuseForm } from './refused-form.js';

type Conversion = (value: Value, codePage: string, table: string | undefined) => Value;

const toEbcdic: Conversion = (value, codePage) => encodedText(textOf(value), codePage, originalTextOf(value));

/** Text is what EBCDIC is inside a run already; bytes are read by the table named, else by their own encoding. */
const fromEbcdic: Conversion = (value, codePage, table) => {
  if (typeof value === 'string') return value;
  const readAs = table !== undefined || !isEbcdic(value.encoding) ? codePage : value.encoding;
  return textOf({ bytes: value.bytes, encoding: readAs });
};

const inPlace =
  (change: (text: string) => string): Conversion =>
  (value) =>
    typeof value === 'string'
      ? change(value)
      : encodedText(change(textOf(value)), value.encoding, change(originalTextOf(value)));

const conversions: Readonly<Record<string, Conversion>> = {
  'ASCII-TO-EBCDIC': toEbcdic,
  'UTF8-TO-EBCDIC': toEbcdic,
  'EBCDIC-TO-ASCII': fromEbcdic,
  'EBCDIC-TO-UTF8': fromEbcdic,
  'EBCDIC-TO-UPPERCASE': inPlace((text) => text.toUpperCase()),
  'EBCDIC-TO-LOWERCASE': inPlace((text) => text.toLowerCase()),
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
          variable,
          values.map((value) => convert(value, codePage, named)),
        );
      }
      return flow.next;
    };
  },
};
