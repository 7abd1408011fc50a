import { readdir, readFile, readlink } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { printableText } from '../output.js';

const LISTENING = '0A';
const EVERY_ADDRESS = /^0+$/;

/**
 * Process that listens on a port: `process 4711 (node)`. Linux only, and as far as this user may see. Does not show
 * arguments, because they may contain a password.
 * @returns undefined if it is unknown
 */
export async function portHolder(host: string | undefined, port: number): Promise<string | undefined> {
  const sockets = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const rows = await readFile(table, 'latin1').catch(() => '');
    for (const row of rows.split('\n').slice(1)) addListener(row, host, port, sockets);
  }
  if (sockets.size === 0) return undefined;
  for (const process of await readdir('/proc')) {
    if (/^\d+$/.test(process) && (await hasOneOf(process, sockets))) return words(process);
  }
  return undefined;
}

/** proc(5): sl, local_address, rem_address, st, tx_queue:rx_queue, tr:tm->when, retrnsmt, uid, timeout, inode. */
function addListener(row: string, host: string | undefined, port: number, sockets: Set<string>): void {
  const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/);
  const [address = '', localPort = ''] = local.split(':');
  if (state === LISTENING && Number.parseInt(localPort, 16) === port && isInTheWay(address, host)) {
    sockets.add(`socket:[${inode}]`);
  }
}

/** Only two different IPv4 addresses are certain not to conflict. */
function isInTheWay(address: string, host: string | undefined): boolean {
  if (host === undefined || !isIPv4(host) || host === '0.0.0.0' || address.length > 8) return true;
  if (EVERY_ADDRESS.test(address)) return true;
  // the address bytes are in machine order, which is reversed
  const written = host.split('.').reverse();
  return address === written.map((byte) => Number(byte).toString(16).padStart(2, '0').toUpperCase()).join('');
}

async function hasOneOf(process: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${process}/fd`;
  const handles = await readdir(folder).catch(() => []);
  for (const handle of handles) {
    const target = await readlink(`${folder}/${handle}`).catch(() => '');
    if (sockets.has(target)) return true;
  }
  return false;
}

async function words(process: string): Promise<string> {
  const name = await readFile(`/proc/${process}/comm`, 'utf8').catch(() => '');
  return `process ${process}${name === '' ? '' : ` (${printableText(name.trimEnd())})`}`;
}
