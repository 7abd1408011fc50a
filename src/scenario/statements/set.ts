import { countryCharsets } from '../../template/tags/encoding.js';
import { type Assembly, faultyStep } from '../assembly.js';
import { type OperandReader, type TextSource, textSource } from '../operand-reader.js';
import { ScenarioAbendError } from '../scenario-abend-error.js';
import type { ScenarioRun } from '../scenario-run.js';
import { flow, type Step } from '../step.js';
import { isEbcdic } from '../value.js';
import { type FormAssembler, formStatement } from './form-statement.js';
import { needsHostSession, notInThisVersion } from './refused-form.js';

const refused = {
  'URL-ENCODING': notInThisVersion,
  'TEMPORARY-PAGE': notInThisVersion,
  'SCREEN-POSITION': needsHostSession,
  SIGNON: notInThisVersion,
  TRANSACTION: notInThisVersion,
};

const forms: Readonly<Record<string, FormAssembler>> = {
  ENCODING: setEncoding,
  PAGE: setPage,
  'PAGE-FROM-VARIABLE': setPageFromVariable,
};

/** SET$ ENCODING, SET$ PAGE and SET$ PAGE-FROM-VARIABLE. */
export const setStatement = formStatement('SET$', forms, refused);

/** SET$ ENCODING,UTF-8[,'code page'] or SET$ ENCODING,ISO-FOR-COUNTRY[,'country code']. */
function setEncoding(operands: OperandReader, assembly: Assembly): Step {
  const mode = operands.next();
  const named = operands.next();
  const source = named?.kind === 'string' || named?.kind === 'word' ? textSource(named.text) : undefined;
  const word = mode?.kind === 'word' ? mode.word : mode?.kind === 'string' ? mode.text.toUpperCase() : '';
  if (word === 'UTF-8') return setUtf8(assembly, source);
  if (word === 'ISO-FOR-COUNTRY') return setCountry(assembly, source);
  assembly.report(mode ?? operands.place, 'the encoding must be UTF-8 or ISO-FOR-COUNTRY');
  return faultyStep;
}

function setUtf8(assembly: Assembly, source: TextSource | undefined): Step {
  return checked(assembly, source, isEbcdic, 'is not a code page that is known', (run, codePage) => {
    run.outputEncoding = 'utf-8';
    if (codePage !== undefined) run.codePage = codePage;
  });
}

function setCountry(assembly: Assembly, source: TextSource | undefined): Step {
  const known = (country: string) => country === '' || Object.hasOwn(countryCharsets, country.toUpperCase());
  return checked(assembly, source, known, 'is not a country code that is known', (run, country = '') => {
    run.outputEncoding = countryCharsets[country.toUpperCase()] ?? 'ISO-8859-1';
  });
}

/** A constant is checked when the scenario is assembled, a variable when it runs. */
function checked(
  assembly: Assembly,
  source: TextSource | undefined,
  isKnown: (text: string) => boolean,
  complaint: string,
  set: (run: ScenarioRun, text: string | undefined) => void,
): Step {
  if (source?.constant !== undefined && !isKnown(source.constant)) {
    assembly.report(assembly.instruction, `'${source.constant}' ${complaint}`);
  }
  return (run) => {
    const text = source?.text(run);
    if (source !== undefined && source.constant === undefined && (text === undefined || !isKnown(text))) {
      throw new ScenarioAbendError(`SET$ ENCODING: the variable names what ${complaint}`);
    }
    set(run, text);
    return flow.next;
  };
}

function setPage(operands: OperandReader): Step {
  const page = operands.nextText('the name of the page');
  if (page === undefined) return faultyStep;
  const source = textSource(page.text);
  return (run) => {
    run.page = source.text(run);
    return flow.next;
  };
}

/** SET$ PAGE-FROM-VARIABLE,'v','suffix'. */
function setPageFromVariable(operands: OperandReader): Step {
  const variable = operands.nextText('the variable that names the page');
  const suffix = operands.next();
  const ending = suffix?.kind === 'string' || suffix?.kind === 'word' ? suffix.text : '';
  if (variable === undefined) return faultyStep;
  return (run) => {
    const text = run.textOfVariable(variable.text)?.trim();
    run.notFound = text === undefined;
    if (text !== undefined) run.page = text + ending;
    return flow.next;
  };
}
