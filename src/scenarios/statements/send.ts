import { type Assembly, faultyStep } from '../assembly.js';
import { jumpTarget, type OperandReader, type TextSource } from '../operand-reader.js';
import { ScenarioAbendError } from '../scenario-abend-error.js';
import { flow, type Instruction, type ScenarioRun } from '../scenario-run.js';
import { bytesOf } from '../value.js';
import { type FormAssembler, formStatement, notInThisVersionBut } from './form-statement.js';
import { sendToLine } from './send-to-line.js';

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[\w !#$&^.+/:-]*"))*$/;

const forms: Readonly<Record<string, FormAssembler>> = {
  'TO-LINE': assembleToLine,
  'AS-ANSWER': (operands) => assembleAnswer(operands, false),
  'AS-FILE': (operands) => assembleAnswer(operands, true),
};

const variableAsBody = notInThisVersionBut(
  "make it the body of a request, with (FILE-OUT,'variable') of OPTION$ FOR-HTTP and SEND$ TO-LINE",
);
const rejectedOperands = {
  TO: notInThisVersionBut('name the line itself, with SEND$ TO-LINE'),
  'VARIABLE-TO': variableAsBody,
  'VARIABLE-TO-LINE': variableAsBody,
};

export const sendStatement = formStatement(forms, rejectedOperands);

const LONGEST_MAXTIME = 8_640_000;

/**
 * SEND$ TO-LINE,LINE='name',PARMS='options'[,MAXTIME=n][,ERROR=label]: MAXTIME counts hundredths of a second. A failed
 * call jumps to the ERROR label; without one, the scenario abends.
 */
function assembleToLine(operands: OperandReader, assembly: Assembly): Instruction {
  const line = operands.requiredSource('LINE');
  const options = operands.requiredText('PARMS');
  const maxTime = operands.optionalInteger('MAXTIME', 1, LONGEST_MAXTIME);
  const error = operands.optional('ERROR');
  const target = error && jumpTarget(assembly, error);
  if (line?.constant !== undefined) assembly.usesLine(line.constant, operands.place);
  if (line === undefined || options === undefined) return faultyStep;
  return async (run) => {
    const failure = await sendToLine(run, line.text(run) ?? '', options, maxTime);
    if (failure === undefined) return flow.next;
    if (run.signal.aborted || target === undefined) throw new ScenarioAbendError(`SEND$ TO-LINE failed: ${failure}`);
    return target.index;
  };
}

/** SEND$ AS-ANSWER,VAR='v',TYPE='mime'[,EXPIRES=…] and SEND$ AS-FILE,…,NAME='file': the variable is the response. */
function assembleAnswer(operands: OperandReader, asFile: boolean): Instruction {
  const variable = operands.requiredText('VAR');
  const type = operands.requiredSource('TYPE');
  const expires = operands.optionalChoice('EXPIRES', ['IMMEDIATELY', 'ENDOFDAY']);
  const name = asFile ? operands.requiredSource('NAME') : undefined;
  if (type?.constant !== undefined && !MEDIA_TYPE.test(type.constant)) {
    operands.report(operands.place, `TYPE='${type.constant}' is not a media type such as 'text/html'`);
  }
  if (variable === undefined || type === undefined || (asFile && name === undefined)) return faultyStep;
  return (run) => {
    const value = run.valueOf(variable);
    run.notFound = value === undefined;
    run.answer = {
      kind: 'answer',
      contentType: mediaType(run, type),
      body: value === undefined ? Buffer.alloc(0) : bytesOf(value, run.outputEncoding),
      expires: expires === 'ENDOFDAY' ? 'endOfDay' : 'immediately',
      fileName: name && (name.text(run) ?? ''),
    };
    return flow.next;
  };
}

function mediaType(run: ScenarioRun, type: TextSource): string {
  const text = type.text(run) ?? '';
  if (!MEDIA_TYPE.test(text)) throw new ScenarioAbendError('TYPE= is not a media type');
  return text;
}
