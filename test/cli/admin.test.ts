import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileAuditTrail } from '../../src/access/audit/file-audit-trail.js';
import { readExposition, sumOf } from '../operation/metrics/exposition.js';
import { eventually } from '../support/eventually.js';
import { ANNA, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';
import { SignOnClient } from '../support/sign-on-client.js';
import { sallyportInProcess } from './command-in-process.js';
import { sallyport } from './sallyport-process.js';

describe('sallyport admin', function () {
  this.timeout(60_000);
  let site: PortalSite;
  let operating: string;
  let calling: string;
  let audit: FileAuditTrail;

  before(async () => {
    site = await startPortalSite({
      crypts: '',
      lines: "  O-HTTP: { outbound: true, site: '127.0.0.1:9' }",
      yaml: `management: { listen: '127.0.0.1:0' }
services: '${join(projectFolder, 'templates', 'services')}'
pools:
  ACCOUNTS: { host: SIM, ready: 0, users: [{ user: DEMO, password: demo }], sessionsPerUser: 8, signOn: sign-on, home: MENU, returnHome: [PF3, PF3] }`,
    });
    audit = new FileAuditTrail({ file: join(site.folder, 'data', 'audit.jsonl') });
    operating = await addToken('OPS', 'operation');
    calling = await addToken('CALLS', 'services');
  });
  after(() => site?.stop());

  async function addToken(name: string, scope: string): Promise<string> {
    const added = await sallyportInProcess(['token', 'add', name, '--scope', scope], { folder: site.folder });
    return added.stdout.trim();
  }

  function admin(args: readonly string[], token = operating) {
    const environment = { SALLYPORT_TOKEN: token };
    return sallyportInProcess(['admin', ...args, '--server', site.portalUrl], { folder: site.folder, environment });
  }

  const jsonOf = async (...args: string[]) => JSON.parse((await admin([...args, '--json'])).stdout);
  const recorded = async () =>
    (await audit.latest(5)).map(({ who, what, subject, stage }) => [who, what, subject, stage]);

  /** @returns the identifier of a session that ANNA has */
  async function session(): Promise<string> {
    const before = new Set((await jsonOf('sessions')).sessions.map(({ id }: { id: string }) => id));
    const client = new SignOnClient((await jsonOf('line', 'C-HTTP')).url);
    await client.signOn('/TERMINAL.HTML+TSO4', ANNA.name, ANNA.password);
    const page = await client.request('/TERMINAL.HTML+TSO4');
    expect(page.status, page.text).to.equal(200);
    const found = await eventually(async () => {
      const { sessions } = await jsonOf('sessions', '--user', 'anna', '--line', 'C-HTTP');
      return sessions.find(({ id, state }: { id: string; state: string }) => !before.has(id) && state === 'connected');
    });
    expect(found).to.include({ user: 'ANNA', kind: 'browser', transaction: 'TSO4', host: 'SIM', address: '127.0.0.1' });
    return found.id;
  }

  it('lists lines, and stops, starts and drains one, on record', async () => {
    const { code, stdout } = await admin(['lines']);
    expect(stdout).to.match(/^LINE +STATE +ADDRESS /);
    expect(stdout).to.match(/^C-HTTP +listening +http:\S+ +CLIWHOST /m);
    expect(code).to.equal(0);

    expect((await jsonOf('line', 'C-HTTP', 'drain')).state).to.equal('draining');
    expect((await admin(['line', 'C-HTTP', 'start'])).stdout).to.match(/^state +listening$/m);
    expect((await jsonOf('line', 'C-HTTP', 'stop')).state).to.match(/closing|stopped/);
    await eventually(async () => (await jsonOf('line', 'C-HTTP')).state === 'stopped' || undefined);
    const [first] = await recorded();
    expect(first).to.deep.equal(['token OPS', 'line.stopped', 'C-HTTP', 'done']);
    expect((await admin(['line', 'C-HTTP', 'start'])).code).to.equal(0);

    const own = await admin(['line', 'W-HTTP', 'stop']);
    expect([own.code, own.stdout]).to.deep.equal([1, '']);
    expect(own.stderr).to.match(/^HTTP 409 .*\n[\s\S]*It is the only open portal line/);
    const unknown = await admin(['line', 'C-HTP', 'drain']);
    expect([unknown.code, unknown.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && /C-HTTP/.test(text),
    );
  });

  const isDrained = async () =>
    sumOf(readExposition(await (await fetch(`${site.managementUrl}/metrics`)).text()), 'sallyport_pool_drained', {
      pool: 'ACCOUNTS',
    });

  it('lists pools, drains one and has it sign on again, on record', async () => {
    expect((await admin(['pools'])).stdout).to.match(/^POOL +HOST +DRAINED [\s\S]*^ACCOUNTS +SIM +false /m);
    expect(await jsonOf('pool', 'ACCOUNTS', 'drain')).to.include({ name: 'ACCOUNTS', drained: true, free: 0 });
    expect((await recorded())[0]).to.deep.equal(['token OPS', 'pool.drained', 'pool ACCOUNTS', 'done']);
    expect(await isDrained()).to.equal(1);
    const again = await admin(['pool', 'ACCOUNTS', 'drain']);
    expect([again.code, again.stdout]).to.deep.equal([1, '']);
    expect(again.stderr).to.match(/^HTTP 409 .*\n[\s\S]*It is already drained\./);
    expect((await admin(['pool', 'ACCOUNTS'])).stdout).to.match(/^drained +true$/m);
    expect(await jsonOf('pool', 'ACCOUNTS', 'resume')).to.include({ drained: false });
    expect(await isDrained()).to.equal(0);
    expect((await recorded())[0]).to.deep.equal(['token OPS', 'pool.resumed', 'pool ACCOUNTS', 'done']);
    const unknown = await admin(['pool', 'ACOUNTS', 'drain']);
    expect([unknown.code, unknown.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && /^HTTP 404 [\s\S]*ACCOUNTS/.test(text),
    );
    expect((await admin(['pool', 'ACCOUNTS', 'stop'])).code).to.equal(2);
  });

  it('lists sessions, sends one a message and ends it, on record', async () => {
    const id = await session();
    const { stdout } = await admin(['sessions']);
    expect(stdout).to.match(/^SESSION +KIND +STATE +USER /);
    expect(stdout).to.match(new RegExp(`^${id} +browser +connected +ANNA +127\\.0\\.0\\.1 +C-HTTP +TSO4 +SIM `, 'm'));
    expect((await jsonOf('sessions', '--user', 'bert')).sessions).to.deep.equal([]);

    expect(await admin(['message', id, 'The', 'host goes', 'down.'])).to.include({
      code: 0,
      stdout: `Session ${id} receives the message.\n`,
    });
    expect((await recorded())[0]).to.deep.equal(['token OPS', 'session.messageSent', `session ${id}`, 'done']);
    expect((await admin(['message', id, 'x'.repeat(301)])).code).to.equal(1);
    expect((await admin(['message', id, 'x'.repeat(300)])).code).to.equal(0);

    expect(await admin(['kill', id])).to.include({ code: 0, stdout: `Session ${id} is ending.\n` });
    expect((await recorded())[0]).to.deep.equal(['token OPS', 'session.ended', `session ${id}`, 'done']);
    await eventually(async () => !(await admin(['sessions'])).stdout.includes(id) || undefined);
    const gone = await admin(['kill', id]);
    expect([gone.code, gone.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && /^HTTP 404 /.test(text),
    );
  });

  it('bounds what is listed', async () => {
    const ids = [await session(), await session()];
    const listed = await jsonOf('sessions', '--limit', '1');
    expect([listed.total, listed.sessions.length, listed.sessions[0].id]).to.deep.equal([2, 1, ids[1]]);
    expect((await admin(['sessions', '--limit', '1'])).stdout).to.match(/\n1 more: use --limit/);
    expect((await admin(['sessions', '--limit', '1000'])).code).to.equal(0);
    expect((await admin(['sessions', '--limit', '1001'])).code).to.equal(2);
    const headers = { Authorization: `Bearer ${operating}` };
    for (const [limit, status] of [
      ['1000', 200],
      ['1001', 422],
      ['0', 422],
      ['x', 422],
    ] as const) {
      const asked = await fetch(`${site.portalUrl}/api/admin/v1/sessions?limit=${limit}`, { headers });
      expect(asked.status, limit).to.equal(status);
    }
  });

  it('traces a session for a token of the scope tracing alone', async () => {
    const id = await session();
    const refused = await admin(['trace', 'session', id]);
    expect([refused.code, refused.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && text.includes('The token needs the scope tracing.'),
    );
    const tracing = await addToken('TRACES', 'tracing');
    const name = (await admin(['trace', 'session', id, '--seconds', '60'], tracing)).stdout.trim();
    expect(name).to.match(new RegExp(`^${id}-\\d{8}T\\d{9}Z$`));
    expect((await admin(['trace', 'list'], tracing)).stdout).to.match(
      new RegExp(`^${name} +session +${id} +token TRACES +\\d+ .* yes$`, 'm'),
    );
    expect((await admin(['trace', 'stop', name], tracing)).stdout).to.equal(`Trace ${name} is stopped.\n`);
    const got = async (...further: string[]) => (await admin(['trace', 'get', name, ...further], tracing)).stdout;
    expect(await got()).to.match(/^\/\/ Trace of session .*\n[\s\S]*\/\/ Trace ended .*: stopped by token TRACES\n$/);
    expect(await got('--form', 's3270')).to.match(/^\/\/ Trace of session /);
    expect((await admin(['trace', 'remove', name], tracing)).stdout).to.equal(`Trace ${name} is removed.\n`);
    expect((await admin(['trace', 'get', name], tracing)).stderr).to.match(/^HTTP 404 /);
    for (const wrong of [
      ['session'],
      ['list', 'x'],
      ['session', id, '--seconds', '3601'],
      ['session', id, '--bytes', '4095'],
      ['follow', id],
    ]) {
      expect((await admin(['trace', ...wrong], tracing)).code, wrong.join(' ')).to.equal(2);
    }
    for (const [kind, subject, other] of [
      ['line', 'C-HTTP', 'C-HTP'],
      ['line', 'O-HTTP', 'O-HTP'],
      ['entry-point', 'CLIWHOST', 'CLIWHOS'],
    ] as const) {
      const begun = (await admin(['trace', kind, subject, '--bytes', '4096'], tracing)).stdout.trim();
      expect(begun).to.match(new RegExp(`^${kind}-${subject}-\\d{8}T\\d{9}Z$`));
      const again = await admin(['trace', kind, subject], tracing);
      expect([again.code, again.stderr]).to.satisfy(
        ([code, text]: [number, string]) => code === 1 && text.includes('It is already being traced.'),
      );
      expect((await admin(['trace', kind, other], tracing)).stderr).to.match(
        new RegExp(`Did you mean \\W+${subject}\\W`),
      );
      await admin(['trace', 'stop', begun], tracing);
      expect((await admin(['trace', 'get', begun, '--form', 's3270'], tracing)).stderr).to.contain(
        'Only traces of sessions are available',
      );
      await admin(['trace', 'remove', begun], tracing);
    }
    expect((await admin(['trace', 'scenario', 'NONE'], tracing)).stderr).to.match(/There is no scenario \W+NONE/);
    await admin(['kill', id]);
    await eventually(async () => !(await admin(['sessions'])).stdout.includes(id) || undefined);
  });

  it('refuses a token of another scope, none, and a wrong one; a refused act is on record', async () => {
    for (const args of [['lines'], ['line', 'C-HTTP', 'stop'], ['kill', '0f3a9c417be2']]) {
      const refused = await admin(args, calling);
      expect([refused.code, refused.stdout]).to.deep.equal([1, '']);
      expect(refused.stderr).to.match(/^HTTP 403 [\s\S]*The token needs the scope operation\./);
      expect(refused.stderr).not.to.contain(calling);
    }
    const refusals = (await audit.latest(20)).filter(
      ({ who, what }) => what === 'operation.refused' && who === 'token CALLS',
    );
    expect(refusals.map(({ who, subject }) => [who, subject])).to.deep.equal([
      ['token CALLS', 'sessions 0f3a9c417be2 end'],
      ['token CALLS', 'lines C-HTTP stop'],
    ]);
    expect((await jsonOf('line', 'C-HTTP')).state).to.equal('listening');
    const wrong = await admin(['lines'], `sallyport_${'A'.repeat(43)}`);
    expect([wrong.code, wrong.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && /^HTTP 401 /.test(text),
    );
    expect((await admin(['lines'], '')).code).to.equal(2);
    const client = await fetch(`${(await jsonOf('line', 'C-HTTP')).url}/api/admin/v1/lines`, {
      headers: { Authorization: `Bearer ${operating}` },
    });
    expect(client.status).to.equal(404);
    const services = await fetch(`${site.portalUrl}/users`, {
      redirect: 'manual',
      headers: { Authorization: `Bearer ${operating}` },
    });
    expect(services.status).to.equal(401);
  });

  it('explains itself, and tells a server that is not there', async () => {
    const help = await sallyport(['help', 'admin'], site.folder);
    expect(help.stdout).to.match(/lines \[options\][\s\S]*message \[options\] <id> <text\.\.\.>[\s\S]*Exit codes: /);
    const file = join(site.folder, 'token');
    await writeFile(file, `${operating}\n`);
    const named = await sallyport(['admin', 'lines', '--server', site.portalUrl, '--token-file', file], site.folder);
    expect([named.code, named.stderr]).to.deep.equal([0, '']);
    const wrongAct = await admin(['line', 'C-HTTP', 'restart']);
    expect([wrongAct.code, wrongAct.stdout]).to.deep.equal([2, '']);
    const nowhere = await sallyportInProcess(['admin', 'lines', '--server', 'http://127.0.0.1:1'], {
      environment: { SALLYPORT_TOKEN: operating },
    });
    expect([nowhere.code, nowhere.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && /^Error: /.test(text),
    );
  });
});
