import type { AuditLine, AuditStage } from '../../access/audit/audit-entry.js';
import { exportFormats } from '../../access/audit/audit-exports.js';
import { headText } from '../../access/audit/audit-head.js';
import { type AuditQuery, auditOutcomes } from '../../access/audit/audit-reading.js';
import { isDay } from '../../lib/calendar-day.js';
import { ServiceError } from '../../lib/errors.js';
import type { PortalWording } from '../words/portal-wording.js';
import type { PageVariables, PageView, PortalOutcome, PortalRequest } from './portal-route.js';

const ENTRIES = 50;
const LONGEST_ASKED = 64;
const MOST_VALUE_CHARACTERS = 500;
/** SHA-256 in hexadecimal. The page shortens it; the audit file has all of it. */
const DIGEST = /^[0-9a-f]{64}$/;
const SHOWN_DIGITS = 12;
const NOTHING_FURTHER = '–';

/** The newest matching entries of the audit trail, or those before a given entry. */
export async function auditPage(request: PortalRequest): Promise<PortalOutcome> {
  const { portal, site, words } = request;
  const written = request.query('before');
  const before = /^[1-9]\d{0,14}$/.test(written) ? Number(written) : undefined;
  const asked = askedFor(request);
  const [page, head] = await Promise.all([
    portal.audit.find(asked, ENTRIES, before === undefined ? {} : { before }),
    portal.audit.head(),
  ]).catch((error: unknown) => {
    site.log.error({ err: error }, 'the audit trail cannot be read');
    return [];
  });
  const parameters = new URLSearchParams(Object.entries(asked));
  const withParameters = (path: string, further: Readonly<Record<string, string>>) =>
    `${path}?${new URLSearchParams([...parameters, ...Object.entries(further)])}`;
  return {
    kind: 'page',
    page: 'AUDIT.HTML',
    variables: {
      ...auditVariables(page?.entries, words),
      ...Object.fromEntries(Object.entries(asked).map(([name, value]) => [`$ASKED-${name.toUpperCase()}$`, [value]])),
      ...(asked.outcome === undefined ? {} : { [`$IS-${asked.outcome.toUpperCase()}$`]: ['yes'] }),
      '$IS-ASKED$': parameters.size === 0 ? undefined : ['yes'],
      $HEAD$: head === undefined ? undefined : [headText(head)],
      $OLDER$: page?.next === undefined ? undefined : [withParameters('/audit', { before: String(page.next) })],
      $CSV$: [withParameters('/audit/export', { format: 'csv' })],
      $JSONL$: [withParameters('/audit/export', { format: 'jsonl' })],
      '$IS-OLDER$': before === undefined ? undefined : ['yes'],
    },
  };
}

/**
 * Exports the matching entries as a file, newest first. The export is recorded in the audit trail before it is sent.
 * @throws ServiceError SVC_ERR_REQUEST_METHOD, SVC_ERR_REQUEST_PARAMETERS, SVC_ERR_SERVICE_BUSY, SVC_ERR_AUDIT_UNAVAILABLE
 */
export async function auditExport(request: PortalRequest): Promise<PortalOutcome> {
  const { portal, actor } = request;
  const { method } = request.request.incoming;
  if (method !== 'GET') throw new ServiceError('SVC_ERR_REQUEST_METHOD', { headers: { Allow: 'GET' } });
  const format = exportFormats.find((known) => known === (request.query('format') || 'csv'));
  if (format === undefined)
    throw new ServiceError('SVC_ERR_REQUEST_PARAMETERS', { detail: { code: 'parameter.auditFormat' } });
  const { pieces, close } = await portal.exports.begin(actor, { format, query: askedFor(request) });
  return {
    kind: 'download',
    pieces,
    close,
    contentType: format === 'csv' ? 'text/csv' : 'application/jsonl',
    fileName: `audit.${format}`,
  };
}

/** The search criteria in the form of the page. Invalid days and outcomes are ignored. */
function askedFor({ query }: PortalRequest): Readonly<Partial<Record<keyof AuditQuery, string>>> & AuditQuery {
  const text = (name: string) => query(name).trim().slice(0, LONGEST_ASKED);
  const day = (name: string) => (isDay(query(name)) ? query(name) : '');
  const outcome = auditOutcomes.find((known) => known === query('outcome')) ?? '';
  const asked = { who: text('who'), what: text('what'), text: text('text'), from: day('from'), to: day('to'), outcome };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ''));
}

/** Undefined if the trail cannot be read. The rest of the portal still works. */
export async function latestEntries(
  { portal, site }: PageView,
  count: number,
): Promise<readonly AuditLine[] | undefined> {
  try {
    return await portal.audit.latest(count);
  } catch (error) {
    site.log.error({ err: error }, 'the audit trail cannot be read');
    return undefined;
  }
}

/** `$ENTRY$`; the other variables have the same number of values. */
export function auditVariables(entries: readonly AuditLine[] | undefined, words: PortalWording): PageVariables {
  if (entries === undefined) return { $UNREADABLE$: ['yes'] };
  return {
    $ENTRY$: entries.map(({ sequence }) => String(sequence)),
    '$ENTRY-TIME$': entries.map(({ time }) => words.instant(time)),
    '$ENTRY-WHO$': entries.map(({ who }) => who),
    '$ENTRY-FROM$': entries.map(({ from }) => from),
    '$ENTRY-WHAT$': entries.map(({ what, stage }) => whatText(what, stage, words)),
    '$ENTRY-SUBJECT$': entries.map(({ subject }) => subject),
    '$ENTRY-CHANGE$': entries.map(({ what, before, after }) => {
      const { repeats, rest } = withoutRepeats(after, words);
      const change = changeText(before, rest, words);
      const text = change === NOTHING_FURTHER && what === 'macros.uploaded' ? words.text('audit.sameFile') : change;
      return repeats === undefined ? text : [text, repeats].filter((line) => line !== NOTHING_FURTHER).join('\n');
    }),
  };
}

/** An intent is shown only if it has no outcome. */
function whatText(what: string, stage: AuditStage | undefined, words: PortalWording): string {
  if (stage === 'intended') return words.text('audit.unfinished', { what });
  return stage === 'failed' ? words.text('audit.failed', { what }) : what;
}

/** Separates the number and the times of repeated entries from the other facts. */
function withoutRepeats(after: unknown, words: PortalWording): { readonly repeats?: string; readonly rest: unknown } {
  if (typeof after !== 'object' || after === null) return { rest: after };
  const { more, first, last, ...rest } = after as Readonly<Record<string, unknown>>;
  if (typeof more !== 'number' || typeof first !== 'string' || typeof last !== 'string') return { rest: after };
  const repeats = words.counted('audit.repeats', more, { first: words.instant(first), last: words.instant(last) });
  return { repeats, rest: Object.keys(rest).length === 0 ? undefined : rest };
}

/** The change that an entry records, one line for each member: `role: user → operator`. */
function changeText(before: unknown, after: unknown, words: PortalWording): string {
  if (before === undefined && after === undefined) return NOTHING_FURTHER;
  const [old, now] = [membersOf(before, words), membersOf(after, words)];
  const lines: string[] = [];
  const nothing = words.text('audit.nothing');
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(name), now.get(name)];
    if (was === is) continue;
    if (before === undefined) lines.push(`${name}: ${is}`);
    else if (after === undefined) lines.push(words.text('audit.was', { name, value: was ?? '' }));
    else lines.push(`${name}: ${was ?? nothing} → ${is ?? nothing}`);
  }
  return lines.length === 0 ? NOTHING_FURTHER : lines.join('\n');
}

function membersOf(value: unknown, words: PortalWording): Map<string, string> {
  if (value === undefined) return new Map();
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = isObject ? Object.entries(value) : [['value', value] as const];
  return new Map(entries.map(([name, member]) => [name, valueText(member, words)]));
}

function valueText(value: unknown, words: PortalWording): string {
  const isList = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
  const text = isList
    ? value.join(', ') || words.text('none')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
  return words.cut(DIGEST.test(text) ? `${text.slice(0, SHOWN_DIGITS)}…` : text, MOST_VALUE_CHARACTERS);
}
