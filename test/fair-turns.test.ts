import { expect } from 'chai';
import { FairTurns, MILLISECONDS_A_PEER, MILLISECONDS_A_TURN } from '../src/fair-turns.js';

/** A clock that a test turns, and turns of the event loop that it takes. */
class HandClock {
  milliseconds = 0;
  #next: (() => void) | undefined;
  readonly now = () => this.milliseconds;
  readonly nextTurn = (run: () => void) => {
    this.#next = run;
  };

  /** @returns whether anything was waiting */
  turn(): boolean {
    const run = this.#next;
    this.#next = undefined;
    run?.();
    return run !== undefined;
  }
}

describe('fair turns', () => {
  /** Peers with so many steps of a millisecond each; what they did stands in `done`, a letter a step. */
  function peers(steps: Readonly<Record<string, number>>) {
    const clock = new HandClock();
    const turns = new FairTurns(clock);
    let done = '';
    const left = { ...steps };
    const works = Object.keys(steps).map((name) => (mayGoOn: () => boolean) => {
      do {
        done += name;
        left[name] = (left[name] ?? 0) - 1;
        clock.milliseconds++;
      } while ((left[name] ?? 0) > 0 && mayGoOn());
      return left[name] === 0;
    });
    return { clock, turns, works, done: () => done };
  }

  it('carry out at once what is done within its time', () => {
    const { turns, works, done } = peers({ a: MILLISECONDS_A_PEER });
    expect(works.map((work) => turns.run(work, work))).to.deep.equal([true]);
    expect(done()).to.equal('a'.repeat(MILLISECONDS_A_PEER));
  });

  it('let those wait in line that have more to do, and come to each in turn', () => {
    const { clock, turns, works, done } = peers({ a: 10, b: 6, c: 1 });
    expect(works.map((work) => turns.run(work, work))).to.deep.equal([false, false, false]);
    expect(done(), 'nobody overtakes who waits').to.equal('aaaa');
    clock.turn();
    expect(done()).to.equal('aaaa aaaa bbbb c'.replaceAll(' ', ''));
    clock.turn();
    expect(done()).to.equal('aaaa aaaa bbbb c aa bb'.replaceAll(' ', ''));
    expect([clock.turn(), clock.turn()], 'the time that was spent is forgotten').to.deep.equal([true, false]);
  });

  it('end when all of them have had what there is for a turn', () => {
    const many = Object.fromEntries(Array.from('abcdefghij', (name) => [name, MILLISECONDS_A_PEER]));
    const { clock, turns, works, done } = peers(many);
    for (const work of works) turns.run(work, work);
    expect(done()).to.have.length(MILLISECONDS_A_TURN);
    const lengths = [];
    while (clock.turn()) lengths.push(done().length);
    expect(lengths).to.deep.equal([24, 36, 40, 40]);
    expect(done()).to.equal(Array.from('abcdefghij', (name) => name.repeat(MILLISECONDS_A_PEER)).join(''));
  });

  it('are left by who has gone', () => {
    const { clock, turns, works, done } = peers({ a: 5, b: 5 });
    for (const work of works) turns.run(work, work);
    for (const work of works) turns.leave(work, work);
    while (clock.turn());
    expect(done()).to.equal('aaaa');
  });
});
