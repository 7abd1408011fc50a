import type { LockedUsers } from '../../access/users/editable-user-store.js';
import type { HealthCheck } from '../../operation/health/health.js';
import type { LineReport } from '../../operation/line-operations.js';
import type { MinuteFigure } from '../../operation/minute-figures.js';
import type { ClusterLoad } from '../../operation/node-load.js';
import type { ServerFigures } from '../../operation/server-figures.js';
import type { PortalWord, PortalWording } from '../words/portal-wording.js';
import { auditVariables, latestEntries } from './audit-page.js';
import { linePath, userPath } from './portal-paths.js';
import type { PageVariables, PageView, PortalOutcome } from './portal-route.js';

const LATEST_CHANGES = 5;
const MOST_LOCKED = 20;
/** Maximum number of items on the page. */
const MOST_ITEMS = 50;
const MOST_CODES = 20;

/** The first page: health, load, what needs attention, and the last changes. */
export async function overview(request: PageView): Promise<PortalOutcome> {
  const { macros, portal, words } = request;
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
      $NOW$: [words.instant(now)],
      $HEALTH$: [
        failing === 0
          ? words.text('overview.allUp')
          : words.counted('overview.down', failing, { all: words.number(checks.length) }),
      ],
      '$IS-WELL$': failing === 0 ? ['yes'] : undefined,
      $CHECK$: checks.map(({ name }) => subjectOf(name, words)),
      '$CHECK-UP$': checks.map(({ status }) => (status === 'UP' ? status : '')),
      '$CHECK-DOWN$': checks.map(({ status }) => (status === 'DOWN' ? status : '')),
      '$CHECK-DETAIL$': checks.map(({ detail }) => detail ?? '–'),
      ...itemVariables(
        attentionItems({ checks, lines, figures: portal.figures, missing: load.missing, now, words }),
        words,
      ),
      ...lockedVariables(locked, words),
      ...loadVariables(load, words),
      ...hourVariables(load.lastHour, words),
      $UPTIME$: [words.duration(now - startedAt)],
      $STARTED$: [words.instant(startedAt)],
      ...certificateVariables(lines, words),
      $MACROS$: macros.isConfigured ? ['yes'] : undefined,
      '$USER-COUNT$': [words.counted('user', users.count)],
      '$GROUP-COUNT$': [words.counted('group', groups.length)],
      '$HAS-DIRECTORY-SERVER$': portal.hasDirectoryServer ? ['yes'] : undefined,
      ...auditVariables(entries, words),
    },
  };
}

function itemVariables(items: readonly AttentionItem[], words: PortalWording): PageVariables {
  const shown = items.slice(0, MOST_ITEMS);
  return {
    $ITEM$: shown.length === 0 ? undefined : shown.map(({ subject }) => subject),
    '$ITEM-PATH$': shown.map(({ path }) => path ?? ''),
    '$ITEM-PLAIN$': shown.map(({ subject, path }) => (path === undefined ? subject : '')),
    '$ITEM-WORDS$': shown.map((item) => item.words),
    '$ITEM-DETAIL$': shown.map(({ detail = '' }) => detail),
    '$ITEM-MORE$': items.length > shown.length ? [words.number(items.length - shown.length)] : undefined,
  };
}

function lockedVariables({ count, records: shown }: LockedUsers, words: PortalWording): PageVariables {
  return {
    '$LOCKED-USER$': shown.length === 0 ? undefined : shown.map(({ name }) => name),
    '$LOCKED-PATH$': shown.map(({ name }) => userPath(name)),
    '$LOCKED-SINCE$': shown.map(({ locked: since }) => (since === undefined ? '' : words.instant(since))),
    '$LOCKED-MORE$': count > shown.length ? [words.number(count - shown.length)] : undefined,
  };
}

function loadVariables(
  { sessions, connections, lastHour: hour, counted: codes, missing }: ClusterLoad,
  words: PortalWording,
): PageVariables {
  return {
    $SESSIONS$: [words.number(sessions)],
    $CONNECTIONS$: [words.number(connections)],
    // the current minute is not complete
    $REQUESTS$: [words.number(hour.at(-2)?.requests ?? hour.at(-1)?.requests ?? 0)],
    '$REQUESTS-OF$': [words.text(hour.length < 2 ? 'overview.sinceStart' : 'overview.lastMinute')],
    '$COUNTED-SERVERS$': codes.length === 0 ? undefined : [words.names(codes, MOST_CODES)],
    '$MISSING-SERVERS$': missing.size === 0 ? undefined : [words.names([...missing.keys()], MOST_CODES)],
  };
}

function certificateVariables(lines: readonly LineReport[], words: PortalWording): PageVariables {
  const secured = lines.flatMap(({ name, certificate }) =>
    certificate === undefined ? [] : [{ name, end: words.instant(certificate.expires) }],
  );
  return {
    $CERTIFICATE$: secured.length === 0 ? undefined : secured.map(({ name }) => name),
    '$CERTIFICATE-PATH$': secured.map(({ name }) => linePath(name)),
    '$CERTIFICATE-END$': secured.map(({ end }) => end),
  };
}

/** A problem that needs attention. */
interface AttentionItem {
  readonly subject: string;
  readonly words: string;
  /** A report of another program, or a message of the server in English. */
  readonly detail?: string | undefined;
  /** Page for the solution; undefined if there is none in the portal. */
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
  readonly words: PortalWording;
}

const DAY_MILLISECONDS = 86_400_000;
const SOON_DAYS = 30;
const MOST_NAMES = 5;

const checkPaths: Readonly<Record<string, string>> = { 'audit trail': '/audit' };

const checkWords: Readonly<Record<string, PortalWord>> = {
  'audit trail': 'overview.auditTrail',
  cluster: 'overview.cluster',
  'certificate of the cluster': 'overview.clusterCertificate',
  database: 'overview.database',
  server: 'overview.checkedServer',
};

const checkKinds: Readonly<Record<string, PortalWord>> = {
  line: 'overview.line',
  'certificate of line': 'overview.certificate',
  folder: 'overview.folder',
};

const certificateOfLine = (name: string) => `certificate of line ${name}`;

/** The name of a check. Unknown names stay in English, as in `/health`. */
function subjectOf(name: string, words: PortalWording): string {
  const known = checkWords[name];
  if (known !== undefined) return words.text(known);
  const [, kind = '', subject = ''] = /^(line|certificate of line|folder) (.+)$/.exec(name) ?? [];
  const word = checkKinds[kind];
  return word === undefined ? name : words.text(word, { name: subject });
}

/** Checks that fail, lines that are not open, certificates that expire, pools and hosts with errors. */
function attentionItems(server: ServerNow): readonly AttentionItem[] {
  const { checks, lines, missing, words } = server;
  // the items of lines have more details than the checks
  const ofLines = new Set(lines.flatMap(({ name }) => [`line ${name}`, certificateOfLine(name)]));
  const failing = checks.filter(({ name, status }) => status === 'DOWN' && !ofLines.has(name));
  return [
    ...failing.map(({ name, detail }) => ({
      subject: subjectOf(name, words),
      words: detail === undefined ? words.text('overview.failing') : '',
      detail,
      path: checkPaths[name],
    })),
    ...[...missing].map(([code, detail]) => ({
      subject: words.text('overview.server', { name: code }),
      words: words.text('overview.notCounted'),
      detail,
      path: '/nodes',
    })),
    ...lines.flatMap((line) => lineItems(line, server)),
    ...hostItems(server),
    ...poolItems(server),
    ...printerItems(server),
  ];
}

function lineItems(line: LineReport, { now, words }: ServerNow): readonly AttentionItem[] {
  const { name, certificate, lastFault } = line;
  const word = lineWord(line);
  const path = linePath(name);
  const detail = line.state === 'opening' || line.state === 'failed' ? lastFault?.reason : undefined;
  const items: AttentionItem[] =
    word === undefined
      ? []
      : [{ subject: words.text('overview.line', { name }), words: words.text(word), detail, path }];
  if (certificate === undefined) return items;
  const subject = words.text('overview.certificate', { name });
  const days = Math.floor((Date.parse(certificate.expires) - now) / DAY_MILLISECONDS);
  const end = words.instant(certificate.expires);
  if (days < 0) items.push({ subject, words: words.text('overview.expired', { end }), path });
  else if (days < SOON_DAYS) items.push({ subject, words: words.counted('overview.expires', days, { end }), path });
  const { fault } = certificate;
  if (fault !== undefined) {
    items.push({ subject, words: words.text('overview.certificateFault'), detail: fault, path });
  }
  return items;
}

function lineWord({ state }: LineReport): PortalWord | undefined {
  if (state === 'opening') return 'overview.lineOpening';
  if (state === 'failed') return 'overview.lineFailed';
  if (state === 'stopped' || state === 'closing') return 'overview.lineStopped';
  return state === 'draining' ? 'overview.lineDrained' : undefined;
}

function hostItems({ figures: { hosts }, words }: ServerNow): readonly AttentionItem[] {
  return hosts
    .filter(({ state }) => state === 'notReached')
    .map(({ name }) => ({
      subject: words.text('overview.host', { name }),
      words: words.text('overview.hostFailed'),
      path: '/lines#hosts',
    }));
}

function printerItems({ figures: { printers }, words }: ServerNow): readonly AttentionItem[] {
  return printers.flatMap(({ name, trouble }) =>
    trouble === undefined
      ? []
      : [
          {
            subject: words.text('overview.printer', { name }),
            words: words.text('overview.printerFault'),
            detail: trouble,
            path: '/lines#printers',
          },
        ],
  );
}

function poolItems({ figures: { pools }, words }: ServerNow): readonly AttentionItem[] {
  return pools.flatMap(({ name, drained, free, lent, between, waiting, trouble, stoppedUsers }) => {
    const isEmpty = free + lent + between === 0;
    const reasons = [
      ...(drained ? [words.text('overview.poolDrained')] : []),
      ...(stoppedUsers.length === 0
        ? []
        : [words.text('overview.poolRejected', { names: words.names(stoppedUsers, MOST_NAMES) })]),
      ...(trouble === undefined && isEmpty && waiting > 0 ? [words.counted('overview.poolWaiting', waiting)] : []),
      ...(trouble === undefined ? [] : [`${words.text(isEmpty ? 'overview.poolEmpty' : 'overview.poolFault')}.`]),
    ];
    if (reasons.length === 0) return [];
    const subject = words.text('overview.pool', { name });
    return [{ subject, words: reasons.join('; '), detail: trouble, path: '/lines#pools' }];
  });
}

const MINUTE_MILLISECONDS = 60_000;
const MINUTES = 60;
/** Width of a minute in the drawing: a bar and a gap. */
const MINUTE_WIDTH = 10;
const BAR_WIDTH = 8;
const HEIGHT = 100;
/** Minimum height, so that small values stay visible. */
const LEAST_HEIGHT = 2;

interface Chart {
  readonly title: 'overview.chartSessions' | 'overview.chartRequests';
  readonly noun: 'session' | 'request';
  readonly of: (minute: MinuteFigure) => number;
}

const charts: readonly Chart[] = [
  { title: 'overview.chartSessions', noun: 'session', of: ({ sessions }) => sessions },
  { title: 'overview.chartRequests', noun: 'request', of: ({ requests }) => requests },
];

/** The last hour as drawings and as a table. */
function hourVariables(hour: readonly MinuteFigure[], words: PortalWording): PageVariables {
  const newest = [...hour].reverse();
  return {
    $CHART$: charts.map(({ title }) => words.text(title)),
    '$CHART-MOST$': charts.map(({ noun, of }) => words.counted(noun, Math.max(0, ...hour.map(of)))),
    '$CHART-PATH$': charts.map(({ of }) => barsOf(hour, of)),
    $MINUTE$: newest.map(({ at }) => new Date(at).toISOString().slice(11, 16)),
    '$MINUTE-SESSIONS$': newest.map(({ sessions }) => words.number(sessions)),
    '$MINUTE-REQUESTS$': newest.map(({ requests }) => words.number(requests)),
  };
}

/** A bar for each minute with a value; the current minute is at the right. */
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
