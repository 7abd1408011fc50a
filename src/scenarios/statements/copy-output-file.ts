import { type Assembly, faultyStep } from '../assembly.js';
import type { OperandReader } from '../operand-reader.js';
import { flow, type Instruction, type RenderedFile, type ScenarioRun } from '../scenario-run.js';
import { encodedText, type ScenarioValue, valueText } from '../value.js';

/**
 * COPY$ OUTPUT-FILE-TO-VARIABLE,FILE='page',VAR='v'[,TYPE=ASCII or EBCDIC or LINEBUFFER or REPLACE]: a file of the
 * template storage, rendered with the variables of the run. LINEBUFFER gives a value per line, or a PDF if the page has
 * PDF-VARIABLE. Sets NOT-FOUND if the file does not exist.
 */
export function copyOutputFile(operands: OperandReader, assembly: Assembly): Instruction {
  const file = operands.requiredSource('FILE');
  const variable = operands.requiredText('VAR');
  const types = readTypes(operands);
  if (file === undefined || variable === undefined) return faultyStep;
  if (file.constant !== undefined) assembly.usesFile(file.constant, operands.place);
  const asLines = types.has('LINEBUFFER');
  const copy = (run: ScenarioRun, name: string, rendered: RenderedFile | undefined) => {
    if (rendered === undefined) {
      run.ports.log.error(
        { requestId: run.request.requestId, module: run.moduleName, file: name },
        'the template storage has no such file',
      );
    }
    const values = rendered === undefined ? [] : valuesOf(rendered, types, run.codePage);
    run.notFound = values.length === 0;
    if (types.has('REPLACE') && values.length > 0) run.replaceAll(variable, values);
    else for (const value of values) run.append(variable, value);
    return flow.next;
  };
  return (run) => {
    const { names } = run.request;
    const values = { valuesOf: (each: string) => run.textsFor(each), names, codePage: run.codePage, asLines };
    const name = file.text(run) ?? '';
    const rendered = run.ports.renderFile(run.directory, name, values);
    return rendered instanceof Promise ? rendered.then((later) => copy(run, name, later)) : copy(run, name, rendered);
  };
}

function valuesOf(rendered: RenderedFile, types: ReadonlySet<string>, codePage: string): readonly ScenarioValue[] {
  const value = { bytes: rendered.body, encoding: rendered.encoding };
  if (rendered.isPdf === true) return [value];
  const asEbcdic = types.has('EBCDIC');
  if (!types.has('LINEBUFFER')) return [asEbcdic ? encodedText(valueText(value), codePage) : value];
  const lines = valueText(value).replace(LAST_LINE_END, '').split(LINE_END);
  return asEbcdic ? lines.map((line) => encodedText(line, codePage)) : lines;
}

const LINE_END = /\r?\n/;
const LAST_LINE_END = /\r?\n$/;
const knownTypes = new Set(['ASCII', 'EBCDIC', 'LINEBUFFER', 'REPLACE']);

function readTypes(operands: OperandReader): ReadonlySet<string> {
  const operand = operands.optional('TYPE');
  if (operand === undefined) return new Set();
  const items = operand.kind === 'list' ? operand.items : [operand];
  const types = new Set<string>();
  for (const item of items) {
    if (item.kind === 'word' && knownTypes.has(item.word)) types.add(item.word);
    else operands.report(item, `TYPE= must be ${[...knownTypes].join(', ')}`);
  }
  return types;
}
