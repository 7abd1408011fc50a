import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { ANNA, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { basic } from '../support/sign-on-client.js';

/** Requests from addresses of this machine, each on a connection of its own. */
class Asking {
  readonly statuses: number[] = [];
  readonly #requests: ClientRequest[] = [];
  readonly answers: Promise<void>[] = [];

  constructor(readonly url: string) {}

  get pending(): number {
    return this.#requests.length - this.statuses.length;
  }

  ask(localAddress: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
    const asked = request(this.url, { localAddress, headers, agent: false });
    this.#requests.push(asked);
    const status = once(asked, 'response').then(([response]) => {
      const { statusCode = 0 } = response as IncomingMessage;
      (response as IncomingMessage).resume();
      this.statuses.push(statusCode);
      return statusCode;
    });
    this.answers.push(status.then(() => {}));
    asked.end();
    return status;
  }
}

describe('one address that asks for more than its share', function () {
  this.timeout(180_000);
  let site: PortalSite;
  afterEach(() => site?.stop());

  it('waits for key pairs behind itself, a part of it is refused, and others are served meanwhile', async () => {
    site = await startPortalSite({
      // a pair of this size takes longer than all requests take to come in
      crypts: "CRYPT1: '(CRYPT3270,3TDEA,RSA-2048,NODE,HEX)'",
      sessions: 'keysReady: 0, keysWaiting: 32',
      transactions: '      OPEN: { applicationType: 1, application: SIM, crypt: CRYPT3270, page: TERMINAL.HTML }',
    });
    const url = `${site.clientUrl}/TERMINAL.HTML+OPEN`;
    const [greedy, honest] = [new Asking(url), new Asking(url)];
    for (let session = 0; session < 26; session++) void greedy.ask('127.0.0.21');
    // its share, a quarter of those that may wait, is full: one more was refused
    await eventually(() => greedy.statuses.includes(503) || undefined);
    expect(await honest.ask('127.0.0.22')).to.equal(200);
    expect(greedy.pending, 'of the greedy address most wait still').to.be.at.least(4);
    await Promise.all(greedy.answers);
    expect(greedy.statuses.filter((status) => status === 200).length).to.be.at.least(8);
    expect(new Set(greedy.statuses)).to.deep.equal(new Set([200, 503]));
  });

  it('and even twenty-five of them keep nobody from signing on', async () => {
    site = await startPortalSite({ crypts: '', security: 'lockAfter: 1000' });
    const [salt, hash] = [randomBytes(16), randomBytes(32)].map((bytes) => bytes.toString('base64url'));
    const user = (name: string, work: string) =>
      `  ${name}: { role: user, groups: [], password: "scrypt$${work}$${salt}$${hash}" }\n`;
    // a 24th of the work of a hash of ours: the test need not wait that long for the guesses
    const users = user('GUESSED', '4096$8$1') + user('SLOW', '16384$8$8');
    const file = join(site.folder, 'data', 'security.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^users:\n/m, `users:\n${users}`));
    const url = `${site.clientUrl}/w2h/user/macros.json`;
    const [slow, greedy, honest] = [new Asking(url), new Asking(url), new Asking(url)];
    // these two take longer than the guesses take to come in, and as many as are looked at side by side
    for (const address of ['127.0.3.1', '127.0.3.2']) void slow.ask(address, basic('SLOW', 'guess'));
    for (let guess = 0; guess < 10; guess++) {
      for (let network = 1; network <= 25; network++) {
        void greedy.ask(`127.0.1.${network}`, basic('GUESSED', `guess-${guess}`));
      }
    }
    await eventually(() => greedy.statuses.includes(503) || undefined);
    expect(await honest.ask('127.0.2.1', basic(ANNA.name, ANNA.password))).to.equal(200);
    // behind all of them it would have been answered last
    expect(greedy.pending, 'of the guesses many wait still').to.be.at.least(50);
    await Promise.all(greedy.answers);
    expect(new Set(greedy.statuses)).to.deep.equal(new Set([401, 503]));
  });
});
