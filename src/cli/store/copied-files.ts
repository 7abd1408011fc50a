import { link, open, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hashOf } from '../../access/audit/audit-entry.js';
import { archivesOf } from '../../access/audit/audit-files.js';
import { headPath, writeHead } from '../../access/audit/audit-head.js';
import { linesFromStart } from '../../access/audit/audit-lines.js';
import { AUDIT_TRAIL_NAME } from '../../access/audit/file-audit-trail.js';
import { FileTokenStore, TOKENS_NAME } from '../../access/tokens/file-token-store.js';
import { SETTINGS_NAME } from '../../access/users/file-settings-store.js';
import { foldedName } from '../../access/users/security-name.js';
import {
  fileUserBounds,
  type UserBounds,
  type UserEntry,
  type UsersDocument,
} from '../../access/users/users-document.js';
import { readUsersFile, writeUsersFile } from '../../access/users/users-file.js';
import type { CopiedName, CopiedRow } from '../../cluster/postgresql/copied-tables.js';
import type { Configuration } from '../../config/configuration.js';
import { makePrivateFolder } from '../../lib/files/private-path.js';
import { replaceFile } from '../../lib/files/replace-file.js';
import { FileMacroStore } from '../../macros/file-macro-store.js';
import { MACRO_FILE_NAME, type MacroDirectory } from '../../macros/macro-directory.js';
import { DRAFTS_NAME, FileDraftStore } from '../../services/file-draft-store.js';
import { IDEMPOTENCY_NAME, requestsIn } from '../../services/file-idempotency-store.js';

const byKey = (one: string, other: string) => (one < other ? -1 : Number(one > other));
const SETTINGS_FILE = /^([0-9a-f]{32})\.json$/;

const WRITTEN_TOGETHER = 65_536;

/** The file-based stores as rows. Requires that no server is running. */
export class CopiedFiles {
  readonly #configuration: Pick<Configuration, 'data' | 'security' | 'macros'>;

  constructor(configuration: Pick<Configuration, 'data' | 'security' | 'macros'>) {
    this.#configuration = configuration;
  }

  rows(name: CopiedName): AsyncIterable<CopiedRow> {
    return this[name].read();
  }

  async write(name: CopiedName, rows: AsyncIterable<CopiedRow>): Promise<void> {
    if (name === 'audit') return this.#writeAudit(rows);
    const all: CopiedRow[] = [];
    for await (const row of rows) all.push(row);
    if (all.length === 0) return;
    await makePrivateFolder(this.#configuration.data);
    await this[name].write(all);
  }

  async remove(): Promise<void> {
    const { data, macros, security } = this.#configuration;
    if ((await readUsersFile(security.database)).stamp !== undefined)
      await this.#changeUsers({ users: {}, groups: [] });
    const trail = this.#inData(AUDIT_TRAIL_NAME);
    const written = [
      ...[TOKENS_NAME, SETTINGS_NAME, DRAFTS_NAME, IDEMPOTENCY_NAME].map((name) => join(data, name)),
      ...(macros === undefined ? [] : ['global', 'group', 'user'].map((level) => join(macros, level))),
      ...[trail, headPath(trail)],
    ];
    for (const path of written) await rm(path, { recursive: true, force: true });
  }

  readonly groups = {
    read: () => this.#groups(),
    write: async (rows: readonly CopiedRow[]) => {
      checkBound('groups', rows.length);
      await this.#changeUsers({ groups: rows.map(({ name }) => `${name}`) });
    },
  };

  readonly users = {
    read: () => this.#users(),
    write: async (rows: readonly CopiedRow[]) => {
      checkBound('users', rows.length);
      const users = Object.fromEntries(rows.map(({ name, ...entry }) => [`${name}`, withoutNothing(entry)]));
      await this.#changeUsers({ users: users as unknown as Record<string, UserEntry> });
    },
  };

  readonly tokens = {
    read: () => this.#tokens(),
    write: async (rows: readonly CopiedRow[]) => {
      const tokens = rows.map(withoutNothing);
      await replaceFile(this.#inData(TOKENS_NAME), `${JSON.stringify({ tokens }, undefined, 2)}\n`);
    },
  };

  readonly settings = {
    read: () => this.#settings(),
    write: async (rows: readonly CopiedRow[]) => {
      const folder = this.#inData(SETTINGS_NAME);
      await makePrivateFolder(folder);
      for (const { user, text } of rows) await replaceFile(join(folder, `${user}.json`), Buffer.from(`${text}`, 'hex'));
    },
  };

  readonly drafts = {
    read: () => this.#drafts(),
    write: async (rows: readonly CopiedRow[]) => {
      const store = new FileDraftStore(this.#inData(DRAFTS_NAME));
      for (const { draft } of rows) await store.add(JSON.parse(`${draft}`));
    },
  };

  readonly macros = {
    read: () => this.#macros(),
    write: async (rows: readonly CopiedRow[]) => {
      const { macros: top } = this.#configuration;
      if (top === undefined) throw new Error('there are macros, but the configuration has no folder for them');
      for (const { level, name, number, current, modified, bytes } of rows) {
        const folder = level === 'global' ? join(top, 'global') : join(top, `${level}`, `${name}`);
        await makePrivateFolder(folder);
        const file = join(folder, `macros.${number}.json`);
        await replaceFile(file, Buffer.from(`${bytes}`, 'hex'));
        await utimes(file, new Date(), new Date(Number(modified)));
        // a hard link to the current file tells the store which number is current
        if (current === true) await link(file, join(folder, MACRO_FILE_NAME));
      }
    },
  };

  readonly idempotency = {
    read: () => this.#idempotency(),
    write: async (rows: readonly CopiedRow[]) => {
      const lines = rows.map(({ id, caller, content, at, answer }) => {
        const kept = answer === null ? {} : { answer: JSON.parse(`${answer}`) as unknown };
        return `${JSON.stringify({ begun: { id, caller, content, at }, ...kept })}\n`;
      });
      await replaceFile(this.#inData(IDEMPOTENCY_NAME), lines.join(''));
    },
  };

  readonly audit = {
    read: () => this.#audit(),
  };

  async *#groups(): AsyncGenerator<CopiedRow> {
    const { document } = await readUsersFile(this.#configuration.security.database);
    for (const name of sortedByName(document.groups)) yield { name };
  }

  async *#users(): AsyncGenerator<CopiedRow> {
    const { document } = await readUsersFile(this.#configuration.security.database);
    for (const name of sortedByName(Object.keys(document.users))) {
      const { role, groups, password, passwordSet, expires, locked } = document.users[name] as UserEntry;
      yield withNothing({ name, role, groups, password, passwordSet, expires, locked });
    }
  }

  async *#tokens(): AsyncGenerator<CopiedRow> {
    for (const { name, hash, scopes, created, expires, lastUsed } of await new FileTokenStore(
      this.#inData(TOKENS_NAME),
    ).list())
      yield withNothing({ name, hash, scopes, created, expires, lastUsed });
  }

  async *#settings(): AsyncGenerator<CopiedRow> {
    const folder = this.#inData(SETTINGS_NAME);
    for (const name of (await namesIn(folder)).sort(byKey)) {
      const [, user] = SETTINGS_FILE.exec(name) ?? [];
      if (user !== undefined) yield { user, text: (await readFile(join(folder, name))).toString('hex') };
    }
  }

  async *#drafts(): AsyncGenerator<CopiedRow> {
    const drafts = await new FileDraftStore(this.#inData(DRAFTS_NAME)).list();
    for (const draft of [...drafts].sort((one, other) => byKey(one.id, other.id)))
      yield { draft: JSON.stringify(draft) };
  }

  async *#macros(): AsyncGenerator<CopiedRow> {
    const { macros: top } = this.#configuration;
    if (top === undefined) return;
    const store = new FileMacroStore({ folder: top });
    try {
      for (const level of ['global', 'group', 'user'] as const) {
        for (const name of level === 'global' ? [''] : (await namesIn(join(top, level))).sort(byKey)) {
          const directory: MacroDirectory = level === 'global' ? { level } : { level, name };
          for (const { number, current } of [...(await store.versions(directory))].reverse()) {
            const stored = await store.readVersion(directory, number);
            if (stored === undefined) throw new Error(`version ${number} of ${level} ${name} cannot be read`);
            const modified = stored.modified.getTime();
            yield { level, name, number, current, modified, bytes: stored.bytes.toString('hex') };
          }
        }
      }
    } finally {
      await store.close();
    }
  }

  async *#idempotency(): AsyncGenerator<CopiedRow> {
    for (const { id, caller, content, at, answer } of await requestsIn(this.#inData(IDEMPOTENCY_NAME)))
      yield { id, caller, content, at, answer: answer === undefined ? null : JSON.stringify(answer) };
  }

  /** Streams the entries, because a trail may be larger than memory. */
  async #writeAudit(rows: AsyncIterable<CopiedRow>): Promise<void> {
    const file = this.#inData(AUDIT_TRAIL_NAME);
    await makePrivateFolder(this.#configuration.data);
    let last: string | undefined;
    async function* lines(): AsyncGenerator<string> {
      let piece = '';
      for await (const { line } of rows) {
        last = `${line}`;
        piece += `${last}\n`;
        if (piece.length < WRITTEN_TOGETHER) continue;
        yield piece;
        piece = '';
      }
      yield piece;
    }
    await replaceFile(file, lines());
    if (last === undefined) return rm(file);
    const { sequence } = JSON.parse(last) as { readonly sequence: number };
    await writeHead(file, { sequence, hash: hashOf(last) });
  }

  async *#audit(): AsyncGenerator<CopiedRow> {
    const file = this.#inData(AUDIT_TRAIL_NAME);
    const files = (await archivesOf(file)).map(({ path }) => path);
    if ((await namesIn(dirname(file))).includes(AUDIT_TRAIL_NAME)) files.push(file);
    for (const path of files) {
      const handle = await open(path);
      try {
        for await (const line of linesFromStart(handle)) {
          // an incomplete last line was never confirmed to a caller
          if (line.kind === 'fault') break;
          yield { line: line.value.toString() };
        }
      } finally {
        await handle.close();
      }
    }
  }

  /** The file may be in another folder, which is created. */
  async #changeUsers(change: Partial<UsersDocument>): Promise<void> {
    const file = this.#configuration.security.database;
    await makePrivateFolder(dirname(file));
    const { document } = await readUsersFile(file);
    await writeUsersFile(file, { ...document, ...change });
  }

  #inData(name: string): string {
    return join(this.#configuration.data, name);
  }
}

function sortedByName(names: readonly string[]): readonly string[] {
  return [...names].sort((one, other) => byKey(foldedName(one), foldedName(other)));
}

/** Missing members are null, as in a database. */
function withNothing(row: Readonly<Record<string, CopiedRow[string] | undefined>>): CopiedRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? null]));
}

function withoutNothing(row: CopiedRow): CopiedRow {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

/** @throws Error if the user file does not allow that many */
function checkBound(what: keyof UserBounds, count: number): void {
  const most = fileUserBounds[what];
  if (count > most) throw new Error(`there are ${count} ${what}, but the file of users can hold at most ${most}`);
}
