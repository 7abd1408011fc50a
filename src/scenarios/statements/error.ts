import { ServiceError } from '../../lib/errors.js';
import { firstCodePoints } from '../../lib/text/characters.js';
import { faultyStep, type StatementDefinition } from '../assembly.js';
import { integerOf, OperandReader, textSource } from '../operand-reader.js';
import { flow } from '../scenario-run.js';

const LONGEST_MESSAGE = 252;
const HIGHEST_CODE = 255;

/**
 * ERROR$ n[,'text','*variable',…]: 0 logs the text and the scenario continues; 1 to 255 ends the scenario, and the
 * client receives status 400 with the text.
 */
export const errorStatement: StatementDefinition = (assembly) => {
  const operands = new OperandReader(assembly);
  const operand = operands.next();
  const code = operand && integerOf(operand);
  if (code === undefined || code < 0 || code > HIGHEST_CODE) {
    assembly.report(operand ?? operands.place, `the code must be a whole number from 0 to ${HIGHEST_CODE}`);
    return faultyStep;
  }
  const sources = operands.rest().map((part) => {
    if (part.kind === 'string') return textSource(part.text);
    assembly.report(part, 'a text in quotes was expected');
    return textSource('');
  });
  operands.done();
  return (run) => {
    const text = sources.map((source) => source.text(run) ?? '').join('');
    const message = firstCodePoints(text, LONGEST_MESSAGE);
    if (code > 0) {
      throw new ServiceError('SVC_ERR_SCENARIO_REFUSED', {
        // the words of the scenario
        detail: { foreign: `${message} (return code ${code})`.trim() },
      });
    }
    run.ports.log.info({ module: run.moduleName, requestId: run.request.requestId, text: message }, 'scenario message');
    return flow.next;
  };
};
