// Contender (b): the smallest honest program that does the same work, with node:http, undici and a regular expression.
// No limits but MAXTIME and the size of the reply. Arguments: port, origin of the demo service, `log` for a line of
// log for each request, written with pino as Sallyport writes its own.
import { randomInt } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import pino from 'pino';
import { Pool } from 'undici';

const [port, origin, logged] = process.argv.slice(2);
const MAXTIME_MILLISECONDS = 10_000;
const MOST_REPLY_BYTES = 1_048_576;
/** As many connections as Sallyport opens to one site. */
const CONNECTIONS = 128;

const log =
  logged === 'log'
    ? pino(
        { base: null, timestamp: pino.stdTimeFunctions.isoTime },
        pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 500 }),
      )
    : undefined;
const pool = new Pool(origin ?? '', {
  connections: CONNECTIONS,
  headersTimeout: MAXTIME_MILLISECONDS,
  bodyTimeout: MAXTIME_MILLISECONDS,
  maxResponseSize: MOST_REPLY_BYTES,
});
const processPrefix = randomInt(36 ** 5, 36 ** 6).toString(36);
let requests = 0;

createServer((request, response) => {
  const arrival = performance.now();
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  if (request.method !== 'GET' || pathname !== '/WS1.HTML+WS3') {
    response.writeHead(404).end();
    return;
  }
  convert(searchParams.get('FROMCURRENCY') ?? '', searchParams.get('TOCURRENCY') ?? '').then(
    (reply) => answer(recordOf(reply)),
    () => answer(recordOf('')),
  );

  function answer(record: string): void {
    const requestId = send(response, record);
    log?.info(
      {
        line: 'C-HTTP',
        port: request.socket.localPort,
        template: 'WS1.HTML',
        transaction: 'WS3',
        parameters: searchParams.toString(),
        status: 200,
        bytes: record.length,
        milliseconds: Math.round((performance.now() - arrival) * 10) / 10,
        requestId,
        remoteAddress: request.socket.remoteAddress,
        method: request.method,
      },
      'request',
    );
  }
}).listen(Number(port), '127.0.0.1');

async function convert(from: string, to: string): Promise<string> {
  const { statusCode, body } = await pool.request({
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

/** Gives the request id. */
function send(response: ServerResponse, record: string): string {
  requests += 1;
  const requestId = `${processPrefix}-${requests.toString(36)}`;
  response.writeHead(200, [
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
  ]);
  response.end(record);
  return requestId;
}
