import type { LineReport } from '../../operation/line-operations.js';
import type { ServerFigures } from '../../operation/server-figures.js';
import type { CheckReport } from '../../operation/server-overview.js';
import { linePath } from './portal-paths.js';
import { counted, instantText, namesText } from './wording.js';

/** Something that somebody should do something about. */
export interface AttentionItem {
  readonly subject: string;
  readonly words: string;
  /** Where one acts; undefined: not in the portal. */
  readonly path: string | undefined;
}

interface ServerNow {
  readonly checks: readonly CheckReport[];
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
export function attentionItems({ checks, lines, figures, missing, now }: ServerNow): readonly AttentionItem[] {
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
  const days = Math.floor((certificate.expires - now) / DAY_MILLISECONDS);
  const end = instantText(new Date(certificate.expires));
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
  return pools.flatMap(({ name, isDrained, free, lent, between, waiting, trouble, stoppedUsers }) => {
    const isEmpty = free + lent + between === 0;
    const words = [
      ...(isDrained ? ['an operator has drained it: its services take no calls'] : []),
      ...(trouble === undefined ? [] : [isEmpty ? `it has no sessions: ${trouble}` : trouble]),
      ...(trouble === undefined && isEmpty && waiting > 0
        ? [`it has no sessions, and ${counted(waiting, 'call')} wait for one`]
        : []),
      ...(stoppedUsers.length === 0 ? [] : [`the host refused too often: ${namesText(stoppedUsers, MOST_NAMES)}`]),
    ];
    return words.length === 0 ? [] : [{ subject: `pool ${name}`, words: words.join('; '), path: '/lines#pools' }];
  });
}
