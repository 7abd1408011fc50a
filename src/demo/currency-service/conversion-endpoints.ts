import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { type Conversion, readPlainConversion, readSoapConversion } from './conversion-request.js';
import type { DemoControl } from './demo-control.js';
import { conversionRate } from './exchange-rates.js';
import { type DemoExchange, sendBody, sendText } from './http-answer.js';
import { readRequestBody } from './request-body.js';
import { faultEnvelope, plainRate, rateEnvelope, type SoapFault } from './soap-answers.js';
import { type SoapVersion, soapVersionOf } from './soap-version.js';

const ON_PURPOSE = 'Failed on purpose';

/** SOAP 1.1 and 1.2: the content type says which. */
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

/** The HTTP GET and POST bindings. */
export function answerPlain(exchange: DemoExchange, control: DemoControl, parameters: URLSearchParams): void {
  const { response } = exchange;
  control.apply(exchange, ({ failure }) => {
    const found = rateOf(readPlainConversion(parameters));
    if (failure === 'fault') sendText(response, 500, `${ON_PURPOSE}\n`);
    else if (found.kind === 'read') sendBody(response, 200, 'text/xml; charset=utf-8', plainRate(found.value));
    else sendText(response, 500, `${found.fault}\n`);
  });
}

/** HTTP 500 for either side's fault: scenarios accept codes that begin with 2 or 5 (specification 7). */
function sendFault({ response }: DemoExchange, version: SoapVersion, fault: SoapFault): void {
  sendBody(response, 500, version.contentType, faultEnvelope(version, fault));
}

function rateOf(conversion: ReadOutcome<Conversion>): ReadOutcome<string> {
  if (conversion.kind === 'fault') return conversion;
  const found = conversionRate(conversion.value.from, conversion.value.to);
  return found.kind === 'rate' ? readAs(found.rate) : readFault(`Unknown currency code ${shown(found.code)}`);
}

/** A code comes from outside: nothing of it may be markup, and little of it is enough. */
function shown(code: string): string {
  return code.slice(0, 16).replace(/[^A-Za-z0-9]/g, '?');
}
