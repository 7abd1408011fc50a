import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ADMINISTRATOR, ANNA, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { basic, type SignOnReply } from '../support/sign-on-client.js';
import { auditText, PortalClient, textOf } from './portal-client.js';

const PASSWORD = 'correct-Horse-9';
const SAYS = 'The audit trail cannot be written, so nothing was changed. See the log for the reason.';
const fileOf = (name: string) => JSON.stringify({ macros: [{ name, rev: 1, def: ['ENTER'] }], fmt: 2 });

describe('a portal whose audit trail cannot be written', () => {
  let site: PortalSite;
  let administrator: PortalClient;

  before(async () => {
    site = await startPortalSite({ crypts: '', security: 'lockAfter: 3' });
    administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
    for (const name of ['one', 'two']) await administrator.upload('/macros/global', fileOf(name));
    await administrator.post('/groups', { GROUP: 'EMPTY' });
  });
  after(() => site.stop());

  /** Users and macros, byte for byte. */
  function everything(): Record<string, string> {
    const names = readdirSync(join(site.folder, 'data'), { recursive: true, withFileTypes: true })
      .filter((found) => found.isFile() && !found.name.startsWith('audit.jsonl') && !found.name.includes('.lock'))
      .map((found) => join(found.parentPath, found.name));
    return Object.fromEntries(names.map((name) => [name, readFileSync(name, 'utf8')]));
  }

  const newUser = { USERID: 'NEW', ROLE: 'user', GROUPS: 'BROUGHT' };
  const changes: Readonly<Record<string, () => Promise<SignOnReply>>> = {
    'macros of a user': async () => {
      const sent = { ...basic(ANNA.name, ANNA.password), 'Content-Type': 'application/json' };
      const url = `${site.clientUrl}/w2h/user/macros.json`;
      const reply = await fetch(url, { method: 'PUT', headers: sent, body: fileOf('mine') });
      return { status: reply.status, headers: reply.headers, text: await reply.text() };
    },
    'a new user': () => administrator.postPassword('/new/user', PASSWORD, newUser),
    'another role': () => administrator.post('/users/ANNA', { ROLE: 'administrator', GROUPS: 'OPS' }),
    'another password': () => administrator.postPassword('/users/ANNA/password', PASSWORD),
    'the end of a lock': () => administrator.post('/users/ANNA/unlock', {}),
    'the end of a user': () => administrator.post('/users/BERT/remove', {}),
    'a new group': () => administrator.post('/groups', { GROUP: 'FRESH' }),
    'the end of a group': () => administrator.post('/groups/EMPTY/remove', {}),
    'an upload of what is there': () => administrator.upload('/macros/global', fileOf('two')),
    'an upload': () => administrator.upload('/macros/global', fileOf('three')),
    'a restoration': () => administrator.post('/macros/global/versions/1/restore', {}),
    'the end of macros': () => administrator.post('/macros/global/remove', {}),
    'an upload by /SECURE/': async () => {
      const body = new FormData();
      body.append('file', new Blob([fileOf('three')], { type: 'application/json' }), 'macros.json');
      const headers = basic(ADMINISTRATOR.name, ADMINISTRATOR.password);
      const reply = await fetch(`${site.portalUrl}/SECURE/upload.txt+uplglb`, { method: 'POST', headers, body });
      const text = await reply.text();
      expect(text).to.include(`RETURN CODE IS: ${reply.status === 200 ? '00' : '08'}`);
      return { status: reply.status, headers: reply.headers, text };
    },
  };

  const trail = () => join(site.folder, 'data', 'audit.jsonl');
  const kept = () => join(site.folder, 'kept.jsonl');
  const troubles: Readonly<Record<string, () => void>> = {
    'that is a folder': () => mkdirSync(trail()),
    'whose chain is broken': () =>
      writeFileSync(trail(), readFileSync(kept(), 'utf8').replace('"who":"admin"', '"who":"nobody"')),
    'that was cut off': () => writeFileSync(trail(), readFileSync(kept(), 'utf8').replace(/.*\n$/, '')),
  };
  for (const [trouble, make] of Object.entries(troubles)) {
    describe(trouble, () => {
      before(() => {
        renameSync(trail(), kept());
        make();
      });
      after(() => {
        rmSync(trail(), { recursive: true });
        renameSync(kept(), trail());
      });

      for (const [what, change] of Object.entries(changes)) {
        it(`refuses ${what} with 503, and changes nothing`, async () => {
          const before = everything();
          const { status, headers, text } = await change();
          expect(textOf(text)).to.include(SAYS);
          expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
          expect(everything()).to.deep.equal(before);
          expect(site.log()).to.include('nothing was changed: the audit trail cannot be written');
        });
      }

      it('goes on to serve what changes nothing', async () => {
        expect((await administrator.get('/users')).status).to.equal(200);
      });
    });
  }

  describe('and then can', () => {
    it('makes every change, and says what was intended and done', async () => {
      for (const [what, change] of Object.entries(changes)) {
        expect((await change()).status, what).to.be.oneOf([200, 204, 303]);
      }
      const lines = auditText(site).trimEnd().split('\n');
      const intended = lines.filter((line) => (JSON.parse(line) as { stage?: string }).stage === 'intended');
      // three before, and one of the changes changed nothing
      expect(intended).to.have.length(3 + Object.keys(changes).length - 1);
      expect(auditText(site)).to.not.include(PASSWORD);
      const page = textOf((await administrator.get('/audit')).text);
      expect(page).to.include('the same file as before').and.not.include('– no outcome');
    });
  });

  describe('while somebody guesses passwords', () => {
    it('keeps the user out, though it cannot write that down', async () => {
      rmSync(trail());
      mkdirSync(trail());
      const before = everything();
      const read = async (password: string) =>
        (await fetch(`${site.clientUrl}/w2h/user/macros.json`, { headers: basic(OPERATOR.name, password) })).status;
      for (const password of ['wrong-1', 'wrong-2', 'wrong-3', OPERATOR.password]) {
        expect(await read(password), password).to.equal(401);
      }
      expect(everything()).to.deep.equal(before);
    });
  });
});
