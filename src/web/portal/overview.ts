import type { LockedUsers } from '../../access/users/editable-user-store.js';
import { durationText } from '../../lib/text/duration-text.js';
import type { HealthCheck } from '../../operation/health/health.js';
import type { LineReport } from '../../operation/line-operations.js';
import type { MinuteFigure } from '../../operation/minute-figures.js';
import type { ClusterLoad } from '../../operation/node-load.js';
import type { ServerFigures } from '../../operation/server-figures.js';
import { auditVariables, latestEntries } from './audit-page.js';
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
    certificate === undefined ? [] : [{ name, end: instantText(certificate.expires) }],
  );
  return {
    $CERTIFICATE$: secured.length === 0 ? undefined : secured.map(({ name }) => name),
    '$CERTIFICATE-PATH$': secured.map(({ name }) => linePath(name)),
    '$CERTIFICATE-END$': secured.map(({ end }) => end),
  };
}

/** Something that somebody should do something about. */
interface AttentionItem {
  readonly subject: string;
  readonly words: string;
  /** Where one acts; undefined: not in the portal. */
  readonly path: string | undefined;
}

interface ServerNow {
  readonly checks: readonly HealthCheck[];
  readonly lines: readonly LineReport[];
  readonly figures: ServerFigures;
  /** Why servers of the cluster are not counted, by their codes. */
  readonly missing: ReadonlyMap<string, string>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const DAY_MILLISECONDS = 86_400_000;
const SOON_DAYS = 30;
const MOST_NAMES = 5;

const checkPaths: Readonly<Record<string, string>> = { 'audit trail': '/audit' };

/** Checks that fail, lines that are not open, certificates that end, pools and hosts in trouble. */
function attentionItems({ checks, lines, figures, missing, now }: ServerNow): readonly AttentionItem[] {
  // what the lines say of themselves says more
  const ofLines = new Set(lines.flatMap(({ name }) => [`line ${name}`, `certificate of line ${name}`]));
  const failing = checks.filter(({ name, status }) => status === 'DOWN' && !ofLines.has(name));
  return [
    ...failing.map(({ name, detail = 'it fails' }) => ({ subject: name, words: detail, path: checkPaths[name] })),
    ...[...missing].map(([code, words]) => ({
      subject: `server ${code}`,
      words: `${words}, and is not counted below`,
      path: '/nodes',
    })),
    ...lines.flatMap((line) => lineItems(line, now)),
    ...hostItems(figures),
    ...poolItems(figures),
    ...printerItems(figures),
  ];
}

function lineItems(line: LineReport, now: number): readonly AttentionItem[] {
  const { name, certificate } = line;
  const words = lineWords(line);
  const path = linePath(name);
  const items: AttentionItem[] = words === undefined ? [] : [{ subject: `line ${name}`, words, path }];
  if (certificate === undefined) return items;
  const subject = `certificate of line ${name}`;
  const days = Math.floor((Date.parse(certificate.expires) - now) / DAY_MILLISECONDS);
  const end = instantText(certificate.expires);
  if (days < 0) items.push({ subject, words: `it has ended: ${end}`, path });
  else if (days < SOON_DAYS) items.push({ subject, words: `it ends in ${counted(days, 'day')}: ${end}`, path });
  if (certificate.fault !== undefined) items.push({ subject, words: certificate.fault, path });
  return items;
}

function lineWords({ state, lastFault }: LineReport): string | undefined {
  const reason = lastFault === undefined ? '' : `: ${lastFault.reason}`;
  if (state === 'opening') return `it cannot listen yet, and goes on trying${reason}`;
  if (state === 'failed') return `it cannot listen${reason}`;
  if (state === 'stopped' || state === 'closing') return 'an operator has stopped it';
  return state === 'draining' ? 'an operator has drained it: it takes no new sessions' : undefined;
}

function hostItems({ hosts }: ServerFigures): readonly AttentionItem[] {
  return hosts
    .filter(({ state }) => state === 'notReached')
    .map(({ name }) => ({ subject: `host ${name}`, words: 'the last connection was not made', path: '/lines#hosts' }));
}

function printerItems({ printers }: ServerFigures): readonly AttentionItem[] {
  return printers.flatMap(({ name, trouble }) =>
    trouble === undefined ? [] : [{ subject: `printer ${name}`, words: trouble, path: '/lines#printers' }],
  );
}

function poolItems({ pools }: ServerFigures): readonly AttentionItem[] {
  return pools.flatMap(({ name, drained, free, lent, between, waiting, trouble, stoppedUsers }) => {
    const isEmpty = free + lent + between === 0;
    const words = [
      ...(drained ? ['an operator has drained it: its services take no calls'] : []),
      ...(trouble === undefined ? [] : [isEmpty ? `it has no sessions: ${trouble}` : trouble]),
      ...(trouble === undefined && isEmpty && waiting > 0
        ? [`it has no sessions, and ${counted(waiting, 'call')} wait for one`]
        : []),
      ...(stoppedUsers.length === 0 ? [] : [`the host refused too often: ${namesText(stoppedUsers, MOST_NAMES)}`]),
    ];
    return words.length === 0 ? [] : [{ subject: `pool ${name}`, words: words.join('; '), path: '/lines#pools' }];
  });
}

const MINUTE_MILLISECONDS = 60_000;
const MINUTES = 60;
/** Of the drawing: a bar is as wide as a minute, with a gap. */
const MINUTE_WIDTH = 10;
const BAR_WIDTH = 8;
const HEIGHT = 100;
/** What is there is seen, however little it is beside the most. */
const LEAST_HEIGHT = 2;

interface Chart {
  readonly title: string;
  readonly noun: string;
  readonly of: (minute: MinuteFigure) => number;
}

const charts: readonly Chart[] = [
  { title: 'Sessions', noun: 'session', of: ({ sessions }) => sessions },
  { title: 'Requests per minute', noun: 'request', of: ({ requests }) => requests },
];

/** The last hour as drawings and as a table. */
function hourVariables(hour: readonly MinuteFigure[]): PageVariables {
  const newest = [...hour].reverse();
  return {
    $CHART$: charts.map(({ title }) => title),
    '$CHART-MOST$': charts.map(({ noun, of }) => counted(Math.max(0, ...hour.map(of)), noun)),
    '$CHART-PATH$': charts.map(({ of }) => barsOf(hour, of)),
    $MINUTE$: newest.map(({ at }) => instantText(new Date(at)).slice(11, 16)),
    '$MINUTE-SESSIONS$': newest.map(({ sessions }) => String(sessions)),
    '$MINUTE-REQUESTS$': newest.map(({ requests }) => String(requests)),
  };
}

/** A bar for each minute that has something, the minute that runs now at the right. */
function barsOf(hour: readonly MinuteFigure[], of: Chart['of']): string {
  const most = Math.max(1, ...hour.map(of));
  const last = hour.at(-1)?.at ?? 0;
  return hour
    .filter((minute) => of(minute) > 0)
    .map((minute) => {
      const x = (MINUTES - 1 - (last - minute.at) / MINUTE_MILLISECONDS) * MINUTE_WIDTH;
      const height = Math.max(LEAST_HEIGHT, Math.round((of(minute) / most) * HEIGHT));
      return `M${x + 1} ${HEIGHT}v-${height}h${BAR_WIDTH}v${height}z`;
    })
    .join('');
}
