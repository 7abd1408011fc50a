import { join } from 'node:path';
import { expect } from 'chai';
import { FileSettingsStore } from '../../src/access/users/file-settings-store.js';
import { ANNA, BERT, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { SignOnClient } from '../support/sign-on-client.js';

const MOST_SETTINGS_BYTES = 16_384;

const PLACE = '/w2h/user/settings.json';
const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('settings of the terminal on the server', () => {
  let site: PortalSite;
  let anna: SignOnClient;
  let page: string;

  before(async () => {
    site = await startPortalSite({
      crypts: '',
      entryPoint: `    terminalSettings:
      defaults: { theme: '3279' }
      locked: [language]
      groups: { ops: { defaults: { bell: true }, locked: [crossHair] } }`,
    });
    anna = new SignOnClient(site.clientUrl);
    page = (await anna.signOn('/TERMINAL.HTML+TSO4', ANNA.name, ANNA.password)).text;
    if (page === '') page = (await anna.request('/TERMINAL.HTML+TSO4')).text;
  });
  after(() => site?.stop());

  const put = (body: string, headers: Readonly<Record<string, string>> = {}, client = anna) =>
    client.request(PLACE, { method: 'PUT', body, headers: { ...JSON_TYPE, ...headers } });

  it('are read and saved by their user, who has seen what is there', async () => {
    const none = await anna.request(PLACE);
    expect([none.status, none.text, none.headers.get('etag')]).to.deep.equal([200, '{}', null]);
    const first = await put('{"theme":"light"}', { 'If-None-Match': '*' });
    expect(first.status).to.equal(204);
    const etag = first.headers.get('etag') ?? '';
    const read = await anna.request(PLACE);
    expect([read.text, read.headers.get('etag')]).to.deep.equal(['{"theme":"light"}', etag]);
    expect(read.headers.get('cache-control')).to.include('no-store');
    expect((await anna.request(PLACE, { headers: { 'If-None-Match': etag } })).status).to.equal(304);
    expect((await put('{}', { 'If-None-Match': '*' })).status).to.equal(412);
    expect((await put('{}', { 'If-Match': '"0"' })).status).to.equal(412);
    expect((await anna.request(PLACE)).text).to.equal('{"theme":"light"}');
    expect((await put('{"theme":"own"}', { 'If-Match': etag })).status).to.equal(204);
    const bert = new SignOnClient(site.clientUrl);
    await bert.signOn('/TERMINAL.HTML+TSO4', BERT.name, BERT.password);
    expect((await bert.request(PLACE)).text).to.equal('{}');
  });

  it('are nothing but settings, of 16 KiB at most', async () => {
    const before = (await anna.request(PLACE)).text;
    const application = { keyMap: 'PC', keys: {} };
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`Ctrl+K${at}`, 'x'.repeat(50)]));
    const whole = JSON.stringify({ keys: keys(200), applicationKeys: { A: application } });
    const exact = whole.padEnd(MOST_SETTINGS_BYTES, ' ');
    expect(MOST_SETTINGS_BYTES).to.equal(16_384);
    for (const [body, status] of [
      ['{', 400],
      ['[]', 400],
      ['{"theme":"pink"}', 400],
      ['{"__proto__":{"theme":"own"}}', 400],
      ['{"keys":{"F1":"<script>"}}', 400],
      [`${exact} `, 413],
    ] as const) {
      expect((await put(body)).status, body.slice(0, 60)).to.equal(status);
    }
    expect((await put('{"theme":"pink"}')).text).to.include('theme: must be one of system');
    expect((await anna.request(PLACE)).text).to.equal(before);
    expect((await put(exact)).status).to.equal(204);
    expect((await anna.request(PLACE)).text).to.equal(whole);
  });

  it('canary: are nothing else, and what else was sent is in no answer, no log and no file', async () => {
    const canary = 'zQ7xKw9v';
    const before = (await anna.request(PLACE)).text;
    for (const body of [
      { theme: 'light', password: canary },
      { theme: canary },
      { keys: { F1: `<${canary}>` } },
      { applicationKeys: { TSO: { keyMap: 'PC', keys: {}, password: canary } } },
      { ownColours: { background: canary } },
      `{"theme":"light",${canary}`,
    ]) {
      const { status, text } = await put(typeof body === 'string' ? body : JSON.stringify(body));
      expect([status, text.includes(canary)], JSON.stringify(body)).to.deep.equal([400, false]);
    }
    expect((await anna.request(PLACE)).text).to.equal(before);
    expect(site.log()).to.not.include(canary);
    const store = new FileSettingsStore(join(site.folder, 'data', 'terminal-settings'));
    expect((await store.read(ANNA.name))?.text ?? '').to.not.include(canary);
  });

  it('are not those that administrators have locked, for all or for the group, whoever asks', async () => {
    const store = new FileSettingsStore(join(site.folder, 'data', 'terminal-settings'));
    const stored = async () => JSON.parse((await store.read(ANNA.name))?.text ?? '') as unknown;
    // of the time before they were locked, or of an entry point where they are not
    const before = { theme: 'light', crossHair: true };
    await store.write(ANNA.name, JSON.stringify(before), undefined);
    const read = await anna.request(PLACE);
    expect(read.text).to.equal('{"theme":"light"}');
    const wanted = JSON.stringify({ theme: 'own', crossHair: false, language: 'de' });
    const etag = read.headers.get('etag') ?? '';
    expect((await put(wanted, { 'If-Match': etag })).status).to.equal(204);
    expect(await stored()).to.deep.equal({ theme: 'own', crossHair: true });
    expect((await put(wanted)).status).to.equal(204);
    expect(await stored()).to.deep.equal({ theme: 'own', crossHair: true });
    expect((await anna.request(PLACE)).text).to.equal('{"theme":"own"}');
    // of no group
    const operator = new SignOnClient(site.clientUrl);
    await operator.signOn('/TERMINAL.HTML+TSO4', OPERATOR.name, OPERATOR.password);
    expect((await put(wanted, {}, operator)).status).to.equal(204);
    expect((await operator.request(PLACE)).text).to.equal('{"theme":"own","crossHair":false}');
  });

  it('are not longer than they may be with what is locked', async () => {
    const store = new FileSettingsStore(join(site.folder, 'data', 'terminal-settings'));
    const key = (length: number) => ({ keys: { F1: 'x'.repeat(length) } });
    const keys = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [`Ctrl+K${String(at).padStart(4, '0')}`, 'x'.repeat(44)]),
      );
    // 60 bytes each with what is around it, and the last as long as is needed
    const filled = (bytes: number) => {
      const whole = (last: number) => JSON.stringify({ keys: { ...keys(272), ...key(last).keys } });
      return whole(bytes - whole(0).length);
    };
    await store.write(ANNA.name, JSON.stringify({ crossHair: true }), undefined);
    const room = MOST_SETTINGS_BYTES - ',"crossHair":true'.length;
    expect((await put(filled(room + 1))).text).to.include('locked');
    expect((await put(filled(room + 1))).status).to.equal(400);
    expect((await put(filled(room))).status).to.equal(204);
    expect((await store.read(ANNA.name))?.text.length).to.equal(MOST_SETTINGS_BYTES);
    await store.write(ANNA.name, '{}', undefined);
  });

  it('are taken from pages of the line alone, as JSON', async () => {
    expect((await put('{}', { Origin: 'http://evil.example' })).status).to.equal(403);
    expect((await put('{}', { 'Content-Type': 'text/plain' })).status).to.equal(415);
    expect((await anna.request(PLACE, { method: 'DELETE' })).status).to.equal(405);
  });

  it('have what administrators have decided in the page, for the entry point and the group', () => {
    const text = /data-settings="([^"]*)"/.exec(page)?.[1]?.replaceAll('&quot;', '"').replaceAll('&#34;', '"') ?? '';
    expect(JSON.parse(text)).to.deep.equal({
      defaults: { theme: '3279', bell: true },
      locked: ['language', 'crossHair'],
    });
    expect(page).to.include('data-settings-place="server"');
  });
});
