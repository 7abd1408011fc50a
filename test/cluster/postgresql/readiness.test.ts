import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { Database } from '../../../src/cluster/postgresql/database.js';
import { lockOf } from '../../../src/cluster/postgresql/database-lock.js';
import { PostgresqlAuditTrail } from '../../../src/cluster/postgresql/postgresql-audit-trail.js';
import { silentLog } from '../../../src/lib/log/log.js';
import { eventually } from '../../support/eventually.js';
import { need, skipUnless } from '../../support/need.js';
import { PostgresqlServer, postgresqlFolder } from '../../support/postgresql.js';
import { SignOnClient } from '../../support/sign-on-client.js';
import { SmallDisk } from '../../support/small-disk.js';
import { ADMINISTRATOR, ClusterOfTwo, type Node } from './cluster-of-two.js';

/** More than a process reads when it starts, which is 10,000. */
const ENTRIES = 10_500;
/** At once; the management port takes 32 connections of an address. */
const LOOKS = 30;
const HEAD_IS_READ = /select sequence, hash from sallyport\.audit_head$/;

const management = (node: Node) => node.server.listeners.find(({ name }) => name === 'management')?.url ?? '';
const ready = (node: Node) => fetch(`${management(node)}/health/ready`);

describe('the readiness of servers that share PostgreSQL', () => {
  let disk: SmallDisk | undefined;
  let database: PostgresqlServer;
  let cluster: ClusterOfTwo;

  before(async function () {
    need(this, postgresqlFolder() !== undefined, 'PostgreSQL is not installed');
    disk = SmallDisk.ifAllowed(192);
    database = await PostgresqlServer.start(undefined, disk?.folder);
    await database.run("alter system set log_statement = 'all'");
    await database.run('alter system set logging_collector = on');
    await database.run("alter system set log_filename = 'statements.log'");
    await database.end();
    await database.begin();
    cluster = new ClusterOfTwo(database);
    await cluster.addAdministrator();
  });
  after(async () => {
    await cluster?.remove();
    await database?.remove();
    disk?.remove();
  });

  /** Statements since the last call, as PostgreSQL logged them. */
  let [read, marks] = [0, 0];
  async function statements(): Promise<readonly string[]> {
    marks += 1;
    // another process writes the log: it is complete up to here when it has this
    const mark = `mark ${marks};`;
    await database.run(`select '${mark}'`);
    const file = join(database.folder, 'data', 'log', 'statements.log');
    const text = await eventually(() => {
      const found = readFileSync(file, 'utf8');
      return found.includes(mark) ? found : undefined;
    });
    const fresh = text.slice(read);
    read = text.length;
    return fresh.split('\n').filter((line) => /(?:statement|execute [^:]*): /.test(line));
  }

  const about = (asked: readonly string[], pattern: RegExp) => asked.filter((statement) => pattern.test(statement));

  it('is asked without the lock of the audit trail, and without reading an entry twice', async () => {
    const filling = new Database(database.definition(), silentLog);
    const audit = new PostgresqlAuditTrail(filling);
    const entry = { who: 'anna', from: '192.0.2.1', what: 'data.backedUp' as const, subject: 'x' };
    while (((await audit.head())?.sequence ?? 0) < ENTRIES) {
      await Promise.all(Array.from({ length: 1_500 }, () => audit.note(entry)));
    }
    const node = await cluster.begin('a');
    const holder = new pg.Client({
      host: database.folder,
      port: database.port,
      user: 'postgres',
      database: 'postgres',
    });
    await holder.connect();
    try {
      expect((await ready(node)).status).to.equal(200);
      await statements();
      await holder.query(
        `begin; select pg_advisory_xact_lock(${lockOf('audit')
          .map((part) => part | 0)
          .join()})`,
      );
      const asked: string[] = [];
      let asks = 0;
      await eventually(async () => {
        const replies = await Promise.all(Array.from({ length: LOOKS }, () => ready(node)));
        expect(replies.map(({ status }) => status)).to.deep.equal(replies.map(() => 200));
        asks += replies.length;
        asked.push(...(await statements()));
        return about(asked, HEAD_IS_READ).length > 0 || undefined;
      });
      await holder.query('rollback');
      expect(about(asked, HEAD_IS_READ).length).to.be.lessThan(asks);
      expect(about(asked, /audit_entries|audit_head for update/)).to.deep.equal([]);
      // that of the holder
      const [first, key] = lockOf('audit').map((part) => part | 0);
      expect(about(asked, new RegExp(`pg_advisory_xact_lock\\(${first}, ?${key}\\)`)).length).to.equal(1);
      // another process writes: the look after it reads its entries, and no others
      await audit.note(entry);
      await statements();
      const looked: string[] = [];
      await eventually(async () => {
        expect((await ready(node)).status).to.equal(200);
        looked.push(...about(await statements(), /select line from sallyport\.audit_entries/));
        return looked.length > 0 || undefined;
      });
      // after the last entry that was verified
      expect(looked[0]).to.match(/sequence > \$1 and sequence <= \$2/);
    } finally {
      await holder.end();
      await filling.close();
    }
  });

  it('does not have sign-ons read the entries of others while they hold the lock of the audit trail', async () => {
    const node = cluster.nodes[0] as Node;
    const filling = new Database(database.definition(), silentLog);
    const audit = new PostgresqlAuditTrail(filling);
    const entry = { who: 'anna', from: '192.0.2.1', what: 'data.backedUp' as const, subject: 'x' };
    await Promise.all(Array.from({ length: 1_500 }, () => audit.note(entry)));
    await filling.close();
    await statements();
    const { name, password } = ADMINISTRATOR;
    expect((await new SignOnClient(node.portal).signOn('/', name, password)).status).to.equal(303);
    const pid = (line: string) => /\[(\d+)\]/.exec(line)?.[1];
    const locked = new Set<string | undefined>();
    let underLock = 0;
    for (const line of await statements()) {
      const process = pid(line);
      if (line.includes('audit_head for update')) locked.add(process);
      else if (/: (?:COMMIT|ROLLBACK)/.test(line)) locked.delete(process);
      else if (locked.has(process) && line.includes('select line from sallyport.audit_entries')) underLock += 1;
    }
    expect(underLock).to.be.lessThan(2);
  });

  it('ends while its disk is full, before any user finds out, and returns by itself', async function () {
    skipUnless(this, disk !== undefined, 'no disk can be mounted');
    const node = cluster.nodes[0] as Node;
    disk?.fill();
    const report = await eventually(async () => {
      const reply = await ready(node);
      return reply.status === 503 ? reply.text() : undefined;
    });
    expect(report).to.include('"name":"database","status":"DOWN"').and.include('No space left on device');
    const metrics = await (await fetch(`${management(node)}/metrics`)).text();
    expect(metrics).to.include('sallyport_check_up{check="database"} 0');
    expect(metrics).to.include('sallyport_check_up{check="server"} 1');
    disk?.empty();
    await eventually(async () => ((await ready(node)).status === 200 ? true : undefined));
    expect(await (await fetch(`${management(node)}/metrics`)).text()).to.include(
      'sallyport_check_up{check="database"} 1',
    );
  });
});
