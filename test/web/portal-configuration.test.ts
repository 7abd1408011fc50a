import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ADMINISTRATOR, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { EventClient } from './event-client.js';
import { auditText, lastEntries, PortalClient, textOf } from './portal-client.js';

const CANARY = 'cAnArY-93-bird';

/** Secrets in every place of a configuration that has room for one. */
const secrets = {
  hosts: `OLD: { simulated: true, users: { DEMO: ${CANARY}, user: ${CANARY} } }, `,
  clientLine: `answers: { headers: { X-Api-Key: ${CANARY} } }`,
  transactions: `      SIGNON: { applicationType: 1, application: SIM, tioaAtLogon: '&W&/IDEMO&/A${CANARY}&/A&/T', description: by script }`,
  yaml: `# an old password: ${CANARY}`,
};

describe('the configuration in the portal', () => {
  let site: PortalSite;
  let administrator: PortalClient;
  let file = '';
  let original = '';
  const pages: string[] = [];

  before(async () => {
    site = await startPortalSite({ crypts: '', ...secrets });
    administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
    file = join(site.folder, 'sallyport.yaml');
    original = readFileSync(file, 'utf8');
  });
  afterEach(() => writeFileSync(file, original));
  after(() => site?.stop());

  const write = (change: (text: string) => string) => writeFileSync(file, change(original));
  const page = async (path: string) => {
    const { status, text } = await administrator.get(path);
    expect(status, text).to.equal(200);
    pages.push(text);
    return text;
  };
  const shown = async (path: string) => textOf(await page(path)).replace(/\s+/g, ' ');
  const seenOf = (text: string) => /name="SEEN" value="(\w+)"/.exec(text)?.[1] ?? '';
  const reload = async (seen: string, client = administrator) => {
    const reply = await client.post('/configuration/reload', { SEEN: seen });
    pages.push(reply.text);
    return reply;
  };
  const title = (text: string) => (original: string) =>
    original.replace('description: by script', `description: ${text}`);

  it('is shown as it is served, with its secrets masked', async () => {
    const text = await shown('/configuration');
    expect(text).to.include('The file is the active configuration.').and.include('None since the server was started.');
    expect(text).to.include('simulated: true users: DEMO: (masked) user: (masked)');
    expect(text).to.include('X-Api-Key: (masked)');
    expect(text).to.match(/tioaAtLogon: .?&W&\/I\(masked\)&\/A\(masked\)&\/A&\/T/);
    expect(text).to.include('SIGNON: applicationType: 1').and.include('database: ./data/security.yaml');
    expect(text).to.not.include('old password');
  });

  it('is compared with the file, checked, and taken over', async () => {
    write(title('seen on the page'));
    expect(await shown('/configuration')).to.include('The file was changed later.');
    const check = await page('/configuration/reload');
    expect(check)
      .to.match(/<del>\s*description: by script<\/del>/)
      .and.match(/<ins>\s*description: seen on the page<\/ins>/);
    expect(textOf(check)).to.include('entryPoints');
    const { status, headers } = await reload(seenOf(check));
    expect([status, headers.get('location')]).to.deep.equal([303, '/configuration?done=configuration-reloaded']);
    const after = await shown('/configuration');
    expect(after)
      .to.include('description: seen on the page')
      .and.include('The file is the active configuration.')
      .and.match(/UTC, by admin: Applied: entryPoints\./);
    expect(lastEntries(site, 1)[0]).to.include({ who: 'admin', what: 'configuration.reloaded', stage: 'done' });
    expect(await shown('/configuration/reload')).to.include('the file is already active');
  });

  it('says where the file is wrong, and takes nothing over', async () => {
    write(
      (text) =>
        `${title('never served')(text)}\nsessions: { limt: 3 }\npools: { P: { host: SIM, users: ${CANARY} } }\n`,
    );
    const check = await shown('/configuration/reload');
    expect(check)
      .to.match(/sallyport\.yaml:\d+:\d+: error: /)
      .and.include('cannot be applied');
    expect(check).to.not.include('never served');
    const { status, text } = await reload('');
    expect(status).to.equal(409);
    expect(textOf(text))
      .to.match(/sallyport\.yaml:\d+:\d+: error: /)
      .and.match(/The file has \d+ errors?\./);
    expect(await shown('/configuration')).to.match(
      /by admin: rejected, the previous configuration stays active\. The file has/,
    );
    expect(lastEntries(site, 1)[0]).to.include({ who: 'admin', what: 'configuration.refused' });
    write((text) => text.replace('lines:', 'lines: ['));
    expect(await shown('/configuration/reload')).to.match(/sallyport\.yaml:\d+:\d+: error: YAML/);
  });

  it('says what needs a restart, before and after', async () => {
    write((text) => text.replace('keysReady: 0', 'keysReady: 1'));
    const check = await page('/configuration/reload');
    expect(textOf(check)).to.match(/Needs a restart[\s\S]*sessions/);
    expect((await reload(seenOf(check))).headers.get('location')).to.include('configuration-reloaded-partly');
    expect(await shown('/configuration')).to.match(/Needs a restart .*sessions/);
    writeFileSync(file, original);
    await reload('');
    expect(await shown('/configuration')).to.not.include('Needs a restart');
  });

  it('says what a part cannot work with', async () => {
    const taken = new URL(site.portalUrl).port;
    write((text) =>
      text.replace('  C-HTTP:', `  D-HTTP: { listen: '127.0.0.1:${taken}', entryPoint: CLIWHOST }\n  C-HTTP:`),
    );
    expect(await shown('/configuration/reload')).to.include(`cannot listen on 127.0.0.1:${taken}`);
    expect((await reload('')).status).to.equal(409);
  });

  it('takes over no other file than the one that was looked at', async () => {
    write(title('looked at'));
    const seen = seenOf(await page('/configuration/reload'));
    write(title('slipped in'));
    const { status, text } = await reload(seen);
    expect(status).to.equal(409);
    expect(textOf(text)).to.include('file has changed since the check').and.include('slipped in');
    expect(lastEntries(site, 1)[0]).to.include({ who: 'admin', what: 'configuration.refused' });
    expect(await shown('/configuration')).to.not.include('slipped in');
  });

  it('is reloaded by two at once in turn, each on record with the name', async () => {
    await site.users.addUser(
      { name: 'SECOND', role: 'administrator', groups: [], expires: undefined },
      'second-One-77',
    );
    const second = await PortalClient.signedOn(site, { name: 'SECOND', password: 'second-One-77' });
    const replies = await Promise.all([reload(''), reload('', second)]);
    expect(replies.map(({ status }) => status)).to.deep.equal([303, 303]);
    const who = lastEntries(site, 4)
      .filter(({ what }) => what === 'configuration.reloaded')
      .map((entry) => entry.who);
    expect(new Set(who)).to.deep.equal(new Set(['admin', 'SECOND']));
  });

  it('is nothing for operators, nor for a form that no page has shown', async () => {
    const operator = await PortalClient.signedOn(site, OPERATOR);
    expect((await operator.get('/')).text).to.not.include('href="/configuration"');
    for (const path of ['/configuration', '/configuration/reload'])
      expect((await operator.get(path)).status).to.equal(403);
    expect((await operator.post('/configuration/reload', {})).status).to.equal(403);
    expect((await administrator.post('/configuration/reload', { TOKEN: 'x' })).status).to.equal(403);
  });

  it('gives no secret to a page, live ones too, the log or the audit trail', async () => {
    const topics = 'topic=configuration&topic=overview&topic=lines&topic=loaded';
    const stream = await EventClient.open(site.portalUrl, administrator.cookie, topics);
    for (const topic of ['configuration', 'overview', 'lines', 'loaded']) {
      await stream.event((_, name) => name === topic);
    }
    stream.close();
    expect(stream.text).to.include('data-live').and.not.include(CANARY);
    expect(stream.text).to.include('W-HTTP');
    expect(original.split(CANARY)).to.have.lengthOf(6);
    for (const text of [...pages, site.log(), auditText(site)]) expect(text).to.not.include(CANARY);
  });
});
