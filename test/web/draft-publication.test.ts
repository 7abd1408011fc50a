import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileAuditTrail } from '../../src/access/audit/file-audit-trail.js';
import { FileTokenStore } from '../../src/access/tokens/file-token-store.js';
import { TokenAdministration } from '../../src/access/tokens/token-administration.js';
import { temporaryName } from '../../src/lib/files/replace-file.js';
import { FileDraftStore } from '../../src/services/file-draft-store.js';
import { draft } from '../services/contract/draft-store-contract.js';
import { ADMINISTRATOR, ANNA, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';
import { type Fields, lastEntries, PortalClient, textOf } from './portal-client.js';

const LARGEST_SERVICE_BYTES = 256 * 1024;

const MENU = "[{ text: MENU, row: 1, column: 2 }, { text: 'Option ===>' }]";
/** ACCT and ACCOUNT of the shipped folder have other conditions. */
const SCREENS = `screens:
  MENU: ${MENU}
  ACCT: [{ text: ACCT, row: 1, column: 2 }, { text: Account number }]
  BALANCE: [{ text: ACCT, row: 1, column: 2 }, { text: 'Balance' }]
`;
const SERVICE = `# who asks for a balance
service: balance-of
description: The balance alone.
parameters:
  account: { type: string, maxLength: 8 } # eight digits
steps:
  - at: MENU
    type: '2'
    press: Enter
    expect: ACCT
  - at: [ACCT]
    fill: [{ label: Account number, text: '{account}' }]
    press: Enter
    expect: BALANCE
  - at: BALANCE
    extract:
      balance: { at: [10, 22], length: 15, as: decimal }
`;

describe('the publication of drafts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-published-'));
  const services = join(folder, 'services');
  const shipped = join(projectFolder, 'templates', 'services');
  let site: PortalSite;
  let drafts: FileDraftStore;
  let administrator: PortalClient;
  let token: string;

  before(async () => {
    cpSync(shipped, services, { recursive: true });
    const yaml = `services: '${services}'
pools:
  ACCOUNTS: { host: SIM, ready: 1, users: [{ user: DEMO, password: demo }], sessionsPerUser: 8, signOn: sign-on, signOff: sign-off, home: MENU, returnHome: [PF3, PF3] }`;
    site = await startPortalSite({ yaml, entryPoint: '    services: true' });
    const data = (name: string) => join(site.folder, 'data', name);
    drafts = new FileDraftStore(data('services-drafts'));
    const tokens = new TokenAdministration(
      new FileTokenStore(data('tokens.json')),
      new FileAuditTrail({ file: data('audit.jsonl') }),
    );
    token = await tokens.add({ who: 'test', from: 'test' }, { name: 'caller', scopes: ['services'], days: 1 });
    administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
  });
  after(async () => {
    await site.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => {
    rmSync(services, { recursive: true });
    cpSync(shipped, services, { recursive: true });
  });

  async function stored(members: Partial<ReturnType<typeof draft>> = {}): Promise<string> {
    const one = draft({ name: 'balance-of', user: ANNA.name, screens: SCREENS, service: SERVICE, ...members });
    expect(await drafts.add(one)).to.equal(true);
    return `/drafts/${one.id}`;
  }
  const written = () =>
    Object.fromEntries(readdirSync(services).map((name) => [name, readFileSync(join(services, name), 'utf8')]));
  const seenIn = (page: string) => /name="SEEN" value="([^"]+)"/.exec(page)?.[1] ?? '';

  /** Sends the form as its page shows it, with what is chosen in it. */
  async function publish(path: string, chosen: Fields = {}, seen?: string) {
    const shown = seen ?? seenIn((await administrator.get(`${path}/publish`)).text);
    const fields = { NAME: 'balance-of', POOL: 'ACCOUNTS', SEEN: shown, DO: 'publish', ...chosen };
    const reply = await administrator.post(`${path}/publish`, fields);
    return {
      status: reply.status,
      location: reply.headers.get('location'),
      text: textOf(reply.text),
      page: reply.text,
    };
  }
  async function call(name: string, account: string) {
    const reply = await fetch(`${site.clientUrl}/api/v1/services/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ account }),
    });
    return [reply.status, await reply.json()];
  }

  it('says what a draft lacks, and how its screens go together with those of the folder', async () => {
    const path = await stored();
    const page = textOf((await administrator.get(path)).text);
    expect(page).to.include('because it has no pool').and.not.include('No errors, no warnings.');
    const form = textOf((await administrator.get(`${path}/publish`)).text);
    expect(form)
      .to.match(/Added\s+BALANCE\s/)
      .and.match(/with the same conditions\s+MENU\s/);
    expect(form).to.match(/is used by:\s+account-inquiry, account-update/);
    expect(form).to.include('A screen ACCT with other conditions exists');
    expect(form).to.match(/Offered by[^.]*: CLIWHOST\./);
  });

  it('writes service and screens, keeps every comment, and has it called at once', async () => {
    const path = await stored();
    const before = written();
    const { status, location } = await publish(path, { 'SCREEN:ACCT': 'rename', 'RENAME:ACCT': 'ACCT-ASKED' });
    expect([status, location]).to.deep.equal([303, `${path}?done=draft-published`]);
    const { 'balance-of.yaml': service = '', 'screens.yaml': screens = '', ...others } = written();
    expect(screens.startsWith(before['screens.yaml'] ?? ' ')).to.equal(true);
    expect(screens.slice(before['screens.yaml']?.length).match(/^ {2}\S+:/gm)).to.deep.equal([
      '  ACCT-ASKED:',
      '  BALANCE:',
    ]);
    expect(service)
      .to.match(/^# who asks for a balance\nservice: balance-of\ndescription: The balance alone.\npool: ACCOUNTS\n/)
      .and.include('# eight digits')
      .and.include('expect: ACCT-ASKED\n')
      .and.match(/at: \[ ?ACCT-ASKED ?\]/);
    expect(others).to.deep.equal(
      Object.fromEntries(Object.entries(before).filter(([name]) => name !== 'screens.yaml')),
    );
    // the master record of the simulated host
    expect(await call('balance-of', '10000003')).to.deep.equal([200, { balance: '-125.50' }]);
    expect((await call('account-inquiry', '10000003'))[0]).to.equal(200);
    const entry = lastEntries(site, 10).findLast(({ what }) => what === 'service.published');
    expect(entry).to.deep.include({
      who: ADMINISTRATOR.name,
      what: 'service.published',
      subject: 'balance-of',
      stage: 'done',
    });
    expect(entry?.after).to.deep.include({
      pool: 'ACCOUNTS',
      storedBy: ANNA.name,
      screensAdded: ['BALANCE'],
      screensRenamed: { ACCT: 'ACCT-ASKED' },
    });
  });

  it('replaces a screen for all that use it, where they still pass their checks', async () => {
    const path = await stored();
    const { status } = await publish(path, { 'SCREEN:ACCT': 'replace' });
    expect(status).to.equal(303);
    expect(written()['screens.yaml']).to.match(
      /^ {2}ACCT: \[ ?\{ text: ACCT, row: 1, column: 2 \}, \{ text: Account number \} ?\]$/m,
    );
    expect(lastEntries(site, 1)[0]?.after).to.deep.include({ screensReplaced: ['ACCT'] });
  });

  it('replaces a service only where that is said, and shows what is different', async () => {
    const path = await stored();
    const rename = { NAME: 'account-inquiry', 'SCREEN:ACCT': 'rename', 'RENAME:ACCT': 'ACCT-ASKED' };
    const before = written();
    const refused = await publish(path, rename);
    expect(refused.status).to.equal(412);
    expect(refused.text).to.include('A service of this name already exists');
    expect(refused.page).to.include('<del>description: Name and balance of one account.</del>');
    expect(refused.page).to.include('<ins>description: The balance alone.</ins>');
    expect((await publish(path, rename, seenIn(refused.page))).status).to.equal(409);
    expect(written()).to.deep.equal(before);
    const { status } = await publish(path, { ...rename, REPLACE: 'yes' }, seenIn(refused.page));
    expect(status).to.equal(303);
    expect(await call('account-inquiry', '10000003')).to.deep.equal([200, { balance: '-125.50' }]);
    expect(written()['account-inquiry.yaml'])
      .to.include('service: account-inquiry\n')
      .and.include('The balance alone.');
  });

  it('is refused where the files are others than those that were shown', async () => {
    const path = await stored();
    const seen = seenIn((await administrator.get(`${path}/publish`)).text);
    writeFileSync(join(services, 'screens.yaml'), `${readFileSync(join(services, 'screens.yaml'), 'utf8')}# more\n`);
    const before = written();
    const { status, text } = await publish(path, { 'SCREEN:ACCT': 'replace' }, seen);
    expect(status).to.equal(412);
    expect(text).to.include('has changed since this page was shown');
    expect((await publish(path, { 'SCREEN:ACCT': 'replace' }, '')).status).to.equal(412);
    expect(written()).to.deep.equal(before);
  });

  it('is refused where the folder would not pass its checks, and changes nothing', async () => {
    const path = await stored();
    const rename = (to: string) => ({ 'SCREEN:ACCT': 'rename', 'RENAME:ACCT': to });
    const before = written();
    for (const [chosen, reason] of [
      [{}, 'A screen ACCT with other conditions exists'],
      [rename('MENU'), 'The screen MENU already exists'],
      [rename('BALANCE'), 'The screen BALANCE already exists'],
      [rename('NO NAME'), 'The screen ACCT cannot be renamed. A screen name has 1 to 64 letters'],
      [rename('A'.repeat(65)), 'A screen name has 1 to 64 letters'],
      [{ ...rename('OTHER'), POOL: '' }, 'It has no pool'],
      [{ ...rename('OTHER'), POOL: 'ACOUNTS' }, 'There is no pool ACOUNTS. Did you mean "ACCOUNTS"?'],
      [{ ...rename('OTHER'), NAME: '../evil' }, 'A name has 1 to 64 letters'],
      [{ ...rename('OTHER'), NAME: 'screens' }, 'A service cannot have the name screens'],
      [{ ...rename('OTHER'), NAME: 'Screens' }, 'A service cannot have the name Screens'],
      [
        { ...rename('OTHER'), NAME: 'sign-on', REPLACE: 'yes' },
        'The pool ACCOUNTS signs on or off with the service sign-on',
      ],
      [{ ...rename('OTHER'), NAME: 'Account-Inquiry' }, 'differs only in upper and lower case'],
    ] as const) {
      const { status, text } = await publish(path, chosen, 'faults are told first');
      expect([status, text.includes(reason)], `${reason}: ${text}`).to.deep.equal([409, true]);
    }
    expect(written()).to.deep.equal(before);
    writeFileSync(join(services, 'broken.yaml'), 'service: broken\nsteps: 5\n');
    expect((await publish(path, rename('OTHER'))).text).to.include('The services folder has an error: broken.yaml:2');
    renameSync(join(services, 'broken.yaml'), join(services, 'balance-of.yaml'));
    writeFileSync(
      join(services, 'balance-of.yaml'),
      SERVICE.replace('balance-of', 'another').replaceAll(/ACCT|BALANCE/g, 'MENU'),
    );
    expect((await publish(path, rename('OTHER'))).text).to.include(
      'The file balance-of.yaml exists and contains another service',
    );
  });

  it('is refused where a file would be larger than it may, and not a byte before', async () => {
    const path = await stored();
    const file = join(services, 'screens.yaml');
    const rename = { 'SCREEN:ACCT': 'rename', 'RENAME:ACCT': 'OTHER' };
    const shipped = readFileSync(file, 'utf8');
    expect((await publish(path, rename)).status).to.equal(303);
    const added = Buffer.byteLength(readFileSync(file, 'utf8')) - Buffer.byteLength(shipped);
    rmSync(join(services, 'balance-of.yaml'));
    const filledTo = (bytes: number) =>
      writeFileSync(file, `#${' '.repeat(bytes - Buffer.byteLength(shipped) - 2)}\n${shipped}`);
    filledTo(LARGEST_SERVICE_BYTES - added + 1);
    const before = written();
    const { status, text } = await publish(path, rename);
    expect([status, written()]).to.deep.equal([409, before]);
    expect(text).to.include('screens.yaml:1:1').and.include(`at most ${LARGEST_SERVICE_BYTES} bytes`);
    filledTo(LARGEST_SERVICE_BYTES - added);
    expect((await publish(path, rename)).status).to.equal(303);
    expect(statSync(file).size).to.equal(LARGEST_SERVICE_BYTES);
  });

  it('is refused for a draft that is faulty, and where it could not be put on record', async () => {
    const faulty = await stored({ service: SERVICE.replace('as: decimal', 'as: number') });
    expect((await administrator.get(faulty)).text).to.not.include('/publish"');
    expect((await publish(faulty, { 'SCREEN:ACCT': 'replace' })).text).to.include(
      'The draft has an error: service.yaml:17',
    );
    const path = await stored();
    const before = written();
    const trail = join(site.folder, 'data', 'audit.jsonl');
    renameSync(trail, `${trail}.away`);
    mkdirSync(trail);
    try {
      expect((await publish(path, { 'SCREEN:ACCT': 'replace' })).status).to.equal(503);
    } finally {
      rmSync(trail, { recursive: true });
      renameSync(`${trail}.away`, trail);
    }
    expect(written()).to.deep.equal(before);
  });

  it('writes both files or none, and keeps who may read them', async () => {
    const path = await stored();
    const screens = join(services, 'screens.yaml');
    chmodSync(screens, 0o640);
    const before = written();
    const inTheWay = temporaryName(join(services, 'balance-of.yaml'));
    mkdirSync(inTheWay);
    const { status, text } = await publish(path, { 'SCREEN:ACCT': 'replace' });
    expect([status, text.includes('Nothing was published')]).to.deep.equal([503, true]);
    rmSync(inTheWay, { recursive: true, force: true });
    expect(written()).to.deep.equal(before);
    expect(lastEntries(site, 1)[0]).to.deep.include({ what: 'service.published', stage: 'failed' });
    expect((await publish(path, { 'SCREEN:ACCT': 'replace' })).status).to.equal(303);
    const modes = ['screens.yaml', 'balance-of.yaml'].map((name) => statSync(join(services, name)).mode & 0o777);
    expect(modes).to.deep.equal([0o640, 0o640]);
  });

  it('shows what was typed when it is only checked', async () => {
    const path = await stored();
    const { status, page, text } = await publish(path, {
      DO: 'check',
      NAME: 'other',
      'SCREEN:ACCT': 'rename',
      'RENAME:ACCT': 'X1',
    });
    expect(status).to.equal(200);
    expect(page)
      .to.include('name="NAME"')
      .and.include('value="other"')
      .and.include('value="X1"')
      .and.include('value="rename" checked');
    expect(text).to.include('passes the check');
    expect(written()).to.not.have.property('other.yaml');
  });
});
