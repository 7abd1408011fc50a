import type { DatabaseDefinition } from '../cluster/postgresql/database-definition.js';
import type { SharedStores } from '../cluster/postgresql/shared-stores.js';
import type { Log } from '../lib/log/log.js';
import { soundValue } from '../lib/read-outcome.js';
import type { Configuration } from './configuration.js';
import type { StoreDocument } from './configuration-document.js';
import { readAtMost } from './read-at-most.js';
import { readPemFile } from './read-pem-file.js';
import { readStoreAddress } from './store-address.js';
import { refuseUnfinishedCopy } from './unfinished-copy.js';

/** Bytes of the file of a password: its first line counts. */
const LARGEST_PASSWORD_FILE = 4 * 1024;

/**
 * What is kept in the database of a configuration; undefined: it is kept in files and in memory.
 * @throws Error in words where the database cannot be used, or the files are half of a copy
 */
export async function openStore(configuration: Configuration, log: Log): Promise<SharedStores | undefined> {
  const { store } = configuration;
  if (store === undefined) {
    await refuseUnfinishedCopy(configuration);
    return undefined;
  }
  const definition = await databaseOf(store);
  // a server that keeps everything in files does not load it
  const { SharedStores: Stores } = await import('../cluster/postgresql/shared-stores.js');
  return Stores.open(definition, log);
}

/** @throws Error where a file of the password or of certificates cannot be read */
export async function databaseOf(store: StoreDocument): Promise<DatabaseDefinition> {
  const { usesTls, ...address } = soundValue(readStoreAddress(store.postgresql));
  return {
    ...address,
    password: await passwordOf(store.password),
    tls: usesTls ? { ca: store.ca === undefined ? undefined : readPemFile(store.ca).toString() } : undefined,
    limits: {
      connections: store.connections,
      connectMilliseconds: store.connectSeconds * 1_000,
      statementMilliseconds: store.statementSeconds * 1_000,
    },
  };
}

/** That of a file is read for each connection: it changes while servers run. */
async function passwordOf(password: StoreDocument['password']): Promise<DatabaseDefinition['password']> {
  if (password?.env !== undefined) return process.env[password.env];
  const { file } = password ?? {};
  if (file === undefined) return undefined;
  const read = async () => firstLine(await readAtMost(file, LARGEST_PASSWORD_FILE));
  await read();
  return read;
}

function firstLine(bytes: Buffer): string {
  return bytes.toString('utf8').split(/\r?\n/, 1)[0] ?? '';
}
