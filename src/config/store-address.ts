import { type ReadOutcome, readAs, readFault } from '../lib/read-outcome.js';

interface StoreHost {
  /** A path is the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

/** Where the database of `store.postgresql` is. */
interface StoreAddress {
  /** In the order in which they are tried. */
  readonly hosts: readonly StoreHost[];
  readonly database: string;
  readonly user: string;
  readonly usesTls: boolean;
}

const MOST_HOSTS = 8;
const DEFAULT_PORT = 5432;
const FORM =
  'expected postgres://USER@HOST[:PORT][,HOST[:PORT]…]/DATABASE, for a Unix socket with ?host=FOLDER behind it';

/** Nothing of the text is in a fault: somebody may have written a password into it. */
export function readStoreAddress(text: string): ReadOutcome<StoreAddress> {
  const urls = urlsOf(text);
  const [url] = urls ?? [];
  if (urls === undefined || url === undefined) return readFault(FORM);
  if (urls.length > MOST_HOSTS) return readFault(`expected at most ${MOST_HOSTS} hosts`);
  if (!/^postgres(?:ql)?:$/.test(url.protocol)) return readFault(FORM);
  if (url.password !== '') return readFault('expected no password: it belongs into store.password');
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

/** A URL for each host: only the last one of several could have a port in a URL. */
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
