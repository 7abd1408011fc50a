import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileUserStore } from '../../src/access/users/file-user-store.js';
import { silentLog } from '../../src/lib/log/log.js';
import { CHEAP_PASSWORDS } from '../support/cheap-passwords.js';
import { eventually } from '../support/eventually.js';
import { needCommand } from '../support/need.js';
import { projectFolder } from '../support/project.js';
import { basic, SignOnClient } from '../support/sign-on-client.js';
import { WatchedServer } from '../support/watched-server.js';

/** In every password; not to be met anywhere by chance. */
const canary = 'zQ7xKw9v';
const right = `${canary}-right`;
const wrong = `${canary}-wrong`;
const ofDirectoryServer = `${canary}-bind`;
/** What people type who are a field ahead. */
const passwordAsName = `${canary}.in.the.user.field`;
/** Long, and in lower case: such a name is kept as it is, where it is kept, and with it what it was cut out of. */
const user = 'somebody-with-a-long-name';

const keyLookUp = '/SECURE/capabilityCode.json+USRCAP?USER=admin';
const terminal = '/TERMINAL.HTML+TSO4';
const macros = '{"macros":[{"name":"one","rev":1,"def":["ENTER"]}],"fmt":2}';
const upload = `--BB\r\nContent-Disposition: form-data; name="file"; filename="m"\r\nContent-Type: application/json\r\n\r\n${macros}\r\n--BB--\r\n`;

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

for (const [mode, tct] of [
  ['encrypted', "tct: { CRYPT1: '(CRYPT3270,3TDEA,RSA-1024,NODE,HEX)' }"],
  ['in clear', 'tct: {}'],
] as const) {
  describe(`canary: sign-on, ${mode}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-sign-on-canary-'));
    /** Answers in which no secret has a place. */
    const seen: string[] = [];
    /** Secrets that the server has made up. */
    const made = {
      challenge: new Set<string>(),
      signOn: new Set<string>(),
      token: new Set<string>(),
      key: new Set<string>(),
    };
    let server: WatchedServer;
    let [portalUrl, clientUrl] = ['', ''];

    before(async function () {
      needCommand(this, 'openssl');
      const file = join(folder, 'sallyport.yaml');
      const [pages, portal] = ['pages', 'portal'].map((name) => join(projectFolder, 'templates', name));
      writeFileSync(join(folder, 'bind-password'), `${ofDirectoryServer}\n`);
      writeFileSync(
        file,
        `data: ./data
${tct}
directories: { CLI-DIR: '${pages}', ADM-DIR: '${portal}' }
macros: ./data/macros
security:
  database: ./data/security.yaml
  ldap: { url: 'ldap://127.0.0.1:9', userBase: 'ou=people', groupBase: 'ou=groups', bindDn: 'cn=search', bindPasswordFile: ./bind-password }
hosts: { SIM: { simulated: true, users: { DEMO: demo } } }
log: { level: trace, form: json }
sessions: { keysReady: 2 }
lines:
  W-HTTP: { listen: '127.0.0.1:0', entryPoint: WEB2HOST, portal: administration }
  C-HTTP: { listen: '127.0.0.1:0', entryPoint: CLI }
entryPoints:
  WEB2HOST: { directory: ADM-DIR, transactions: {} }
  CLI:
    directory: CLI-DIR
    transactions:
      TSO4: { applicationType: 1, application: SIM, security: 4, page: TERMINAL.HTML }
      T1: { applicationType: 2, security: 1, page: BYE.HTML }
`,
      );
      mkdirSync(join(folder, 'data'), { mode: 0o700 });
      const users = new FileUserStore({
        passwordCost: CHEAP_PASSWORDS,
        file: join(folder, 'data', 'security.yaml'),
        log: silentLog,
        lockAfter: 10,
        lockMinutes: 30,
      });
      await users.open();
      await users.addUser({ name: 'admin', role: 'administrator', groups: ['OPS'], expires: undefined }, right);
      await users.addUser({ name: user, role: 'user', groups: ['OPS'], expires: undefined }, right);
      server = new WatchedServer(folder, file);
      clientUrl = await server.urlOf('C-HTTP');
      portalUrl = await server.urlOf('W-HTTP');
    });

    after(async () => {
      await server?.kill();
      rmSync(folder, { recursive: true, force: true });
    });

    /** On a connection of its own, closed with the answer: Node keeps the headers of a request with its connection. */
    function ask(
      url: string,
      { method = 'GET', headers = {}, body }: { method?: string; headers?: object; body?: string } = {},
    ): Promise<Reply> {
      return new Promise((resolve, reject) => {
        const outgoing = request(
          url,
          { method, agent: false, headers: { ...headers, Connection: 'close' } },
          (reply) => {
            let text = '';
            reply.setEncoding('utf8').on('data', (chunk: string) => {
              text += chunk;
            });
            reply.once('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
          },
        );
        outgoing.once('error', reject);
        outgoing.end(body);
      });
    }

    function remember(name: keyof typeof made, text: string, pattern: RegExp): string {
      const found = pattern.exec(text)?.[1] ?? '';
      if (found !== '') made[name].add(found);
      return found;
    }

    async function signOn(url: string, path: string, name: string, password: string, type = 'text/html') {
      const form = await ask(url + path);
      remember('challenge', form.text, /name="SIGNON-CODE" value="([^"]+)"/);
      const fields = new SignOnClient(url).fieldsFor(form.text, name, password);
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: type };
      const reply = await ask(url + path, { method: 'POST', headers, body: new URLSearchParams(fields).toString() });
      remember('challenge', reply.text, /name="SIGNON-CODE" value="([^"]+)"/);
      const cookie = String(reply.headers['set-cookie'] ?? '').split(';')[0] ?? '';
      remember('signOn', cookie, /=(.+)$/);
      return { reply, cookie };
    }

    it('right and wrong ones are typed, by HTTP Basic and into forms', async () => {
      for (const name of ['admin', user]) {
        const by = (password: string) => ({ headers: basic(name, password) });
        const found = await ask(portalUrl + keyLookUp, by(right));
        expect(found.status).to.equal(name === 'admin' ? 200 : 403);
        remember('key', found.text, /"x-Svc-user-Directory":"([^"]+)"/);
        const refused = await ask(portalUrl + keyLookUp, by(wrong));
        expect(refused.status).to.equal(401);
        const page = await ask(`${clientUrl}/BYE.HTML+T1`, by(right));
        expect(page.status).to.equal(200);
        seen.push(JSON.stringify(refused), JSON.stringify(page));
        for (const type of ['text/html', 'application/json']) {
          const { reply } = await signOn(clientUrl, terminal, name, wrong, type);
          expect(reply.status).to.equal(401);
          seen.push(reply.text.replace(/value="[^"]*"|data-session-code="[^"]*"/g, ''));
        }
      }
      // of a user whom the directory server would know
      for (const type of ['text/html', 'application/json']) {
        const { reply } = await signOn(clientUrl, terminal, passwordAsName, wrong, type);
        expect(reply.status).to.equal(503);
        seen.push(reply.text.replace(/value="[^"]*"|data-session-code="[^"]*"/g, ''));
      }
      expect((await ask(portalUrl + keyLookUp, { headers: basic(passwordAsName, right) })).status).to.equal(503);
    });

    it('keys, codes and tokens are used, rightly and wrongly, and their users sign off', async () => {
      const [key = ''] = made.key;
      const multipart = { 'Content-Type': 'multipart/form-data; boundary=BB' };
      for (const path of [
        `/SECURE/upload.txt+uplusr+x-Svc-user-Directory:${key}1`,
        `/SECURE/upload.txt+uplgrp+x-Svc-group-Directory:${key}1`,
        `/SECURE/nothing.txt+uplusr+x-Svc-user-Directory:${key}`,
      ]) {
        const headers = { ...multipart, ...basic('admin', right) };
        seen.push(JSON.stringify(await ask(portalUrl + path, { method: 'POST', headers, body: upload })));
      }
      const { cookie } = await signOn(portalUrl, '/', 'admin', right);
      const page = await ask(`${portalUrl}/new/user`, { headers: { Cookie: cookie } });
      expect(remember('token', page.text, /name="TOKEN" value="([^"]+)"/)).to.have.length(32);
      const [challenge = ''] = made.challenge;
      for (const [path, fields] of [
        ['/users/admin', { TOKEN: [...made.token][0] ?? '', ROLE: 'nonsense' }],
        ['/groups', { TOKEN: 'x', 'SIGNON-CODE': challenge, PASSWORD: wrong }],
        ['/users', { USERID: passwordAsName, PASSWORD: wrong }],
      ] as const) {
        const headers = {
          Cookie: cookie,
          'Content-Type': 'application/x-www-form-urlencoded',
          Accept: 'application/json',
        };
        const reply = await ask(portalUrl + path, {
          method: 'POST',
          headers,
          body: new URLSearchParams(fields).toString(),
        });
        expect(reply.status, path).to.be.greaterThan(399);
        seen.push(JSON.stringify(reply));
      }
      const ofClient = await signOn(clientUrl, terminal, user, right);
      expect(ofClient.reply.status).to.equal(303);
      const session = await ask(clientUrl + terminal, { headers: { Cookie: ofClient.cookie } });
      expect(session.status).to.equal(200);
      seen.push(session.text);
      for (let path = '/log'; path !== ''; ) {
        const log = await ask(portalUrl + path, { headers: { Cookie: cookie } });
        expect(log.text).to.include('data-level=');
        seen.push(log.text.replace(/value="[^"]*"/g, ''));
        path = (/rel="next" href="([^"]*)"/.exec(log.text)?.[1] ?? '').replaceAll('&amp;', '&');
      }
      for (const [url, its] of [
        [portalUrl, cookie],
        [clientUrl, ofClient.cookie],
      ] as const) {
        seen.push(JSON.stringify(await ask(`${url}/nothing-there`, { headers: { Cookie: its } })));
        expect((await ask(`${url}/signoff`, { method: 'POST', headers: { Cookie: its } })).status).to.equal(303);
        seen.push(JSON.stringify(await ask(`${url}/nothing-there`, { headers: { Cookie: its } })));
      }
      for (const [name, secrets] of Object.entries(made)) expect(secrets.size, name).to.be.greaterThan(0);
      // what fails last goes on being counted under the name as it was typed
      await ask(portalUrl + keyLookUp, { headers: basic(user, wrong) });
      await signOn(clientUrl, terminal, 'admin', wrong);
    });

    const secrets = () => [
      canary,
      ...Object.values(made).flatMap((those) => [...those]),
      ...['admin', user].flatMap((name) => [right, wrong].map((word) => basic(name, word).Authorization.slice(6))),
      Buffer.from(canary).toString('hex'),
    ];
    const expectNone = (text: string, where: string) => {
      for (const secret of secrets()) expect(text.includes(secret), `${secret} in ${where}`).to.equal(false);
    };

    it('none is in a page or an answer that it does not belong to', () => {
      expect(seen.length).to.be.greaterThan(15);
      expectNone(seen.join('\n'), 'answers');
    });

    it('none is in the log', async () => {
      await eventually(() => ((server.output.match(/"method":"POST"/g)?.length ?? 0) >= 12 ? true : undefined));
      expect(server.output).to.include('sign-on refused');
      expectNone(server.output, 'the log');
    });

    it('none is in the audit trail, the file of users, or another file', () => {
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      expect(names).to.include(join('data', 'audit.jsonl')).and.include(join('data', 'security.yaml'));
      for (const name of names) {
        const path = join(folder, name);
        if (!statSync(path).isFile() || name.endsWith('.heapsnapshot') || name === 'bind-password') continue;
        expectNone(readFileSync(path, 'latin1'), name);
      }
    });

    it('no password of a user is in a string of the memory, nor the code of whoever has signed off', async () => {
      const snapshot = await server.heapSnapshot();
      // strings of the heap are there to be found: the server needs this password for as long as it runs
      expect(snapshot).to.include(ofDirectoryServer).and.include(user);
      const clear = snapshot.replaceAll(ofDirectoryServer, '');
      const words = [right, wrong, passwordAsName, canary];
      const encoded = ['admin', user].flatMap((name) => words.map((word) => basic(name, word).Authorization.slice(6)));
      for (const word of [...words, ...encoded, ...made.signOn, ...made.token]) {
        expect(clear.includes(word), `${word} in the memory`).to.equal(false);
      }
    });
  });
}
