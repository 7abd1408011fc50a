import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ADMINISTRATOR, ANNA, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { basic } from '../support/sign-on-client.js';
import { PortalClient } from './portal-client.js';

const MOST_BYTES = 1_048_576;

type User = typeof ADMINISTRATOR | typeof ANNA | typeof OPERATOR;
interface Sent {
  readonly user: User;
  readonly file: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

interface Door {
  send(sent: Sent): Promise<{ readonly status: number }>;
  /** Folder of what it writes. */
  readonly stored: readonly string[];
  /** Of somebody who is known and may not write there. */
  readonly refusal: number;
}

/** A macro file of exactly so many bytes. */
const fileOf = (bytes: number) => '{"macros":[],"fmt":2}'.padEnd(bytes);

describe('every place where a file can be uploaded', () => {
  let site: PortalSite;
  let ownKey: string;
  const portalClients = new Map<User, PortalClient>();

  before(async () => {
    site = await startPortalSite({ crypts: '' });
    for (const user of [ADMINISTRATOR, OPERATOR]) portalClients.set(user, await PortalClient.signedOn(site, user));
    const keys = await fetch(`${site.portalUrl}/SECURE/capabilityCode.json+USRCAP?USER=${ADMINISTRATOR.name}`, {
      headers: basic(ADMINISTRATOR.name, ADMINISTRATOR.password),
    });
    ownKey = keys.headers.get('x-svc-user-directory') ?? '';
  });
  after(() => site?.stop());

  const formOf = (file: string) => {
    const body = new FormData();
    body.set('file', new Blob([file], { type: 'application/json' }), 'macros.json');
    return body;
  };
  const byBasic = (url: string, { user, file, headers = {}, method = 'POST' }: Sent) =>
    fetch(url, {
      method,
      headers: { ...basic(user.name, user.password), ...headers },
      ...(method === 'GET' ? {} : { body: formOf(file) }),
    });
  const doors: Readonly<Record<string, Door>> = {
    '/SECURE/ of a portal line': {
      send: (sent) => byBasic(`${site.portalUrl}/SECURE/UPLOAD.TXT+UPLGLB`, sent),
      stored: ['global'],
      refusal: 403,
    },
    'the own upload of a user': {
      send: (sent) => byBasic(`${site.clientUrl}/UPLOAD.TXT+UPLUSR+x-Svc-user-Directory:${ownKey}`, sent),
      stored: ['user', ADMINISTRATOR.name],
      // the key is somebody else's
      refusal: 404,
    },
    'the form of the portal': {
      send: async ({ user, file, headers = {}, method = 'POST' }) => {
        const client = portalClients.get(user);
        if (client === undefined) return { status: 403 };
        const path = '/macros/group/OPS';
        if (method === 'POST') return client.upload(path, file, {}, headers);
        return fetch(`${site.portalUrl}${path}`, { method, headers: { Cookie: client.cookie } });
      },
      stored: ['group', 'ops'],
      refusal: 403,
    },
  };

  for (const [name, { send, stored, refusal }] of Object.entries(doors)) {
    describe(`${name}`, () => {
      const storedText = () => readFileSync(join(site.folder, 'data', 'macros', ...stored, 'macros.json'), 'utf8');
      const kept = fileOf(100);

      it('takes 1 MiB, and refuses one byte more with 413', async () => {
        expect((await send({ user: ADMINISTRATOR, file: fileOf(MOST_BYTES) })).status).to.be.oneOf([200, 303]);
        expect(storedText()).to.have.length(MOST_BYTES);
        expect((await send({ user: ADMINISTRATOR, file: kept })).status).to.be.oneOf([200, 303]);
        expect((await send({ user: ADMINISTRATOR, file: fileOf(MOST_BYTES + 1) })).status).to.equal(413);
        expect(storedText()).to.equal(kept);
      });

      it('refuses with 403 what a page of another site, or of another port, has a browser send', async () => {
        for (const headers of [
          { Origin: 'http://evil.test' },
          { 'Sec-Fetch-Site': 'cross-site' },
          { 'Sec-Fetch-Site': 'same-site' },
        ]) {
          expect((await send({ user: ADMINISTRATOR, file: fileOf(50), headers })).status).to.equal(403);
        }
        expect(storedText()).to.equal(kept);
      });

      it(`refuses with ${refusal} who may not write there`, async () => {
        for (const user of [OPERATOR, ANNA]) expect((await send({ user, file: fileOf(50) })).status).to.equal(refusal);
        expect(storedText()).to.equal(kept);
      });

      it('knows POST, and PUT not at all', async () => {
        expect((await send({ user: ADMINISTRATOR, file: fileOf(50), method: 'PUT' })).status).to.equal(405);
        expect(storedText()).to.equal(kept);
      });
    });
  }

  it('takes no NUL in a field beside the file', async () => {
    const client = portalClients.get(ADMINISTRATOR);
    const refused = await client?.upload('/macros/group/OPS', fileOf(70), { SEEN: 'a\0b' });
    expect(refused?.status).to.equal(400);
    expect(refused?.text).to.include('A parameter contains a NUL character.');
  });

  it('takes from a page that the browser does not want to name what HTTP Basic alone does not open', async () => {
    const headers = { Origin: 'null' };
    const statuses: number[] = [];
    for (const { send } of Object.values(doors)) {
      statuses.push((await send({ user: ADMINISTRATOR, file: fileOf(60), headers })).status);
    }
    expect(statuses).to.deep.equal([403, 200, 303]);
  });
});
