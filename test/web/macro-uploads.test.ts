import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { verifyAuditTrail } from '../../src/access/audit/audit-verification.js';
import { secureTarget } from '../../src/web/macros/secure-answer.js';
import { needCommand } from '../support/need.js';
import { ADMINISTRATOR, ANNA, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { basic } from '../support/sign-on-client.js';

const run = promisify(execFile);
const MEBIBYTE = 1_048_576;

interface Reply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** The sequences of specification 4.3 to 4.6 with curl, as a batch script runs them. */
describe('key look-up and upload', () => {
  let site: PortalSite;
  let local: string;
  let file: string;

  before(async function () {
    needCommand(this, 'curl');
    site = await startPortalSite();
    local = mkdtempSync(join(tmpdir(), 'sallyport-curl-'));
    file = join(local, 'macros.json');
    // a second administrator, for keys that are somebody else's
    await site.users.addUser({ name: 'root', role: 'administrator', groups: [], expires: undefined }, 'root-password');
  });
  after(async () => {
    await site?.stop();
    if (local !== undefined) rmSync(local, { recursive: true });
  });
  beforeEach(() => writeFileSync(file, macros('first')));

  const admin = `${ADMINISTRATOR.name}:${ADMINISTRATOR.password}`;
  const macros = (name: string) => `{"macros":[{"name":"${name}","rev":1,"def":["ENTER",105,{"txt":"=M"}]}],"fmt":2}\n`;
  const part = (type = 'application/json', name = 'file') => `${name}=@${file};type=${type}`;
  const stored = (...names: string[]) => join(site.folder, 'data', 'macros', ...names, 'macros.json');

  async function curl(path: string, ...options: string[]): Promise<Reply> {
    const { stdout } = await run('curl', [
      '-s',
      '-i',
      '--path-as-is',
      '--globoff',
      ...options,
      `${site.portalUrl}${path}`,
    ]);
    const text = stdout.replace(/^HTTP\/1.1 100 Continue\r\n\r\n/, '');
    const end = text.indexOf('\r\n\r\n');
    return { status: Number(text.slice(9, 12)), head: text.slice(0, end), body: text.slice(end + 4) };
  }

  /** As the batch script has it: the line with the name, cut at colon and comma, the second piece. */
  async function keyOf(what: 'group' | 'user', name: string, user = admin): Promise<string> {
    const script = `curl -s -v -u "$CREDENTIALS" "$URL" 2>&1 | grep -i "^< x-svc-${what}-directory" | head -1 | tr -d '\\r' | tr ':,' '\\n\\n' | sed -n 2p`;
    const url = `${site.portalUrl}/SECURE/capabilityCode.json+USRCAP?${what.toUpperCase()}=${encodeURIComponent(name)}`;
    const { stdout } = await run('sh', ['-c', script], { env: { ...process.env, CREDENTIALS: user, URL: url } });
    return stdout.replace(/\n$/, '');
  }

  const upload = (path: string, ...options: string[]) => curl(path, '-u', admin, '-F', part(), ...options);

  it('gives the key as a header without a blank, and as a line of the body', async () => {
    const { status, head, body } = await curl('/SECURE/capabilityCode.json+USRCAP?GROUP=ops', '-u', admin);
    expect(status).to.equal(200);
    const key = /\r\nx-Svc-group-Directory:([A-Za-z0-9_-]{32})\r\n/.exec(`${head}\r\n`)?.[1];
    expect(key, head).to.be.a('string');
    expect(JSON.parse(body)).to.deep.equal({ 'x-Svc-group-Directory': key });
    // as the reference client takes the key: the second piece between colons and commas, without a blank
    expect(body.split('\n')[1]?.split(/[:,]/)[1]).to.equal(`"${key}"`);
    expect(body).to.equal(`{\n"x-Svc-group-Directory":"${key}"\n}\n`);
    expect(head)
      .to.match(/content-type: application\/json/i)
      .and.match(/cache-control: no-store/i);
    const user = await curl('/SECURE/capabilityCode.json+USRCAP?USER=anna', '-u', admin);
    expect(user.head).to.match(/\r\nx-Svc-user-Directory:[A-Za-z0-9_-]{32}/);
    const both = await curl('/SECURE/capabilitycode.JSON+usrcap?user=ANNA&group=DEV', '-u', admin);
    const [, groupLine = '', userLine = ''] = both.body.split('\n');
    expect([groupLine, userLine].map((line) => line.split(/[:,]/)[1])).to.deep.equal(
      Object.values(JSON.parse(both.body)).map((written) => `"${written}"`),
    );
    expect(Object.keys(JSON.parse(both.body))).to.deep.equal(['x-Svc-group-Directory', 'x-Svc-user-Directory']);
  });

  it('stores uploads byte for byte in all three directories, also repeated ones', async () => {
    for (const name of ['first', 'second']) {
      writeFileSync(file, macros(name));
      const group = await keyOf('group', 'OPS');
      const user = await keyOf('user', 'ANNA');
      expect(group).to.match(/^[A-Za-z0-9_-]{32}$/);
      const replies = [
        await upload('/SECURE/upload.txt+uplglb1'),
        await upload(`/SECURE/upload.txt+uplgrp+x-Svc-group-Directory:${group}1`),
        await upload(`/SECURE/upload.txt+uplusr+x-Svc-user-Directory:${user}1`),
      ];
      for (const { status, body, head } of replies) {
        expect(status).to.equal(200);
        expect(head).to.match(/content-type: text\/plain/i);
        const [first, ...lines] = body.trimEnd().split('\n');
        expect(first).to.equal('RETURN CODE IS: 00');
        expect(lines.map((line) => line.replace(/^\d{6} /, ''))).to.deep.equal([
          'MESSAGE RECEIVED',
          'LOADING FILE: MACROS.JSON',
          `SIZE : ${macros(name).length} BYTES (TEXT)`,
          'MIME : application/json',
        ]);
      }
      for (const place of [['global'], ['group', 'ops'], ['user', 'anna']]) {
        expect(readFileSync(stored(...place), 'utf8'), place.join('/')).to.equal(macros(name));
      }
    }
  });

  it('accepts paths without the trailing 1, and the name of the header in any case', async () => {
    const user = await keyOf('user', 'anna');
    const paths = ['+uplglb', `+UPLUSR+X-SVC-USER-DIRECTORY:${user}`, `+uplusr+x-svc-user-directory:${user}1`];
    for (const path of paths) expect((await upload(`/SECURE/upload.txt${path}`)).status, path).to.equal(200);
    expect((await upload('/secure/UPLOAD.TXT+uplglb')).status).to.equal(200);
  });

  it('accepts a key copied from a line of the body, with blank and quotation marks', async () => {
    const script = `curl -s -v -u "$CREDENTIALS" "$URL" 2>&1 | grep -i x-svc-group-directory | tail -1 | tr -d '\\r' | tr ':,' '\\n\\n' | sed -n 2p`;
    const url = `${site.portalUrl}/SECURE/capabilityCode.json+USRCAP?GROUP=OPS`;
    const { stdout } = await run('sh', ['-c', script], { env: { ...process.env, CREDENTIALS: admin, URL: url } });
    const token = stdout.replace(/\n$/, '');
    expect(token).to.match(/^"[A-Za-z0-9_-]{32}"$/);
    writeFileSync(file, macros('last line'));
    for (const [index, written] of [
      `${token}1`,
      token,
      `${token.slice(0, -1)}1"`,
      ` ${token}`,
      ` ${token}1`,
    ].entries()) {
      writeFileSync(file, macros(`last line ${index}`));
      const quoted = written.replaceAll(' ', '%20');
      for (const path of [quoted, quoted.replaceAll('"', '%22')]) {
        const { status, body } = await upload(`/SECURE/upload.txt+uplgrp+x-Svc-group-Directory:${path}`);
        expect(status, `${path}: ${body}`).to.equal(200);
      }
      expect(readFileSync(stored('group', 'ops'), 'utf8')).to.equal(macros(`last line ${index}`));
    }
  });

  it('looks through a key once, whatever stands around it', () => {
    // to try each end of the quotation marks with each of the others would take an hour
    const userData = `x-Svc-group-Directory:${'A'.repeat(32)}${'"'.repeat(2_000_000)}x`;
    const target = secureTarget({ kind: 'transaction', directories: [], page: '', transaction: 'UPLGRP', userData });
    expect(target).to.deep.equal({ kind: 'upload', level: 'group', key: '' });
  });

  describe('refuses with the reason, and leaves the file as it was', () => {
    let group: string;

    before(async () => {
      writeFileSync(file, macros('kept'));
      group = await keyOf('group', 'DEV');
      expect((await upload(`/SECURE/upload.txt+uplgrp+x-Svc-group-Directory:${group}1`)).status).to.equal(200);
    });
    afterEach(() => expect(readFileSync(stored('group', 'dev'), 'utf8')).to.equal(macros('kept')));

    const path = (key = group) => `/SECURE/upload.txt+uplgrp+x-Svc-group-Directory:${key}1`;

    async function refused(expected: number, reason: RegExp, reply: Promise<Reply>): Promise<void> {
      const { status, body } = await reply;
      expect(status, body).to.equal(expected);
      expect(body)
        .to.match(/^RETURN CODE IS: (?!00)\d\d\n/)
        .and.match(reason);
    }

    it('a wrong key and a truncated key', async () => {
      await refused(404, /directory key does not exist/, upload(path('A'.repeat(32))));
      // by two: the 1 behind it would make whole again one key of sixty-four that is shorter by one
      await refused(404, /directory key does not exist/, upload(path(group.slice(0, -2))));
      await refused(404, /directory key does not exist/, upload('/SECURE/upload.txt+uplgrp'));
    });

    it('the key of another user', async () => {
      const key = await keyOf('group', 'DEV', 'root:root-password');
      expect(key)
        .to.match(/^[A-Za-z0-9_-]{32}$/)
        .and.not.equal(group);
      await refused(404, /directory key does not exist/, upload(path(key)));
    });

    it('a key under the name of the other kind', async () => {
      await refused(
        404,
        /directory key does not exist/,
        upload(`/SECURE/upload.txt+uplgrp+x-Svc-user-Directory:${group}1`),
      );
    });

    it('the key of a group on the path of users', async () => {
      await refused(
        404,
        /directory key does not exist/,
        upload(`/SECURE/upload.txt+uplusr+x-Svc-user-Directory:${group}1`),
      );
    });

    it('invalid JSON and invalid macro files, with the position of the fault', async () => {
      writeFileSync(file, '{"macros":[');
      await refused(400, /macro file is invalid/, upload(path()));
      writeFileSync(file, '{"macros":[{"name":"a","rev":1,"def":[]},{"name":"b","rev":1,"def":["ENTER",{"txt":1}]}]}');
      await refused(400, /\$\.macros\[1\]\.def\[1\]\.txt: expected a string, found a number/, upload(path()));
    });

    it('one byte more than 1 MiB, and accepts 1 MiB', async () => {
      writeFileSync(file, `{"macros":[]}${' '.repeat(MEBIBYTE - 12)}`);
      await refused(413, /1048576 bytes/, upload(path()));
      writeFileSync(file, `{"macros":[]}${' '.repeat(MEBIBYTE - 13)}`);
      expect((await upload('/SECURE/upload.txt+uplglb')).status).to.equal(200);
    });

    it('several times 1 MiB, in chunks of no announced length', async () => {
      writeFileSync(file, `{"macros":[]}${' '.repeat(8 * MEBIBYTE)}`);
      await refused(413, /1048576 bytes/, upload(path(), '-H', 'Transfer-Encoding: chunked'));
    });

    it('two parts, a part of another name or type, and a body that is not a form', async () => {
      await refused(415, /more than one part/, upload(path(), '-F', part()));
      await refused(415, /more than one part/, upload(path(), '-F', 'x=y'));
      await refused(415, /named "files"/, curl(path(), '-u', admin, '-F', part('application/json', 'files')));
      await refused(415, /"text\/plain"/, curl(path(), '-u', admin, '-F', part('text/plain')));
      await refused(415, /not a file/, curl(path(), '-u', admin, '-F', 'file=x;type=application/json'));
      await refused(
        415,
        /Send multipart\/form-data/,
        curl(path(), '-u', admin, '-H', 'Content-Type: application/json', '-d', '{}'),
      );
      await refused(
        415,
        /not valid multipart/,
        curl(
          path(),
          '-u',
          admin,
          '-H',
          'Content-Type: multipart/form-data; boundary=x',
          '--data-binary',
          '--x\r\nhello',
        ),
      );
    });
  });

  it('takes on a client line the own key of a user alone, though who asks holds that of another', async () => {
    const key = await keyOf('user', 'BERT');
    const own = await keyOf('user', ADMINISTRATOR.name);
    const post = (of: string) => {
      const body = new FormData();
      body.set('file', new Blob([macros('first')], { type: 'application/json' }), 'macros.json');
      const headers = basic(ADMINISTRATOR.name, ADMINISTRATOR.password);
      return fetch(`${site.clientUrl}/UPLOAD.TXT+UPLUSR+x-Svc-user-Directory:${of}`, { method: 'POST', headers, body });
    };
    const [refused, taken] = [await post(key), await post(own)];
    expect(refused.status).to.equal(403);
    expect(existsSync(stored('user', 'bert'))).to.equal(false);
    expect(taken.status).to.equal(200);
  });

  it('takes a key for an hour, and no longer', async () => {
    const [real, shared] = [performance.now, site];
    let ahead = 0;
    // the clock that nobody sets: keys look at it
    performance.now = () => real.call(performance) + ahead;
    const moved = await startPortalSite();
    try {
      site = moved;
      const key = await keyOf('group', 'OPS');
      const path = `/SECURE/upload.txt+uplgrp+x-Svc-group-Directory:${key}1`;
      ahead = 3_600_000 - 30_000;
      expect((await upload(path)).status).to.equal(200);
      ahead = 3_600_000;
      const { status, body } = await upload(path);
      expect([status, body.slice(0, 18)]).to.deep.equal([404, 'RETURN CODE IS: 08']);
      expect(body).to.include('has expired');
    } finally {
      site = shared;
      performance.now = real;
      await moved.stop();
    }
  });

  it('refuses users without the role of administrator before it reads the body', async () => {
    const users = [
      ['', 401],
      ['-unobody:x', 401],
      [`-u${ADMINISTRATOR.name}:wrong`, 401],
      [`-u${OPERATOR.name}:${OPERATOR.password}`, 403],
      [`-u${ANNA.name}:${ANNA.password}`, 403],
    ] as const;
    for (const [user, status] of users) {
      const options = user === '' ? [] : [user];
      const look = await curl('/SECURE/capabilityCode.json+USRCAP?GROUP=OPS', ...options);
      expect(look.status, user).to.equal(status);
      expect(look.head.toLowerCase(), user).to.not.include('x-svc-group-directory');
      if (status === 401) expect(look.head).to.match(/www-authenticate: Basic realm="Sallyport", charset="UTF-8"/i);
      const paths = ['nosuch.txt+uplglb', 'upload.txt+uplglb', 'upload.txt+nosuch', 'LOG.HTML+uplglb', 'upload.txt'];
      // ten wrong sign-ons of an address are too many
      for (const path of status === 401 && user !== '' ? paths.slice(0, 1) : paths) {
        const sent = await curl(`/SECURE/${path}`, ...options, '-H', 'Accept: application/json', '-F', part());
        expect(sent.status, path).to.equal(status);
        expect(sent.head, path)
          .to.match(/content-type: text\/plain/i)
          .and.match(/cache-control: no-store/i);
        if (status === 401) expect(sent.head).to.match(/www-authenticate: Basic realm="Sallyport", charset="UTF-8"/i);
        const [first, received, reason, ...others] = sent.body.split('\n');
        expect([first, received?.slice(7), others]).to.deep.equal(['RETURN CODE IS: 08', 'MESSAGE RECEIVED', ['']]);
        expect(reason).to.match(/^\d{6} REFUSED: [A-Z]/);
      }
    }
    expect(existsSync(stored('global'))).to.equal(true);
    expect((await curl('/SECURE/anything')).status).to.equal(401);
    const codes = site
      .log()
      .split('\n')
      .filter((line) => line.includes('"template":"nosuch.txt"'))
      .map((line) => (JSON.parse(line) as { code?: string }).code);
    expect([...new Set(codes)]).to.have.members([
      'SVC_ERR_SIGNON_NEEDED',
      'SVC_ERR_SIGNON_REFUSED',
      'SVC_ERR_SIGNON_ROLE',
    ]);
  });

  it('rejects groups and users that are not in the security database, for any name', async () => {
    const names = [
      'NOGROUP',
      '..',
      '../ops',
      '..%2fops',
      'ops%00',
      'ops/../dev',
      '%2e%2e',
      'x'.repeat(300),
      '__proto__',
    ];
    for (const name of names) {
      for (const what of ['GROUP', 'USER']) {
        const { status, head } = await curl(`/SECURE/capabilityCode.json+USRCAP?${what}=${name}`, '-u', admin);
        expect([400, 404], `${what}=${name}`).to.include(status);
        expect(head.toLowerCase()).to.not.include('x-svc-');
      }
    }
    expect((await curl('/SECURE/capabilityCode.json+USRCAP', '-u', admin)).status).to.equal(400);
  });

  it('never uses a file name as a path', async () => {
    const before = existsSync(join(site.folder, 'evil.json'));
    const named = `file=@${file};type=application/json;filename=../../../evil.json`;
    expect((await curl('/SECURE/upload.txt+uplglb', '-u', admin, '-F', named)).status).to.equal(200);
    expect(readFileSync(stored('global'), 'utf8')).to.equal(macros('first'));
    expect([before, existsSync(join(site.folder, 'evil.json'))]).to.deep.equal([false, false]);
    for (const page of ['..%2fWEB2HOST.HTML', '%2e%2e', 'NOPAGE.TXT', 'security.yaml']) {
      expect([400, 404], page).to.include((await upload(`/SECURE/${page}+uplglb`)).status);
    }
  });

  it('answers other methods and paths as such', async () => {
    const looked = await curl('/SECURE/upload.txt+uplglb', '-u', admin);
    expect(looked.head).to.match(/405[\s\S]*allow: POST/i);
    expect(looked.body).to.match(/^RETURN CODE IS: 08\n\d{6} MESSAGE RECEIVED\n\d{6} REFUSED: /);
    expect((await upload('/SECURE/capabilityCode.json+USRCAP?GROUP=OPS')).head).to.match(/405[\s\S]*allow: GET/i);
    for (const path of ['upload.txt+nosuch', 'nosuch.txt+uplglb', 'upload.txt', 'capabilityCode.json+nosuch']) {
      const { status, body } = await upload(`/SECURE/${path}`);
      expect([status, body.split('\n')[0]], path).to.deep.equal([404, 'RETURN CODE IS: 08']);
    }
    const inBrowser = await curl('/SECURE/upload.txt+nosuch', '-u', admin);
    expect([inBrowser.status, inBrowser.body.split('\n')[0]]).to.deep.equal([404, 'RETURN CODE IS: 08']);
    expect((await curl('/SECURE/capabilityCode.json+nosuch', '-u', admin)).body).to.not.include('RETURN CODE');
    expect((await curl('/SECURE/', '-u', admin)).status).to.equal(404);
    const { stdout } = await run('curl', [
      '-s',
      '-o',
      '/dev/null',
      '-w',
      '%{http_code}',
      '-u',
      admin,
      `${site.clientUrl}/SECURE/upload.txt+uplglb`,
    ]);
    expect(stdout).to.equal('404');
  });

  it('rejects uploads from pages of other sites', async () => {
    for (const header of ['Origin: http://evil.test', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Site: same-site']) {
      const { status, body } = await upload('/SECURE/upload.txt+uplglb', '-H', header);
      expect([status, body.split('\n')[0]], header).to.deep.equal([403, 'RETURN CODE IS: 08']);
    }
  });

  it('writes every change into an unbroken trail, and no key or password anywhere', async () => {
    const key = await keyOf('user', 'BERT');
    await upload(`/SECURE/upload.txt+uplusr+x-Svc-user-Directory:${key}1`);
    const trail = join(site.folder, 'data', 'audit.jsonl');
    expect(await verifyAuditTrail(trail)).to.have.property('entries');
    const last = JSON.parse(readFileSync(trail, 'utf8').trimEnd().split('\n').at(-1) ?? '{}');
    expect(last).to.deep.include({ who: 'admin', from: '127.0.0.1', what: 'macros.uploaded', subject: 'user BERT' });
    const everything = readFileSync(trail, 'utf8') + site.log();
    for (const secret of [key, ADMINISTRATOR.password, ANNA.password]) expect(everything).to.not.include(secret);
  });

  it('refuses all requests with the reason if no centralized directories are configured', async () => {
    const bare = await startPortalSite({ macros: false });
    try {
      mkdirSync(local, { recursive: true });
      const { stdout } = await run('curl', [
        '-s',
        '-i',
        '-u',
        admin,
        '-F',
        part(),
        `${bare.portalUrl}/SECURE/upload.txt+uplglb1`,
      ]);
      expect(stdout)
        .to.match(/^HTTP\/1.1 404/)
        .and.match(/\r\n\r\nRETURN CODE IS: 08\n\d{6} .*\n.*directories are not configured/);
      const look = await run('curl', [
        '-s',
        '-i',
        '-u',
        admin,
        `${bare.portalUrl}/SECURE/capabilityCode.json+USRCAP?GROUP=OPS`,
      ]);
      expect(look.stdout)
        .to.match(/^HTTP\/1.1 404/)
        .and.not.match(/x-svc-/i);
    } finally {
      await bare.stop();
    }
  });
});
