import { type Assembly, faultyStep } from '../assembly.js';
import type { OperandReader } from '../operand-reader.js';
import type { RenderedFile, ScenarioRun } from '../scenario-run.js';
import { flow, type Step } from '../step.js';
import { encodedText, textOf, type Value } from '../value.js';

/**
 * COPY$ OUTPUT-FILE-TO-VARIABLE,FILE='page',VAR='v'[,TYPE=ASCII or EBCDIC or REPLACE]: a file of the template storage,
 * rendered with the variables of the run. NOT-FOUND where there is none of this name.
 */
export function copyOutputFile(operands: OperandReader, assembly: Assembly): Step {
  const file = operands.requiredSource('FILE');
  const variable = operands.requiredText('VAR');
  const types = readTypes(operands);
  if (file === undefined || variable === undefined) return faultyStep;
  if (file.constant !== undefined) assembly.usesFile(file.constant);
  const copy = (run: ScenarioRun, rendered: RenderedFile | undefined) => {
    const copied: Value[] = [];
    if (rendered !== undefined) {
      const value = { bytes: rendered.body, encoding: rendered.encoding };
      copied.push(types.has('EBCDIC') ? encodedText(textOf(value), run.codePage) : value);
    }
    run.copyTo(variable, copied, types.has('REPLACE'));
    return flow.next;
  };
  return (run) => {
    const { names } = run.request;
    const values = { valuesOf: (each: string) => run.textsFor(each), names, codePage: run.codePage };
    const rendered = run.ports.renderFile(run.directory, file.text(run) ?? '', values);
    return rendered instanceof Promise ? rendered.then((later) => copy(run, later)) : copy(run, rendered);
  };
}

const knownTypes = new Set(['ASCII', 'EBCDIC', 'REPLACE']);

function readTypes(operands: OperandReader): ReadonlySet<string> {
  const operand = operands.optional('TYPE');
  if (operand === undefined) return new Set();
  const items = operand.kind === 'list' ? operand.items : [operand];
  const types = new Set<string>();
  for (const item of items) {
    if (item.kind === 'word' && knownTypes.has(item.word)) types.add(item.word);
    else if (item.kind === 'word' && item.word === 'LINEBUFFER')
      operands.report(item, 'LINEBUFFER is for printing, which this version does not do');
    else operands.report(item, `TYPE= must be ${[...knownTypes].join(', ')}`);
  }
  return types;
}
