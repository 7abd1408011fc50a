import { ServiceError } from '../../lib/errors.js';
import type { LineReport } from '../../operation/line-operations.js';
import type { LiveSession } from '../../operation/live-session.js';
import type { NodeFigures } from '../../operation/node-list.js';
import type { PoolReport, PrinterReport } from '../../operation/server-figures.js';
import { objectOf, readJsonBody, valuesRefused } from '../services/json-body.js';
import { type OperationRequest, type OperationRoute, root } from './operation-route.js';
import { traceRoutes } from './trace-routes.js';

const MOST_LISTED_SESSIONS = 1_000;
const LISTED_SESSIONS = 200;

/** What operators may ask for. */
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
      // whoever has got the request for another server has passed it on
      if (!node.isThis) throw new ServiceError('SVC_ERR_NODE_UNKNOWN');
      await request.server.drain(request.actor);
      return { ...nodeJson(node), state: 'draining' };
    },
  },
  ...traceRoutes,
];

/** The newest first; `total` counts all that match. */
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
