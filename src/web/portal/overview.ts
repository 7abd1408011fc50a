import type { LockedUsers } from '../../access/users/user-record.js';
import { durationText } from '../../lib/text/duration-text.js';
import type { LineReport } from '../../operation/line-operations.js';
import type { ClusterLoad } from '../../operation/node-load.js';
import { type AttentionItem, attentionItems } from './attention.js';
import { auditVariables, latestEntries } from './audit-page.js';
import { hourVariables } from './hour-chart.js';
import { linePath, userPath } from './portal-paths.js';
import type { PageVariables, PageView, PortalOutcome } from './portal-route.js';
import { counted, instantText, namesText } from './wording.js';

const LATEST_CHANGES = 5;
const MOST_LOCKED = 20;
/** A page is no place for a thousand lines. */
const MOST_ITEMS = 50;
const MOST_CODES = 20;

/** The first page: how the server does, what needs a hand, and what was changed last. */
export async function overview(request: PageView): Promise<PortalOutcome> {
  const { macros, portal } = request;
  const [checks, load, users, locked, groups, entries] = await Promise.all([
    portal.overview.checks(),
    portal.overview.load(),
    portal.users.recordPage({ search: '', group: '', from: 0, most: 0 }),
    portal.users.lockedUsers(MOST_LOCKED),
    portal.users.groups(),
    latestEntries(request, LATEST_CHANGES),
  ]);
  const { now, startedAt } = portal.overview;
  const lines = portal.lines.list();
  const failing = checks.filter(({ status }) => status === 'DOWN').length;
  return {
    kind: 'page',
    page: 'WEB2HOST.HTML',
    variables: {
      $NOW$: [instantText(new Date(now))],
      $HEALTH$: [failing === 0 ? 'All checks are UP.' : `${counted(failing, 'check')} of ${checks.length} DOWN.`],
      '$IS-WELL$': failing === 0 ? ['yes'] : undefined,
      $CHECK$: checks.map(({ name }) => name),
      '$CHECK-UP$': checks.map(({ status }) => (status === 'UP' ? status : '')),
      '$CHECK-DOWN$': checks.map(({ status }) => (status === 'DOWN' ? status : '')),
      '$CHECK-DETAIL$': checks.map(({ detail }) => detail ?? '–'),
      ...itemVariables(attentionItems({ checks, lines, figures: portal.figures, missing: load.missing, now })),
      ...lockedVariables(locked),
      ...loadVariables(load),
      ...hourVariables(load.lastHour),
      $UPTIME$: [durationText(now - startedAt)],
      $STARTED$: [instantText(new Date(startedAt))],
      ...certificateVariables(lines),
      $MACROS$: macros.isConfigured ? ['configured'] : undefined,
      '$USER-COUNT$': [counted(users.count, 'user')],
      '$GROUP-COUNT$': [counted(groups.length, 'group')],
      '$HAS-DIRECTORY-SERVER$': portal.hasDirectoryServer ? ['yes'] : undefined,
      ...auditVariables(entries),
    },
  };
}

function itemVariables(items: readonly AttentionItem[]): PageVariables {
  const shown = items.slice(0, MOST_ITEMS);
  return {
    $ITEM$: shown.length === 0 ? undefined : shown.map(({ subject }) => subject),
    '$ITEM-PATH$': shown.map(({ path }) => path ?? ''),
    '$ITEM-PLAIN$': shown.map(({ subject, path }) => (path === undefined ? subject : '')),
    '$ITEM-WORDS$': shown.map(({ words }) => words),
    '$ITEM-MORE$': items.length > shown.length ? [String(items.length - shown.length)] : undefined,
  };
}

function lockedVariables({ count, records: shown }: LockedUsers): PageVariables {
  return {
    '$LOCKED-USER$': shown.length === 0 ? undefined : shown.map(({ name }) => name),
    '$LOCKED-PATH$': shown.map(({ name }) => userPath(name)),
    '$LOCKED-SINCE$': shown.map(({ locked: since }) => (since === undefined ? '' : instantText(since))),
    '$LOCKED-MORE$': count > shown.length ? [String(count - shown.length)] : undefined,
  };
}

function loadVariables({ sessions, connections, lastHour: hour, counted: codes, missing }: ClusterLoad): PageVariables {
  return {
    $SESSIONS$: [String(sessions)],
    $CONNECTIONS$: [String(connections)],
    // the minute that runs now is not over
    $REQUESTS$: [String(hour.at(-2)?.requests ?? hour.at(-1)?.requests ?? 0)],
    '$REQUESTS-OF$': [hour.length < 2 ? 'since the start' : 'in the minute before this one'],
    '$COUNTED-SERVERS$': codes.length === 0 ? undefined : [namesText(codes, MOST_CODES)],
    '$MISSING-SERVERS$': missing.size === 0 ? undefined : [namesText([...missing.keys()], MOST_CODES)],
  };
}

function certificateVariables(lines: readonly LineReport[]): PageVariables {
  const secured = lines.flatMap(({ name, certificate }) =>
    certificate === undefined ? [] : [{ name, end: instantText(new Date(certificate.expires)) }],
  );
  return {
    $CERTIFICATE$: secured.length === 0 ? undefined : secured.map(({ name }) => name),
    '$CERTIFICATE-PATH$': secured.map(({ name }) => linePath(name)),
    '$CERTIFICATE-END$': secured.map(({ end }) => end),
  };
}
