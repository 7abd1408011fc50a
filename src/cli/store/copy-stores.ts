import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type VerificationOutcome, verifyAuditTrail } from '../../access/audit/audit-verification.js';
import { AUDIT_TRAIL_NAME } from '../../access/audit/file-audit-trail.js';
import {
  type CopiedName,
  type CopiedRow,
  CopiedTables,
  copiedNames,
  processesOf,
  wholeCopy,
} from '../../cluster/postgresql/copied-tables.js';
import { Database, type Statements } from '../../cluster/postgresql/database.js';
import { verifyAudit } from '../../cluster/postgresql/verify-audit.js';
import type { Configuration } from '../../config/configuration.js';
import {
  databaseOf,
  isCopyUnfinished,
  noteCopyBegun,
  noteCopyFinished,
  refuseUnfinishedCopy,
} from '../../config/open-store.js';
import { silentLog } from '../../lib/log/log.js';
import { counted } from '../output.js';
import { servingProcess } from '../serve/running-server.js';
import { CopiedFiles } from './copied-files.js';

export type Place = 'files' | 'postgresql';

interface Side {
  rows(name: CopiedName): AsyncIterable<CopiedRow>;
  write(name: CopiedName, rows: AsyncIterable<CopiedRow>): Promise<void>;
}

interface Content {
  readonly rows: number;
  readonly sha256: string;
}

/**
 * Compares the rows after the copy.
 * @param tell called with a line for each copied store
 * @throws Error; the source is never changed
 */
export async function copyStores(
  configuration: Configuration,
  { from, to }: { readonly from: Place; readonly to: Place },
  tell: (line: string) => void,
): Promise<void> {
  const { store } = configuration;
  if (store === undefined) throw new Error('the configuration has no store.postgresql');
  const database = new Database(await databaseOf(store), silentLog);
  const statements = database.for('SVC_ERR_STORE_UNAVAILABLE');
  const files = new CopiedFiles(configuration);
  const { data } = configuration;
  try {
    await refuseRunning(data, statements);
    const head = to === 'files' ? await copyIntoFiles() : await wholeCopy(statements, copyIntoTables);
    tell(`audit trail unbroken in ${to}: ${head}`);
  } finally {
    await database.close();
  }

  async function copyIntoTables(whole: Statements): Promise<string> {
    await refuseUnfinishedCopy({ data });
    await refuseFilled(new CopiedTables(whole));
    refuseNewer();
    soundOrThrow(from, await trailOf(from));
    try {
      return await copyAll(files, new CopiedTables(whole), whole);
    } catch (error) {
      tell('Nothing was copied into postgresql.');
      throw error;
    }
  }

  async function copyIntoFiles(): Promise<string> {
    if (await isCopyUnfinished(data)) await files.remove();
    await refuseFilled(files);
    refuseNewer();
    soundOrThrow(from, await trailOf(from));
    await noteCopyBegun(data);
    try {
      const head = await copyAll(new CopiedTables(statements), files);
      await noteCopyFinished(data);
      return head;
    } catch (error) {
      tell('The files are incomplete, so no server starts with them. The next copy removes them first.');
      throw error;
    }
  }

  /** @returns last entry of the audit trail for `audit verify --entry` */
  async function copyAll(source: Side, target: Side, whole?: Statements): Promise<string> {
    for (const name of copiedNames) {
      await target.write(name, source.rows(name));
      const [there, here] = [await contentOf(source, name), await contentOf(target, name)];
      if (there.rows !== here.rows || there.sha256 !== here.sha256) {
        throw new Error(`${name} differ: ${from} has ${words(there)}, ${to} has ${words(here)}`);
      }
      tell(`${name}: ${words(here)}, the same in both`);
    }
    const { entries, lastHash } = soundOrThrow(to, await trailOf(to, whole));
    return `${entries}:${lastHash}`;
  }

  async function refuseFilled(target: Side): Promise<void> {
    for (const name of copiedNames) {
      const { rows } = await contentOf(target, name);
      if (rows > 0) throw new Error(`${to} already contains ${rows} of ${name}: it must be empty (${emptying(to)})`);
    }
  }

  /** Rejects rows and columns of newer versions, which would be lost. */
  function refuseNewer(): void {
    if (database.newerFault !== undefined) throw new Error(database.newerFault);
  }

  function emptying(place: Place): string {
    return place === 'files'
      ? `move ${data} away, and users and macros that are kept elsewhere`
      : 'as its owner, run drop schema sallyport cascade, then run sallyport store migrate';
  }

  /** @param whole given to read the trail inside the uncommitted transaction of the copy */
  function trailOf(place: Place, whole: Statements = database.for('SVC_ERR_AUDIT_UNAVAILABLE')) {
    return place === 'postgresql' ? verifyAudit(whole) : verifyAuditTrail(join(data, AUDIT_TRAIL_NAME));
  }
}

async function refuseRunning(data: string, statements: Statements): Promise<void> {
  const serving = await servingProcess(data);
  if (serving !== undefined) throw new Error(`process ${serving} is running with ${data}: stop it first`);
  const processes = await processesOf(statements);
  if (processes === 0) return;
  const which = processes === 1 ? 'a process of Sallyport uses' : `${processes} processes of Sallyport use`;
  throw new Error(`${which} the database: stop all servers first`);
}

function soundOrThrow(place: Place, verified: VerificationOutcome) {
  if (verified.kind === 'broken') {
    throw new Error(`the audit trail in ${place} is broken at entry ${verified.fault.line}: ${verified.fault.reason}`);
  }
  if ((verified.first ?? 1) > 1) {
    throw new Error(
      'the first entries of the audit trail were removed (audit.keepDays): only a complete trail can be copied into a database',
    );
  }
  return verified;
}

async function contentOf(side: Side, name: CopiedName): Promise<Content> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const row of side.rows(name)) {
    rows += 1;
    hash.update(`${JSON.stringify(row)}\n`);
  }
  return { rows, sha256: hash.digest('hex') };
}

function words({ rows, sha256 }: Content): string {
  return `${counted(rows, 'row')}, SHA-256 ${sha256}`;
}
