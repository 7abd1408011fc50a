import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SimulatedHost } from '../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { cryptWithOpenssl, publicKeyFile, wrapWithOpenssl } from '../crypto/openssl.js';
import { eventually } from '../support/eventually.js';
import { needCommand } from '../support/need.js';
import { fixture } from '../support/project.js';
import { WatchedServer } from '../support/watched-server.js';
import { ScreenClient } from './screen-client.js';

/** Eight characters, as the host takes no more; not to be met anywhere by chance. */
const canary = 'zQ7xKw9v';

/** Logs and traces all that it can get hold of, before and behind each message of the user. */
const spy = `         SCENARIO INPUT,OUTPUT
         DEBUG$ TRACE,SCENARIO
         COPY$ INPUT-TO-VARIABLE,FIELD='V00002EE',VAR='TYPED'
         IF$   NOT-FOUND,ELSE=TELL
ROWS     FOREACH$ VALUE-IN-SCREEN,(1,1,80,24)
         COPY$ SCREEN-TO-VARIABLE,SCREEN=CURRENT-SCREEN-POSITION,VAR='SHOWN',TYPE=REPLACE
         ERROR$ 0,'spied: ','*SHOWN'
ROWS     ENDFOR$
         SCENARIO END
TELL     ERROR$ 0,'spied: ','*TYPED'
         SCENARIO END
`;

interface JsonScreen {
  readonly action: string;
  readonly encryption?: { readonly modulus: string; readonly exponent: string };
  readonly text: readonly string[];
}

/** A password typed through whole runs in every mode is nowhere but on the socket of the host. */
describe('canary: a password', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-canary-'));
  const seen: string[] = [];
  let host: SimulatedHost;
  let server: WatchedServer;
  let url = '';

  before(async function () {
    needCommand(this, 'openssl');
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page');
    host = new SimulatedHost({ codePage, users: { DEMO: canary }, start: 'SIGNON' });
    const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
    mkdirSync(join(folder, 'scenarios'));
    writeFileSync(join(folder, 'scenarios', 'SPY.scn'), spy);
    const file = join(folder, 'sallyport.yaml');
    writeFileSync(
      file,
      `data: ./data
tct: { CRYPT1: '(CRYPT3270,3TDEA,RSA-1024,NODE,HEX)', CRYPT2: '(CRYPTNULL,NONE,NONE,NO-ENCRYPTION,HEX)' }
directories: { CLI-DIR: '${fixture('session-pages')}' }
scenarios: ./scenarios
hosts: { HOST: { address: '127.0.0.1:${port}' } }
log: { level: trace, form: json }
sessions: { keysReady: 2 }
lines: { C-HTTP: { listen: '127.0.0.1:0', entryPoint: CLI } }
entryPoints:
  CLI:
    directory: CLI-DIR
    transactions:
      FULL: { applicationType: 1, application: HOST, crypt: CRYPT3270 }
      NULL: { applicationType: 1, application: HOST, crypt: CRYPTNULL }
      CLEAR: { applicationType: 1, application: HOST }
      SPIED: { applicationType: 1, application: HOST, inputScenario: SPY, outputScenario: SPY }
`,
    );
    server = new WatchedServer(folder, file);
    url = await server.urlOf('C-HTTP');
  });

  after(async () => {
    await server?.kill();
    await host?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function begin(transaction: string): Promise<{ screen: JsonScreen; cookie: string }> {
    const response = await fetch(`${url}/WEB2SUB.HTML+${transaction}`, { headers: { Accept: 'application/json' } });
    const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    return { screen: (await response.json()) as JsonScreen, cookie };
  }

  /** The password as a mode has it on the wire. */
  function wireOf(transaction: string, { encryption }: JsonScreen): { password: string; key: Record<string, string> } {
    if (transaction === 'CLEAR' || transaction === 'SPIED') return { password: canary, key: {} };
    if (transaction === 'NULL') return { password: Buffer.from(canary).toString('hex').toUpperCase(), key: {} };
    const key = randomBytes(24);
    const file = publicKeyFile(encryption?.modulus ?? '', encryption?.exponent ?? '');
    const password = cryptWithOpenssl('encrypt', '3TDEA', 'CBC', key, Buffer.alloc(8), Buffer.from(canary)).toString(
      'hex',
    );
    return { password, key: { SESSKEY: wrapWithOpenssl(file, key) } };
  }

  async function post(action: string, cookie: string, form: Record<string, string>): Promise<string> {
    const response = await fetch(url + action, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: cookie },
      body: new URLSearchParams(form),
    });
    const text = await response.text();
    seen.push(JSON.stringify([...response.headers]), text);
    return text;
  }

  const user = 'V000024E';
  const hidden = 'V00002EE';

  for (const transaction of ['FULL', 'NULL', 'CLEAR', 'SPIED']) {
    it(`typed into a form, ${transaction}, refused and accepted`, async () => {
      const { screen, cookie } = await begin(transaction);
      const { password, key } = wireOf(transaction, screen);
      await post(screen.action, cookie, { pf: 'ENTER', [user]: 'NOBODY', [hidden]: password, ...key });
      // refusals of every kind that a form with it can meet
      await post(screen.action, cookie, { pf: 'ENTER', [user]: 'TOO LONG FOR IT', [hidden]: password, ...key });
      await post(screen.action, cookie, { pf: 'ENTER', V0000001: 'x', [hidden]: password, ...key });
      await post(screen.action, cookie, { pf: 'NOKEY', [user]: 'DEMO', [hidden]: password, ...key });
      const text = await post(screen.action, cookie, { pf: 'ENTER', [user]: 'DEMO', [hidden]: password, ...key });
      expect(text).to.include('Option =');
      await post(screen.action, cookie, { pf: 'DISCONNECT' });
    });

    it(`typed over a socket, ${transaction}`, async () => {
      const { screen, cookie } = await begin(transaction);
      const { password, key } = wireOf(transaction, screen);
      const client = new ScreenClient(url, screen.action, cookie);
      await client.connect();
      // a macro that has typed it for another screen, and reads what there is
      client.send({ k: 'm', n: 'sign on' });
      const another = [[{ text: 'NO SUCH SCREEN' }]];
      client.key(1, 'ENTER', { [user]: 'DEMO', [hidden]: password }, { s: key.SESSKEY, x: another });
      client.send({ k: 'x', i: 1, t: 0, s: another });
      client.send({ k: 'x', i: 2, w: 1_000, v: [1, 1, 24, 80] });
      await client.message(({ k, i }) => k === 'x' && i === 2);
      client.key(2, 'ENTER', { [user]: 'DEMO', [hidden]: password }, { s: key.SESSKEY });
      await client.shows('Option ===>');
      client.key(3, 'DISCONNECT');
      await client.message(({ k }) => k === 'e');
      seen.push(JSON.stringify(client.messages));
    });
  }

  it('is in no answer and no message', () => {
    expect(seen.length).to.be.greaterThan(20);
    expect(seen.join('\n')).to.not.include(canary);
    expect(seen.join('\n').toLowerCase()).to.not.include(Buffer.from(canary).toString('hex'));
  });

  it('is in no log', async () => {
    await eventually(() => ((server.output.match(/session ended/g)?.length ?? 0) >= 8 ? true : undefined));
    expect(server.output).to.include('"method":"POST"');
    expect(server.output).to.include('spied:  SIGNON');
    expect(
      server.output,
      'of hidden fields, as of all others, scenarios are told the parameters of no submit',
    ).to.not.include('spied: zQ');
    expect(server.output).to.not.include(canary);
    expect(server.output.toLowerCase()).to.not.include(Buffer.from(canary).toString('hex'));
    // nor are the codes of sessions
    expect(server.output).to.not.match(/SvcSession=[A-Za-z0-9_-]/);
  });

  it('is in no string of the memory while its sessions are open: the screen has it as codes of the host', async () => {
    const clients: ScreenClient[] = [];
    for (const transaction of ['FULL', 'NULL', 'CLEAR', 'SPIED']) {
      const { screen, cookie } = await begin(transaction);
      const { password, key } = wireOf(transaction, screen);
      const client = new ScreenClient(url, screen.action, cookie);
      clients.push(client);
      await client.connect();
      client.key(1, 'ENTER', { [user]: 'NOBODY', [hidden]: password }, { s: key.SESSKEY });
      await client.shows('is not valid');
      // what is not displayed is kept by the host's screen, and typed once more on top
      client.key(2, 'PF12', { [user]: 'NOBODY', [hidden]: password });
      await client.message(({ k, i }) => (k === 'a' || k === 'r') && i === 2);
    }
    const snapshot = await server.heapSnapshot();
    expect(snapshot).to.include('browserSession');
    expect(snapshot).to.not.include(canary);
    for (const client of clients) {
      client.key(3, 'DISCONNECT');
      await client.message(({ k }) => k === 'e');
    }
  });

  it('is in no file, and not in the memory of the server once its sessions have ended', async () => {
    await eventually(() => (host.sessions === 0 ? true : undefined));
    const snapshot = await server.heapSnapshot();
    // strings of the heap are there to be found: this one was logged
    expect(snapshot).to.include('SVC_ERR_SUBMIT_FIELD');
    expect(snapshot).to.not.include(canary);
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, name);
      if (!statSync(path).isFile() || name.endsWith('.heapsnapshot')) continue;
      expect(readFileSync(path, 'latin1'), name).to.not.include(canary);
    }
  });
});
