import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AuditLine } from '../../src/access/audit/audit-entry.js';
import { verifyAuditTrail } from '../../src/access/audit/audit-verification.js';
import { SallyportProcess } from '../cli/sallyport-process.js';
import { RawConnection } from '../lines/listener/raw-connection.js';
import { eventually } from '../support/eventually.js';
import { copyOfShippedSite } from '../support/site.js';

const REFUSED = 300;

describe('the audit trail of a server that refuses hundreds of programs', () => {
  let folder: string;
  let server: SallyportProcess;
  let port: number;
  beforeEach(async () => {
    folder = copyOfShippedSite({ service: '127.0.0.1:9', maxTime: 1_000 });
    await start();
  });
  afterEach(async () => {
    server.child.kill('SIGKILL');
    await server.finished;
    rmSync(folder, { recursive: true });
  });

  async function start(): Promise<void> {
    server = new SallyportProcess(['serve', '--log-form', 'json'], folder);
    port = Number((await server.prints(/W-HTTP +http:\/\/127\.0\.0\.1:(\d+)/))[1]);
  }

  async function flood(count: number): Promise<void> {
    const connection = await RawConnection.open(port);
    const answers = () => connection.text.split('HTTP/1.1 401').length - 1;
    for (let at = 1; at <= count; at++) {
      await connection.send(
        'GET /api/admin/v1/lines HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer sallyport_unknown\r\n\r\n',
      );
      if (at % 50 === 0) await connection.until(() => answers() >= at);
    }
    connection.close();
    // no program waits for the entry about its refusal
    await eventually(() => (existsSync(file()) && refusals().length > 0) || undefined);
  }

  const file = () => join(folder, 'data', 'audit.jsonl');
  const entries = () =>
    readFileSync(file(), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as AuditLine);
  const refusals = () => entries().filter(({ what }) => what === 'token.refused');
  const moreOf = ({ after }: AuditLine) => (after as { readonly more?: number }).more;

  it('has one entry at once, and the number of the others when it stops, also after a reload', async () => {
    await flood(REFUSED / 2);
    expect(refusals().map(moreOf)).to.deep.equal([undefined]);
    server.child.kill('SIGHUP');
    await eventually(() => entries().find(({ what, stage }) => what === 'configuration.reloaded' && stage === 'done'));
    await flood(REFUSED / 2);
    server.child.kill('SIGTERM');
    expect((await server.finished).code).to.equal(0);
    expect(refusals().map(moreOf)).to.deep.equal([undefined, REFUSED - 1]);
    expect(await verifyAuditTrail(file())).to.include({ kind: 'unbroken' });
  }).timeout(120_000);

  it('loses the number of the last window, and nothing else, when it is killed', async () => {
    await flood(REFUSED);
    server.child.kill('SIGKILL');
    await server.finished;
    expect(refusals().map(moreOf)).to.deep.equal([undefined]);
    await start();
    await flood(50);
    server.child.kill('SIGTERM');
    await server.finished;
    expect(refusals().map(moreOf)).to.deep.equal([undefined, undefined, 49]);
    expect(await verifyAuditTrail(file()))
      .to.include({ kind: 'unbroken' })
      .and.not.have.property('unfinished');
  }).timeout(120_000);
});
