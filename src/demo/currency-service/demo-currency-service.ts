import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Log } from '../../lib/log/log.js';
import { answerPlain, answerSoap } from './conversion-endpoints.js';
import { DemoControl } from './demo-control.js';
import { type DemoExchange, readRequestForm, sendBody, sendText } from './http-exchange.js';
import { wsdl } from './wsdl.js';

interface DemoCurrencyServiceOptions {
  /** Host name, IPv4 address or IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly log: Log;
}

const SERVICE_PATH = '/CurrencyConvertor.asmx';
const MOST_CONNECTIONS = 2048;
const REQUEST_MILLISECONDS = 30_000;

const UNREADABLE =
  'HTTP/1.1 400 Bad Request\r\nX-Content-Type-Options: nosniff\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

type Routes = ReadonlyMap<string, ReadonlyMap<string, (exchange: DemoExchange) => void>>;

/**
 * A currency service for testing scenarios: SOAP 1.1 and 1.2, HTTP GET and POST at `/CurrencyConvertor.asmx`, its
 * description at `?WSDL`, and settings for delays and failures (`/demo`, and an HTML page at `/`).
 */
export class DemoCurrencyService {
  readonly #options: DemoCurrencyServiceOptions;
  readonly #server: Server;
  readonly #control: DemoControl;
  #serviceUrl = '';

  readonly #routes: Routes = new Map([
    ['/', new Map([['GET', (exchange) => this.#control.showPage(exchange, this.#serviceUrl)]])],
    [
      '/demo',
      new Map([
        ['GET', (exchange) => this.#control.showSettings(exchange)],
        ['POST', (exchange) => this.#control.change(exchange)],
      ]),
    ],
    [
      SERVICE_PATH,
      new Map([
        ['GET', (exchange) => this.#describe(exchange)],
        ['POST', (exchange) => answerSoap(exchange, this.#control, this.#serviceUrl)],
      ]),
    ],
    [
      `${SERVICE_PATH}/ConversionRate`,
      new Map([
        ['GET', (exchange) => answerPlain(exchange, this.#control, new URLSearchParams(exchange.query))],
        ['POST', (exchange) => readRequestForm(exchange, (form) => answerPlain(exchange, this.#control, form))],
      ]),
    ],
  ]);

  constructor(options: DemoCurrencyServiceOptions) {
    this.#options = options;
    this.#control = new DemoControl(options.log, options.host);
    this.#server = createServer({ requestTimeout: REQUEST_MILLISECONDS, noDelay: true }, (request, response) =>
      this.#route(request, response),
    );
    this.#server.maxConnections = MOST_CONNECTIONS;
    // ignore expectations other than 100-continue
    this.#server.on('checkExpectation', (request, response) => this.#route(request, response));
    this.#server.on('clientError', (_error: Error, socket: Duplex) => {
      if (socket.writable) socket.end(UNREADABLE, () => socket.destroy());
      else socket.destroy();
    });
  }

  /** Rejects if the address is not available. `url` has no path and no trailing slash. */
  async start(): Promise<{ url: string }> {
    const { host, port, log } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#server.on('error', (error) => log.error({ err: error }, 'demo currency service'));
    const address = this.#server.address();
    const bound = typeof address === 'object' && address !== null ? address.port : port;
    const url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
    this.#serviceUrl = url + SERVICE_PATH;
    return { url };
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  #route(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const url = request.url ?? '';
    const mark = url.indexOf('?');
    const methods = this.#routes.get(mark < 0 ? url : url.slice(0, mark));
    const handle = methods?.get(request.method ?? '');
    if (handle) {
      handle({ request, response, query: mark < 0 ? '' : url.slice(mark + 1) });
    } else if (methods) {
      response.setHeader('Allow', [...methods.keys()].join(', '));
      sendText(response, 405, 'This method is not allowed here.\n');
    } else {
      sendText(response, 404, 'Not found.\n');
    }
  }

  #describe({ response, query }: DemoExchange): void {
    if (query.toUpperCase() === 'WSDL') {
      sendBody(response, 200, 'text/xml; charset=utf-8', wsdl(this.#serviceUrl));
    } else {
      sendText(response, 404, 'The description of the service is at ?WSDL\n');
    }
  }
}
