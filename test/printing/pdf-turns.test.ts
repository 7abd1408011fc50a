import { expect } from 'chai';
import { PdfTurns } from '../../src/printing/pdf-document.js';

const MOST_AT_ONCE = 4;
const MOST_WAITING_OF_ONE = 20;

describe('turns of PDFs', () => {
  let ends: (() => void)[];
  let order: string[];
  let turns: PdfTurns;

  beforeEach(() => {
    [ends, order, turns] = [[], [], new PdfTurns()];
  });

  const make = (askedBy: string) =>
    turns.run(askedBy, () => {
      order.push(askedBy);
      return new Promise<void>((resolve) => {
        ends.push(resolve);
      });
    });
  const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

  it('come at once to so many, and then in turn to those who wait', async () => {
    const made = Array.from({ length: MOST_AT_ONCE + 2 }, () => make('greedy'));
    made.push(make('modest'));
    await turnOfLoop();
    expect(order.length).to.equal(MOST_AT_ONCE);
    for (let at = 0; at < made.length; at++) {
      ends[at]?.();
      await turnOfLoop();
    }
    expect(order.slice(MOST_AT_ONCE)).to.deep.equal(['greedy', 'modest', 'greedy']);
    await Promise.all(made);
  });

  it('are waited for by so many of one, and by no more; one that fails gives its turn back', async () => {
    const made = Array.from({ length: MOST_AT_ONCE + MOST_WAITING_OF_ONE }, () => make('greedy'));
    const refusal = await make('greedy').then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refusal).to.include({ code: 'SVC_ERR_SERVICE_BUSY' });
    for (let at = 0; at < made.length; at++) {
      ends[at]?.();
      await turnOfLoop();
    }
    await Promise.all(made);
    const failed = Array.from({ length: MOST_AT_ONCE }, () =>
      turns.run('greedy', () => Promise.reject(new Error('no font'))).catch((error: Error) => error.message),
    );
    expect(new Set(await Promise.all(failed))).to.deep.equal(new Set(['no font']));
    const next = make('greedy');
    await turnOfLoop();
    ends.at(-1)?.();
    await next;
  });
});
