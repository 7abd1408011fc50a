import { expect } from 'chai';
import { ANNA, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { SignOnClient } from '../support/sign-on-client.js';

const PATH = '/TERMINAL.HTML+TSO4';

describe('the form to sign on with, after a wrong password', () => {
  let clear: PortalSite;
  let encrypted: PortalSite;

  before(async () => {
    clear = await startPortalSite({ crypts: '' });
    encrypted = await startPortalSite();
  });
  after(async () => {
    await clear?.stop();
    await encrypted?.stop();
  });

  async function refused(site: PortalSite, user: string, password: string): Promise<string> {
    const { status, text } = await new SignOnClient(site.clientUrl).signOn(PATH, user, password);
    expect(status).to.equal(401);
    return text;
  }

  it('says so beside the password, which is empty and has the focus; the user id need not be typed again', async () => {
    const text = await refused(clear, ANNA.name, 'wrong-password-1');
    expect(text).to.match(/name="USERID"[^>]* value="ANNA"(?![^>]* autofocus)/);
    expect(text).to.match(/name="PASSWORD"[^>]* aria-describedby="refusal" aria-invalid="true"[^>]* autofocus/);
    expect(text).to.match(/id="refusal">The user ID or the password is wrong/);
    expect(text).to.not.include('wrong-password-1');
  });

  it('shows a user id as text, 64 characters of it at most', async () => {
    const text = await refused(clear, `"><b>${'x'.repeat(100)}`, 'wrong-password-1');
    expect(text).to.include(`value="&quot;&gt;&lt;b&gt;${'x'.repeat(59)}"`);
  });

  it('shows nothing of what came encrypted', async () => {
    const text = await refused(encrypted, ANNA.name, 'wrong-password-1');
    expect(text).to.match(/name="USERID"[^>]* value=""[^>]* autofocus/);
    expect(text).to.not.include('ANNA');
  });

  it('says nothing of a refusal the first time', async () => {
    const { text } = await new SignOnClient(clear.clientUrl).request(PATH);
    expect(text)
      .to.match(/id="refusal"><\/p>/)
      .and.not.include('aria-invalid');
  });
});
