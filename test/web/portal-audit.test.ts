import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect } from 'chai';
import type { AuditLine } from '../../src/access/audit/audit-entry.js';
import { AuditExports, piecesOf } from '../../src/access/audit/audit-exports.js';
import { verifyAuditTrail } from '../../src/access/audit/audit-verification.js';
import { FileAuditTrail } from '../../src/access/audit/file-audit-trail.js';
import { ServiceError } from '../../src/lib/errors.js';
import { silentLog } from '../../src/lib/log/log.js';
import type { ClientSite } from '../../src/web/http/client-site.js';
import { sendPieces } from '../../src/web/portal/portal-router.js';
import { ADMINISTRATOR, ANNA, BERT, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { auditText, lastEntries, PortalClient, textOf } from './portal-client.js';

describe('the page of the audit trail', () => {
  let site: PortalSite;
  let operator: PortalClient;

  before(async () => {
    site = await startPortalSite({ crypts: '' });
    const administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
    for (const group of ['RED', 'GREEN', 'BLUE']) await administrator.post('/groups', { GROUP: group });
    await administrator.post('/groups/RED/remove', {});
    operator = await PortalClient.signedOn(site, OPERATOR);
  });
  after(() => site.stop());

  const shown = async (query: string) => textOf((await operator.get(`/audit?${query}`)).text);

  it('finds entries by who, what, any text, day and outcome', async () => {
    expect(await shown('what=group.'))
      .to.include('group RED')
      .and.include('group BLUE')
      .and.not.include('user.signedOn');
    expect(await shown('what=GROUP.REMOVED'))
      .to.include('group RED')
      .and.not.include('group BLUE');
    expect(await shown('who=oper'))
      .to.include('user.signedOn')
      .and.not.include('group');
    expect(await shown('text=green'))
      .to.include('group GREEN')
      .and.not.include('group RED');
    expect(await shown('outcome=done'))
      .to.include('group GREEN')
      .and.not.include('user.signedOn');
    expect(await shown('outcome=failed')).to.include('No entries.');
    expect(await shown('from=2199-01-01')).to.include('No entries.');
    expect(await shown('to=2001-01-01')).to.include('No entries.');
    expect(await shown('from=2001-01-01&to=2199-01-01')).to.include('group GREEN');
    // what is no day is not asked for
    expect(await shown('from=yesterday&outcome=odd')).to.include('group GREEN');
    const page = (await operator.get('/audit?text=%22%3E%3Cscript%3E')).text;
    expect(page).to.not.include('<script>');
  });

  it('has an operator who tries what is for administrators, who is told so, and nothing is done', async () => {
    const users = readFileSync(`${site.folder}/data/security.yaml`, 'utf8');
    for (const [path, fields] of [
      ['/groups', { GROUP: 'PURPLE' }],
      [`/users/${OPERATOR.name}`, { ROLE: 'administrator', GROUPS: '' }],
      ['/configuration/reload', {}],
    ] as const) {
      const { status, text } = await operator.post(path, fields);
      expect([status, textOf(text)].join(' ')).to.match(/^403 .*not allowed/is);
      expect(lastEntries(site, 1)[0]).to.deep.include({
        who: OPERATOR.name,
        from: '127.0.0.1',
        what: 'operation.refused',
        subject: `POST ${path}`,
        after: { role: 'operator' },
      });
    }
    expect(readFileSync(`${site.folder}/data/security.yaml`, 'utf8')).to.equal(users);
    // what another site has the browser send is no try of its user
    const before = lastEntries(site, 1);
    const foreign = await operator.post('/groups', { GROUP: 'PURPLE' }, { 'Sec-Fetch-Site': 'cross-site' });
    expect(foreign.status).to.equal(403);
    expect(lastEntries(site, 1)).to.deep.equal(before);
    expect(await shown('what=operation.refused'))
      .to.include('POST /groups')
      .and.not.include('PURPLE');
  });

  it('has the first ten of what somebody goes on trying, and those of others', async () => {
    const anna = await PortalClient.signedOn(site, ANNA);
    const bert = await PortalClient.signedOn(site, BERT);
    for (let time = 1; time <= 13; time++) await anna.post('/groups', { GROUP: `PURPLE${time}` });
    await bert.post('/groups', { GROUP: 'PURPLE' });
    const refused = lastEntries(site, 100).filter(({ what }) => what === 'operation.refused');
    expect(refused.filter(({ who }) => who === ANNA.name)).to.have.length(10);
    expect(refused.at(-1)).to.deep.include({ who: BERT.name, after: { role: 'user' } });
  });

  it('shows how many repeats an entry stands for, and when they were', async () => {
    const trail = new FileAuditTrail({
      file: `${site.folder}/data/audit.jsonl`,
      now: () => Date.UTC(2027, 0, 1, 9, 30),
    });
    const opened = { who: 'DORA', from: '192.0.2.9', what: 'document.opened', subject: 'printer P1' } as const;
    for (let time = 0; time < 42; time++) await trail.note({ ...opened, after: { document: 7 } });
    await trail.settle();
    const period = 'from 2027-01-01 09:30:00 UTC to 2027-01-01 09:30:00 UTC';
    expect(await shown('who=DORA'))
      .to.include('document: 7')
      .and.include(`41 more, ${period}`);
    const csv = await operator.get('/audit/export?format=csv&who=DORA');
    expect(csv.text).to.include('""more"":41,""first"":""2027-01-01T09:30:00.000Z""');
  });

  it('shows the last entry, as a verification takes it', async () => {
    const [, sequence = '', hash = ''] = /(\d+):([0-9a-f]{64})/.exec(await shown('')) ?? [];
    const file = `${site.folder}/data/audit.jsonl`;
    const expected = { sequence: Number(sequence), hash };
    expect(await verifyAuditTrail(file, { expected })).to.include({ kind: 'unbroken' });
  });

  it('exports what is found, as CSV and JSON lines, on record', async () => {
    const csv = await operator.get('/audit/export?format=csv&what=group.added');
    expect(csv.headers.get('content-type')).to.match(/^text\/csv/);
    expect(csv.headers.get('content-disposition')).to.include('attachment').and.include('audit.csv');
    const rows = csv.text.trimEnd().split('\r\n');
    expect(rows[0]).to.equal('sequence,time,who,from,what,subject,stage,intent,before,after,previous');
    expect(rows).to.have.length(4);
    expect(rows[1]).to.include('"admin"').and.include('"group BLUE"');
    const entries = auditText(site).trimEnd().split('\n');
    expect(lastEntries(site, 1)[0]).to.deep.include({
      who: OPERATOR.name,
      what: 'audit.exported',
      after: { format: 'csv', upTo: entries.length - 1, what: 'group.added' },
    });
    const json = await operator.get('/audit/export?format=jsonl&text=green');
    const lines = json.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditLine);
    expect(lines.map(({ subject }) => subject)).to.deep.equal(['group GREEN']);
    expect((await operator.get('/audit/export?format=xls')).status).to.equal(400);
    const head = { method: 'HEAD', headers: { Cookie: operator.cookie } };
    expect((await fetch(`${site.portalUrl}/audit/export`, head)).status).to.equal(405);
  });

  it('exports nothing that a spreadsheet would calculate, or a terminal obey', async () => {
    const cellOf = async (text: string) => {
      const line = { sequence: 1, time: 't', who: text, from: 'f', what: 'w', subject: 'a"b', previous: 'p' };
      async function* lines() {
        yield line;
      }
      let csv = '';
      for await (const piece of piecesOf(lines(), 'csv')) csv += piece;
      const [, row = ''] = csv.split(/\r\n(?=1,)/);
      expect(row).to.include('"a""b"');
      return row.split(',')[2];
    };
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1']) {
      expect(await cellOf(text), text).to.equal(`"'${text}"`);
    }
    expect(await cellOf('a\u001b[2J\u202e\n')).to.equal('"a\\u001b[2J\\u202e\n"');
  });

  it('exports a few at a time', async () => {
    const exports = new AuditExports(() => new FileAuditTrail({ file: `${site.folder}/data/audit.jsonl` }));
    const begin = () => exports.begin({ who: 'x', from: 'y' }, { format: 'csv', query: { to: '2001-01-01' } });
    const open = await Promise.all(Array.from({ length: 4 }, begin));
    expect(await begin().catch(({ code }: ServiceError) => code)).to.equal('SVC_ERR_SERVICE_BUSY');
    open[0]?.close();
    const again = await begin();
    expect(await begin().catch(({ code }: ServiceError) => code)).to.equal('SVC_ERR_SERVICE_BUSY');
    // read to its end
    for await (const piece of again.pieces) expect(piece).to.match(/^sequence,/);
    (await begin()).close();
  });

  it('gives the place of an export that failed to the next', async () => {
    const trail = new FileAuditTrail({ file: `${site.folder}/data/audit.jsonl` });
    let fails = true;
    const spoilt = (method: 'note' | 'head') =>
      new Proxy(trail, {
        get: (target, name) => {
          if (fails && name === method) return () => Promise.reject(new ServiceError('SVC_ERR_AUDIT_UNAVAILABLE'));
          const value: unknown = Reflect.get(target, name, target);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    for (const method of ['head', 'note'] as const) {
      fails = true;
      const exports = new AuditExports(() => spoilt(method));
      const begin = () => exports.begin({ who: 'x', from: 'y' }, { format: 'csv', query: { to: '2001-01-01' } });
      for (let count = 0; count < 5; count++) {
        expect(await begin().catch(({ code }: ServiceError) => code), method).to.equal('SVC_ERR_AUDIT_UNAVAILABLE');
      }
      fails = false;
      const open = await Promise.all(Array.from({ length: 4 }, begin));
      for (const one of open) one.close();
    }
  });

  it('gives the place of an export whose trail cannot be read to its end to the next', async () => {
    const next = () => Promise.reject(new ServiceError('SVC_ERR_AUDIT_UNAVAILABLE'));
    const cutOff = { [Symbol.asyncIterator]: () => ({ next }) };
    let closed = 0;
    const pieces = piecesOf(cutOff, 'csv', () => closed++);
    expect(await pieces.next().catch(({ code }: ServiceError) => code)).to.equal('SVC_ERR_AUDIT_UNAVAILABLE');
    expect(closed).to.equal(1);
  });

  it('is read no faster than a client takes it, and no more where the client is gone', async () => {
    const MOST = 4_000;
    let made = 0;
    const over = new Promise<void>((resolve) => {
      async function* pieces() {
        try {
          for (; made < MOST; made++) yield 'x'.repeat(65_536);
        } finally {
          resolve();
        }
      }
      const line = { limits: { requestSeconds: 0.3 } };
      const server = createServer((_, response) =>
        sendPieces(response, pieces(), { line, log: silentLog } as ClientSite),
      );
      server.listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        // asks, and reads nothing
        const client = connect(port, '127.0.0.1', () => client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
        client.pause();
        client.on('error', () => {});
        void over.then(() => {
          client.destroy();
          server.close();
        });
      });
    });
    await over;
    expect(made).to.be.within(1, MOST / 2);
  });

  it('reads a long trail in parts, the newest first', async () => {
    const trail = new FileAuditTrail({ file: `${site.folder}/data/audit.jsonl` });
    const note = (subject: string) => trail.note({ who: 'x', from: 'y', what: 'data.backedUp', subject });
    const needle = note('needle');
    for (let at = 0; at < 22_000; at += 1_000) {
      await Promise.all(Array.from({ length: 1_000 }, (_, number) => note(`${at + number}`)));
    }
    await needle;
    const first = (await operator.get('/audit?text=needle')).text;
    expect(textOf(first)).to.include('No entries.');
    const [, older = ''] = /rel="next" href="([^"]*)"/.exec(first) ?? [];
    const next = await operator.get(older.replaceAll('&amp;', '&'));
    expect(textOf(next.text)).to.include('needle').and.not.include('No entries.');
    // an export has all of them, each line as it stands in the trail
    const { text } = await operator.get('/audit/export?format=jsonl&what=data.backedUp');
    const written = auditText(site).trimEnd().split('\n');
    const noted = written.filter((line) => line.includes('"what":"data.backedUp","subject"'));
    expect(text === `${noted.reverse().join('\n')}\n`).to.equal(true);
    expect(noted).to.have.length(22_001);
  });

  it('has its last entry in the log when the server stops', async () => {
    const stopped = await startPortalSite({ crypts: '' });
    await PortalClient.signedOn(stopped, ADMINISTRATOR);
    const [, head] =
      /(\d+:[0-9a-f]{64})/.exec(textOf((await (await PortalClient.signedOn(stopped, OPERATOR)).get('/audit')).text)) ??
      [];
    await stopped.stop();
    expect(stopped.log()).to.include(`"head":"${head}"`);
  });
});
