import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ADMINISTRATOR, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { auditText, lastEntries, PortalClient, textOf } from './portal-client.js';

interface WrittenMacro {
  readonly name: string;
  readonly def: readonly unknown[];
  readonly [member: string]: unknown;
}

const fileOf = (...macros: WrittenMacro[]) => JSON.stringify({ macros, fmt: 2, desc: 'For "ops" & <others>' });
const sdsf = { name: 'SDSF <LOG>', rev: 2, def: ['move(435)', 'ENTER', { txt: '=M' }, 61] };
const logon = { name: 'logon', rev: 1, def: ['PF3'], mapping: { key: 'ctrl', keycode: 76 } };

describe('the pages of macros', () => {
  let site: PortalSite;
  let administrator: PortalClient;
  let operator: PortalClient;

  before(async () => {
    site = await startPortalSite({ crypts: '' });
    administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
    operator = await PortalClient.signedOn(site, OPERATOR);
    const named = { role: 'user', groups: ['$G#1'], expires: undefined } as const;
    await site.users.addUser({ name: 'U@#$', ...named }, undefined);
  });

  after(() => site?.stop());

  /** The tag of what a page was made of. */
  const seen = async (path: string) =>
    textOf(/name="SEEN" value="([^"]*)"/.exec((await administrator.get(path)).text)?.[1] ?? '');

  for (const [path, subject, holder] of [
    ['/macros/global', 'global', 'everybody'],
    ['/macros/group/%24G%231', 'group $G#1', 'group $G#1'],
    ['/macros/user/U%40%23%24', 'user U@#$', 'user U@#$'],
  ] as const) {
    it(`upload, show, compare, restore and remove those of ${holder}`, async () => {
      expect((await administrator.get(path)).text).to.include('No macros yet');
      const first = await administrator.upload(path, fileOf(sdsf), { SEEN: 'none' });
      expect([first.status, first.headers.get('location')]).to.deep.equal([303, `${path}?done=uploaded`]);
      expect(lastEntries(site, 1)[0]).to.include({ who: 'admin', what: 'macros.uploaded', subject });
      const { text } = await operator.get(`${path}?done=uploaded`);
      expect(text).to.include('The macros were uploaded').and.include('SDSF &lt;LOG&gt;').and.not.include('SDSF <LOG>');
      expect(textOf(text)).to.include('move(435)\nkey(ENTER)\n"=M"\n"="').and.include(`Macros of ${holder}`);
      const tag = await seen(path);
      await administrator.upload(path, fileOf({ ...sdsf, def: ['move(435)', 'CLEAR'] }, logon), { SEEN: tag });
      expect(textOf((await operator.get(path)).text))
        .to.include('Ctrl+L')
        .and.include('2 macros');

      const comparison = await operator.get(`${path}/versions/1`);
      expect(comparison.text).to.include('<del>key(ENTER)</del>').and.include('<ins>key(CLEAR)</ins>');
      expect(textOf(comparison.text)).to.include('logon: added').and.include('SDSF <LOG>: changed');
      expect((await operator.get(`${path}/versions/3`)).status).to.equal(404);
      const download = await operator.get(`${path}/macros.json`);
      expect(JSON.parse(download.text).macros).to.have.lengthOf(2);
      expect(download.headers.get('content-disposition')).to.include('attachment; filename="macros.json"');
      expect((await operator.get(`${path}/versions/1/macros.json`)).text).to.equal(fileOf(sdsf));

      const restoring = await administrator.get(`${path}/versions/1/restore`);
      expect(textOf(restoring.text)).to.include(`Restore version 1 of the macros of ${holder}?`);
      const restored = await administrator.post(`${path}/versions/1/restore`, {
        SEEN: await seen(`${path}/versions/1/restore`),
      });
      expect([restored.status, restored.headers.get('location')]).to.deep.equal([303, `${path}?done=restored`]);
      expect(lastEntries(site, 1)[0]).to.include({ what: 'macros.restored', subject });
      expect((await operator.get(`${path}/macros.json`)).text).to.equal(fileOf(sdsf));
      expect((await operator.get(`${path}/versions/1`)).text).to.include('the current macros are the same');

      expect(textOf((await administrator.get(`${path}/remove`)).text)).to.include('Macros removed: SDSF <LOG>.');
      const removed = await administrator.post(`${path}/remove`, { SEEN: await seen(`${path}/remove`) });
      expect([removed.status, removed.headers.get('location')]).to.deep.equal([303, `${path}?done=removed`]);
      expect(lastEntries(site, 1)[0]).to.include({ what: 'macros.removed', subject });
      expect((await operator.get(path)).text)
        .to.include('No macros yet')
        .and.include('/versions/3');
      expect((await operator.get(`${path}/macros.json`)).text).to.equal('{"macros":[],"fmt":2}');
      expect((await administrator.get(`${path}/remove`)).status).to.equal(404);
      expect((await administrator.post(`${path}/versions/3/restore`, { SEEN: 'none' })).status).to.equal(303);
    });
  }

  it('say what is wrong with a file, with its JSON path, and leave what was there', async () => {
    const path = '/macros/global';
    const before = (await operator.get(`${path}/macros.json`)).text;
    for (const [file, words] of [
      [fileOf({ name: 'x', def: [true] as unknown[] }), '$.macros[0].def[0]: expected'],
      [fileOf({ name: 'x', def: ['ENTER', 'FOO'] }), '$.macros[0].def[1]: expected the name of a key'],
      [fileOf({ name: 'x', def: ['move(x)'] }), '$.macros[0].def[0]: expected the name of a key'],
      ['{"macros":', '$'],
      ['', 'No file was chosen'],
    ] as const) {
      const { status, text } = await administrator.upload(path, file);
      expect([status, textOf(text)].join(), file)
        .to.include('400')
        .and.include(words);
      expect(text, 'the same page').to.include('enctype="multipart/form-data"').and.include('<title>Error: ');
      const script = await administrator.upload(path, file, {}, { Accept: 'application/json' });
      expect([script.status, JSON.parse(script.text).message].join())
        .to.include('400')
        .and.include(words);
    }
    const large = await administrator.upload(path, `{"macros":[],"x":"${'x'.repeat(1_048_576)}"}`);
    expect([large.status, textOf(large.text)].join())
      .to.include('413')
      .and.include('too large');
    expect((await operator.get(`${path}/macros.json`)).text).to.equal(before);
  });

  it('change nothing that somebody else has changed meanwhile', async () => {
    const path = '/macros/global';
    const tag = await seen(path);
    await administrator.upload(path, fileOf(logon));
    expect((await administrator.upload(path, fileOf(sdsf), { SEEN: tag })).status).to.equal(412);
    expect((await administrator.post(`${path}/remove`, { SEEN: tag })).status).to.equal(412);
    const restoring = await administrator.post(`${path}/versions/1/restore`, { SEEN: tag });
    expect([restoring.status, textOf(restoring.text)].join())
      .to.include('412')
      .and.include('have been changed in the meantime');
    expect((await operator.get(`${path}/macros.json`)).text).to.equal(fileOf(logon));
  });

  it('let one of two win who remove or restore the same file at once', async () => {
    const path = '/macros/user/BERT';
    for (const content of [sdsf, logon]) await administrator.upload(path, fileOf(content));
    const statuses = async (action: string, versions: readonly number[]) => {
      const tag = await seen(path);
      const replies = await Promise.all(
        versions.map((number) => administrator.post(`${path}/${action.replace(':n', `${number}`)}`, { SEEN: tag })),
      );
      return replies.map(({ status }) => status).sort();
    };
    expect(await statuses('versions/:n/restore', [1, 1, 1])).to.deep.equal([303, 412, 412]);
    expect(await statuses('remove', [0, 0, 0])).to.deep.equal([303, 412, 412]);
  });

  it('list the directories that hold a file, and open others by name', async () => {
    const { text } = await operator.get('/macros');
    expect(text).to.include('href="/macros/group/%24G%231"').and.include('href="/macros/user/U%40%23%24"');
    expect(textOf(text)).to.match(/1 macro, \d+ bytes, changed \d{4}/);
    expect(text, 'without a file').to.not.include('href="/macros/user/ANNA"');
    for (const [query, to] of [
      ['open=group&name=ops', '/macros/group/OPS'],
      ['open=user&name=+anna', '/macros/user/ANNA'],
      ['open=user&name=U%40%23%24', '/macros/user/U%40%23%24'],
    ]) {
      const { status, headers } = await operator.get(`/macros?${query}`);
      expect([status, headers.get('location')]).to.deep.equal([303, to]);
    }
    const unknown = await operator.get('/macros?open=group&name=%3Cnone%3E');
    expect([unknown.status, textOf(unknown.text)].join())
      .to.include('404')
      .and.include('There is no group "<none>".');
    expect(unknown.text).to.include('value="&lt;none&gt;"');
    const found = (await operator.get('/macros?search=u%40')).text;
    expect(found).to.include('/macros/user/U%40%23%24').and.not.include('href="/macros/group/');
    expect((await operator.get('/macros/group/NONE')).status).to.equal(404);
  });

  it('show what a user who is gone has left, for somebody to remove it', async () => {
    await administrator.post('/users/U%40%23%24/remove', {});
    const { text } = await administrator.get('/macros');
    expect(textOf(text)).to.match(/u@#\$\s+User removed/);
    expect((await administrator.get('/macros/user/u%40%23%24')).text).to.include('This user or group no longer exists');
    expect((await administrator.post('/macros/user/u%40%23%24/remove', {})).status).to.equal(303);
  });

  it('go on with a file that somebody put there, and that is none', async () => {
    const folder = join(site.folder, 'data', 'macros', 'group', 'dev');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'macros.json'), '<no json>');
    expect(textOf((await operator.get('/macros')).text)).to.include('not a macro file, 9 bytes');
    expect((await operator.get('/macros/group/DEV')).text).to.include('This is not a valid macro file');
    expect((await administrator.upload('/macros/group/DEV', fileOf(logon))).status).to.equal(303);
    expect((await operator.get('/macros/group/DEV/versions/1')).text).to.include('cannot be compared');
  });

  it('show the largest files within bounds', async () => {
    const macros = Array.from({ length: 40 }, (_, index) => ({ name: `m${index}`, def: new Array(9_000).fill(34) }));
    await administrator.upload('/macros/group/OPS', fileOf(...macros.slice(0, 20)));
    expect(
      (await administrator.upload('/macros/group/OPS', JSON.stringify({ macros: macros.slice(20) }))).status,
    ).to.equal(303);
    const { status, text } = await operator.get('/macros/group/OPS');
    expect(status).to.equal(200);
    expect(text).to.include('… 8,800 more steps').and.include('m39');
    const comparison = await operator.get('/macros/group/OPS/versions/1');
    expect(comparison.text.match(/<(?:del|ins)>/g)?.length ?? 0).to.be.at.most(400);
    expect(comparison.text).to.match(/… [\d,]+ more lines/);
  });

  it('leave nothing of macros in log and audit trail', () => {
    expect(site.log() + auditText(site)).to.not.include('move(435)');
  });
});

describe('the pages of macros that are not configured', () => {
  it('say how to do that', async () => {
    const site = await startPortalSite({ crypts: '', macros: false });
    try {
      const administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
      const { status, text } = await administrator.get('/macros');
      expect([status, textOf(text)].join())
        .to.include('200')
        .and.include('not configured')
        .and.include('macros: ./data/macros');
      expect(textOf((await administrator.get('/')).text)).to.include('Centralized macros are not configured');
      expect((await administrator.get('/macros/global')).status).to.equal(404);
      expect((await administrator.upload('/macros/global', '{"macros":[]}')).status).to.equal(404);
      expect((await administrator.get('/groups')).text).to.not.include('Macros of OPS');
    } finally {
      await site.stop();
    }
  });
});
