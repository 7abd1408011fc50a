import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { needCommand } from '../support/need.js';
import { ADMINISTRATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';

const run = promisify(execFile);

describe('guessing passwords', () => {
  let site: PortalSite;

  before(async function () {
    needCommand(this, 'curl');
    site = await startPortalSite({ security: 'lockAfter: 1000', crypts: '' });
  });
  after(() => site?.stop());

  /** From an address of this machine. */
  async function tryFrom(address: string, credentials: string): Promise<{ status: number; head: string }> {
    const url = `${site.portalUrl}/SECURE/capabilityCode.json+USRCAP?USER=ANNA`;
    const { stdout } = await run('curl', ['-s', '-i', '--interface', address, '-u', credentials, url]);
    return { status: Number(stdout.slice(9, 12)), head: stdout.slice(0, stdout.indexOf('\r\n\r\n')) };
  }

  it('is answered with 429 from the eleventh try of an address on, and other addresses are served', async () => {
    const right = `${ADMINISTRATOR.name}:${ADMINISTRATOR.password}`;
    for (let index = 1; index <= 10; index++) {
      expect((await tryFrom('127.0.0.5', `admin:guess${index}`)).status, String(index)).to.equal(401);
    }
    for (const credentials of ['admin:guess11', right]) {
      const { status, head } = await tryFrom('127.0.0.5', credentials);
      expect(status).to.equal(429);
      expect(Number(/retry-after: (\d+)/i.exec(head)?.[1])).to.be.within(1, 60);
    }
    expect((await tryFrom('127.0.0.6', right)).status).to.equal(200);
    expect((await tryFrom('127.0.0.6', 'admin:wrong')).status).to.equal(401);
    const form = await run('curl', ['-s', '-i', '--interface', '127.0.0.5', site.portalUrl]);
    const code = /name="SIGNON-CODE" value="([^"]+)"/.exec(form.stdout)?.[1] ?? '';
    const fields = ['USERID=admin', `PASSWORD=${ADMINISTRATOR.password}`, `SIGNON-CODE=${code}`];
    const signOn = ['-s', '-i', '--interface', '127.0.0.5', ...fields.flatMap((field) => ['--data-urlencode', field])];
    const { stdout } = await run('curl', [...signOn, `${site.portalUrl}/`]);
    expect(stdout)
      .to.match(/^HTTP\/1.1 429 /)
      .and.match(/retry-after: \d+/i)
      .and.include('Too many sign-ons have failed');
  });
});
