import { findCodePage } from '../../tn3270/codepage/code-pages.js';
import { SimulatedHost } from './simulated-host.js';

/** Public API of the simulated host, `sallyport/simulated-host`. Exports change only with a new major version. */

export interface StartOptions {
  /** Passwords by user name. Default: user DEMO with the password `demo`. */
  readonly users?: Readonly<Record<string, string>>;
  /** First panel: sign-on (`SIGNON`), or choice of an application (`LOGON`). Default: `SIGNON`. */
  readonly start?: 'SIGNON' | 'LOGON';
  /** Default: `IBM1047`. */
  readonly codePage?: string;
  /** Default: any free port. */
  readonly port?: number;
  /** Default: `127.0.0.1`. */
  readonly address?: string;
  /** False for plain TN3270. Default: true. */
  readonly tn3270e?: boolean;
  /** PEM. TLS starts with the first byte. */
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
 * @throws RangeError if the code page is unknown; the error of Node if the port is in use
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
