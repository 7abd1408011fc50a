import { messageOf } from '../../lib/text/messages.js';

export type ServerPhase = 'starting' | 'serving' | 'draining' | 'stopping';

export interface HealthCheck {
  readonly name: string;
  readonly status: 'UP' | 'DOWN';
  readonly detail?: string;
}

export interface HealthReport {
  readonly status: 'UP' | 'DOWN';
  readonly checks: readonly HealthCheck[];
}

export interface Condition {
  readonly name: string;
  fault(): Promise<string | undefined>;
  /** If true, a fault does not make the server unready. */
  readonly isReady?: true;
}

interface HealthContext {
  phase(): ServerPhase;
  /** Evaluated for each report, because lines are added and removed. */
  conditions(): readonly Condition[];
}

/** A check that takes longer counts as failed, because clients have time limits too. */
const CHECK_MILLISECONDS = 2_000;

export const phaseFaults: Readonly<Record<ServerPhase, string | undefined>> = {
  starting: 'the server is starting',
  serving: undefined,
  draining: 'the server is drained: it accepts no new sessions',
  stopping: 'the server stops',
};

export class Health {
  readonly #context: HealthContext;
  /** Concurrent requests share one check. */
  readonly #looking = new Map<string, Promise<string | undefined>>();

  constructor(context: HealthContext) {
    this.#context = context;
  }

  /** Always UP: an answer proves that the process runs. */
  live(): HealthReport {
    return { status: 'UP', checks: [checkOf('process', undefined)] };
  }

  started(): HealthReport {
    return reportOf([checkOf('server', this.#context.phase() === 'starting' ? phaseFaults.starting : undefined)]);
  }

  ready(): Promise<HealthReport> {
    return this.#report(this.#context.conditions().filter(({ isReady }) => isReady !== true));
  }

  all(): Promise<HealthReport> {
    return this.#report(this.#context.conditions());
  }

  async #report(conditions: readonly Condition[]): Promise<HealthReport> {
    const server = checkOf('server', phaseFaults[this.#context.phase()]);
    const checks = await Promise.all(conditions.map(async (one) => checkOf(one.name, await this.#faultOf(one))));
    return reportOf([server, ...checks]);
  }

  async #faultOf(condition: Condition): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve(`no answer within ${CHECK_MILLISECONDS / 1_000} seconds`), CHECK_MILLISECONDS);
    });
    try {
      return await Promise.race([this.#look(condition), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #look(condition: Condition): Promise<string | undefined> {
    const { name } = condition;
    const known = this.#looking.get(name);
    if (known !== undefined) return known;
    const look = condition
      .fault()
      .catch((error: Error) => error.message)
      .finally(() => this.#looking.delete(name));
    this.#looking.set(name, look);
    return look;
  }
}

export function checkOf(name: string, detail: string | undefined): HealthCheck {
  return detail === undefined ? { name, status: 'UP' } : { name, status: 'DOWN', detail };
}

export function reportOf(checks: readonly HealthCheck[]): HealthReport {
  return { status: checks.every(({ status }) => status === 'UP') ? 'UP' : 'DOWN', checks };
}

const REMEMBERED_MILLISECONDS = 1_000;

/** Limits a condition to one concurrent check and one check per second, because several monitors may poll it. */
export function remembered(condition: Condition, now: () => number = () => performance.now()): Condition {
  let latest: { readonly at: number; readonly fault: string | undefined } | undefined;
  let running: Promise<string | undefined> | undefined;
  const check = async () => {
    const fault = await condition.fault().catch(messageOf);
    latest = { at: now(), fault };
    running = undefined;
    return fault;
  };
  return {
    ...condition,
    fault: async () => {
      if (latest !== undefined && now() - latest.at < REMEMBERED_MILLISECONDS) return latest.fault;
      running ??= check();
      return running;
    },
  };
}
