import { countryCharsets } from '../../templates/tags/encoding.js';
import { type Assembly, faultyStep } from '../assembly.js';
import { type OperandReader, type TextSource, textSource } from '../operand-reader.js';
import { ScenarioAbendError } from '../scenario-abend-error.js';
import { flow, type Instruction, type ScenarioRun } from '../scenario-run.js';
import { isEbcdic } from '../value.js';
import { type FormAssembler, formStatement, onlyInKinds } from './form-statement.js';
import { setScreenPosition } from './set-screen-position.js';

const forms: Readonly<Record<string, FormAssembler>> = {
  ENCODING: setEncoding,
  PAGE: (operands) => setPage(operands, 'page'),
  'PAGE-FROM-VARIABLE': setPageFromVariable,
  PRIORITY: setPriority,
  'SCREEN-POSITION': setScreenPosition,
  SIGNON: setSignOn,
  'TEMPORARY-PAGE': (operands) => setPage(operands, 'temporaryPage'),
  TRANSACTION: setTransaction,
  'URL-ENCODING': setUrlEncoding,
};

export const setStatement = formStatement(forms);

function setEncoding(operands: OperandReader, assembly: Assembly): Instruction {
  const mode = operands.next();
  const named = operands.next();
  const source = named?.kind === 'string' || named?.kind === 'word' ? textSource(named.text) : undefined;
  const word = mode?.kind === 'word' ? mode.word : mode?.kind === 'string' ? mode.text.toUpperCase() : '';
  if (word === 'UTF-8') return setUtf8(assembly, source);
  if (word === 'ISO-FOR-COUNTRY') return setCountry(assembly, source);
  assembly.report(mode ?? operands.place, 'the encoding must be UTF-8 or ISO-FOR-COUNTRY');
  return faultyStep;
}

function setUtf8(assembly: Assembly, source: TextSource | undefined): Instruction {
  return checked(assembly, source, isEbcdic, 'is not a known code page', (run, codePage) => {
    run.outputEncoding = 'utf-8';
    if (codePage !== undefined) run.codePage = codePage;
  });
}

function setCountry(assembly: Assembly, source: TextSource | undefined): Instruction {
  const known = (country: string) => country === '' || Object.hasOwn(countryCharsets, country.toUpperCase());
  return checked(assembly, source, known, 'is not a known country code', (run, country = '') => {
    run.outputEncoding = countryCharsets[country.toUpperCase()] ?? 'ISO-8859-1';
  });
}

function checked(
  assembly: Assembly,
  source: TextSource | undefined,
  isKnown: (text: string) => boolean,
  complaint: string,
  set: (run: ScenarioRun, text: string | undefined) => void,
): Instruction {
  if (source?.constant !== undefined && !isKnown(source.constant)) {
    assembly.report(assembly.instruction, `'${source.constant}' ${complaint}`);
  }
  return (run) => {
    const text = source?.text(run);
    if (source !== undefined && source.constant === undefined && (text === undefined || !isKnown(text))) {
      throw new ScenarioAbendError(`SET$ ENCODING: the value of the variable ${complaint}`);
    }
    set(run, text);
    return flow.next;
  };
}

/** SET$ PAGE,'name': for all following pages; SET$ TEMPORARY-PAGE,'name': for the next page. */
function setPage(operands: OperandReader, which: 'page' | 'temporaryPage'): Instruction {
  const page = operands.nextText('the name of the page');
  if (page === undefined) return faultyStep;
  const source = textSource(page.text);
  return (run) => {
    run.effects[which] = source.text(run);
    return flow.next;
  };
}

function setPageFromVariable(operands: OperandReader): Instruction {
  const variable = operands.nextText('the variable that names the page');
  const suffix = operands.next();
  const ending = suffix?.kind === 'string' || suffix?.kind === 'word' ? suffix.text : '';
  if (variable === undefined) return faultyStep;
  return (run) => {
    const text = run.textOfVariable(variable.text)?.trim();
    run.notFound = text === undefined;
    if (text !== undefined) run.effects.page = text + ending;
    return flow.next;
  };
}

/** SET$ PRIORITY,LOW or MEDIUM or HIGH: task priority of the original product; no effect here. */
function setPriority(operands: OperandReader): Instruction {
  const level = operands.nextWord();
  if (level === undefined || !['LOW', 'MEDIUM', 'HIGH'].includes(level.word)) {
    operands.report(level ?? operands.place, 'the priority must be LOW, MEDIUM or HIGH');
  } else operands.warn(operands.place, 'SET$ PRIORITY has no effect: all runs have the same');
  return () => flow.next;
}

/** SET$ URL-ENCODING,UTF-8: URLs are always UTF-8 here. */
function setUrlEncoding(operands: OperandReader): Instruction {
  const mode = operands.next();
  operands.next();
  const word = mode?.kind === 'word' ? mode.word : mode?.kind === 'string' ? mode.text.toUpperCase() : '';
  if (word === 'UTF-8') operands.warn(operands.place, 'SET$ URL-ENCODING has no effect: URLs are always read as UTF-8');
  else operands.report(mode ?? operands.place, 'URLs are always read as UTF-8: the encoding must be UTF-8');
  return () => flow.next;
}

/** SET$ TRANSACTION,'external name': the transaction that serves the request instead of the one in the URL. */
function setTransaction(operands: OperandReader, assembly: Assembly): Instruction {
  onlyInKinds(assembly, 'SET$ TRANSACTION', ['IDENTIFICATION']);
  const name = operands.nextText('the external name of the transaction');
  if (name === undefined) return faultyStep;
  const source = textSource(name.text);
  return (run) => {
    const text = source.text(run);
    run.notFound = text === undefined;
    if (text !== undefined) run.effects.transaction = text;
    return flow.next;
  };
}

/** Return codes of SET$ SIGNON, as in security products of the host. */
const returnCodes = { signedOn: '0', refused: '8', unavailable: '12', newPasswordRefused: '16' } as const;

/**
 * SET$ SIGNON,'user','password',['new password'],'variable': signs a user on for this request. Values of the variable:
 * 0 success, 8 user or password wrong or sign-on not allowed, 12 users cannot be checked, 16 new password violates a
 * rule or cannot be changed here for this user. An empty new password changes nothing.
 */
function setSignOn(operands: OperandReader, assembly: Assembly): Instruction {
  onlyInKinds(assembly, 'SET$ SIGNON', ['IDENTIFICATION']);
  const user = operands.nextText('the user id');
  const password = operands.nextText('the password');
  const newPassword = operands.next();
  const variable = operands.nextText('the variable for the return code');
  const newText = newPassword?.kind === 'string' ? textSource(newPassword.text) : undefined;
  if (newPassword !== undefined && newText === undefined) {
    operands.report(newPassword, 'the new password must be a text in quotes; without one: SIGNON,u,p,,v');
  }
  if (user === undefined || password === undefined || variable === undefined) return faultyStep;
  const [userText, passwordText] = [textSource(user.text), textSource(password.text)];
  return async (run) => {
    const { signOn } = run.surroundings;
    if (signOn === undefined) throw new ScenarioAbendError('SET$ SIGNON: users cannot sign on at this line');
    const result = await signOn(
      userText.text(run) ?? '',
      passwordText.text(run) ?? '',
      newText?.text(run) || undefined,
    );
    if (run.signal.aborted) throw new ScenarioAbendError('the run was stopped');
    run.replace(variable.text, returnCodes[result]);
    return flow.next;
  };
}
