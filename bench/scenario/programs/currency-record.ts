// Shared by contenders (b), (b+) and (k). No limits except MAXTIME and the size of the answer.
import { randomInt } from 'node:crypto';
import { Pool } from 'undici';

const MAXTIME_MILLISECONDS = 10_000;
const MOST_REPLY_BYTES = 1_048_576;
/** As many as Sallyport opens to one site. */
const CONNECTIONS = 128;

const processPrefix = randomInt(36 ** 5, 36 ** 6).toString(36);
let requests = 0;

export function openService(origin: string): Pool {
  return new Pool(origin, {
    connections: CONNECTIONS,
    headersTimeout: MAXTIME_MILLISECONDS,
    bodyTimeout: MAXTIME_MILLISECONDS,
    maxResponseSize: MOST_REPLY_BYTES,
  });
}

/** Record with the rate of two currencies; the record of an empty answer if the service fails. */
export async function currencyRecord(service: Pool, parameters: URLSearchParams): Promise<string> {
  const reply = convert(service, parameters.get('FROMCURRENCY') ?? '', parameters.get('TOCURRENCY') ?? '');
  return recordOf(await reply.catch(() => ''));
}

export function answerHeaders(record: string, requestId: string): string[] {
  return [
    'Server',
    'Plain/1.0',
    'Date',
    new Date().toUTCString(),
    'Expires',
    '0',
    'Content-length',
    String(Buffer.byteLength(record)).padStart(8, '0'),
    'Content-type',
    'text/html',
    'X-Request-Id',
    requestId,
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'same-origin',
  ];
}

export function nextRequestId(): string {
  requests += 1;
  return `${processPrefix}-${requests.toString(36)}`;
}

async function convert(service: Pool, from: string, to: string): Promise<string> {
  const { statusCode, body } = await service.request({
    method: 'POST',
    path: '/CurrencyConvertor.asmx',
    headers: { 'Content-Type': 'application/soap+xml' },
    body:
      '<?xml version="1.0" encoding="utf-8"?>\n' +
      '<soap12:Envelope xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
      'xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:soap12="http://www.w3.org/2003/05/soap-envelope">\n' +
      '  <soap12:Body>\n    <ConversionRate xmlns="urn:sallyport:demo-currency">\n' +
      `      <FromCurrency>${escaped(from.trim())}</FromCurrency>\n      <ToCurrency>${escaped(to.trim())}</ToCurrency>\n` +
      '    </ConversionRate>\n  </soap12:Body>\n</soap12:Envelope>\n',
  });
  const text = await body.text();
  return /^[25]/.test(String(statusCode)) ? text : '';
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}

const RATE = /<(?:\w+:)?ConversionRateResult[^>]*>\s*([^<]*?)\s*</;
const FAULT_AREAS = [
  /<(?:\w+:)?(?:Value|faultcode)[^>]*>\s*([^<]*?)\s*</,
  /<(?:\w+:)?(?:Text|faultstring)[^>]*>\s*([^<]*?)\s*</,
  /<(?:\w+:)?(?:Role|faultactor)[^>]*>\s*([^<]*?)\s*</,
];

function recordOf(reply: string): string {
  const rate = RATE.exec(reply)?.[1];
  if (rate !== undefined) return `0${rate.padStart(6, '0').slice(0, 6)}`;
  return `1${FAULT_AREAS.map((area) => (area.exec(reply)?.[1] ?? '').padEnd(32).slice(0, 32)).join('')}`;
}
