import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { ANNA, BERT, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';

const WHO = `S        MAP$  BEGIN
         MAP$  EXECUTE,REFUSE
S        MAP$  END
         SCENARIO IDENTIFICATION
         COPY$ SYSTEM-TO-VARIABLE,FIELD=(HTTP-HEADER,X-DOCUMENT),VAR='D'
         IF$   NOT-FOUND,THEN=WHO
S        MAP$  FROM-VARIABLE,VAR='D'
WHO      EQU   *
         COPY$ SYSTEM-TO-VARIABLE,FIELD=(HTTP-HEADER,X-USER),VAR='U'
         IF$   NOT-FOUND,THEN=END
         COPY$ SYSTEM-TO-VARIABLE,FIELD=(HTTP-HEADER,X-PASSWORD),VAR='PASSWORD'
         COPY$ SYSTEM-TO-VARIABLE,FIELD=(HTTP-HEADER,X-NEW-PASSWORD),VAR='NEWPASSWORD'
         SET$  SIGNON,'*U','*PASSWORD','*NEWPASSWORD','RC'
         IF$   VARIABLE,'RC',EQ='0',THEN=END
         ERROR$ 9,'return code ','*RC'
         SCENARIO END
REFUSE   SCENARIO SUBROUTINE
         SCENARIO FAIL
`;
const NAMES = `         SCENARIO INITIAL
         COPY$ SYSTEM-TO-VARIABLE,FIELD=(NAME-OF,USER),VAR='WHO'
         SEND$ AS-ANSWER,VAR='WHO',TYPE='text/plain'
         SCENARIO END
`;

/** SET$ SIGNON: whom an IDENTIFICATION scenario signs on may use what is secured, for this request. */
describe('a sign-on by a scenario', () => {
  let site: PortalSite;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-identification-'));
    cpSync(join(projectFolder, 'templates', 'pages'), join(folder, 'pages'), { recursive: true });
    mkdirSync(join(folder, 'scenarios'));
    writeFileSync(join(folder, 'scenarios', 'WHO.scn'), WHO);
    writeFileSync(join(folder, 'scenarios', 'NAMES.scn'), NAMES);
    site = await startPortalSite({
      pages: join(folder, 'pages'),
      transactions: `
      BASIC: { applicationType: 2, security: 1, tioaAtLogon: '&/S', initialScenario: NAMES }
      FORM: { applicationType: 2, security: 4, tioaAtLogon: '&/S', initialScenario: NAMES }
      CERTIFICATE: { applicationType: 2, security: 3 }
    identificationScenario: WHO`,
      yaml: `scenarios: '${join(folder, 'scenarios')}'`,
    });
  });

  after(async () => {
    await site.stop();
    rmSync(folder, { recursive: true });
  });

  async function get(transaction: string, headers: Record<string, string> = {}) {
    const response = await fetch(`${site.clientUrl}/TERMINAL.HTML+${transaction}`, { headers });
    return { status: response.status, text: await response.text(), cookie: response.headers.get('set-cookie') };
  }

  const anna = { 'X-User': ANNA.name, 'X-Password': ANNA.password };

  for (const transaction of ['BASIC', 'FORM']) {
    it(`lets its user into ${transaction}, for this request`, async () => {
      expect(await get(transaction, anna)).to.deep.equal({ status: 200, text: ANNA.name, cookie: null });
      const nobody = await get(transaction);
      expect(nobody.status === 401 || nobody.text.includes('<form'), nobody.text).to.equal(true);
    });
  }

  it('lets nobody in by a wrong password, nor what only a certificate opens', async () => {
    const refused = await get('BASIC', { ...anna, 'X-Password': 'wrong' });
    expect(refused.status).to.equal(400);
    expect(refused.text).to.include('return code 8');
    expect((await get('CERTIFICATE', anna)).status).to.equal(403);
  });

  it('refuses a call where what MAP$ EXECUTE calls ends with FAIL', async () => {
    expect((await get('BASIC', { ...anna, 'X-Document': '<d/>' })).status).to.equal(400);
  });

  it('is none for what the page of another site sends', async () => {
    const embedded = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' };
    expect((await get('BASIC', { ...anna, ...embedded })).text).to.include('return code 8');
  });

  describe('with a new password', () => {
    const next = 'bert-Neues-55';
    const bert = { 'X-User': BERT.name, 'X-Password': BERT.password };
    const trailFile = () => join(site.folder, 'data', 'audit.jsonl');
    /** Begins with the first change. */
    const trail = () => (existsSync(trailFile()) ? readFileSync(trailFile(), 'utf8') : '');

    it('sets none where the one before is wrong, or the new one breaks a rule', async () => {
      const wrong = await get('BASIC', { ...bert, 'X-Password': 'wrong', 'X-New-Password': next });
      expect(wrong.text).to.include('return code 8');
      expect((await get('BASIC', { ...bert, 'X-New-Password': 'short' })).text).to.include('return code 16');
      expect(trail()).to.not.include('user.passwordSet');
      expect((await get('BASIC', bert)).status).to.equal(200);
    });

    it('sets it, on record as of its user, and has the one before no longer', async () => {
      expect(await get('BASIC', { ...bert, 'X-New-Password': next })).to.deep.include({ status: 200, text: BERT.name });
      expect((await get('BASIC', bert)).text).to.include('return code 8');
      expect((await get('BASIC', { ...bert, 'X-Password': next })).status).to.equal(200);
      const [entry] = trail()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, string>)
        .filter(({ what, stage }) => what === 'user.passwordSet' && stage === 'done');
      expect(entry).to.include({ who: BERT.name, subject: `user ${BERT.name}` });
      expect(trail() + site.log()).to.not.include(next);
    });

    it('sets none of a user who is locked, although the password is remembered', async () => {
      const anna = { 'X-User': ANNA.name, 'X-Password': ANNA.password };
      expect((await get('BASIC', anna)).status).to.equal(200);
      for (let wrong = 0; wrong < 20; wrong++) await site.users.signOn(ANNA.name, 'wrong');
      await eventually(async () => (await site.users.findRecord(ANNA.name))?.locked);
      expect((await get('BASIC', { ...anna, 'X-New-Password': next })).text).to.include('return code 8');
    });
  });

  it('leaves the password in no log', () => {
    expect(site.log()).to.not.include(ANNA.password);
  });
});
