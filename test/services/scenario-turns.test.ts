import { expect } from 'chai';
import { ScenarioTurns } from '../../src/services/scenario-turns.js';

const MOST_RUNNING = 100;
const MOST_WAITING_OF_CALLER = 100;

/** Whose turn it is where many services run scenarios. */
describe('turns of scenarios', () => {
  /** Of the runs that go on, what lets each end. */
  let ends: ((result: string) => void)[];
  let order: string[];
  let turns: ScenarioTurns;

  beforeEach(() => {
    [ends, order, turns] = [[], [], new ScenarioTurns()];
  });

  const run = (caller: string, signal = new AbortController().signal) =>
    turns.run(caller, signal, (within) => {
      order.push(caller);
      return new Promise<string>((resolve, reject) => {
        ends.push(resolve);
        within.addEventListener('abort', () => reject(within.reason));
      });
    });
  const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

  async function fill(): Promise<Promise<unknown>[]> {
    const running = Array.from({ length: MOST_RUNNING }, () => run('greedy'));
    await turnOfLoop();
    expect(ends.length).to.equal(MOST_RUNNING);
    return running;
  }

  it('come at once to so many, and then to callers in turn', async () => {
    const running = await fill();
    const waiting = [run('greedy'), run('greedy'), run('modest')];
    await turnOfLoop();
    expect(ends.length).to.equal(MOST_RUNNING);
    for (let ended = 0; ended < 3; ended++) {
      ends[ended]?.('done');
      await turnOfLoop();
    }
    expect(order.slice(MOST_RUNNING)).to.deep.equal(['greedy', 'modest', 'greedy']);
    for (const end of ends) end('done');
    expect(new Set(await Promise.all([...running, ...waiting]))).to.deep.equal(new Set(['done']));
    const next = run('greedy');
    await turnOfLoop();
    expect(ends.length).to.equal(MOST_RUNNING + 4);
    ends.at(-1)?.('again');
    expect(await next).to.equal('again');
  });

  it('are waited for by so many calls of a caller, and by no more', async () => {
    const running = await fill();
    const waiting = Array.from({ length: MOST_WAITING_OF_CALLER }, () => run('greedy'));
    expect(await run('greedy')).to.deep.equal({ kind: 'noSession', retryAfterSeconds: 5 });
    const other = run('modest');
    await turns.stop();
    const refused = await Promise.all([...running, ...waiting, other]);
    expect(refused.every((end) => (end as { kind?: string }).kind === 'stopping')).to.equal(true);
    expect(await run('greedy')).to.deep.equal({ kind: 'stopping' });
  });

  it('are given up by who goes away, waiting or running', async () => {
    const running = await fill();
    const leaving = new AbortController();
    const gone = [run('leaving', leaving.signal)];
    ends[0]?.('done');
    await turnOfLoop();
    gone.push(run('leaving', leaving.signal));
    const reason = new Error('gone');
    leaving.abort(reason);
    for (const one of await Promise.allSettled(gone)) expect(one).to.deep.equal({ status: 'rejected', reason });
    const next = run('modest');
    await turnOfLoop();
    expect(order.at(-1)).to.equal('modest');
    for (const end of ends) end('done');
    await Promise.all([...running, next]);
  });
});
