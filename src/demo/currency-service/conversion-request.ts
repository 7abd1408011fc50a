import { SaxesParser } from 'saxes';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import type { SoapVersion } from './soap-version.js';

export interface Conversion {
  readonly from: string;
  readonly to: string;
}

const OPERATION = ['Envelope', 'Body', 'ConversionRate'] as const;
const DEEPEST = 16;

/**
 * Reads `Envelope/Body/ConversionRate` with its children `FromCurrency` and `ToCurrency`. The envelope must be of the
 * version; the namespace of the operation may be any.
 */
export function readSoapConversion(body: string, version: SoapVersion): ReadOutcome<Conversion> {
  try {
    return parse(body, version);
  } catch (error) {
    return readFault(error instanceof UnreadableRequestError ? error.message : 'The request is not well-formed XML');
  }
}

/** Reads the parameters of the HTTP GET and POST bindings. */
export function readPlainConversion(parameters: URLSearchParams): ReadOutcome<Conversion> {
  return conversionOf(parameters.getAll('FromCurrency'), parameters.getAll('ToCurrency'));
}

class UnreadableRequestError extends Error {}

/** One strict pass: fast-xml-parser needs two, because it takes malformed documents, and twice the time. */
function parse(body: string, version: SoapVersion): ReadOutcome<Conversion> {
  const parser = new SaxesParser();
  const path: string[] = [];
  const from: string[] = [];
  const to: string[] = [];
  let operationFound = false;
  let text = '';

  parser.on('doctype', () => {
    throw new UnreadableRequestError('A document type declaration is not accepted');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (path.length === 0) checkEnvelope(name, attributes, version);
    if (path.length === DEEPEST) throw new UnreadableRequestError('The request is nested too deep');
    path.push(name.slice(name.indexOf(':') + 1));
    operationFound ||= isOperation(path, OPERATION.length);
    text = '';
  });
  parser.on('text', (characters) => {
    text += characters;
  });
  parser.on('cdata', (characters) => {
    text += characters;
  });
  parser.on('closetag', () => {
    if (isOperation(path, OPERATION.length + 1)) {
      if (path.at(-1) === 'FromCurrency') from.push(text);
      if (path.at(-1) === 'ToCurrency') to.push(text);
    }
    path.pop();
  });
  parser.write(body).close();
  return operationFound ? conversionOf(from, to) : readFault('The request holds no ConversionRate');
}

function isOperation(path: readonly string[], depth: number): boolean {
  return path.length === depth && OPERATION.every((name, level) => path[level] === name);
}

function checkEnvelope(name: string, attributes: Readonly<Record<string, string>>, version: SoapVersion): void {
  const [prefix, localName] = name.includes(':') ? name.split(':') : ['', name];
  const namespace = attributes[prefix === '' ? 'xmlns' : `xmlns:${prefix}`];
  if (localName === 'Envelope' && namespace === version.namespace) return;
  throw new UnreadableRequestError(`The request is not a SOAP ${version.name} envelope`);
}

function conversionOf(from: readonly string[], to: readonly string[]): ReadOutcome<Conversion> {
  const [onlyFrom, onlyTo] = [from[0], to[0]];
  if (onlyFrom === undefined || onlyTo === undefined || from.length > 1 || to.length > 1) {
    return readFault('FromCurrency and ToCurrency are needed, once each');
  }
  return readAs({ from: onlyFrom.trim(), to: onlyTo.trim() });
}
