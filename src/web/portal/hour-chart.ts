import type { MinuteFigure } from '../../operation/minute-figures.js';
import type { PageVariables } from './portal-route.js';
import { counted, instantText } from './wording.js';

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
export function hourVariables(hour: readonly MinuteFigure[]): PageVariables {
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
