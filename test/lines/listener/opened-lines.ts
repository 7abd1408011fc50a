import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { readPemFile } from '../../../src/config/read-pem-file.js';
import { silentLog } from '../../../src/lib/log/log.js';
import { InboundLine, type LineRequestListener } from '../../../src/lines/listener/inbound-line.js';
import { codeAsRefusal, lineDefinition } from './definition.js';

export const hello: LineRequestListener = (_request, response) => {
  response.end('hello');
};
export const simpleGet = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** Of a `describe`: makes and opens lines, and stops them after each test. */
export function openedLines() {
  const lines: InboundLine[] = [];

  async function open(
    changes: Parameters<typeof lineDefinition>[0] = {},
    listener: LineRequestListener = hello,
    log = silentLog,
  ): Promise<InboundLine> {
    const line = make(changes, listener, log);
    await line.start();
    return line;
  }

  function make(
    changes: Parameters<typeof lineDefinition>[0] = {},
    listener: LineRequestListener = hello,
    log = silentLog,
    retryMilliseconds?: readonly number[],
  ): InboundLine {
    const options = { readPem: readPemFile, ...(retryMilliseconds === undefined ? {} : { retryMilliseconds }) };
    const line = new InboundLine(lineDefinition(changes), listener, log, codeAsRefusal, options);
    lines.push(line);
    return line;
  }

  afterEach(async () => {
    await Promise.all(lines.splice(0).map((line) => line.stop(0)));
  });

  async function bodyOf(url: string): Promise<string> {
    const [response] = (await once(get(url, { agent: false }), 'response')) as [IncomingMessage];
    let body = '';
    for await (const chunk of response.setEncoding('latin1')) body += chunk;
    return body;
  }

  return { lines, open, make, bodyOf };
}
