import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ADMINISTRATOR, ANNA, BERT, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';
import { basic, SignOnClient } from '../support/sign-on-client.js';

const SHEET = `<!--SVC start="{{{" end="}}}" -->{{{SET-CONTENT-TYPE "text/plain"}}}application {{{CURRENT-VALUE-OF "$$APP"}}}
line {{{IP-ADDRESS-OF-LINE "C-HTTP"}}}:{{{IP-PORT-OF-LINE "C-HTTP"}}}
portal {{{IP-ADDRESS-OF-LINE "W-HTTP"}}}:{{{IP-PORT-OF-LINE "W-HTTP"}}}
none {{{IP-ADDRESS-OF-LINE "N-HTTP"}}}:{{{IP-PORT-OF-LINE "N-HTTP"}}}
server {{{NAME-OF (SVC)}}}
user {{{NAME-OF (USER)}}} of {{{NAME-OF (GROUP)}}}
may{{{IF-USER-IS-ALLOWED-TO "administrator"  administrator}}}{{{IF-USER-IS-ALLOWED-TO "OPERATOR"  operator}}}{{{IF-USER-IS-ALLOWED-TO "user"  user}}}{{{IF-USER-IS-ALLOWED-TO "DEV"  DEV}}}{{{IF-USER-IS-ALLOWED-TO "SHEET"  SHEET}}}{{{IF-USER-IS-ALLOWED-TO "SHEET1"  SHEET1}}}{{{IF-USER-IS-ALLOWED-TO "SHEET3"  SHEET3}}}{{{IF-USER-IS-ALLOWED-TO "NONE"  NONE}}}.
scenario {{{CURRENT-VALUE-OF "WHO"}}} of {{{CURRENT-VALUE-OF "GROUP"}}} on {{{CURRENT-VALUE-OF "SERVER"}}}
`;

const source = `NAMES    SCREENS APPL=NAMES,EXEC=NO
         SCENARIO INITIAL
         COPY$ SYSTEM-TO-VARIABLE,FIELD=(NAME-OF,USER),VAR='WHO'
         COPY$ SYSTEM-TO-VARIABLE,FIELD=(NAME-OF,GROUP),VAR='GROUP'
         COPY$ SYSTEM-TO-VARIABLE,FIELD=(NAME-OF,SVC),VAR='SERVER'
         SCENARIO END
         SCRNEND
         END
`;

/** Values of the system on client lines, as docs/write/templates.md and docs/write/scenarios.md promise them. */
describe('values of the system', () => {
  let site: PortalSite;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-names-'));
    cpSync(join(projectFolder, 'templates', 'pages'), join(folder, 'pages'), { recursive: true });
    writeFileSync(join(folder, 'pages', 'SHEET.HTML'), SHEET);
    mkdirSync(join(folder, 'scenarios'));
    writeFileSync(join(folder, 'scenarios', 'NAMES.scn'), source);
    site = await startPortalSite({
      pages: join(folder, 'pages'),
      transactions: `
      SHEET: { applicationType: 2, tioaAtLogon: '&/S', initialScenario: NAMES }
      SHEET1: { applicationType: 2, security: 1, tioaAtLogon: '&/S', initialScenario: NAMES }
      SHEET3: { applicationType: 2, security: 3 }
      TSO: { applicationType: 1, application: SIM }`,
      yaml: `scenarios: '${join(folder, 'scenarios')}'`,
    });
  });

  after(async () => {
    await site.stop();
    rmSync(folder, { recursive: true });
  });

  async function linesOf(path: string, client = new SignOnClient(site.clientUrl), headers = {}): Promise<string[]> {
    const { status, text } = await client.request(path, { headers });
    expect(status).to.equal(200);
    return text.split('\n');
  }

  it('are the address and the real port of a line, and the product', async () => {
    const lines = await linesOf('/SHEET.HTML+SHEET');
    expect(lines[1]).to.equal(`line ${new URL(site.clientUrl).host}`);
    expect(lines[2]).to.equal(`portal ${new URL(site.portalUrl).host}`);
    expect(lines[3]).to.equal('none :');
    expect(lines[4]).to.equal('server Sallyport');
    expect(lines[7]).to.equal('scenario  of  on Sallyport');
  });

  it('let nobody into what a user must have signed on for', async () => {
    expect((await linesOf('/SHEET.HTML+SHEET'))[6]).to.equal('may SHEET.');
    expect((await linesOf('/SHEET.HTML'))[6]).to.equal('may SHEET.');
  });

  for (const [user, group, may] of [
    [ANNA, 'OPS', 'may user DEV SHEET SHEET1.'],
    [BERT, 'OPS', 'may user SHEET SHEET1.'],
    [OPERATOR, '', 'may operator user SHEET SHEET1.'],
    [ADMINISTRATOR, '', 'may administrator operator user SHEET SHEET1.'],
  ] as const) {
    it(`say who ${user.name} is, and what ${user.name} may`, async () => {
      const client = new SignOnClient(site.clientUrl);
      expect((await client.signOn('/TERMINAL.HTML+TSO4', user.name, user.password)).status).to.equal(303);
      const named = `user ${user.name} of ${group}`;
      for (const path of ['/SHEET.HTML', '/SHEET.HTML+SHEET', '/SHEET.HTML+SHEET1', '/SHEET.HTML+TSO4']) {
        const lines = await linesOf(path, client);
        expect([lines[5], lines[6]], path).to.deep.equal([named, may]);
      }
      const scenario = `scenario ${user.name} of ${group} on Sallyport`;
      expect((await linesOf('/SHEET.HTML+SHEET', client))[7]).to.equal(scenario);
      expect((await linesOf('/SHEET.HTML+SHEET1', undefined, basic(user.name, user.password)))[7]).to.equal(scenario);
    });
  }

  it('that tell of a user are kept by no cache', async () => {
    const client = new SignOnClient(site.clientUrl);
    await client.signOn('/TERMINAL.HTML+TSO4', ANNA.name, ANNA.password);
    expect((await client.request('/SHEET.HTML+SHEET')).headers.get('cache-control')).to.equal('no-store');
  });

  it('are those of nobody where a page of another origin has a browser send the form', async () => {
    const client = new SignOnClient(site.clientUrl);
    await client.signOn('/TERMINAL.HTML+TSO4', ANNA.name, ANNA.password);
    const lineOf = async (headers: Record<string, string>) =>
      (await client.post('/SHEET.HTML+SHEET', { A: 'b' }, headers)).text.split('\n')[7];
    expect(await lineOf({ Origin: 'http://localhost:1' })).to.equal('scenario  of  on Sallyport');
    expect(await lineOf({})).to.equal('scenario ANNA of OPS on Sallyport');
  });

  it("have $$APP as the application of the session's transaction", async () => {
    expect((await linesOf('/SHEET.HTML+TSO'))[0]).to.equal('application SIM');
    expect((await linesOf('/SHEET.HTML+SHEET'))[0]).to.equal('application ');
  });
});
