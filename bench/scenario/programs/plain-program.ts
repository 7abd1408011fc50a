// Contenders (b) and (b+): the smallest complete program that does the same work.
// Arguments: port, origin of the demo service, `log` for one log entry for each request, written with pino as by
// Sallyport.
import { createServer } from 'node:http';
import pino from 'pino';
import { answerHeaders, currencyRecord, nextRequestId, openService } from './currency-record.js';

const [port, origin, logged] = process.argv.slice(2);

const log =
  logged === 'log'
    ? pino(
        { base: null, timestamp: pino.stdTimeFunctions.isoTime },
        pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 500 }),
      )
    : undefined;
const service = openService(origin ?? '');

createServer((request, response) => {
  const arrival = performance.now();
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  if (request.method !== 'GET' || pathname !== '/WS1.HTML+WS3') {
    response.writeHead(404).end();
    return;
  }
  currencyRecord(service, searchParams).then((record) => {
    const requestId = nextRequestId();
    response.writeHead(200, answerHeaders(record, requestId));
    response.end(record);
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
  });
}).listen(Number(port), '127.0.0.1');
