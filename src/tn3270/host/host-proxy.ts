import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { HostConnectionError } from './host-connection-error.js';

/** Proxy types of s3270, with the default port and support for a user name. */
export const proxyTypes = {
  passthru: { port: 3514, takesUser: false },
  http: { port: 3128, takesUser: true },
  telnet: { port: undefined, takesUser: false },
  socks4: { port: 1080, takesUser: true },
  socks4a: { port: 1080, takesUser: true },
  socks5: { port: 1080, takesUser: true },
  socks5d: { port: 1080, takesUser: true },
} as const;

type ProxyType = keyof typeof proxyTypes;

interface Place {
  readonly host: string;
  readonly port: number;
}

export interface HostProxy extends Place {
  readonly type: ProxyType;
  /** `name`, or `name:password`. */
  readonly user: string | undefined;
}

const CUT = 'unexpected EOF';
const MOST_ANSWER_BYTES = 8_192;
/** Limit for hosts, users and passwords in SOCKS5 (RFC 1928, RFC 1929). */
const MOST_NAME_BYTES = 255;
const INVALID = 'Invalid proxy syntax';
const written = /^(?:([^@]*)@)?(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/;

/** Reads `TYPE:[USER[:PASSWORD]@]HOST[:PORT]`. Faults have the wording of s3270. */
export function readProxy(text: string): ReadOutcome<HostProxy> {
  const [name = '', ...rest] = text.split(':');
  if (rest.length === 0) return readFault(INVALID);
  const type = (Object.keys(proxyTypes) as ProxyType[]).find((known) => known === name.toLowerCase());
  if (type === undefined) return readFault(`Invalid proxy type '${name.slice(0, 64)}'`);
  const known = proxyTypes[type];
  const [, user, host, portText] = written.exec(rest.join(':')) ?? [];
  const port = portText === undefined ? known.port : Number(portText);
  if (host === undefined || user === '') return readFault(INVALID);
  if (user !== undefined && !known.takesUser) return readFault('Proxy type does not support username');
  if (port === undefined) return readFault('Must specify port for telnet proxy');
  if (port < 1 || port > 65_535) return readFault(INVALID);
  return readAs({ type, user, host: host.replace(/^\[(.*)\]$/, '$1'), port });
}

interface ProxyDialogue {
  readonly proxy: HostProxy;
  readonly target: Place;
  readonly send: (bytes: Uint8Array | string) => void;
  readonly read: (count: number) => Promise<Buffer>;
}

export async function passProxy(
  stream: Duplex,
  proxy: HostProxy,
  target: Place,
  readable: () => Promise<void>,
): Promise<void> {
  const read = async (count: number) => {
    for (;;) {
      const bytes = stream.read(count) as Buffer | null;
      if (bytes !== null && bytes.length === count) return bytes;
      // read() returns fewer bytes only at the end of the stream
      if (bytes !== null) throw proxyRefused(proxy, CUT);
      await readable();
    }
  };
  try {
    await dialogues[proxy.type]({ proxy, target, send: (bytes) => stream.write(bytes), read });
  } catch (error) {
    if (stream.readableEnded) throw proxyRefused(proxy, CUT);
    const isLate = error instanceof HostConnectionError && error.kind === 'timeLimit';
    throw isLate ? new HostConnectionError('proxy', `${proxy.type} proxy timed out`, error) : error;
  }
}

const dialogues: Readonly<Record<ProxyType, (dialogue: ProxyDialogue) => Promise<void> | void>> = {
  passthru: ({ target, send }) => send(`${target.host} ${target.port}\r\n`),
  telnet: ({ target, send }) => send(`connect ${target.host} ${target.port}\r\n`),
  http: speakHttp,
  socks4: (dialogue) => speakSocks4(dialogue, false),
  socks4a: (dialogue) => speakSocks4(dialogue, true),
  socks5: (dialogue) => speakSocks5(dialogue, false),
  socks5d: (dialogue) => speakSocks5(dialogue, true),
};

/** RFC 9110, section 9.3.6. */
async function speakHttp({ proxy, target, send, read }: ProxyDialogue): Promise<void> {
  const where = isIP(target.host) === 6 ? `[${target.host}]:${target.port}` : `${target.host}:${target.port}`;
  const credentials =
    proxy.user === undefined ? '' : `Proxy-Authorization: Basic ${Buffer.from(proxy.user).toString('base64')}\r\n`;
  send(`CONNECT ${where} HTTP/1.1\r\nHost: ${where}\r\n${credentials}\r\n`);
  let head = '';
  while (!/\r?\n\r?\n$/.test(head)) {
    if (head.length >= MOST_ANSWER_BYTES) throw proxyRefused(proxy, 'its answer is too long');
    head += (await read(1)).toString('latin1');
  }
  const [first = ''] = head.split(/\r?\n/);
  if (!/^HTTP\//.test(first)) throw proxyRefused(proxy, 'unrecognized reply');
  if (!/^HTTP\/\d\.\d 2\d\d/.test(first))
    throw proxyRefused(proxy, `CONNECT failed:\n${head.trim().split(/\r?\n/).map(printable).join('\n')}`);
}

/**
 * `04 01 port address user 00`. SOCKS4A, and SOCKS4 for unresolved names, send an invalid address and append the name.
 */
async function speakSocks4({ proxy, target, send, read }: ProxyDialogue, isByName: boolean): Promise<void> {
  const found = isByName ? undefined : await addressOf(target.host, 4);
  const address = found === undefined ? [0, 0, 0, 1] : bytesOfIpv4(found);
  const user = Buffer.from(proxy.user ?? 'nobody');
  const name = found === undefined ? [...Buffer.from(target.host), 0] : [];
  send(Uint8Array.from([4, 1, target.port >> 8, target.port & 0xff, ...address, ...user, 0, ...name]));
  const answer = await read(8);
  if (answer[1] !== SOCKS4_GRANTED) {
    throw proxyRefused(proxy, SOCKS4_REFUSALS[answer[1] ?? 0] ?? `unknown status ${hexadecimal(answer[1])}`);
  }
}

const SOCKS4_GRANTED = 0x5a;
const SOCKS4_REFUSALS: Readonly<Record<number, string>> = {
  91: 'request rejected or failed',
  92: 'client is not reachable',
  93: 'userid error',
};

const SOCKS5_REFUSALS: Readonly<Record<number, string>> = {
  1: 'server failure',
  2: 'connection not allowed',
  3: 'network unreachable',
  4: 'host unreachable',
  5: 'connection refused',
  6: 'ttl expired',
  7: 'command not supported',
  8: 'address type not supported',
};

/** RFC 1928; RFC 1929 for user and password. */
async function speakSocks5({ proxy, target, send, read }: ProxyDialogue, isByName: boolean): Promise<void> {
  const [user = '', ...passwords] = (proxy.user ?? '').split(':');
  send(Uint8Array.from(proxy.user === undefined ? [5, 1, 0] : [5, 2, 0, 2]));
  const [version, method] = await read(2);
  if (version !== 5) throw proxyRefused(proxy, 'bad authentication response');
  if (method === 2 && proxy.user !== undefined) {
    send(Uint8Array.from([1, ...withLength(user), ...withLength(passwords.join(':'))]));
    const [, result] = await read(2);
    if (result !== 0) throw proxyRefused(proxy, `bad username/password response ${result}`);
  } else if (method !== 0) {
    throw proxyRefused(proxy, method === 0xff ? 'authentication failure' : 'bad authentication response');
  }
  send(
    Uint8Array.from([5, 1, 0, ...(await socks5Address(target.host, isByName)), target.port >> 8, target.port & 0xff]),
  );
  const [replyVersion, code = 0, , type] = await read(4);
  if (replyVersion !== 5) throw proxyRefused(proxy, `incorrect reply version ${hexadecimal(replyVersion)}`);
  if (code !== 0) throw proxyRefused(proxy, SOCKS5_REFUSALS[code] ?? `unknown server error ${hexadecimal(code)}`);
  const length = type === 1 ? 4 : type === 4 ? 16 : type === 3 ? ((await read(1))[0] ?? 0) : undefined;
  if (length === undefined) throw proxyRefused(proxy, `unknown server address type ${hexadecimal(type)}`);
  await read(length + 2);
}

function withLength(text: string): readonly number[] {
  const bytes = Buffer.from(text);
  if (bytes.length > MOST_NAME_BYTES)
    throw new HostConnectionError('proxy', `SOCKS5 Proxy: names and passwords have at most ${MOST_NAME_BYTES} bytes`);
  return [bytes.length, ...bytes];
}

/** Sends the name also if it cannot be resolved. */
async function socks5Address(host: string, isByName: boolean): Promise<readonly number[]> {
  const address = isByName ? undefined : await addressOf(host, 0);
  if (address === undefined) return [3, ...withLength(host)];
  return isIP(address) === 6 ? [4, ...bytesOfIpv6(address)] : [1, ...bytesOfIpv4(address)];
}

async function addressOf(host: string, family: 0 | 4): Promise<string | undefined> {
  if (isIP(host) !== 0) return family === 4 && isIP(host) === 6 ? undefined : host;
  return lookup(host, { family }).then(
    ({ address }) => address,
    () => undefined,
  );
}

function bytesOfIpv4(address: string): readonly number[] {
  return address.split('.').map(Number);
}

function bytesOfIpv6(address: string): readonly number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groupsOf = (part: string | undefined) => (part === undefined || part === '' ? [] : part.split(':'));
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const between = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...new Array<string>(between).fill('0'), ...after];
  return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]);
}

/** The wording is that of s3270, on which scripts depend. */
function proxyRefused({ type }: HostProxy, why: string): HostConnectionError {
  return new HostConnectionError('proxy', `${type.replace(/[ad]$/, '').toUpperCase()} Proxy: ${why}`);
}

function hexadecimal(byte = 0): string {
  return `0x${byte.toString(16).padStart(2, '0')}`;
}

function printable(text: string): string {
  return text.slice(0, 200).replace(/[^\x20-\x7e]/g, '?');
}
