import { type ReadOutcome, readAs, readFault } from '../read-outcome.js';

/** Where the database of `store.postgresql` is. */
interface StoreAddress {
  /** A path is the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly usesTls: boolean;
}

const DEFAULT_PORT = 5432;
const FORM = 'expected postgres://USER@HOST[:PORT]/DATABASE, for a Unix socket with ?host=FOLDER behind it';

/** Nothing of the text is in a fault: somebody may have written a password into it. */
export function readStoreAddress(text: string): ReadOutcome<StoreAddress> {
  if (!URL.canParse(text)) return readFault(FORM);
  const url = new URL(text);
  if (!/^postgres(?:ql)?:$/.test(url.protocol)) return readFault(FORM);
  if (url.password !== '') return readFault('expected no password: it belongs into store.password');
  const { sslmode = '', host: folder, ...others } = Object.fromEntries(url.searchParams);
  if (Object.keys(others).length > 0) return readFault('expected no parameters but sslmode and host');
  if (!['', 'disable', 'verify-full'].includes(sslmode)) return readFault('expected sslmode verify-full or disable');
  if (folder !== undefined && !folder.startsWith('/')) return readFault('expected the folder of a socket as host');
  const database = decoded(url.pathname.slice(1));
  const user = decoded(url.username);
  if (!database || !user || url.hostname === '' || url.hash !== '') return readFault(FORM);
  if (folder !== undefined && sslmode === 'verify-full') return readFault('expected no TLS on a Unix socket');
  return readAs({
    host: folder ?? url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    database,
    user,
    usesTls: folder === undefined && sslmode !== 'disable',
  });
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
