import type { AuditLine, AuditStage } from '../../security/audit-entry.js';
import type { PageVariables, PortalOutcome, PortalRequest } from './portal-route.js';
import { cutText, instantText } from './wording.js';

const ENTRIES = 50;
const MOST_VALUE_CHARACTERS = 500;
/** SHA-256 in hex: the whole of it is in the file. */
const DIGEST = /^[0-9a-f]{64}$/;
const SHOWN_DIGITS = 12;
const NOTHING_FURTHER = '–';
const SAME_FILE = 'the same file as before';

/** The latest entries of the audit trail, or those before one of them. */
export async function auditPage(request: PortalRequest): Promise<PortalOutcome> {
  const written = request.query('before');
  const before = /^[1-9]\d{0,14}$/.test(written) ? Number(written) : undefined;
  const entries = await latestEntries(request, ENTRIES, before);
  const oldest = entries?.at(-1)?.sequence ?? 1;
  return {
    kind: 'page',
    page: 'AUDIT.HTML',
    variables: {
      ...auditVariables(entries),
      $OLDER$: oldest > 1 ? [`/audit?before=${oldest}`] : undefined,
      '$IS-OLDER$': before === undefined ? undefined : ['yes'],
    },
  };
}

/** Undefined where the trail cannot be read: the rest of the portal can be used all the same. */
export async function latestEntries(
  { portal, site }: PortalRequest,
  count: number,
  before?: number,
): Promise<readonly AuditLine[] | undefined> {
  try {
    return await portal.audit.latest(count, before === undefined ? {} : { before });
  } catch (error) {
    site.log.error({ err: error }, 'the audit trail cannot be read');
    return undefined;
  }
}

/** `$ENTRY$`, and as many values of the other variables. */
export function auditVariables(entries: readonly AuditLine[] | undefined): PageVariables {
  if (entries === undefined) return { $UNREADABLE$: ['yes'] };
  return {
    $ENTRY$: entries.map(({ sequence }) => String(sequence)),
    '$ENTRY-TIME$': entries.map(({ time }) => instantText(time)),
    '$ENTRY-WHO$': entries.map(({ who }) => who),
    '$ENTRY-FROM$': entries.map(({ from }) => from),
    '$ENTRY-WHAT$': entries.map(({ what, stage }) => `${what}${stage === undefined ? '' : stageWords[stage]}`),
    '$ENTRY-SUBJECT$': entries.map(({ subject }) => subject),
    '$ENTRY-CHANGE$': entries.map(({ what, before, after }) => {
      const text = changeText(before, after);
      return text === NOTHING_FURTHER && what === 'macros.uploaded' ? SAME_FILE : text;
    }),
  };
}

/** An intent is shown only where it has no outcome. */
const stageWords: Readonly<Record<AuditStage, string>> = { intended: ' – no outcome', done: '', failed: ' – failed' };

/** What an entry says became of something, a line for each member: `role: user → operator`. */
function changeText(before: unknown, after: unknown): string {
  if (before === undefined && after === undefined) return NOTHING_FURTHER;
  const [old, now] = [membersOf(before), membersOf(after)];
  const lines: string[] = [];
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(name), now.get(name)];
    if (was === is) continue;
    if (before === undefined) lines.push(`${name}: ${is}`);
    else if (after === undefined) lines.push(`was ${name}: ${was}`);
    else lines.push(`${name}: ${was ?? 'nothing'} → ${is ?? 'nothing'}`);
  }
  return lines.length === 0 ? NOTHING_FURTHER : lines.join('\n');
}

function membersOf(value: unknown): Map<string, string> {
  if (value === undefined) return new Map();
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = isObject ? Object.entries(value) : [['value', value] as const];
  return new Map(entries.map(([name, member]) => [name, valueText(member)]));
}

function valueText(value: unknown): string {
  const isList = Array.isArray(value) && value.every((entry) => typeof entry === 'string');
  const text = isList ? value.join(', ') || 'none' : typeof value === 'string' ? value : JSON.stringify(value);
  return cutText(DIGEST.test(text) ? `${text.slice(0, SHOWN_DIGITS)}…` : text, MOST_VALUE_CHARACTERS);
}
