import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { readPemFile } from '../../src/config/read-pem-file.js';
import { SourceError } from '../../src/lib/documents/source-diagnostic.js';
import { ServiceError } from '../../src/lib/errors.js';
import { silentLog } from '../../src/lib/log/log.js';
import { defaultForm, pdfOfLaidOut } from '../../src/printing/pdf-document.js';
import { assemble } from '../../src/scenarios/assemble.js';
import { fileRenderer } from '../../src/scenarios/file-rendering.js';
import { runScenario } from '../../src/scenarios/interpreter.js';
import { OutboundLines } from '../../src/scenarios/outbound/outbound-line.js';
import type { ScenarioOutcome, ScenarioRequest } from '../../src/scenarios/scenario-outcome.js';
import { TemplateStore } from '../../src/templates/template-store.js';
import { registerCodePages } from '../../src/tn3270/codepage/iconv-registration.js';
import { needCommand } from '../support/need.js';
import { fixture } from '../support/project.js';

type ScriptedReply =
  | 'silent'
  | 'reset'
  | { status: number; headers?: Record<string, string>; body?: string; hex?: string };

interface RunInput {
  parameters?: Record<string, string[]>;
  headers?: Record<string, string>;
  names?: Record<string, string>;
  query?: string;
  service?: ScriptedReply[];
}

interface ExpectedRun {
  /** `pdf`: the text of each page, as pdftotext reads it. */
  answer?: { contentType: string; body?: string; hex?: string; pdf?: string[]; fileName?: string; expires?: string };
  page?: string | null;
  variables?: Record<string, string[] | null>;
  received?: { method: string; url: string; body: string; contentType: string }[];
  trace?: { module: string; steps: Record<string, unknown>[] } | null;
  fails?: string;
  detail?: string;
}

const outboundLimits = {
  connections: 4,
  queuedRequests: 4,
  connectSeconds: 60,
  replyBytes: 1_048_576,
  replyHeaderBytes: 16_384,
};
const limits = { steps: 10_000, seconds: 60, variableBytes: 1_000_000, values: 1_000, variables: 1_000 };

/** Each folder: `source.scn`, and `input.json` with `expected.json`, or `expected-errors.txt` (line:column message). */
describe('scenarios', () => {
  before(registerCodePages);

  for (const name of readdirSync(fixture('scenarios')).sort()) {
    const file = (part: string) => fixture('scenarios', name, part);
    const source = readFileSync(file('source.scn'), 'utf8');
    if (existsSync(file('expected-errors.txt'))) {
      it(name, () => {
        expect(faultsOf(source)).to.equal(readFileSync(file('expected-errors.txt'), 'utf8'));
      });
    } else {
      it(name, async function () {
        const input = readJson<RunInput>(file('input.json'));
        const expected = readJson<ExpectedRun>(file('expected.json'));
        if (expected.answer?.pdf !== undefined) needCommand(this, 'pdftotext');
        await checkRun(source, input, file('templates'), expected);
      });
    }
  }
});

function faultsOf(source: string): string {
  try {
    assemble(source, 'source.scn');
    return '';
  } catch (fault) {
    if (!(fault instanceof SourceError)) throw fault;
    return fault.diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}\n`).join('');
  }
}

async function checkRun(source: string, input: RunInput, templates: string, expected: ExpectedRun): Promise<void> {
  const received: NonNullable<ExpectedRun['received']> = [];
  const service = await startService(input.service ?? [], received);
  const { port } = service.address() as AddressInfo;
  const outbound = new OutboundLines(
    [{ name: 'O-HTTP', externalName: 'HTTP-OUT', site: undefined, tls: undefined, limits: outboundLimits }],
    readPemFile,
  );
  const store = existsSync(templates) ? new TemplateStore({ directory: templates }) : undefined;
  await store?.open();
  try {
    const outcome = await outcomeOf(source, input, port, outbound, store);
    checkOutcome(outcome, expected);
    if (expected.received !== undefined) expect(received).to.deep.equal(expected.received);
  } finally {
    store?.close();
    await outbound.close();
    service.closeAllConnections();
    service.close();
  }
}

function makePdf(pages: Parameters<typeof pdfOfLaidOut>[0], askedBy: string): Promise<Buffer> {
  return pdfOfLaidOut(pages, defaultForm, { title: '', printed: 0, askedBy });
}

function pagesOf(pdf: Uint8Array): string[] {
  const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf }).toString();
  return text
    .split('\f')
    .slice(0, -1)
    .map((page) => page.replaceAll(/\n+/g, '\n').trim());
}

async function outcomeOf(
  source: string,
  input: RunInput,
  port: number,
  outbound: OutboundLines,
  store: TemplateStore | undefined,
): Promise<ScenarioOutcome | ServiceError> {
  const request: ScenarioRequest = {
    requestId: 'r1',
    method: 'GET',
    path: '/WS1.HTML+WS3',
    query: input.query ?? '',
    parameters: new Map(Object.entries({ ...input.parameters, SITE: [`127.0.0.1:${port}`] })),
    headers: input.headers ?? {},
    body: undefined,
    files: [],
    names: new Map(Object.entries(input.names ?? {})),
    directory: 'CLI-DIR',
  };
  const find = async (directory: string, file: string) => (directory === 'REQ-DIR' ? store?.find(file) : undefined);
  const ports = { outbound, renderFile: fileRenderer(find, ['CLI-DIR', 'REQ-DIR'], makePdf), log: silentLog };
  const { signal } = new AbortController();
  try {
    const { outcome } = await runScenario(assemble(source, 'source.scn'), 'INITIAL', request, {
      ports,
      limits,
      codePage: 'IBM1147',
      signal,
    });
    return outcome;
  } catch (fault) {
    if (fault instanceof ServiceError) return fault;
    throw fault;
  }
}

function checkOutcome(outcome: ScenarioOutcome | ServiceError, expected: ExpectedRun): void {
  if (outcome instanceof ServiceError) {
    expect(outcome.code, outcome.message).to.equal(expected.fails);
    expect(outcome.message).to.include(expected.detail);
    return;
  }
  expect(expected.fails).to.equal(undefined);
  if (outcome.kind === 'answer') {
    const { answer } = expected;
    expect(outcome.contentType).to.equal(answer?.contentType);
    if (answer?.pdf !== undefined) expect(pagesOf(outcome.body)).to.deep.equal(answer.pdf);
    else if (answer?.hex === undefined) expect(outcome.body.toString('utf8')).to.equal(answer?.body);
    else expect(outcome.body.toString('hex')).to.equal(answer.hex);
    expect(outcome.fileName).to.equal(answer?.fileName);
    expect(outcome.expires).to.equal(answer?.expires ?? 'immediately');
    return;
  }
  expect(expected.answer, 'the scenario sent no answer').to.equal(undefined);
  expect(outcome.page ?? null).to.equal(expected.page);
  for (const [variable, values] of Object.entries(expected.variables ?? {})) {
    expect(outcome.valuesOf(variable) ?? null, variable).to.deep.equal(values);
  }
  if (expected.trace !== undefined) expect(traceWithoutTimes(outcome.trace)).to.deep.equal(expected.trace);
}

function traceWithoutTimes(trace: string | undefined): ExpectedRun['trace'] {
  if (trace === undefined) return null;
  const read = JSON.parse(trace) as NonNullable<ExpectedRun['trace']>;
  for (const step of read.steps) {
    expect(step.milliseconds).to.be.a('number');
    delete step.milliseconds;
  }
  return read;
}

/** A real service that answers its requests by a script, one after the other. */
async function startService(script: ScriptedReply[], received: NonNullable<ExpectedRun['received']>): Promise<Server> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '' } = request;
    const contentType = request.headers['content-type'] ?? '';
    received.push({ method, url, body: Buffer.concat(chunks).toString(), contentType });
    const reply = script.shift();
    if (reply === undefined || reply === 'reset') request.socket.resetAndDestroy();
    else if (reply !== 'silent') {
      response.writeHead(reply.status, reply.headers);
      response.end(reply.hex === undefined ? reply.body : Buffer.from(reply.hex, 'hex'));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function readJson<Shape>(file: string): Shape {
  return JSON.parse(readFileSync(file, 'utf8')) as Shape;
}
