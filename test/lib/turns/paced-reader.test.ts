import { type Duplex, duplexPair } from 'node:stream';
import { expect } from 'chai';
import { SimulatedHost } from '../../../src/demo/simulated-host/simulated-host.js';
import { FairTurns } from '../../../src/lib/turns/fair-turns.js';
import { type PacedInput, PacedReader } from '../../../src/lib/turns/paced-reader.js';
import { HostConnection } from '../../../src/tn3270/host/host-connection.js';
import { HostSession } from '../../../src/tn3270/host/host-session.js';
import { hostSessionOptions } from '../../support/host-session-options.js';
import { randomFrom } from '../../support/random.js';

/** Takes a byte in a turn, answers it, and notes what it took. */
class ByteByByte implements PacedInput {
  taken = '';
  overtaken = 0;
  #left: Uint8Array = new Uint8Array(0);
  readonly #stream: Duplex;

  constructor(stream: Duplex) {
    this.#stream = stream;
  }

  take(chunk: Uint8Array, mayGoOn: () => boolean): boolean {
    this.overtaken += this.#left.length;
    this.#left = chunk;
    return this.goOn(mayGoOn);
  }

  goOn(mayGoOn: () => boolean): boolean {
    while (this.#left.length > 0) {
      const byte = this.#left.subarray(0, 1);
      this.#left = this.#left.subarray(1);
      this.taken += String.fromCharCode(...byte);
      this.#stream.write(byte);
      if (!mayGoOn()) break;
    }
    return this.#left.length === 0;
  }
}

describe('a paced reader', () => {
  const slowTurns = () => {
    let milliseconds = 0;
    return new FairTurns({ now: () => (milliseconds += 2), nextTurn: (run) => setImmediate(run) });
  };

  it('takes what a peer in this process answers at once after all that came before', async () => {
    const [near, far] = duplexPair();
    const input = new ByteByByte(near);
    const answers = [...'abcdefghij'];
    const finished = new Promise<void>((resolve) => {
      let heard = 0;
      far.on('data', (echo: Uint8Array) => {
        heard += echo.length;
        if (heard === 14) resolve();
        const answer = answers.shift();
        if (answer !== undefined) far.write(answer);
      });
    });
    // what stands in the stream is read when nothing is being written to it
    far.write('0123');
    new PacedReader(near, input, () => undefined, slowTurns()).start();
    await finished;
    expect([input.taken, input.overtaken]).to.deep.equal(['0123abcdefghij', 0]);
  });

  for (const [way, leave] of [
    ['ends', (far: Duplex) => far.end()],
    ['is gone', (_: Duplex, near: Duplex) => setImmediate(() => near.destroy())],
  ] as const) {
    it(`tells that a peer ${way} after all that came before is carried out`, async () => {
      const [near, far] = duplexPair();
      const input = new ByteByByte(near);
      far.resume();
      const takenAtTheEnd = new Promise<string>((resolve) => {
        new PacedReader(near, input, () => resolve(input.taken), slowTurns()).start();
      });
      far.write('0123456789');
      leave(far, near);
      expect(await takenAtTheEnd).to.equal('0123456789');
    });
  }
});

describe('a session with a simulated host of this process', () => {
  it('begins wherever its turns end', async () => {
    const random = randomFrom(12);
    let milliseconds = 0;
    const turns = new FairTurns({
      now: () => (milliseconds += random() < 0.1 ? 50 : 0),
      nextTurn: (run) => setImmediate(run),
    });
    const options = hostSessionOptions({
      connect: async (handler) =>
        new HostConnection(host.connect(), handler, { host: 'simulated', port: 0 }, { turns }),
    });
    const host = new SimulatedHost({ codePage: options.codePage, users: {}, start: 'MENU' });
    for (let round = 0; round < 50; round++) {
      await new Promise<void>((resolve, reject) => {
        const session = new HostSession(options, {
          changed: () => session.screen.image.text.cells.join('').includes('Option ===>') && session.stop(),
          fault: ({ reason }) => reject(new Error(reason)),
          ended: ({ kind }) => (kind === 'stopped' ? resolve() : reject(new Error(kind))),
        });
        session.connect();
      });
    }
    await host.close();
  });
});
