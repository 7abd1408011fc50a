import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { FileUserStore } from '../../../src/access/users/file-user-store.js';
import { recordingLog } from '../../lines/listener/recording-log.js';
import { CHEAP_PASSWORDS } from '../../support/cheap-passwords.js';
import { eventually } from '../../support/eventually.js';

interface WrittenUser {
  readonly password: string;
  readonly locked?: string;
}

export const plainUser = { role: 'user', groups: [], expires: undefined } as const;

/** A file of users and groups, and the clocks that it is judged by. */
class UsersFile {
  readonly folder = mkdtempSync(join(tmpdir(), 'sallyport-users-'));
  readonly file = join(this.folder, 'data', 'security.yaml');
  now = Date.parse('2026-11-21T12:00:00Z');
  /** By how much less the clock of the wall has moved than time has. */
  wallWasSet = 0;

  async opened(rules: { lockAfter?: number; lockMinutes?: number } = {}, locked: string[] = []) {
    const recorded = recordingLog();
    const database = new FileUserStore({
      passwordCost: CHEAP_PASSWORDS,
      file: this.file,
      lockAfter: rules.lockAfter ?? 3,
      lockMinutes: rules.lockMinutes ?? 30,
      log: recorded.log,
      now: () => this.now,
      elapsed: () => this.now + this.wallWasSet,
      recordLock: async ({ after }, make) => {
        await make();
        locked.push(after?.name ?? '');
      },
    });
    await database.open();
    const logged = () => recorded.texts.join('\n');
    /** Behind the lock in the file, the count of the wrong passwords is reset: only then is it done. @param times so far */
    const isLocked = (times = 1) =>
      eventually(() => (logged().split('user locked after wrong passwords').length > times ? true : undefined));
    return { database, logged, isLocked };
  }

  written() {
    return parse(readFileSync(this.file, 'utf8')) as { users: Record<string, WrittenUser>; groups: string[] };
  }
}

/** What is returned is asked within a test. */
export function usersFileForEachTest(): () => UsersFile {
  let users: UsersFile | undefined;
  beforeEach(() => {
    users = new UsersFile();
  });
  // what a test has not waited for may still be written
  afterEach(() => rmSync((users as UsersFile).folder, { recursive: true, maxRetries: 5 }));
  return () => users as UsersFile;
}
