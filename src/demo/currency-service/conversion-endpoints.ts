import { SaxesParser } from 'saxes';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import type { DemoControl } from './demo-control.js';
import { conversionRate } from './exchange-rates.js';
import { type DemoExchange, readRequestBody, sendBody, sendText } from './http-exchange.js';
import {
  faultEnvelope,
  plainRate,
  rateEnvelope,
  type SoapFault,
  type SoapVersion,
  soapVersionOf,
} from './soap-answers.js';

const ON_PURPOSE = 'Failed on purpose';

export function answerSoap(exchange: DemoExchange, control: DemoControl, serviceUrl: string): void {
  const { request, response } = exchange;
  const version = soapVersionOf(request.headers['content-type']);
  if (version === undefined) {
    sendText(response, 415, 'application/soap+xml (SOAP 1.2) or text/xml (SOAP 1.1) is expected.\n');
    return;
  }
  readRequestBody(exchange, (body) => {
    control.apply(exchange, ({ failure }) => {
      const found = rateOf(readSoapConversion(body.toString('utf8'), version));
      if (failure === 'fault') sendFault(exchange, version, { side: 'service', reason: ON_PURPOSE, actor: serviceUrl });
      else if (found.kind === 'read') sendBody(response, 200, version.contentType, rateEnvelope(version, found.value));
      else sendFault(exchange, version, { side: 'client', reason: found.fault, actor: serviceUrl });
    });
  });
}

export function answerPlain(exchange: DemoExchange, control: DemoControl, parameters: URLSearchParams): void {
  const { response } = exchange;
  control.apply(exchange, ({ failure }) => {
    const found = rateOf(conversionOf(parameters.getAll('FromCurrency'), parameters.getAll('ToCurrency')));
    if (failure === 'fault') sendText(response, 500, `${ON_PURPOSE}\n`);
    else if (found.kind === 'read') sendBody(response, 200, 'text/xml; charset=utf-8', plainRate(found.value));
    else sendText(response, 500, `${found.fault}\n`);
  });
}

/** HTTP 500 for client faults too: scenarios accept codes that begin with 2 or 5 (specification 7). */
function sendFault({ response }: DemoExchange, version: SoapVersion, fault: SoapFault): void {
  sendBody(response, 500, version.contentType, faultEnvelope(version, fault));
}

function rateOf(conversion: ReadOutcome<Conversion>): ReadOutcome<string> {
  return conversion.kind === 'fault' ? conversion : conversionRate(conversion.value.from, conversion.value.to);
}

interface Conversion {
  readonly from: string;
  readonly to: string;
}

const OPERATION = ['Envelope', 'Body', 'ConversionRate'] as const;
const DEEPEST = 16;

/**
 * Reads `Envelope/Body/ConversionRate` with its children `FromCurrency` and `ToCurrency`. The namespace of the envelope
 * must match the version; the namespace of the operation is ignored.
 */
function readSoapConversion(body: string, version: SoapVersion): ReadOutcome<Conversion> {
  try {
    return parse(body, version);
  } catch (error) {
    return readFault(error instanceof UnreadableRequestError ? error.message : 'The request is not well-formed XML');
  }
}

class UnreadableRequestError extends Error {}

/** One strict pass. fast-xml-parser accepts malformed documents, so it would need two passes and twice the time. */
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
  const gather = (characters: string) => {
    text += characters;
  };
  parser.on('text', gather);
  parser.on('cdata', gather);
  parser.on('closetag', () => {
    if (isOperation(path, OPERATION.length + 1)) {
      if (path.at(-1) === 'FromCurrency') from.push(text);
      if (path.at(-1) === 'ToCurrency') to.push(text);
    }
    path.pop();
  });
  parser.write(body).close();
  return operationFound ? conversionOf(from, to) : readFault('The request contains no ConversionRate');
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
    return readFault('FromCurrency and ToCurrency are required, each once');
  }
  return readAs({ from: onlyFrom.trim(), to: onlyTo.trim() });
}
