import { expect } from 'chai';
import { FairTurns } from '../../../src/lib/turns/fair-turns.js';

const MILLISECONDS_A_PEER = 4;
const MILLISECONDS_A_TURN = 12;
const MILLISECONDS_UNDER_WAY = 25;
const MOST_MILLISECONDS_OWED = 100;
const MOST_UNDER_WAY = 8;

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
    expect([clock.turn(), clock.turn()], 'one more turn forgets the time that was spent').to.deep.equal([true, false]);
    expect(done(), 'nothing is left').to.have.length(17);
  });

  it('end when all of them have had what there is for a turn', () => {
    const many = Object.fromEntries(Array.from('abcdefghij', (name) => [name, MILLISECONDS_A_PEER]));
    const { clock, turns, works, done } = peers(many);
    for (const work of works) turns.run(work, work);
    expect(done()).to.have.length(MILLISECONDS_A_TURN);
    const lengths = [];
    while (clock.turn()) lengths.push(done().length);
    expect(lengths, 'the last turn forgets the time that was spent').to.deep.equal([24, 36, 40, 40]);
    expect(done()).to.equal(Array.from('abcdefghij', (name) => name.repeat(MILLISECONDS_A_PEER)).join(''));
  });

  it('have the peer go on at once after a wait, unless others wait', () => {
    const { clock, turns, works } = peers({ a: 1, b: MILLISECONDS_A_TURN, c: 1 });
    expect(turns.turn('peer'), 'nobody waits').to.equal(undefined);
    for (const work of works) turns.run(work, work);
    let isResolved = false;
    void turns.turn('peer')?.then(() => {
      isResolved = true;
    });
    expect(isResolved).to.equal(false);
    while (clock.turn());
    return Promise.resolve().then(() => expect(isResolved).to.equal(true));
  });

  it('are left by who has gone', () => {
    const { clock, turns, works, done } = peers({ a: 5, b: 5 });
    for (const work of works) turns.run(work, work);
    for (const work of works) turns.leave(work, work);
    while (clock.turn());
    expect(done()).to.equal('aaaa');
  });

  describe('of peers with several works', () => {
    let clock: HandClock;
    let turns: FairTurns;
    let done: string;

    /** Writes its letter once for each millisecond that it takes. */
    const work = (letter: string, milliseconds: number) => () => {
      done += letter;
      clock.milliseconds += milliseconds;
      return true;
    };

    /** Somebody else is at work, so that everything that comes waits. */
    function occupy() {
      turns.run('first', work('', MILLISECONDS_A_TURN));
    }

    beforeEach(() => {
      clock = new HandClock();
      turns = new FairTurns(clock);
      done = '';
    });

    it('forget the time that was spent when the event loop has looked at everything else', () => {
      for (let at = 0; at < MILLISECONDS_A_TURN; at++) turns.run('peer', work('a', 1));
      expect(turns.run('peer', work('b', 1)), 'after all that there is for a turn').to.equal(false);
      while (clock.turn());
      expect(turns.run('peer', work('c', 1)), 'at once').to.equal(true);
      expect(done).to.equal(`${'a'.repeat(MILLISECONDS_A_TURN)}bc`);
    });

    it('divide the time of a peer among its works, whatever their number', () => {
      occupy();
      for (let at = 0; at < 100; at++) turns.run('a', work('a', 1));
      turns.run('b', work('b', 1));
      clock.turn();
      expect(done).to.equal('aaaab');
    });

    it('serve works of a peer in the order in which they came', () => {
      occupy();
      for (const letter of 'abc') turns.run('peer', work(letter, 1));
      clock.turn();
      expect(done).to.equal('abc');
    });

    it('charge a work for the promises that it settles', () => {
      turns = new FairTurns({
        ...clock,
        settled: (run) => {
          // what follows a work takes twice the time that the work itself takes
          clock.milliseconds += 2;
          run();
        },
      });
      occupy();
      for (let at = 0; at < 10; at++) turns.run('a', work('a', 1));
      turns.run('b', work('b', 1));
      clock.turn();
      expect(done).to.equal('aab');
    });

    it('make a peer that could not be interrupted pay later', () => {
      occupy();
      turns.run('a', work('A', 3 * MILLISECONDS_A_PEER));
      turns.run('a', work('a', 1));
      for (let at = 0; at < 5; at++) turns.run('b', work('b', MILLISECONDS_A_PEER));
      const rounds = [];
      while (clock.turn()) {
        rounds.push(done);
        done = '';
      }
      expect(rounds.slice(0, 4)).to.deep.equal(['A', 'b', 'b', 'ba']);
    });

    it(`charge no more than ${MOST_MILLISECONDS_OWED} ms for one work`, () => {
      turns.run('a', work('A', 100 * MOST_MILLISECONDS_OWED));
      turns.run('a', work('a', 1));
      let rounds = 0;
      while (done === 'A') {
        clock.turn();
        rounds++;
      }
      expect(rounds).to.equal(MOST_MILLISECONDS_OWED / MILLISECONDS_A_PEER);
    });

    it(`begin nothing of a peer that has ${MOST_UNDER_WAY} under way, and one more for each that ends`, () => {
      const ends = Array.from({ length: MOST_UNDER_WAY - 1 }, () => turns.underWay('a'));
      expect(turns.start('a', work('7', 0)), 'one below the bound').to.equal(true);
      ends.push(turns.underWay('a'));
      for (const letter of 'xy') expect(turns.start('a', work(letter, 0))).to.equal(false);
      expect(turns.start('b', work('b', 0)), 'of another peer').to.equal(true);
      expect(turns.run('a', work('c', 0)), 'what has begun goes on').to.equal(true);
      while (clock.turn());
      expect(done).to.equal('7bc');
      ends[0]?.();
      ends[0]?.();
      turns.underWay('a');
      while (clock.turn());
      // the place is taken again before it is x's turn
      expect(done).to.equal('7bc');
      ends[1]?.();
      while (clock.turn());
      expect(done).to.equal('7bcxy');
    });

    it('begin more when those under way wait for something outside', () => {
      let look = () => {};
      turns = new FairTurns({
        ...clock,
        now: clock.now,
        after: (_milliseconds, run) => {
          look = run;
        },
      });
      for (let at = 0; at < MOST_UNDER_WAY; at++) turns.underWay('a');
      turns.start('a', work('x', 0));
      clock.milliseconds += MILLISECONDS_UNDER_WAY - 1;
      look();
      while (clock.turn());
      expect(done).to.equal('');
      clock.milliseconds += 1;
      look();
      while (clock.turn());
      expect(done).to.equal('x');
    });

    it('leave nothing of a start behind that was given up', () => {
      const given = work('x', 0);
      const ends = Array.from({ length: MOST_UNDER_WAY }, () => turns.underWay('a'));
      turns.start('a', given);
      turns.leave('a', given);
      for (const end of ends) end();
      while (clock.turn());
      expect(done).to.equal('');
    });
  });

  it('of this process charge what promises do, and come to others in between', async () => {
    let order = '';
    const spin = (letter: string) => async () => {
      await Promise.resolve();
      await Promise.resolve();
      const end = performance.now() + 2;
      while (performance.now() < end);
      order += letter;
    };
    const began = (letter: string) => () => {
      void spin(letter)();
      return true;
    };
    // everything after it waits
    FairTurns.ofClients.run('first', () => {
      const end = performance.now() + MILLISECONDS_A_TURN + 1;
      while (performance.now() < end);
      return true;
    });
    for (let at = 0; at < 200; at++) FairTurns.ofClients.run('a', began('a'));
    const last = new Promise<void>((resolve) => {
      FairTurns.ofClients.run('b', () => {
        void spin('b')().then(resolve);
        return true;
      });
    });
    await last;
    expect(order.indexOf('b')).to.be.lessThan(100);
  });
});
