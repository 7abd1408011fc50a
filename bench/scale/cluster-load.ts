import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { KnownAnswer } from '../scenario/load-task.js';

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly cookie: string;
}

export interface LoadFigures {
  readonly answered: Readonly<Record<Asked, number>>;
  /** Sessions lost with a killed server. */
  readonly ownLost: number;
  readonly left: number;
  readonly failures: readonly string[];
}

type Asked = 'begin' | 'key' | 'scenario' | 'leave';

interface LoadOptions {
  readonly sessions: number;
  readonly thinkMilliseconds: number;
  readonly rate: number;
  readonly answers: readonly KnownAnswer[];
}

const TOLD = 'This server restarts.';
const TERMINAL = '/TERMINAL.HTML+TSO';
const form = { 'content-type': 'application/x-www-form-urlencoded' };

export class ClusterLoad {
  readonly #pool: Pool;
  readonly #options: LoadOptions;
  readonly #answered: Record<Asked, number> = { begin: 0, key: 0, scenario: 0, leave: 0 };
  readonly #failures: string[] = [];
  readonly #killed = new Map<string, number>();
  #ownLost = 0;
  #left = 0;
  #isOver = false;
  #running: readonly Promise<void>[] = [];
  #open = 0;

  constructor(front: string, options: LoadOptions) {
    this.#options = options;
    this.#pool = new Pool(front, { connections: 64, pipelining: 1, keepAliveTimeout: 4_000 });
  }

  get figures(): LoadFigures {
    return { answered: { ...this.#answered }, ownLost: this.#ownLost, left: this.#left, failures: [...this.#failures] };
  }

  get open(): number {
    return this.#open;
  }

  begin(): void {
    const browsers = Array.from({ length: this.#options.sessions }, () => this.#browse());
    this.#running = [...browsers, this.#callScenarios()];
  }

  willKill(code: string): void {
    this.#killed.set(code, performance.now());
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
    await this.#pool.destroy();
  }

  async #browse(): Promise<void> {
    const { thinkMilliseconds } = this.#options;
    // desynchronizes the sessions
    await pause(Math.random() * thinkMilliseconds);
    while (!this.#isOver) {
      // a server may be killed after its answer and before the client reads it
      const asked = performance.now();
      const opened = await this.#ask(TERMINAL, { accept: 'application/json' }).catch(wordsOf);
      if (typeof opened === 'string' || opened.status !== 200) {
        this.#fail('begin', opened);
        await pause(thinkMilliseconds);
        continue;
      }
      this.#answered.begin++;
      this.#open++;
      await this.#use((JSON.parse(opened.text) as { action: string }).action, opened.cookie, asked);
      this.#open--;
    }
  }

  async #use(action: string, cookie: string, begun: number): Promise<void> {
    const { thinkMilliseconds } = this.#options;
    const node = /^\/w2h-([a-z0-9]+)/.exec(action)?.[1] ?? '';
    const headers = { accept: 'application/json', cookie, ...form };
    const press = (key: string) => this.#ask(action, headers, `pf=${key}`).catch(wordsOf);
    for (;;) {
      await pause(thinkMilliseconds * (0.5 + Math.random()));
      const reply = await press('NULL-PF');
      const isFine = typeof reply !== 'string' && reply.status === 200;
      if (!isFine) {
        if ((this.#killed.get(node) ?? 0) > begun) this.#ownLost++;
        else this.#fail(`key at ${node}`, reply);
        return;
      }
      this.#answered.key++;
      const isTold = reply.text.includes(TOLD);
      if (!isTold && !this.#isOver) continue;
      if (isTold) this.#left++;
      const left = await press('DISCONNECT');
      if (typeof left === 'string' || left.status !== 200) {
        if ((this.#killed.get(node) ?? 0) > begun) this.#ownLost++;
        else this.#fail(`leave at ${node}`, left);
      } else this.#answered.leave++;
      return;
    }
  }

  async #callScenarios(): Promise<void> {
    const { rate, answers } = this.#options;
    const calls = new Set<Promise<void>>();
    const begun = performance.now();
    for (let sent = 0; !this.#isOver && rate > 0; sent++) {
      const call = this.#callScenario(answers[sent % answers.length]).finally(() => calls.delete(call));
      calls.add(call);
      await pause(Math.max(0, begun + ((sent + 1) * 1_000) / rate - performance.now()));
    }
    await Promise.all(calls);
  }

  async #callScenario(answer: KnownAnswer | undefined): Promise<void> {
    if (answer === undefined) return;
    const reply = await this.#ask(answer.path, {}).catch(wordsOf);
    if (typeof reply !== 'string' && reply.status === 200 && reply.text === answer.body) this.#answered.scenario++;
    else this.#fail('scenario', reply);
  }

  #fail(what: string, reply: Reply | string): void {
    const words = typeof reply === 'string' ? reply : `${reply.status} ${reply.text.slice(0, 120)}`;
    this.#failures.push(`${new Date().toISOString()} ${what}: ${words}`);
  }

  async #ask(path: string, headers: Readonly<Record<string, string>>, body?: string): Promise<Reply> {
    const method = body === undefined ? 'GET' : 'POST';
    const reply = await this.#pool.request({ path, method, headers, ...(body === undefined ? {} : { body }) });
    const text = await reply.body.text();
    const set = [reply.headers['set-cookie'] ?? []].flat()[0] ?? '';
    return { status: reply.statusCode, text, cookie: set.split(';')[0] ?? '' };
  }
}

function wordsOf(error: Error): string {
  return error.message;
}
