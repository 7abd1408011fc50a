import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SimulatedHost } from '../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { ScreenClient } from '../sessions/screen-client.js';
import { eventually } from '../support/eventually.js';
import { ANNA, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { fixture } from '../support/project.js';
import { needS3270, S3270 } from '../support/s3270.js';
import { basic, SignOnClient } from '../support/sign-on-client.js';
import { formsOf, PortalTraces } from './portal-traces.js';

/** Eight characters, as the host takes no more; not to be met anywhere by chance. */
const canary = 'zQ7xKw9v';
/** The same in CP037, and as the host folds it (IBM, code page 37). */
const EBCDIC = ['a9d8f7a7d2a6f9a5', 'e9d8f7e7d2e6f9e5'];

/** Seen only where a panel of a host names it. */
const onPanel = 'hJ4mTb2u';

/** Takes a password wherever a scenario can have it from, and makes of it what it can. */
const spell = `         SCENARIO INITIAL
         COPY$ INPUT-TO-VARIABLE,FIELD='FROM',VAR='FROM'
         COPY$ INPUT-TO-VARIABLE,FIELD='PASSWORD',VAR='WORD'
         COPY$ LIST-TO-VARIABLE,VAR='BOTH',LIST=('user=*','*WORD')
         COPY$ VARIABLE-TO-VARIABLE,VAR=('WORD','LATER')
         CONVERT$ UTF8-TO-EBCDIC,VAR='LATER'
         COPY$ VALUE-TO-VARIABLE,VAR='SECRET',VALUE='${canary}'
         COPY$ VALUE-TO-VARIABLE,VAR='PANEL',VALUE='Kennwort . . . : ${onPanel}  Password ===> ${onPanel}  PIN .  .  . ${onPanel}  Pass.... ${onPanel}'
         SEND$ AS-ANSWER,VAR='FROM',TYPE='text/plain'
         SCENARIO END
`;

describe('traces of a running server', function () {
  this.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-traces-'));
  let host: SimulatedHost;
  let hostPort = 0;
  let site: PortalSite;
  let portalTraces: PortalTraces;
  let admin: SignOnClient;
  let token = '';

  before(async () => {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page');
    const now = () => new Date('2027-03-01T09:00:00Z');
    host = new SimulatedHost({ codePage, users: { DEMO: canary }, start: 'SIGNON', now });
    hostPort = (await host.listen({ host: '127.0.0.1', port: 0 })).port;
    mkdirSync(join(folder, 'scenarios'));
    writeFileSync(join(folder, 'scenarios', 'SPELL.scn'), spell);
    mkdirSync(join(folder, 'pages'));
    cpSync(fixture('session-pages'), join(folder, 'pages'), { recursive: true });
    site = await startPortalSite({
      crypts: '',
      pages: join(folder, 'pages'),
      hosts: `HOST: { address: '127.0.0.1:${hostPort}' }, FRAMES: { address: '127.0.0.1:${hostPort}', deviceType: IBM-3278-2 }, `,
      transactions: `      T: { applicationType: 1, application: HOST }
      DFT: { applicationType: 1, application: HOST, fileTransfer: {}, printer: DESK }
      CUT: { applicationType: 1, application: FRAMES, fileTransfer: {} }
      SPELL: { applicationType: 2, initialScenario: SPELL, tioaAtLogon: '&/S' }
      SIGNED: { applicationType: 2, initialScenario: SPELL, security: 4 }`,
      yaml: `scenarios: '${join(folder, 'scenarios')}'
printers: { DESK: { host: HOST, associate: true } }`,
    });
    portalTraces = await PortalTraces.of(site);
    ({ admin, token } = portalTraces);
  });
  after(async () => {
    await site?.stop();
    await host?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const begin = (kind: string, subject: string) => portalTraces.begin(kind, subject);

  interface JsonScreen {
    readonly action: string;
    readonly notice?: string;
  }

  async function beginSession(transaction = 'T'): Promise<{ screen: JsonScreen; cookie: string; id: string }> {
    const response = await fetch(`${site.clientUrl}/WEB2SUB.HTML+${transaction}`, {
      headers: { Accept: 'application/json' },
    });
    const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const screen = (await response.json()) as JsonScreen;
    const [, id = ''] = /"\/sessions\/([^"]+)"/.exec((await admin.request('/sessions')).text) ?? [];
    return { screen, cookie, id };
  }

  for (const mode of ['DFT', 'CUT'] as const) {
    it(`have nothing of files and of what is printed: ${mode}`, async () => {
      const { screen, cookie, id } = await beginSession(mode);
      const traces = [await begin('session', id), await begin('line', 'C-HTTP')];
      const headers = { Cookie: cookie, Accept: 'application/json' };
      const at = (prefix: string, query = '') =>
        site.clientUrl + screen.action.replace('++Svc', `++${prefix}Svc`) + query;
      const enter = async (...values: string[]) => {
        const shown = (await (await fetch(at(''), { headers })).json()) as {
          fields: { id: string; protected: boolean }[];
        };
        const inputs = shown.fields.filter((field) => !field.protected);
        const body = new URLSearchParams({ pf: 'ENTER' });
        for (const [number, value] of values.entries()) body.set(inputs[number]?.id ?? '', value);
        return (await fetch(at(''), { method: 'POST', headers, body })).text();
      };
      expect(await enter('DEMO', canary)).to.include('Option ===>');
      if (mode === 'DFT') {
        await enter('P');
        expect(await enter('10000002')).to.include('was printed');
        const page = at('Print').replace(/[^/]+(?=\+\+)/, 'x.txt');
        expect(await (await fetch(page, { headers: { Cookie: cookie } })).text()).to.include('984.10 USD');
        await fetch(at(''), { method: 'POST', headers, body: new URLSearchParams({ pf: 'PF3' }) });
      }
      expect(await enter('T')).to.include('READY');
      for (const type of ['application/octet-stream', 'text/plain'] as const) {
        const sent = await fetch(at('Transfer', '?direction=send&file=A.B'), {
          method: 'POST',
          headers: { ...headers, 'Content-Type': type },
          body: `${canary} in a file`,
        });
        const said = await sent.text();
        expect(sent.status, said).to.equal(type === 'text/plain' ? 415 : 200);
      }
      const back = await fetch(at('Transfer', '?direction=receive&file=A.B'), { method: 'POST', headers });
      expect(await back.text()).to.equal(`${canary} in a file`);
      for (const path of traces) {
        await admin.post(`${path}/stop`, { TOKEN: token });
        const { text } = await admin.request(`${path}/trace.${path.includes('/line-') ? 'txt' : 'trc'}`);
        const row = [...text.matchAll(/^[<>] 0x\S+ +(\S+)$/gm)].map(([, hex]) => hex).join('');
        // ASCII of IND$FILE is 8-bit ASCII
        const forms = [canary, Buffer.from(canary).toString('hex'), ...EBCDIC, '984.10', 'f9f8f44bf1f0'];
        for (const form of forms) expect(`${text}\n${row}`.toLowerCase()).not.to.include(form.toLowerCase());
        expect(text.length).to.be.greaterThan(1_000);
        await admin.post(`${path}/remove`, { TOKEN: token });
      }
    });
  }

  it('have what is done, and no password, code, cookie or token in any form', async () => {
    const { screen, cookie, id } = await beginSession();
    const traces = {
      session: await begin('session', id),
      line: await begin('line', 'C-HTTP'),
      portal: await begin('line', 'W-HTTP'),
      scenario: await begin('scenario', 'SPELL'),
      entryPoint: await begin('entry-point', 'CLIWHOST'),
    };
    const secrets = [
      canary,
      onPanel,
      ...EBCDIC,
      cookie.split('=')[1] ?? '',
      /Session=(.+)$/.exec(screen.action)?.[1] ?? '',
    ];
    const headers = { Cookie: cookie, Accept: 'application/json' };
    const post = (fields: Record<string, string>) =>
      fetch(site.clientUrl + screen.action, { method: 'POST', headers, body: new URLSearchParams(fields) });

    // whoever is a field ahead, then right
    await post({ pf: 'ENTER', V000024E: 'NOBODY', V00002EE: canary });
    const shown = await post({ pf: 'ENTER', V000024E: 'DEMO', V00002EE: canary });
    expect(((await shown.json()) as JsonScreen).notice).to.contain('is being recorded by admin.');
    const socket = new ScreenClient(site.clientUrl, screen.action, cookie);
    await socket.connect();
    const told = await socket.message(({ k }) => k === 'v');
    expect((told as { t?: unknown }).t).to.deep.equal(['admin']);
    socket.cut();
    await eventually(async () =>
      /WebSocket of session \w+ ends/.test((await admin.request(`${traces.line}/trace.txt`)).text) ? true : undefined,
    );

    const bearer = `sallyport_${'aB3'.repeat(14)}x`;
    secrets.push(bearer);
    const wrong = basic('anna', canary);
    for (const further of [{}, wrong, { Authorization: `Bearer ${bearer}`, 'X-Api-Key': canary }] as const) {
      for (const body of [
        new URLSearchParams({ FROM: 'EUR', PASSWORD: canary }),
        new Blob([JSON.stringify({ FROM: 'EUR', deep: [{ password: canary, sesskey: [canary] }] })], {
          type: 'application/json',
        }),
        new Blob([`<a><password>${canary}</password></a>`], { type: 'text/xml' }),
      ]) {
        const answer = await fetch(`${site.clientUrl}/LOGON.HTML+SPELL?TOKEN=${bearer}&PIN=${canary}&TO=USD`, {
          method: 'POST',
          headers: further,
          body,
        });
        expect(answer.status).to.equal(200);
      }
    }
    const client = new SignOnClient(site.clientUrl);
    secrets.push(ANNA.password);
    const ahead = new SignOnClient(site.clientUrl);
    expect((await ahead.signOn('/LOGON.HTML+SIGNED', ANNA.password, ANNA.password)).status).to.equal(401);
    expect((await client.signOn('/LOGON.HTML+SIGNED', ANNA.name, ANNA.password)).status).to.equal(303);
    secrets.push(...client.cookies.values(), ...admin.cookies.values(), token);

    const texts: Record<string, string> = {};
    for (const [kind, path] of Object.entries(traces)) {
      const got = await admin.request(`${path}/trace.txt`);
      expect(got.status, got.text).to.equal(200);
      texts[kind] = got.text;
    }
    expect(texts.session).to.contain("'Option ===>'").and.contain(`SBA(10,31) '********'`).and.not.match(/^[<>]/m);
    expect(texts.line).to.match(/ > POST \/LOGON\.HTML\+SPELL\?TOKEN=\*\*\*&PIN=\*\*\*&TO=USD HTTP\/1\.1$/m);
    expect(texts.line)
      .to.match(/ > \| FROM=EUR$/m)
      .and.match(/ > \| PASSWORD=\*\*\*$/m)
      .and.match(/ < HTTP\/1\.1 200$/m);
    expect(texts.line)
      .to.match(/ > \| V00002EE=\*\*\*$/m)
      .and.match(/ < \| EUR$/m);
    expect(texts.line)
      .to.match(new RegExp(` > \\(WebSocket of session ${id} begins\\)$`, 'm'))
      .and.match(/ > \(WebSocket: a message of \d+ bytes, kind h\)$/m)
      .and.match(/ < \(WebSocket: a message of \d+ bytes, kind v\)$/m)
      .and.match(new RegExp(` < \\(WebSocket of session ${id} ends: 1006\\)$`, 'm'));
    expect(texts.portal)
      .to.match(/ > GET \/traces HTTP\/1\.1$/m)
      .and.not.contain(' | ');
    for (const text of [texts.scenario, texts.entryPoint]) {
      expect(text).to.match(/ #\d+ SPELL INITIAL begins: request \S+, POST, transaction SPELL$/m);
      expect(text).to.match(/ 2 +COPY\$ INPUT-TO-VARIABLE; [\d.]+ ms; FROM = "EUR"$/m);
      expect(text).to.match(/ 3 +COPY\$ INPUT-TO-VARIABLE; [\d.]+ ms; WORD = "\*\*\*"$/m);
      expect(text).to.match(/ 7 +COPY\$ VALUE-TO-VARIABLE; [\d.]+ ms; SECRET = \*\*\*$/m);
      expect(text).to.match(
        / PANEL = "Kennwort \. \. \. : \*\*\* {2}Password ===> \*\*\* {2}PIN \. {2}\. {2}\. \*\*\* {2}Pass\.\.\.\. \*\*\*"$/m,
      );
      expect(text).to.match(/ #\d+ SPELL ends: /m);
    }
    // nothing more is written: the files and the audit trail are looked through, too
    for (const path of Object.values(traces)) await admin.post(`${path}/stop`, { TOKEN: token });
    const places = join(site.folder, 'data', 'traces');
    const files = readdirSync(places).map((name) => readFileSync(join(places, name), 'utf8'));
    const audit = readFileSync(join(site.folder, 'data', 'audit.jsonl'), 'utf8');
    const rows = files.map((text) => [...text.matchAll(/^[<>] 0x\S+ +(\S+)$/gm)].map(([, hex]) => hex).join(''));
    const whole = [...Object.values(texts), ...files, ...rows, audit].join('\n').toLowerCase();
    for (const secret of secrets) {
      expect(secret).to.have.length.above(7);
      for (const form of formsOf(secret)) expect(whole).not.to.contain(form.toLowerCase());
    }
    for (const what of ['started', 'read', 'stopped']) expect(audit).to.contain(`"trace.${what}"`);
    for (const path of Object.values(traces)) await admin.post(`${path}/remove`, { TOKEN: token });
    expect(readdirSync(places)).to.deep.equal([]);
  });

  it('of sessions have the bytes that s3270 traces of the same walk', async function () {
    needS3270(this);
    const file = join(folder, 's3270.trc');
    const s3270 = new S3270({ further: ['-trace', '-tracefile', file] });
    try {
      await s3270.connect(`127.0.0.1:${hostPort}`);
      await s3270.waitFor('Password');
      for (const action of ['String("DEMO")', 'Tab()', `String("${canary}")`, 'Enter()']) await s3270.ask(action);
      await s3270.waitFor('Option ===>');
      await s3270.ask('PF(1)');
      await s3270.ask('Disconnect()');
    } finally {
      s3270.stop();
    }
    const { screen, cookie, id } = await beginSession();
    const trace = await begin('session', id);
    const socket = new ScreenClient(site.clientUrl, screen.action, cookie);
    await socket.connect();
    // the full field moves the cursor on to the next one
    socket.key(1, 'ENTER', { V000024E: 'DEMO', V00002EE: canary }, { u: 11 * 80 + 30 });
    await socket.shows('Option ===>');
    socket.key(2, 'PF1', {});
    await socket.message(({ k, i }) => (k === 'a' || k === 'r') && i === 2);
    const ours = async () => recordsOf((await admin.request(`${trace}/trace.trc`)).text);
    const theirs = recordsOf(readFileSync(file, 'latin1'));
    const walked = await eventually(async () => {
      const records = await ours();
      return records.length >= 4 ? records : undefined;
    });
    expect(walked.length).to.equal(4);
    const masked = '5c'.repeat(canary.length);
    expect(walked[0]).to.equal(
      theirs
        .at(-4)
        ?.replace(Buffer.from(canary).toString('hex'), masked)
        .replace(EBCDIC[0] ?? '', masked)
        .replace(EBCDIC[1] ?? '', masked),
    );
    expect(walked.slice(1)).to.deep.equal(theirs.slice(-3));
  });

  /** The records of the screen, without their headers, each with its way: as whoever replays a trace reads them. */
  function recordsOf(trace: string): readonly string[] {
    const transfers: { way: string; hex: string }[] = [];
    for (const [, way = '', offset = '', hex = ''] of trace.matchAll(/^([<>]) 0x([0-9a-f]+) +([0-9a-f]+)$/gm)) {
      const last = transfers.at(-1);
      // a long record may arrive in parts
      const continues = last?.way === way && last.hex.startsWith('00') && !last.hex.endsWith('ffef');
      if (last === undefined || (offset === '0' && !continues)) transfers.push({ way, hex });
      else last.hex += hex;
    }
    return (
      transfers
        .flatMap(({ way, hex }) =>
          hex
            .split('ffef')
            .slice(0, -1)
            .map((record) => ({ way, hex: record })),
        )
        // what negotiates is no record of the screen (RFC 2355, section 8.1)
        .filter(({ hex }) => hex.startsWith('00') && hex.length > 10)
        // each connection has a logical unit of its own, SIM00001 and so on, which the host shows
        .map(({ way, hex }) => `${way} ${hex.slice(10).replaceAll(/e2c9d4(?:f[0-9]){5}/g, 'LU')}`)
    );
  }
});
