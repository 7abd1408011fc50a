import type { LastLogLines, NumberedLine } from '../../last-log-lines.js';
import type { ConsoleTopic, TopicFeed, TopicRequest } from './console-topic.js';
import { LogFilter } from './log-filter.js';

/** Of one event; of more lines than these the newest are told. */
const MOST_TOLD = 200;

/** Lines of the log as they come: `log:NUMBER:FILTER`, those after a number that a filter lets through. */
export class LogTopic implements ConsoleTopic {
  readonly role = 'operator';
  readonly #lines: LastLogLines;

  constructor(lines: LastLogLines) {
    this.#lines = lines;
  }

  open({ parameter }: TopicRequest): TopicFeed {
    const lines = this.#lines;
    const [number = '', wanted = ''] = parameter.split(':');
    const filter = LogFilter.of(wanted);
    // a page of another start knows numbers that there are not yet
    let after = /^\d{1,15}$/.test(number) && Number(number) <= lines.last ? Number(number) : 0;
    return {
      next: () => {
        if (lines.last === after) return undefined;
        const found: NumberedLine[] = [];
        let isCut = lines.hasLostAfter(after);
        for (const line of lines.newestFirst({ after })) {
          if (!filter.matches(line)) continue;
          isCut ||= found.length === MOST_TOLD;
          if (found.length === MOST_TOLD) break;
          found.push(line);
        }
        after = lines.last;
        if (found.length === 0) return undefined;
        return JSON.stringify({ began: lines.began, isCut, rows: found.map(rowOf) });
      },
    };
  }
}

function rowOf({ number, time, level, message, details }: NumberedLine): object {
  return { number, time, level, message, details };
}
