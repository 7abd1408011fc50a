import { addressGroupOf } from '../network/addresses.js';

/** Limits for one client address: average and burst. */
const MOST_LINES_A_SECOND = 200;
const MOST_LINES_AT_ONCE = 1_000;
/** Limits for the levels debug and trace. */
const MOST_DEBUG_LINES_A_SECOND = 20;
const MOST_DEBUG_LINES_AT_ONCE = 100;
/** Request parameters count as one line per this many characters. */
const CHARACTERS_OF_A_LINE = 500;
/** Addresses with their own limits. Further addresses share one. */
const MOST_ADDRESSES = 10_000;
const TELL_EVERY_MILLISECONDS = 10_000;

const INFO = 30;
const FATAL = 60;
const SECOND = 1_000;

interface Budget {
  lines: number;
  debugLines: number;
  at: number;
  withheld: number;
  shortened: number;
  readonly subject: Subject;
}

interface Subject {
  readonly remoteAddress?: string;
  readonly module?: string;
}

/**
 * Limits the log lines of each client. Lines over the limit are dropped. Lines about requests are required by the
 * specification (2.1), so only their parameters are shortened. The log reports the numbers of both.
 */
export class ClientLines {
  readonly #budgets = new Map<string, Budget>();
  readonly #now: () => number;
  #tell: (fields: object) => void = () => {};
  #isTelling = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  tellTo(tell: (fields: object) => void): void {
    this.#tell = tell;
  }

  admitted(fields: unknown, level: number): unknown {
    const subject = subjectOf(fields);
    if (subject === undefined || this.#isTelling || level >= FATAL) return fields;
    const budget = this.#budgetOf(subject);
    const cost = costOf(fields);
    const kind = level < INFO ? 'debugLines' : 'lines';
    if (budget[kind] >= cost) {
      budget[kind] -= cost;
      return fields;
    }
    if (isOfRequest(fields)) {
      if (cost === 1) return fields;
      budget.shortened++;
      return { ...fields, parameters: `${fields.parameters.slice(0, CHARACTERS_OF_A_LINE)}…` };
    }
    budget.withheld++;
    return undefined;
  }

  tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const [key, budget] of this.#budgets) {
      this.#fill(budget);
      const { withheld, shortened, subject } = budget;
      budget.withheld = 0;
      budget.shortened = 0;
      this.#isTelling = true;
      if (withheld + shortened > 0) this.#tell({ ...subject, withheld, shortened });
      this.#isTelling = false;
      if (budget.lines >= MOST_LINES_AT_ONCE && budget.debugLines >= MOST_DEBUG_LINES_AT_ONCE)
        this.#budgets.delete(key);
    }
    if (this.#budgets.size > 0) this.#startTimer();
  }

  #budgetOf(subject: Subject): Budget {
    const name = subject.remoteAddress ?? `module ${subject.module}`;
    const isKnown = this.#budgets.has(name) || this.#budgets.size < MOST_ADDRESSES;
    const key = isKnown ? name : '';
    const found = this.#budgets.get(key);
    if (found !== undefined) return this.#fill(found);
    const made = {
      lines: MOST_LINES_AT_ONCE,
      debugLines: MOST_DEBUG_LINES_AT_ONCE,
      at: this.#now(),
      withheld: 0,
      shortened: 0,
      subject: isKnown ? subject : { remoteAddress: 'several' },
    };
    this.#budgets.set(key, made);
    this.#startTimer();
    return made;
  }

  #fill(budget: Budget): Budget {
    const now = this.#now();
    const seconds = (now - budget.at) / SECOND;
    budget.at = now;
    budget.lines = Math.min(MOST_LINES_AT_ONCE, budget.lines + seconds * MOST_LINES_A_SECOND);
    budget.debugLines = Math.min(MOST_DEBUG_LINES_AT_ONCE, budget.debugLines + seconds * MOST_DEBUG_LINES_A_SECOND);
    return budget;
  }

  #startTimer(): void {
    this.#timer ??= setTimeout(() => this.tell(), TELL_EVERY_MILLISECONDS).unref();
  }
}

function subjectOf(fields: unknown): Subject | undefined {
  if (typeof fields !== 'object' || fields === null) return undefined;
  const { remoteAddress, module } = fields as Readonly<Record<string, unknown>>;
  if (typeof remoteAddress === 'string') return { remoteAddress: addressGroupOf(remoteAddress) };
  return typeof module === 'string' ? { module } : undefined;
}

/** Only request lines (`web/http/client-edge`) have both members. */
function isOfRequest(fields: unknown): fields is { readonly parameters: string } {
  return typeof fields === 'object' && fields !== null && 'milliseconds' in fields && 'requestId' in fields;
}

function costOf(fields: unknown): number {
  const { parameters } = fields as Readonly<Record<string, unknown>>;
  return typeof parameters === 'string' ? 1 + Math.floor(parameters.length / CHARACTERS_OF_A_LINE) : 1;
}
