import { request } from 'node:http';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type SessionSite, startSessionSite } from './session-site.js';

/** Clients that poll (reference 1.2, 1.3): 205 the screen is another, 304 it is the same, 404 there is no such session. */
describe('the status of a session', () => {
  let site: SessionSite;

  before(async () => {
    site = await startSessionSite({
      hosts: 'MENU: { simulated: true, start: MENU }',
      transactions: 'MENU: { applicationType: 1, application: MENU }',
    });
  });

  after(() => site?.stop());

  function statusOf(path: string): Promise<{ status: number | undefined; body: string }> {
    return new Promise((resolve, reject) => {
      const outgoing = request(site.url + path, (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => {
          body += chunk.toString();
        });
        response.once('end', () => resolve({ status: response.statusCode, body }));
      });
      outgoing.once('error', reject);
      outgoing.end();
    });
  }

  it('is told without a body, and is that of the last page', async () => {
    const opened = await fetch(`${site.url}/LOGON.HTML+MENU`);
    const [, code = ''] = /SvcSession=([A-Za-z0-9_-]+)/.exec(await opened.text()) ?? [];
    const ask = (form: string) => statusOf(`/w2h/LOGON.HTML++${form}SvcSession=${code}`);
    expect(await ask('Validate')).to.deep.equal({ status: 304, body: '' });
    expect(await ask('Verify')).to.deep.equal({ status: 304, body: '' });
    // the clock writes unasked, once a second
    await fetch(`${site.url}/w2h/LOGON.HTML++SvcSession=${code}`, {
      method: 'POST',
      body: new URLSearchParams({ pf: 'ENTER', V00000AD: '7' }),
    });
    await eventually(async () => ((await ask('Validate')).status === 205 ? true : undefined));
    expect(await ask('Verify')).to.deep.equal({ status: 205, body: '' });
    expect((await statusOf('/w2h/LOGON.HTML++ValidateSvcSession=unknown')).status).to.equal(404);
    await fetch(`${site.url}/w2h/LOGON.HTML++SvcSession=${code}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ pf: 'DISCONNECT' }),
    });
    expect((await ask('Validate')).status).to.equal(404);
  });
});
