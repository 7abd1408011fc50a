import { type TraceKind, traceKinds } from '../../operation/trace-kinds.js';
import { type TraceReport, traceForms } from '../../operation/trace-operations.js';
import { objectOf, readJsonBody, valuesRefused } from '../services/json-body.js';
import { type OperationRequest, type OperationRoute, root } from './operation-route.js';

const scope = 'tracing';

const collections: Readonly<Record<TraceKind, string>> = {
  session: 'sessions',
  line: 'lines',
  scenario: 'scenarios',
  'entry-point': 'entry-points',
};

/** What whoever has the scope `tracing` may ask for. */
export const traceRoutes: readonly OperationRoute[] = [
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
