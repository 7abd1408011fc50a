import { findCodePage } from '../../tn3270/codepage/code-pages.js';
import { SimulatedHost } from './simulated-host.js';

/** The public face of the simulated host, `sallyport/simulated-host`. What is exported here changes only with a new major version. */

export interface StartOptions {
  /** Name and password of those who may sign on. Default: DEMO with the password `demo`. */
  readonly users?: Readonly<Record<string, string>>;
  /** The first panel: the sign-on (`SIGNON`), or the choice of an application (`LOGON`). Default: `SIGNON`. */
  readonly start?: 'SIGNON' | 'LOGON';
  /** Default: `IBM1047`. */
  readonly codePage?: string;
  /** Default: any free port. */
  readonly port?: number;
  /** Default: `127.0.0.1`. */
  readonly address?: string;
  /** False: plain TN3270. */
  readonly tn3270e?: boolean;
  /** PEM: TLS from the first byte. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer };
}

export interface StartedHost {
  readonly port: number;
  /** `host:port`. */
  readonly address: string;
  /** Ends all sessions and closes the port. */
  stop(): Promise<void>;
}

/**
 * Starts a simulated TN3270E host in this process, for tests without a mainframe.
 * @throws RangeError for an unknown code page; Node's error if the port is taken
 */
export async function startHost(options: StartOptions = {}): Promise<StartedHost> {
  const { users = { DEMO: 'demo' }, start = 'SIGNON', codePage: name = 'IBM1047', tn3270e = true, tls } = options;
  const codePage = findCodePage(name);
  if (codePage === undefined) throw new RangeError(`no code page: ${name}`);
  const host = new SimulatedHost({ codePage, users, start, tn3270e });
  const { address: listenAt = '127.0.0.1', port: wanted = 0 } = options;
  const { port, address, family } = await host.listen({ host: listenAt, port: wanted, ...(tls && { tls }) });
  return {
    port,
    address: family === 'IPv6' ? `[${address}]:${port}` : `${address}:${port}`,
    stop: () => host.close(),
  };
}
