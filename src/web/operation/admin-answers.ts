import { ServiceError } from '../../lib/errors.js';
import { sessionReport } from '../../operation/live-session.js';
import { type NodeFigures, nodeNamed } from '../../operation/node-load.js';
import { type TraceKind, traceCollections, traceKinds } from '../../operation/trace-kinds.js';
import { type TraceOrder, traceForms } from '../../operation/trace-operations.js';
import { objectOf, readJsonBody, valuesRefused } from '../services/json-body.js';
import type { AdminRequest, OperationRequest } from './operation-request.js';

const MOST_LISTED_SESSIONS = 1_000;
const LISTED_SESSIONS = 200;

/** Newest first. `total` counts all matches. */
export async function listedSessions({ portal: { sessions }, query }: OperationRequest): Promise<object> {
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
  return { total: found.length, sessions: found.slice(0, limit).map(sessionReport) };
}

export async function sentMessage({ incoming }: AdminRequest): Promise<string> {
  const { text } = objectOf((await readJsonBody(incoming)).value);
  if (typeof text !== 'string') throw valuesRefused([{ pointer: '/text', message: 'Expected a text.' }]);
  return text;
}

/** Requests for other nodes have already been passed on. @throws ServiceError SVC_ERR_NODE_UNKNOWN */
export async function drainNode({ portal, actor, segment }: OperationRequest): Promise<NodeFigures> {
  const node = nodeNamed(portal.nodes, segment('code'));
  if (!node.this) throw new ServiceError('SVC_ERR_NODE_UNKNOWN');
  await portal.server.drain(actor);
  return node;
}

export async function readTrace({ portal, actor, segment, query }: OperationRequest): Promise<object> {
  const form = traceForms.find((known) => known === (query('form') || 'text'));
  if (form === undefined) {
    throw valuesRefused([{ pointer: '/form', message: `Expected one of: ${traceForms.join(', ')}.` }]);
  }
  const name = segment('name');
  return { name, trace: await portal.traces.read(actor, name, form) };
}

export const traceStartPaths = traceKinds.map(traceStartPath);

function traceStartPath(kind: TraceKind): string {
  return `/${traceCollections[kind]}/:${kind === 'session' ? 'id' : 'name'}/trace`;
}

const MOST_FAULTS = 20;

export async function sentTrace({ path, segment, incoming }: AdminRequest): Promise<TraceOrder> {
  const { seconds, bytes, ...others } = objectOf((await readJsonBody(incoming)).value);
  const unknown = Object.keys(others).map((name) => ({ pointer: `/${name}`, message: 'Not known here.' }));
  const wrong = Object.entries({ seconds, bytes }).flatMap(([name, value]) =>
    value === undefined || typeof value === 'number' ? [] : [{ pointer: `/${name}`, message: 'Expected a number.' }],
  );
  if (unknown.length + wrong.length > 0) throw valuesRefused([...unknown, ...wrong].slice(0, MOST_FAULTS));
  const kind = traceKinds.find((known) => path.endsWith(traceStartPath(known))) ?? 'session';
  const wish = { seconds: numberOf(seconds), bytes: numberOf(bytes) };
  return { subject: { kind, name: segment(kind === 'session' ? 'id' : 'name') }, wish };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
