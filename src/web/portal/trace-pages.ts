import { ServiceError } from '../../lib/errors.js';
import type { Reason } from '../../lib/locale.js';
import { traceKinds } from '../../operation/trace-kinds.js';
import { type TraceForm, type TraceOrder, type TraceReport, traceBounds } from '../../operation/trace-operations.js';
import type { PortalWording } from '../words/portal-wording.js';
import { redirectTo, tracePath } from './portal-paths.js';
import { confirmation, type PortalOutcome, type PortalRequest } from './portal-route.js';

const LIST = '/traces';
const KIBIBYTE = 1_024;
const NOTHING = '–';

/** Running and stored traces, and the form to start one. */
export async function traceListPage(request: PortalRequest): Promise<PortalOutcome> {
  const { portal, typed, query, words } = request;
  const all = await portal.traces.list();
  const kindAsked = typed('KIND') ?? query('kind');
  const { lines, figures, programs } = portal;
  const subjects = [
    ...[...lines.list(), ...figures.outbound].map(({ name }) => name),
    ...programs.scenarios.map(({ name }) => name),
    ...new Set(programs.transactions.map(({ entryPoint }) => entryPoint)),
  ];
  return {
    kind: 'page',
    page: 'TRACES.HTML',
    variables: {
      $NOW$: [words.instant(new Date())],
      '$TRACE-COUNT$': [words.text('countOf', { count: all.length, all: traceBounds.kept })],
      ...rowVariables(all, words),
      $KIND$: [...traceKinds],
      '$KIND-TEXT$': traceKinds.map((kind) => words.text(choiceWords[kind])),
      '$KIND-SELECTED$': traceKinds.map((kind) => (kind === kindAsked ? 'yes' : '')),
      $KNOWN$: [...new Set(subjects)].slice(0, MOST_KNOWN),
      '$SUBJECT-TYPED$': [typed('SUBJECT') ?? query('subject').slice(0, LONGEST_SUBJECT)],
      '$SECONDS-TYPED$': [typed('SECONDS') ?? String(traceBounds.defaultSeconds)],
      '$KIBIBYTES-TYPED$': [typed('KIBIBYTES') ?? String(traceBounds.mostBytes / KIBIBYTE)],
      '$MOST-SECONDS$': [String(traceBounds.mostSeconds)],
      '$LEAST-KIBIBYTES$': [String(traceBounds.leastBytes / KIBIBYTE)],
      '$MOST-KIBIBYTES$': [String(traceBounds.mostBytes / KIBIBYTE)],
      '$IS-FULL$': all.length >= traceBounds.kept ? ['yes'] : undefined,
    },
  };
}

/** Maximum number of suggested names. */
const MOST_KNOWN = 500;
const LONGEST_SUBJECT = 100;

const choiceWords = {
  session: 'trace.chooseSession',
  line: 'trace.chooseLine',
  scenario: 'trace.chooseScenario',
  'entry-point': 'trace.chooseEntryPoint',
} as const;

export function typedTrace({ field }: PortalRequest): TraceOrder {
  const kind = traceKinds.find((known) => known === field('KIND'));
  if (kind === undefined) throw refusedWish('trace.chooseKind');
  const name = field('SUBJECT').trim();
  if (name === '') throw refusedWish('trace.name');
  const [seconds, kibibytes] = [wholeNumber(field('SECONDS')), wholeNumber(field('KIBIBYTES'))];
  return { subject: { kind, name }, wish: { seconds, bytes: kibibytes * KIBIBYTE } };
}

export function traceStarted(): PortalOutcome {
  return redirectTo(LIST, 'trace-started');
}

/** Redirects to the list after a new sign-on in response to a button. */
export async function toTraces(request: PortalRequest): Promise<PortalOutcome> {
  await request.portal.traces.report(request.segment('name'));
  return { kind: 'redirect', to: LIST };
}

export function traceStopped(): PortalOutcome {
  return redirectTo(LIST, 'trace-stopped');
}

export function traceText(request: PortalRequest): Promise<PortalOutcome> {
  return download(request, 'text', '.txt');
}

export function traceForEmulators(request: PortalRequest): Promise<PortalOutcome> {
  return download(request, 's3270', '.trc');
}

async function download(
  { portal, actor, segment }: PortalRequest,
  form: TraceForm,
  ending: string,
): Promise<PortalOutcome> {
  const name = segment('name');
  const bytes = Buffer.from(await portal.traces.read(actor, name, form));
  return { kind: 'file', bytes, contentType: 'text/plain; charset=utf-8', fileName: `${name}${ending}` };
}

export async function traceRemovalPage({ portal, segment, words }: PortalRequest): Promise<PortalOutcome> {
  const { name, kind, subject, by, bytes, open } = await portal.traces.report(segment('name'));
  const what =
    kind === null || subject === null || by === null
      ? []
      : [words.text('trace.subject', { kind: words.text(`trace.${kind}`), name: subject, by })];
  return confirmation({
    title: words.text('trace.remove', { name }),
    facts: [
      ...what,
      words.text('trace.size', { size: words.counted('byte', bytes) }),
      words.text(open ? 'trace.running' : 'trace.final'),
    ],
    action: `${tracePath(name)}/remove`,
    button: open ? undefined : words.text('trace.removeButton'),
    back: LIST,
  });
}

export function traceRemoved(): PortalOutcome {
  return redirectTo(LIST, 'trace-removed');
}

function rowVariables(
  traces: readonly TraceReport[],
  words: PortalWording,
): Readonly<Record<string, readonly string[]>> {
  return {
    $TRACE$: traces.map(({ name }) => name),
    '$TRACE-PATH$': traces.map(({ name }) => tracePath(name)),
    '$TRACE-KIND$': traces.map(({ kind }) => (kind === null ? NOTHING : words.text(`trace.${kind}`))),
    '$TRACE-SUBJECT$': traces.map(({ subject, name }) => subject ?? name),
    '$TRACE-BY$': traces.map(({ by }) => by ?? NOTHING),
    '$TRACE-BEGAN$': traces.map(({ began }) => (began === null ? NOTHING : words.instant(began))),
    '$TRACE-UNTIL$': traces.map(({ until, open, written }) =>
      open && until !== null ? words.instant(until) : words.text('trace.ended', { time: words.instant(written) }),
    ),
    '$TRACE-SIZE$': traces.map(({ bytes }) => words.counted('byte', bytes)),
    '$TRACE-TEXT-LABEL$': traces.map(({ name }) => words.text('trace.textLabel', { name })),
    '$TRACE-STOP-LABEL$': traces.map(({ name }) => words.text('trace.stopLabel', { name })),
    '$TRACE-REMOVE-LABEL$': traces.map(({ name }) => words.text('trace.removeLabel', { name })),
    '$TRACE-OPEN$': traces.map(({ open }) => (open ? 'yes' : '')),
    '$TRACE-EMULATORS$': traces.map(({ kind }) => (kind === 'session' ? 'yes' : '')),
    '$TRACE-REMOVABLE$': traces.map(({ open }) => (open ? '' : 'yes')),
  };
}

function wholeNumber(text: string): number {
  if (/^\d{1,7}$/.test(text.trim())) return Number(text);
  throw refusedWish('trace.numbers');
}

function refusedWish(code: Reason['code']): ServiceError {
  return new ServiceError('SVC_ERR_REQUEST_PARAMETERS', { detail: { code } });
}
