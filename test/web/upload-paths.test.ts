import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { ADMINISTRATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { basic } from '../support/sign-on-client.js';

const SECOND = { name: 'root', password: 'root-Password-9' } as const;
const SENT = '{"macros":[{"name":"sent","rev":1,"def":["ENTER"]}],"fmt":2}';
const BEFORE = '{"macros":[],"fmt":2}';
const BOUNDARY = 'boundary-of-the-test';

interface Reply {
  readonly status: number | undefined;
  readonly returnCode: string | undefined;
  readonly body: string;
}

/** Forms of the upload paths of specification 4.4, each with a literal answer. */
describe('the paths of uploads', () => {
  let site: PortalSite;

  beforeEach(async () => {
    site = await startPortalSite();
    await site.users.addUser({ name: SECOND.name, role: 'administrator', groups: [], expires: undefined }, 'x');
    await site.users.setPassword(SECOND.name, SECOND.password);
  });
  afterEach(() => site.stop());

  const stored = (...names: string[]) => join(site.folder, 'data', 'macros', ...names, 'macros.json');

  /** The path goes out as it is written here, which `fetch` would not do. */
  function post(
    root: string,
    path: string,
    user: typeof ADMINISTRATOR | typeof SECOND = ADMINISTRATOR,
  ): Promise<Reply> {
    const { hostname, port } = new URL(root);
    const body = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="macros.json"\r\nContent-Type: application/json\r\n\r\n${SENT}\r\n--${BOUNDARY}--\r\n`;
    const headers = {
      ...basic(user.name, user.password),
      'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      'Content-Length': body.length,
    };
    return new Promise((resolve, reject) => {
      const sent = httpRequest({ hostname, port, path, method: 'POST', headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            returnCode: /^RETURN CODE IS: (\d\d)\n/.exec(text)?.[1],
            body: text,
          }),
        );
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  async function keyOf(
    what: 'GROUP' | 'USER',
    name: string,
    user: typeof ADMINISTRATOR | typeof SECOND = ADMINISTRATOR,
  ) {
    const url = `${site.portalUrl}/SECURE/capabilityCode.json+USRCAP?${what}=${name}`;
    const answer = await fetch(url, { headers: basic(user.name, user.password) });
    expect(answer.status).to.equal(200);
    return answer.headers.get(`x-svc-${what.toLowerCase()}-directory`) ?? '';
  }

  it('answers every form of them with one status and one return code, and writes only what a form names', async () => {
    const [group, user] = [await keyOf('GROUP', 'OPS'), await keyOf('USER', 'ANNA')];
    const ofGroup = `x-Svc-group-Directory:${group}`;
    const ofUser = `x-Svc-user-Directory:${user}`;
    /** `-`: the answer has no return code, because the path is malformed or looks up a key. */
    const forms: readonly (readonly [string, number, string, ('global' | 'group' | 'user')?])[] = [
      ['+uplglb', 200, '00', 'global'],
      ['+uplglb1', 200, '00', 'global'],
      ['+UPLGLB', 200, '00', 'global'],
      ['+uPlGlB1', 200, '00', 'global'],
      ['+%75plglb', 200, '00', 'global'],
      ['+uplglb%31', 200, '00', 'global'],
      ['+uplglb?GROUP=OPS', 200, '00', 'global'],
      ['+uplglb11', 404, '08'],
      ['+uplglb12', 404, '08'],
      ['+uplglbx', 404, '08'],
      ['+uplglb2', 404, '08'],
      ['+uplglb%20', 404, '08'],
      ['+uplglb%2B', 404, '08'],
      ['+uplglb+', 400, '08'],
      ['+uplglb+1', 400, '08'],
      ['+uplglb+anything', 400, '08'],
      ['+UPLGLB+anything', 400, '08'],
      ['+uplglb+%20', 400, '08'],
      ['+uplglb++', 400, '08'],
      ['+uplglb++1', 400, '08'],
      [`+uplglb+${ofGroup}1`, 400, '08'],
      [`+uplglb+${ofGroup}`, 400, '08'],
      [`+uplglb+${ofUser}1`, 400, '08'],
      [`+uplglb1+${ofGroup}`, 404, '08'],
      ['+uplglb1+x', 404, '08'],
      ['++uplglb', 404, '08'],
      ['%2Buplglb', 404, '08'],
      ['+uplgrp', 404, '08'],
      ['+uplgrp1', 404, '08'],
      ['+uplgrp+', 404, '08'],
      ['+uplgrp+1', 404, '08'],
      [`+uplgrp+${ofGroup}`, 200, '00', 'group'],
      [`+uplgrp+${ofGroup}1`, 200, '00', 'group'],
      [`+UPLGRP+${ofGroup.toUpperCase().slice(0, -group.length)}${group}1`, 200, '00', 'group'],
      [`+uplgrp+x-Svc-group-Directory%3A${group}1`, 200, '00', 'group'],
      [`+uplgrp+x-Svc-group-Directory:%20${group}1`, 200, '00', 'group'],
      [`+uplgrp+x-Svc-group-Directory:%22${group}%221`, 200, '00', 'group'],
      [`+uplgrp+${ofGroup}11`, 404, '08'],
      [`+uplgrp+${ofGroup}2`, 404, '08'],
      [`+uplgrp+${ofGroup}%00`, 400, '-'],
      [`+uplgrp+${ofGroup},x`, 404, '08'],
      [`+uplgrp+x${ofGroup}`, 404, '08'],
      [`+uplgrp+x-Svc-group-Directory=${group}`, 404, '08'],
      [`+uplgrp+x-Svc-group-Directory::${group}`, 404, '08'],
      ['+uplgrp+x-Svc-group-Directory:', 404, '08'],
      [`+uplgrp+${group}`, 404, '08'],
      [`+uplgrp1+${ofGroup}`, 404, '08'],
      [`+uplgrp+${ofUser}1`, 404, '08'],
      [`+uplgrp+x-Svc-group-Directory:${user}1`, 404, '08'],
      [`+uplgrp+x-Svc-user-Directory:${group}1`, 404, '08'],
      [`+uplgrp++${ofGroup}1`, 400, '08'],
      [`+uplgrp+${ofGroup}1+`, 400, '08'],
      [`+uplgrp+${ofGroup}1+1`, 400, '08'],
      [`+uplgrp+${ofGroup}+${ofUser}1`, 400, '08'],
      [`+uplgrp+${ofUser}+${ofGroup}1`, 400, '08'],
      [`+uplgrp+${ofGroup}%2B1`, 400, '08'],
      [`++uplgrp+${ofGroup}`, 404, '08'],
      ['+uplusr', 404, '08'],
      [`+uplusr+${ofUser}`, 200, '00', 'user'],
      [`+uplusr+${ofUser}1`, 200, '00', 'user'],
      [`+uplusr+${ofUser}11`, 404, '08'],
      [`+uplusr+${ofGroup}1`, 404, '08'],
      [`+uplusr+x-Svc-user-Directory:${group}1`, 404, '08'],
      [`+uplusr+x-Svc-group-Directory:${user}1`, 404, '08'],
      [`+uplusr++${ofUser}1`, 400, '08'],
      [`+uplusr+${ofUser}+${ofGroup}1`, 400, '08'],
      ['+usrcap', 405, '-'],
      ['+usrcap+x', 404, '08'],
      ['+usrcap1', 404, '08'],
    ];
    const files = { global: stored('global'), group: stored('group', 'ops'), user: stored('user', 'anna') };
    for (const [form, status, returnCode, written] of forms) {
      for (const file of Object.values(files)) {
        mkdirSync(dirname(file), { recursive: true });
        rmSync(file, { force: true });
        writeFileSync(file, BEFORE);
      }
      const reply = await post(site.portalUrl, `/SECURE/upload.txt${form}`);
      expect([form, reply.status, reply.returnCode ?? '-'], reply.body).to.deep.equal([form, status, returnCode]);
      for (const [level, file] of Object.entries(files)) {
        const expected = level === written ? SENT : BEFORE;
        expect(readFileSync(file, 'utf8'), `${form}: ${level}`).to.equal(expected);
      }
    }
  });

  it('takes the own key of a user on a client line in the same forms', async () => {
    const own = `x-Svc-user-Directory:${await keyOf('USER', ADMINISTRATOR.name)}`;
    const group = `x-Svc-group-Directory:${await keyOf('GROUP', 'OPS')}`;
    const forms: readonly (readonly [string, number, string])[] = [
      [`+UPLUSR+${own}`, 200, '00'],
      [`+uplusr+${own}1`, 200, '00'],
      ['+uplusr', 404, '08'],
      [`+uplusr++${own}`, 400, '08'],
      [`+uplusr+${own}+${group}`, 400, '08'],
      [`+uplusr+${group}`, 404, '08'],
      ['+uplglb', 404, '-'],
      ['+uplglb+anything', 404, '-'],
      [`+uplgrp+${group}`, 404, '-'],
    ];
    for (const [form, status, returnCode] of forms) {
      const reply = await post(site.clientUrl, `/UPLOAD.TXT${form}`);
      expect([form, reply.status, reply.returnCode ?? '-'], reply.body).to.deep.equal([form, status, returnCode]);
    }
    expect([existsSync(stored('global')), existsSync(stored('group', 'ops'))]).to.deep.equal([false, false]);
    const path = `${site.clientUrl}/UPLOAD.TXT+uplusr+${own}`;
    const unknown = await fetch(path, { method: 'POST', headers: { Accept: 'application/json' } });
    expect([unknown.status, (await unknown.text()).split('\n')[0]]).to.deep.equal([401, 'RETURN CODE IS: 08']);
    expect(unknown.headers.get('www-authenticate')).to.equal('SallyportForm realm="Sallyport"');
    const { name, password } = ADMINISTRATOR;
    const put = await fetch(path, { method: 'PUT', headers: basic(name, password) });
    expect([put.status, (await put.text()).split('\n')[0]]).to.deep.equal([405, 'RETURN CODE IS: 08']);
  });

  it('refuses the key of a removed group and of a removed user with the reason, and creates no folder', async () => {
    await site.users.addGroup('AUDIT');
    await site.users.addUser({ name: 'CARL', role: 'user', groups: [], expires: undefined }, undefined);
    const group = `/SECURE/upload.txt+uplgrp+x-Svc-group-Directory:${await keyOf('GROUP', 'AUDIT')}1`;
    const user = `/SECURE/upload.txt+uplusr+x-Svc-user-Directory:${await keyOf('USER', 'CARL')}1`;
    await site.users.removeGroup('AUDIT');
    await site.users.removeUser('CARL');
    for (const [path, reason] of [
      [group, 'There is no group AUDIT.'],
      [user, 'There is no user CARL.'],
    ] as const) {
      const reply = await post(site.portalUrl, path);
      expect([reply.status, reply.returnCode], reply.body).to.deep.equal([404, '08']);
      expect(reply.body).to.include(reason);
    }
    // of the same name, and others
    await site.users.addGroup('AUDIT');
    await site.users.addUser({ name: 'CARL', role: 'user', groups: [], expires: undefined }, undefined);
    for (const path of [group, user]) {
      const reply = await post(site.portalUrl, path);
      expect([reply.status, reply.returnCode], reply.body).to.deep.equal([404, '08']);
      expect(reply.body).to.include('or was issued before the group, the user or the password changed');
    }
    expect(existsSync(join(site.folder, 'data', 'macros', 'group', 'audit'))).to.equal(false);
    expect(existsSync(join(site.folder, 'data', 'macros', 'user', 'carl'))).to.equal(false);
    const again = `/SECURE/upload.txt+uplgrp+x-Svc-group-Directory:${await keyOf('GROUP', 'AUDIT')}1`;
    expect((await post(site.portalUrl, again)).status).to.equal(200);
  });

  it('refuses the key of a group that is removed while the file is on its way', async () => {
    await site.users.addGroup('AUDIT');
    const key = await keyOf('GROUP', 'AUDIT');
    const { hostname, port } = new URL(site.portalUrl);
    const body = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="macros.json"\r\nContent-Type: application/json\r\n\r\n${SENT}\r\n--${BOUNDARY}--\r\n`;
    const sent = httpRequest({
      hostname,
      port,
      path: `/SECURE/upload.txt+uplgrp+x-Svc-group-Directory:${key}1`,
      method: 'POST',
      agent: false,
      headers: {
        ...basic(ADMINISTRATOR.name, ADMINISTRATOR.password),
        'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
        'Content-Length': body.length,
        Expect: '100-continue',
      },
    });
    const answered = new Promise<Reply>((resolve, reject) => {
      sent.on('error', reject);
      sent.on('response', (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () =>
          resolve({ status: response.statusCode, returnCode: /^RETURN CODE IS: (\d\d)/.exec(text)?.[1], body: text }),
        );
      });
    });
    sent.flushHeaders();
    await new Promise((resolve) => sent.once('continue', resolve));
    await site.users.removeGroup('AUDIT');
    sent.end(body);
    const reply = await answered;
    expect([reply.status, reply.returnCode], reply.body).to.deep.equal([404, '08']);
    expect(existsSync(join(site.folder, 'data', 'macros', 'group', 'audit'))).to.equal(false);
  });

  it('refuses the keys of an administrator who was removed, lost the role or has a new password', async () => {
    const path = async () => `/SECURE/upload.txt+uplgrp+x-Svc-group-Directory:${await keyOf('GROUP', 'OPS', SECOND)}1`;
    const [first, newPassword] = [await path(), 'other-Password-8'];
    expect((await post(site.portalUrl, first, SECOND)).status).to.equal(200);

    await site.users.changeUser(SECOND.name, { role: 'operator' });
    expect((await post(site.portalUrl, first, SECOND)).status).to.equal(403);
    await site.users.changeUser(SECOND.name, { role: 'administrator', expires: '2020-01-01' });
    expect((await post(site.portalUrl, first, SECOND)).status).to.equal(401);
    await site.users.changeUser(SECOND.name, { expires: undefined });
    expect((await post(site.portalUrl, first, SECOND)).status).to.equal(200);

    await site.users.setPassword(SECOND.name, newPassword);
    const renewed = await post(site.portalUrl, first, { ...SECOND, password: newPassword as typeof SECOND.password });
    expect([renewed.status, renewed.returnCode], renewed.body).to.deep.equal([404, '08']);

    await site.users.removeUser(SECOND.name);
    expect((await post(site.portalUrl, first, SECOND)).status).to.equal(401);
    await site.users.addUser(
      { name: SECOND.name, role: 'administrator', groups: [], expires: undefined },
      SECOND.password,
    );
    const another = await post(site.portalUrl, first, SECOND);
    expect([another.status, another.returnCode], another.body).to.deep.equal([404, '08']);
    expect((await post(site.portalUrl, await path(), SECOND)).status).to.equal(200);
  });
});
