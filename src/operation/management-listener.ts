import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LineRequestListener } from '../lines/listener/inbound-line.js';
import type { ListenerDefinition } from '../lines/listener/line-definition.js';
import { type MakeRefusal, writeLastAnswer } from '../lines/listener/refusal.js';
import type { HealthReport } from './health/health.js';

/** One server, or all workers of a machine. */
export interface HealthSource {
  live(): HealthReport;
  started(): HealthReport;
  ready(): Promise<HealthReport>;
  all(): Promise<HealthReport>;
}

export interface MetricsSource {
  text(): Promise<{ readonly contentType: string; readonly body: string }>;
}

export const managementLimits: ListenerDefinition['limits'] = {
  connections: 64,
  connectionsPerAddress: 32,
  urlBytes: 1_024,
  headerBytes: 8_192,
  headerSeconds: 5,
  requestSeconds: 10,
  // longer than the usual scrape interval
  idleSeconds: 90,
};

interface ManagementAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const METHODS = 'GET, HEAD';

/** Answers to requests that the management port refuses itself. */
export const managementRefusal: MakeRefusal = (error) => {
  const { code, description } = error;
  const body = Buffer.from(JSON.stringify({ code, message: error.messageIn('en') }));
  return { status: description.status, headers: headersOf(JSON_TYPE, body.length), body };
};

export function managementListener(health: HealthSource, metrics: MetricsSource): LineRequestListener {
  const pages: Readonly<Record<string, () => Promise<ManagementAnswer>>> = {
    '/health': async () => reportAnswer(await health.all()),
    '/health/ready': async () => reportAnswer(await health.ready()),
    '/health/live': async () => reportAnswer(health.live()),
    '/health/started': async () => reportAnswer(health.started()),
    '/metrics': async () => ({ status: 200, ...(await metrics.text()) }),
  };
  return async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (page === undefined) send(request, response, plain(404, 'There is no such page.'));
    else if (request.method === 'GET' || request.method === 'HEAD') send(request, response, await page());
    else send(request, response, plain(405, `Only ${METHODS} are answered.`), ['Allow', METHODS]);
  };
}

function reportAnswer(report: HealthReport): ManagementAnswer {
  return { status: report.status === 'UP' ? 200 : 503, contentType: JSON_TYPE, body: JSON.stringify(report) };
}

function plain(status: number, words: string): ManagementAnswer {
  return { status, contentType: 'text/plain; charset=utf-8', body: `${words}\n` };
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, contentType, body }: ManagementAnswer,
  further: readonly string[] = [],
): void {
  const bytes = Buffer.from(body);
  const headers = [...headersOf(contentType, bytes.length), ...further];
  const hasBody = request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
  if (hasBody && !request.complete) {
    writeLastAnswer(request, response, { status, headers, body: bytes });
    return;
  }
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function headersOf(contentType: string, length: number): readonly string[] {
  return [
    ...['Content-Type', contentType, 'Content-Length', String(length)],
    ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'],
  ];
}
