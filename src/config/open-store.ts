import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseDefinition } from '../cluster/postgresql/database-definition.js';
import type { SharedStores } from '../cluster/postgresql/shared-stores.js';
import { makePrivateFolder } from '../lib/files/private-path.js';
import { replaceFile, syncFolder } from '../lib/files/replace-file.js';
import type { Log } from '../lib/log/log.js';
import { type ReadOutcome, readAs, readFault, soundValue } from '../lib/read-outcome.js';
import type { Configuration } from './configuration.js';
import type { StoreDocument } from './configuration-document.js';
import { readPemFile } from './read-pem-file.js';
import { readAtMost } from './read-source.js';

/** This file is in the data folder until a copy from a database is complete and verified. */
const NAME = 'copy-unfinished';
const TEXT = 'An unfinished sallyport store copy has written to this folder. Run it again.\n';

interface Places {
  readonly data: string;
  readonly store?: Configuration['store'] | undefined;
}

interface UnfinishedCopy {
  readonly fault: string;
  readonly advice: string;
}

/** @throws Error with a readable message if the data folder contains an unfinished copy */
export async function refuseUnfinishedCopy(configuration: Places): Promise<void> {
  const found = await unfinishedCopy(configuration);
  if (found !== undefined) throw new Error(`${found.fault}; ${found.advice}`);
}

/** Undefined also if a store is configured: a copy into a database is complete or does not exist. */
export async function unfinishedCopy({ data, store }: Places): Promise<UnfinishedCopy | undefined> {
  if (store !== undefined || !(await isCopyUnfinished(data))) return undefined;
  return {
    fault: `${data} is incomplete: sallyport store copy has not finished`,
    advice:
      'run sallyport store copy --from postgresql --to files again: it removes the incomplete files and starts over',
  };
}

export async function isCopyUnfinished(data: string): Promise<boolean> {
  try {
    await stat(join(data, NAME));
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(`${(error as NodeJS.ErrnoException).code}`)) return false;
    throw error;
  }
}

export async function noteCopyBegun(data: string): Promise<void> {
  await makePrivateFolder(data);
  await replaceFile(join(data, NAME), TEXT);
}

export async function noteCopyFinished(data: string): Promise<void> {
  await rm(join(data, NAME));
  await syncFolder(data);
}

interface StoreAddress extends Pick<DatabaseDefinition, 'hosts' | 'database' | 'user'> {
  readonly usesTls: boolean;
}

const MOST_HOSTS = 8;
const DEFAULT_PORT = 5432;
const FORM = 'expected postgres://USER@HOST[:PORT][,HOST[:PORT]…]/DATABASE, for a Unix socket followed by ?host=FOLDER';

/** Faults never quote the text, because it may contain a password. */
export function readStoreAddress(text: string): ReadOutcome<StoreAddress> {
  const urls = urlsOf(text);
  const [url] = urls ?? [];
  if (urls === undefined || url === undefined) return readFault(FORM);
  if (urls.length > MOST_HOSTS) return readFault(`expected at most ${MOST_HOSTS} hosts`);
  if (!/^postgres(?:ql)?:$/.test(url.protocol)) return readFault(FORM);
  if (url.password !== '') return readFault('expected no password: it belongs in store.password');
  const { sslmode = '', host: folder, ...others } = Object.fromEntries(url.searchParams);
  if (Object.keys(others).length > 0) return readFault('expected no parameters but sslmode and host');
  if (!['', 'disable', 'verify-full'].includes(sslmode)) return readFault('expected sslmode verify-full or disable');
  if (folder !== undefined && !folder.startsWith('/')) return readFault('expected the folder of a socket as host');
  const database = decoded(url.pathname.slice(1));
  const user = decoded(url.username);
  if (!database || !user || url.hash !== '' || urls.some((one) => one.hostname === '')) return readFault(FORM);
  if (folder !== undefined && sslmode === 'verify-full') return readFault('expected no TLS on a Unix socket');
  if (folder !== undefined && urls.length > 1) return readFault('expected one host with the folder of a Unix socket');
  const hosts = urls.map(({ hostname, port }) => ({
    host: folder ?? hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? DEFAULT_PORT : Number(port),
  }));
  if (new Set(hosts.map(({ host, port }) => `${host.toLowerCase()} ${port}`)).size < hosts.length) {
    return readFault('expected each host and port only once');
  }
  return readAs({ hosts, database, user, usesTls: folder === undefined && sslmode !== 'disable' });
}

/** One URL per host: a URL with several hosts could have a port only after the last one. */
function urlsOf(text: string): readonly URL[] | undefined {
  const [, scheme = '', authority = '', rest = ''] = /^([^:/?#]+:\/\/)([^/?#]*)(.*)$/s.exec(text) ?? [];
  const at = authority.lastIndexOf('@') + 1;
  const texts = authority
    .slice(at)
    .split(',')
    .map((host) => `${scheme}${authority.slice(0, at)}${host}${rest}`);
  return texts.every((one) => URL.canParse(one)) ? texts.map((one) => new URL(one)) : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Only the first row of the file is read as the password. */
const LARGEST_PASSWORD_FILE = 4 * 1024;

/**
 * @returns undefined if no database is configured
 * @throws Error with a readable message if the database cannot be used, or if the files are an unfinished copy
 */
export async function openStore(configuration: Configuration, log: Log): Promise<SharedStores | undefined> {
  const { store } = configuration;
  if (store === undefined) {
    await refuseUnfinishedCopy(configuration);
    return undefined;
  }
  const definition = await databaseOf(store);
  // loaded only if needed
  const { SharedStores: Stores } = await import('../cluster/postgresql/shared-stores.js');
  return Stores.open(definition, log);
}

/** @throws Error if a password or certificate file cannot be read */
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

/** A password file is read for each connection, because it can change while the server runs. */
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
