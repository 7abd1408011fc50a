import { setImmediate as nextTurn } from 'node:timers/promises';
import { lineLevels, type NumberedLine } from '../../lib/log/last-log-lines.js';
import { LogFilter } from '../console/log-topic.js';
import { withQuery } from './portal-paths.js';
import type { PortalOutcome, PortalRequest } from './portal-route.js';

const PATH = '/log';
const LINES = 100;
/** Number of lines that are read before other requests get a turn. */
const READ_AT_A_TIME = 200;

/** The last matching lines of the log, newest first, or those before a given line. */
export async function logPage({ portal, query, words }: PortalRequest): Promise<PortalOutcome> {
  const { logLines } = portal;
  const filter = new LogFilter(query);
  const { asked } = filter;
  const before = /^[1-9]\d{0,14}$/.test(query('before')) ? Number(query('before')) : undefined;
  const newest = logLines.last;
  const found: NumberedLine[] = [];
  let read = 0;
  for (const line of logLines.newestFirst(before === undefined ? {} : { before })) {
    read += 1;
    if (read % READ_AT_A_TIME === 0) await nextTurn();
    if (!filter.matches(line)) continue;
    found.push(line);
    if (found.length > LINES) break;
  }
  const shown = found.slice(0, LINES);
  const oldest = shown.at(-1)?.number;
  const isAsked = Object.values(asked).some((value) => value !== '');
  return {
    kind: 'page',
    page: 'LOG.HTML',
    variables: {
      $LEVEL$: [...lineLevels],
      '$LEVEL-TEXT$': lineLevels.map((level) => words.text('log.andAbove', { level })),
      '$LEVEL-SELECTED$': lineLevels.map((level) => (level === asked.level ? 'yes' : '')),
      '$LINE-NAME$': portal.lines.list().map(({ name }) => name),
      '$ASKED-LINE$': [asked.line],
      '$ASKED-SESSION$': [asked.session],
      '$ASKED-TEXT$': [asked.text],
      '$IS-ASKED$': isAsked ? ['yes'] : undefined,
      $NEWEST$: before === undefined ? undefined : [withQuery(PATH, asked)],
      $OLDER$:
        found.length > LINES && oldest !== undefined
          ? [withQuery(PATH, { ...asked, before: String(oldest) })]
          : undefined,
      // older lines do not change
      $TOPIC$: before === undefined ? [`log:${newest}:${filter.parameter}`] : undefined,
      $BEGAN$: [String(logLines.began)],
      $ROW$: shown.map(({ message }) => message),
      '$ROW-TIME$': shown.map(({ time }) => time.replace('T', ' ').replace('Z', '')),
      '$ROW-LEVEL$': shown.map(({ level }) => level),
      '$ROW-DETAILS$': shown.map(({ details }) => details),
    },
  };
}
