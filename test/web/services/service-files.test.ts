import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../../support/project.js';
import { binaryFiles, linesOf, mebibyte } from '../../support/transferred-files.js';
import { ServiceSite } from './service-site.js';

const CANARY = 'CANARY-OF-A-REPORT';
const toReady = '{ at: MENU, type: T, press: Enter, expect: READY }';
const home = '{ at: READY, press: PF3, expect: MENU }';
/** What a frame of CUT has room for. */
const FRAME_BYTES = 1_909;

/** Files of services; `name` is the name on the host. */
const services: Readonly<Record<string, string>> = {
  'put-text': `parameters: { name: { type: string }, contents: { type: file, maxBytes: 100000 } }
steps: [${toReady}, { at: READY, transfer: { direction: send, file: '{name}', contents: contents } }, ${home}]`,
  'get-text': `parameters: { name: { type: string } }
steps: [${toReady}, { at: READY, transfer: { direction: receive, file: '{name}', contents: report, description: The report } }, ${home}]`,
  'put-bytes': `parameters: { name: { type: string }, contents: { type: file, encoding: base64, maxBytes: 1000 } }
steps: [${toReady}, { at: READY, transfer: { direction: send, file: '{name}', contents: contents, mode: binary } }, ${home}]`,
  'get-bytes': `parameters: { name: { type: string } }
steps: [${toReady}, { at: READY, transfer: { direction: receive, file: '{name}', contents: report, mode: binary, most: 1000 } }, ${home}]`,
  'get-there': `steps: [${toReady}, { at: ELSEWHERE, within: 0.05, transfer: { direction: receive, file: A.B, contents: report } }]`,
};

describe('files of services', () => {
  let site: ServiceSite;
  let token: string;
  let onlooker: string;

  before(async () => {
    const screens = readFileSync(join(projectFolder, 'templates', 'services', 'screens.yaml'), 'utf8');
    const files = Object.entries(services).flatMap(([name, body]) => [
      [`${name}.yaml`, `service: ${name}\npool: ACCOUNTS\n${body}\n`],
      // by screens, and up to a mebibyte
      [`${name}-cut.yaml`, `service: ${name}-cut\npool: BY-SCREENS\n${body.replaceAll(/\b1000\b/g, '1048576')}\n`],
    ]);
    site = await ServiceSite.open({
      services: {
        'screens.yaml': `${screens}\n  READY: [{ text: READY }]\n  ELSEWHERE: [{ text: NOWHERE }]\n`,
        ...Object.fromEntries(files),
      },
      pool: 'ready: 0, most: 1',
      pools:
        '  BY-SCREENS: { host: FRAMES, users: [{ user: DEMO, password: demo }], signOn: sign-on, signOff: sign-off, home: MENU, returnHome: [PF3, PF3], ready: 0, most: 1 }',
    });
    token = await site.token('services', 'sessions');
    onlooker = await site.token('services', 'screens');
  });
  after(() => site.stop());

  const call = (name: string, body: object, by = token) =>
    site.request(`/api/v1/services/${name}`, { token: by, body });

  it('are sent and received, text with the characters of the host and lines round the ends of its buffers', async () => {
    for (const [at, text] of [
      '',
      `${CANARY} für {braces} [tab] ÄÖÜ\n`,
      new TextDecoder().decode(linesOf(1, 200)),
    ].entries()) {
      const name = `TEXT.FILE${at}`;
      const sent = await call('put-text', { name, contents: text });
      expect([sent.status, sent.body], sent.text).to.deep.equal([200, {}]);
      expect((await call('get-text', { name })).body).to.deep.equal({ report: text });
    }
  });

  it('are sent and received as bytes, every one of them, up to their bound and not one more', async () => {
    const bytes = Buffer.from(Uint8Array.from({ length: 1_000 }, (_, at) => at & 255));
    const contents = bytes.toString('base64');
    expect((await call('put-bytes', { name: 'BYTES', contents })).status).to.equal(200);
    expect((await call('get-bytes', { name: 'BYTES' })).body).to.deep.equal({ report: contents });
    const over = await call('put-bytes', { name: 'OVER', contents: Buffer.alloc(1_001).toString('base64') });
    expect(over.status).to.equal(422);
    expect(over.body.errors).to.deep.equal([{ pointer: '/contents', detail: 'Expected at most 1000 bytes.' }]);
    for (const wrong of ['====', 'AB', 'A*==', 7]) {
      expect((await call('put-bytes', { name: 'WRONG', contents: wrong })).status, String(wrong)).to.equal(422);
    }
    const lone = await site.request('/api/v1/services/put-text', {
      token,
      body: '{"name":"LONE","contents":"\\ud800"}',
    });
    expect(lone.status).to.equal(422);
    const largest = await call('put-text', { name: 'LARGEST', contents: 'x'.repeat(100_000) });
    expect(largest.status, largest.text).to.equal(200);
    expect((await call('put-text', { name: 'OVER', contents: 'x'.repeat(100_001) })).status).to.equal(422);
    // 65,536 bytes of any call, and twice those of the file
    const body = (length: number) => `{"name":"${'x'.repeat(length - 25)}","contents":""}`;
    expect((await site.request('/api/v1/services/put-text', { token, body: body(265_536) })).status).to.equal(422);
    expect((await site.request('/api/v1/services/put-text', { token, body: body(265_537) })).status).to.equal(413);
    // a service without files takes no more than before
    expect((await site.request('/api/v1/services/get-text', { token, body: body(65_537) })).status).to.equal(413);
    // a file of the host that is larger than the service reads
    expect((await call('put-text', { name: 'TOO.LARGE', contents: 'x'.repeat(2_000) })).status).to.equal(200);
    const larger = await call('get-bytes', { name: 'TOO.LARGE' });
    expect([larger.status, larger.body.code, larger.body.reason]).to.deep.equal([
      409,
      'transfer-failed',
      'refusedHere',
    ]);
  });

  it('are the same to the byte where they go by screens (CUT)', async () => {
    for (const [name, file] of Object.entries({ ...binaryFiles(FRAME_BYTES), mebibyte: mebibyte() })) {
      const contents = Buffer.from(file).toString('base64');
      const hostName = name.toUpperCase().slice(0, 8);
      const sent = await call('put-bytes-cut', { name: hostName, contents });
      expect([sent.status, sent.body], `${name}: ${sent.text}`).to.deep.equal([200, {}]);
      const { body } = await call('get-bytes-cut', { name: hostName });
      expect(body.report === contents, name).to.equal(true);
    }
    const text = new TextDecoder().decode(linesOf(FRAME_BYTES - 12, FRAME_BYTES + 12));
    expect((await call('put-text-cut', { name: 'LINES', contents: text })).status).to.equal(200);
    expect((await call('get-text-cut', { name: 'LINES' })).body).to.deep.equal({ report: text });
  });

  it('are refused in the words of the host for those who may see screens, and the next call is served', async () => {
    const unknown = await call('get-text', { name: 'NO.SUCH.FILE' });
    expect(unknown.status).to.equal(409);
    expect(unknown.body).to.include({ code: 'transfer-failed', reason: 'refusedByHost', step: 2 });
    expect(unknown.body).not.to.have.property('words');
    const seen = await call('get-text', { name: 'NO.SUCH.FILE' }, onlooker);
    expect(seen.body.words).to.match(/TRANS\d+/);
    const noName = await call('get-text', { name: '8WRONG' });
    expect(noName.body).to.include({ code: 'transfer-failed', reason: 'notStarted' });
    expect(noName.body.words).to.match(/data set name/);
    const noCharacter = await call('put-text', { name: 'SNOW', contents: 'a\nsnow ☃\n' });
    expect(noCharacter.body).to.include({ code: 'transfer-failed', reason: 'refusedHere' });
    const elsewhere = await call('get-there', {});
    expect([elsewhere.status, elsewhere.body.code]).to.deep.equal([409, 'guard-failed']);
    expect((await call('account-inquiry', { account: '10000001' })).status).to.equal(200);
  });

  it('are told by openapi.json as what they are', async () => {
    const { body } = await site.request('/api/v1/openapi.json', { token });
    const text = JSON.stringify(body);
    expect(text).to.include('"contents":{"type":"string","contentEncoding":"base64","maxLength":1336}');
    expect(text).to.include('"report":{"description":"The report","type":"string","maxLength":1048576}');
  });

  it('are none of sessions of one’s own, which have an address for them', async () => {
    const begun = await site.request('/api/v1/sessions', { token, body: { transaction: 'TSO' } });
    expect(begun.status).to.equal(201);
    const steps = [{ at: 'READY', transfer: { direction: 'receive', file: 'A', contents: 'x' } }];
    const refused = await site.request(`${begun.headers.get('location')}/steps`, { token, body: steps });
    expect(refused.status).to.equal(422);
    expect(refused.body.errors).to.deep.equal([{ pointer: '/0/transfer', detail: 'only services transfer files' }]);
  });

  it('are in no log, no audit trail and nothing else that is kept', () => {
    expect(site.written()).not.to.include(CANARY);
  });
});
