import type { IncomingMessage } from 'node:http';
import type { Actor } from '../../access/audit/audit-entry.js';
import { ServiceError } from '../../lib/errors.js';
import type { LineOperations, LineReport } from '../../operation/line-operations.js';
import type { LiveSession } from '../../operation/live-session.js';
import type { NodeFigures, NodeList } from '../../operation/node-load.js';
import type { PoolOperations } from '../../operation/pool-operations.js';
import type { PoolReport, PrinterReport, ServerFigures } from '../../operation/server-figures.js';
import type { ServerOperations } from '../../operation/server-operations.js';
import type { SessionOperations } from '../../operation/session-operations.js';
import { type TraceKind, traceKinds } from '../../operation/trace-kinds.js';
import { type TraceOperations, type TraceReport, traceForms } from '../../operation/trace-operations.js';
import { objectOf, readJsonBody, valuesRefused } from '../services/json-body.js';

const root = '/api/admin/v1';

interface OperationRequest {
  readonly lines: LineOperations;
  readonly nodes: NodeList;
  readonly pools: PoolOperations;
  readonly figures: ServerFigures;
  readonly sessions: SessionOperations;
  readonly server: ServerOperations;
  readonly traces: TraceOperations;
  readonly actor: Actor;
  readonly named: string;
  query(name: string): string;
  readonly incoming: IncomingMessage;
  /** @throws ServiceError SVC_ERR_OPERATION_REFUSED if a worker fails */
  byAllWorkers(): Promise<void>;
}

interface OperationRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly scope?: 'tracing';
  answer(request: OperationRequest): object | Promise<object>;
}

const scope = 'tracing';

const collections: Readonly<Record<TraceKind, string>> = {
  session: 'sessions',
  line: 'lines',
  scenario: 'scenarios',
  'entry-point': 'entry-points',
};

const traceRoutes: readonly OperationRoute[] = [
  ...traceKinds.map(
    (kind): OperationRoute => ({
      method: 'POST',
      path: `${root}/${collections[kind]}/:${kind === 'session' ? 'id' : 'name'}/trace`,
      scope,
      answer: (request) => startedTrace(request, kind),
    }),
  ),
  {
    method: 'GET',
    path: `${root}/traces`,
    scope,
    answer: async ({ traces }) => ({ traces: (await traces.list()).map(traceJson) }),
  },
  {
    method: 'GET',
    path: `${root}/traces/:name`,
    scope,
    answer: async ({ traces, actor, named, query }) => {
      const form = traceForms.find((known) => known === (query('form') || 'text'));
      if (form === undefined) {
        throw valuesRefused([{ pointer: '/form', message: `Expected one of: ${traceForms.join(', ')}.` }]);
      }
      return { name: named, trace: await traces.read(actor, named, form) };
    },
  },
  ...(['stop', 'remove'] as const).map(
    (act): OperationRoute => ({
      method: 'POST',
      path: `${root}/traces/:name/${act}`,
      scope,
      answer: async ({ traces, actor, named }) => {
        await traces[act](actor, named);
        return { name: named };
      },
    }),
  ),
];

async function startedTrace({ traces, actor, named, incoming }: OperationRequest, kind: TraceKind): Promise<object> {
  const { seconds, bytes, ...others } = objectOf((await readJsonBody(incoming)).value);
  const unknown = Object.keys(others).map((name) => ({ pointer: `/${name}`, message: 'Not known here.' }));
  const wrong = Object.entries({ seconds, bytes }).flatMap(([name, value]) =>
    value === undefined || typeof value === 'number' ? [] : [{ pointer: `/${name}`, message: 'Expected a number.' }],
  );
  if (unknown.length + wrong.length > 0) throw valuesRefused([...unknown, ...wrong].slice(0, MOST_FAULTS));
  const wish = { seconds: numberOf(seconds), bytes: numberOf(bytes) };
  return { name: await traces.start(actor, { kind, name: named }, wish) };
}

const MOST_FAULTS = 20;

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function traceJson({ name, bytes, written, isOpen, facts }: TraceReport): object {
  return {
    name,
    kind: facts?.kind ?? null,
    subject: facts?.name ?? null,
    by: facts?.by ?? null,
    began: facts?.began ?? null,
    until: facts?.until ?? null,
    bytes,
    mostBytes: facts?.mostBytes ?? null,
    written: new Date(written).toISOString(),
    open: isOpen,
  };
}

const MOST_LISTED_SESSIONS = 1_000;
const LISTED_SESSIONS = 200;

export const operationRoutes: readonly OperationRoute[] = [
  { method: 'GET', path: `${root}/lines`, answer: ({ lines }) => ({ lines: lines.list().map(lineJson) }) },
  { method: 'GET', path: `${root}/lines/:name`, answer: ({ lines, named }) => lineJson(lines.report(named)) },
  ...(['start', 'stop', 'drain'] as const).map(
    (act): OperationRoute => ({
      method: 'POST',
      path: `${root}/lines/:name/${act}`,
      answer: async ({ lines, actor, named, byAllWorkers }) => {
        const line = await lines[act](actor, named);
        await byAllWorkers();
        return lineJson(line);
      },
    }),
  ),
  { method: 'GET', path: `${root}/pools`, answer: ({ pools }) => ({ pools: pools.list().map(poolJson) }) },
  { method: 'GET', path: `${root}/pools/:name`, answer: ({ pools, named }) => poolJson(pools.report(named)) },
  ...(['drain', 'resume'] as const).map(
    (act): OperationRoute => ({
      method: 'POST',
      path: `${root}/pools/:name/${act}`,
      answer: async ({ pools, actor, named, byAllWorkers }) => {
        const pool = await pools[act](actor, named);
        await byAllWorkers();
        return poolJson(pool);
      },
    }),
  ),
  {
    method: 'GET',
    path: `${root}/printers`,
    answer: ({ figures }) => ({ printers: figures.printers.map(printerJson) }),
  },
  { method: 'GET', path: `${root}/sessions`, answer: listedSessions },
  {
    method: 'GET',
    path: `${root}/sessions/:id`,
    answer: ({ sessions, named }) => sessionJson(sessions.existing(named)),
  },
  {
    method: 'POST',
    path: `${root}/sessions/:id/end`,
    answer: async ({ sessions, actor, named }) => {
      await sessions.end(actor, named);
      return { id: named, state: 'ending' };
    },
  },
  {
    method: 'POST',
    path: `${root}/sessions/:id/message`,
    answer: async ({ sessions, actor, named, incoming }) => {
      const { text } = objectOf((await readJsonBody(incoming)).value);
      if (typeof text !== 'string') throw valuesRefused([{ pointer: '/text', message: 'Expected a text.' }]);
      await sessions.send(actor, named, text);
      return { id: named };
    },
  },
  ...(['drain', 'restart'] as const).map(
    (act): OperationRoute => ({
      method: 'POST',
      path: `${root}/server/${act}`,
      answer: async ({ server, actor }) => {
        await server[act](actor);
        return { state: act === 'drain' ? 'draining' : 'restarting' };
      },
    }),
  ),
  { method: 'GET', path: `${root}/nodes`, answer: ({ nodes }) => ({ nodes: nodes.nodes.map(nodeJson) }) },
  { method: 'GET', path: `${root}/nodes/:code`, answer: (request) => nodeJson(nodeNamed(request)) },
  {
    method: 'POST',
    path: `${root}/nodes/:code/drain`,
    answer: async (request) => {
      const node = nodeNamed(request);
      // requests for other nodes have already been passed on
      if (!node.isThis) throw new ServiceError('SVC_ERR_NODE_UNKNOWN');
      await request.server.drain(request.actor);
      return { ...nodeJson(node), state: 'draining' };
    },
  },
  ...traceRoutes,
];

/** Newest first. `total` counts all matches. */
async function listedSessions({ sessions, query }: OperationRequest): Promise<object> {
  const limit = query('limit') === '' ? LISTED_SESSIONS : Number(query('limit'));
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MOST_LISTED_SESSIONS) {
    throw valuesRefused([{ pointer: '/limit', message: `Expected a number from 1 to ${MOST_LISTED_SESSIONS}.` }]);
  }
  await sessions.refresh();
  const [user, line] = [query('user').toLowerCase(), query('line')];
  const found = sessions
    .list()
    .filter((session) => (user === '' || session.user.toLowerCase() === user) && (line === '' || session.line === line))
    .sort((one, other) => other.began - one.began);
  return { total: found.length, sessions: found.slice(0, limit).map(sessionJson) };
}

function nodeNamed({ nodes, named }: OperationRequest): NodeFigures {
  const node = nodes.nodes.find(({ code }) => code === named);
  if (node === undefined) throw new ServiceError('SVC_ERR_NODE_UNKNOWN');
  return node;
}

function nodeJson({ isThis, ...node }: NodeFigures): object {
  return { ...node, this: isThis };
}

function printerJson({ lastPrinted, ...printer }: PrinterReport): object {
  return { ...printer, lastPrinted: lastPrinted && new Date(lastPrinted).toISOString() };
}

function lineJson({ isPortal, lastFault, certificate, ...line }: LineReport): object {
  return {
    ...line,
    portal: isPortal,
    lastFault: lastFault && { at: new Date(lastFault.at).toISOString(), reason: lastFault.reason },
    certificate: certificate && { expires: new Date(certificate.expires).toISOString(), fault: certificate.fault },
  };
}

function poolJson({ isDrained, ...pool }: PoolReport): object {
  return { ...pool, drained: isDrained };
}

function sessionJson({ began, lastUsed, ...session }: LiveSession): object {
  return {
    ...session,
    began: new Date(began).toISOString(),
    idleSeconds: Math.max(0, Math.floor((Date.now() - lastUsed) / 1_000)),
  };
}
