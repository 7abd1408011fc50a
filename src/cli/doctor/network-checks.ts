import { createServer } from 'node:net';
import type { Configuration } from '../../config/configuration.js';
import { readListenAddress, readServiceAddress } from '../../config/network-address.js';
import { openUserStore } from '../../config/open-users.js';
import { readPemFile } from '../../config/read-pem-file.js';
import { soundValue } from '../../lib/read-outcome.js';
import { DetailedError } from '../../lib/reasons.js';
import { messageOf } from '../../lib/text/messages.js';
import { hostTlsOf } from '../../server/parts/session-hosts.js';
import {
  type HostAddress,
  type HostConnection,
  type HostTlsOptions,
  openHostConnection,
} from '../../tn3270/host/host-connection.js';
import { DOUBT_MILLISECONDS, openCheckedConnection, silenceDiagnosis } from '../../tn3270/host/protocol-probe.js';
import { probeStartTls } from '../../tn3270/host/start-tls.js';
import { portHolder } from '../serve/port-holder.js';
import { type Finding, findingsOf } from './finding.js';

const MOST_SECONDS = 10;
/** The user need not exist; only the answer of the server matters. */
const NOBODY = 'sallyport-doctor';

interface Port {
  readonly about: string;
  readonly host: string | undefined;
  readonly port: number;
}

export function portsOf({ inboundLines, management, internalLine, hosts, demo }: Configuration): readonly Port[] {
  const found: Port[] = inboundLines.map(({ name, host, port }) => ({ about: `line ${name}`, host, port }));
  if (management !== undefined) found.push({ about: 'management', ...management });
  if (internalLine !== undefined) found.push({ about: 'cluster', host: internalLine.host, port: internalLine.port });
  for (const [name, host] of hosts) {
    if (host.simulated && host.listen !== undefined) {
      found.push({ about: `host ${name}`, ...soundValue(readListenAddress(host.listen)) });
    }
  }
  if (demo.currencyService !== undefined) found.push({ about: 'demo service', ...demo.currencyService });
  return found.filter(({ port }) => port !== 0);
}

export async function checkPort({ about, host, port }: Port, pid: number | undefined): Promise<Finding> {
  const { ok, fault } = findingsOf('port', about);
  const code = await listeningCode(host, port);
  if (code === undefined) {
    if (pid === undefined) return ok(`${port} is free`);
    return fault(`${port} is free, although process ${pid} is running`, 'check its log, and its lines in the portal');
  }
  if (code === 'EADDRINUSE') {
    const holder = await portHolder(host, port);
    if (pid !== undefined && holder?.startsWith(`process ${pid} `))
      return ok(`${port} is taken by the server, process ${pid}`);
    return fault(`${port} is taken by ${holder ?? 'another program'}`, 'end that program, or choose another port');
  }
  if (code === 'EACCES') {
    return fault(
      `${port} is not permitted to this user`,
      'choose port 1024 or higher, or set AmbientCapabilities=CAP_NET_BIND_SERVICE in systemd',
    );
  }
  if (code === 'EADDRNOTAVAIL') return fault(`this machine has no address ${host}`, 'use an address of this machine');
  return fault(`${port} cannot be used: ${code}`, 'choose another port');
}

function listeningCode(host: string | undefined, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port }, () => server.close(() => resolve(undefined)));
  });
}

export async function checkReachable(configuration: Configuration): Promise<readonly Finding[]> {
  const { hosts, outboundLines } = configuration;
  const checks: Promise<Finding>[] = [];
  for (const [name, host] of hosts) {
    if (host.simulated) continue;
    const seconds = Math.min(host.connectSeconds, MOST_SECONDS);
    const kind = host.startTls === 'required' ? 'startTls' : 'firstByte';
    checks.push(checkTarget('host', name, host.address, seconds, () => hostTlsOf(host), kind));
  }
  for (const { name, site, tls, limits } of outboundLines) {
    const finding = findingsOf('service', name);
    if (site === undefined)
      checks.push(Promise.resolve(finding.ok('scenarios choose the service, so there is none to check')));
    else {
      const tlsOf = () =>
        tls && {
          ...(tls.ca === undefined ? {} : { ca: readPemFile(tls.ca) }),
          ...(tls.ciphers === undefined ? {} : { ciphers: tls.ciphers }),
        };
      checks.push(checkTarget('service', name, site, Math.min(limits.connectSeconds, MOST_SECONDS), tlsOf));
    }
  }
  return Promise.all(checks);
}

async function checkTarget(
  check: string,
  about: string,
  address: string,
  seconds: number,
  tlsOf: () => HostTlsOptions | undefined,
  begins: 'firstByte' | 'startTls' = 'firstByte',
): Promise<Finding> {
  const { ok, fault } = findingsOf(check, about);
  try {
    const { host, port } = soundValue(readServiceAddress(address));
    const tls = tlsOf();
    const isHost = check === 'host';
    const words = await (begins === 'startTls' ? securedByStartTls : secured)({ host, port }, tls, seconds, isHost);
    return ok(`${address} answers${words}`);
  } catch (error) {
    return fault(
      messageOf(error),
      'check that it is running, that no firewall blocks it, and that address and certificates are correct',
    );
  }
}

async function secured(
  address: HostAddress,
  tls: HostTlsOptions | undefined,
  seconds: number,
  isHost: boolean,
): Promise<string> {
  let heard = () => {};
  const hasSpoken = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const take = () => {
    heard();
    return true;
  };
  const handler = { take, goOn: () => true, ended: () => heard(), failed: () => heard() };
  const connection = await (isHost ? openCheckedConnection : openHostConnection)(
    {
      address,
      ...(tls === undefined ? {} : { tls }),
      connectMilliseconds: seconds * 1_000,
      signal: new AbortController().signal,
    },
    handler,
  );
  const words = connection.secured;
  try {
    if (isHost && words === undefined) await checkSilence(address, connection, hasSpoken);
  } finally {
    connection.destroy();
  }
  return words === undefined ? '' : ` with ${words}`;
}

/** @throws Error if the host is silent on a plain connection because its port expects TLS */
async function checkSilence(address: HostAddress, connection: HostConnection, hasSpoken: Promise<void>): Promise<void> {
  connection.start();
  let timer: NodeJS.Timeout | undefined;
  const isSilent = await Promise.race([
    hasSpoken.then(() => false),
    new Promise<true>((resolve) => {
      timer = setTimeout(() => resolve(true), DOUBT_MILLISECONDS);
    }),
  ]);
  clearTimeout(timer);
  const reason = isSilent ? await silenceDiagnosis({ address })() : undefined;
  if (reason !== undefined) throw new DetailedError(reason);
}

async function securedByStartTls(address: HostAddress, tls: HostTlsOptions = {}, seconds: number): Promise<string> {
  const connectMilliseconds = seconds * 1_000;
  const { signal } = new AbortController();
  const words = await probeStartTls({
    connect: (handler) => openHostConnection({ address, connectMilliseconds, signal }, handler),
    startTls: (connection, stop) => connection.startTls(tls, stop, connectMilliseconds),
    milliseconds: connectMilliseconds,
  });
  return ` with ${words}, begun by STARTTLS`;
}

export async function checkDirectoryServer(configuration: Configuration): Promise<readonly Finding[]> {
  const { ldap } = configuration.security;
  if (ldap === undefined) return [];
  const { ok, fault } = findingsOf('directory server', 'security.ldap');
  const advice = 'check that it is running, and check url, ca, bindDn and bindPasswordFile of security.ldap';
  try {
    const opened = await openUserStore(configuration);
    try {
      await opened.database.findUser(NOBODY);
    } finally {
      await opened.close();
    }
    return [ok('answers, and accepts the search for a user')];
  } catch (error) {
    const { detail } = error as { readonly detail?: string };
    return [fault(detail ?? messageOf(error), advice)];
  }
}
