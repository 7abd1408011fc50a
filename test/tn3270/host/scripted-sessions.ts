import type { HostSessionEnd } from '../../../machines/host-session.machine.js';
import { soundValue } from '../../../src/lib/read-outcome.js';
import { findTerminalCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { type HostTlsOptions, openHostConnection } from '../../../src/tn3270/host/host-connection.js';
import { HostSession } from '../../../src/tn3270/host/host-session.js';
import { allFunctions, type HostSessionOptions } from '../../../src/tn3270/host/host-session-options.js';
import { findTerminalModel } from '../../../src/tn3270/screen/screen-size.js';
import { eventually } from '../../support/eventually.js';
import { ScriptedHost } from '../../support/scripted-host.js';

interface Watched {
  readonly session: HostSession;
  readonly faults: string[];
  end: HostSessionEnd | undefined;
}

interface Options extends Partial<HostSessionOptions> {
  readonly port: number;
  readonly host?: string;
  readonly tls?: HostTlsOptions;
  readonly connectMilliseconds?: number;
  /** Told why the host sends nothing. */
  readonly silent?: (reason: string | undefined) => void;
}

/** Sessions with hosts that say what a test has them say. */
export class ScriptedSessions {
  readonly #hosts: ScriptedHost[] = [];
  readonly #sessions: HostSession[] = [];

  async close(): Promise<void> {
    for (const session of this.#sessions.splice(0)) session.stop();
    for (const host of this.#hosts.splice(0)) await host.close();
  }

  readonly scripted = async () => {
    const host = new ScriptedHost();
    this.#hosts.push(host);
    return { host, port: await host.listen() };
  };

  readonly connect = ({
    port,
    host = '127.0.0.1',
    tls,
    connectMilliseconds = 5_000,
    silent,
    ...further
  }: Options): Watched => {
    const model = soundValue(findTerminalModel('3279-2-E'));
    const codePage = findTerminalCodePage('cp037');
    if (codePage === undefined) throw new Error('no code page');
    const address = { host, port };
    const watched: { session?: HostSession; faults: string[]; end: HostSessionEnd | undefined } = {
      faults: [],
      end: undefined,
    };
    const session = new HostSession(
      {
        model,
        codePage,
        entryRules: { numericLock: false, blankFill: false },
        deviceNames: [],
        tn3270e: true,
        functions: allFunctions,
        environment: new Map(),
        connect: (handler, signal) =>
          openHostConnection({ address, connectMilliseconds, signal, ...(tls === undefined ? {} : { tls }) }, handler),
        startTls: undefined,
        negotiationMilliseconds: 5_000,
        keepAlive: undefined,
        trace: undefined,
        ...further,
      },
      {
        changed: () => undefined,
        fault: (fault) => watched.faults.push(fault.reason),
        ended: (end) => {
          watched.end = end;
        },
        ...(silent && { silent }),
      },
    );
    watched.session = session;
    this.#sessions.push(session);
    session.connect();
    return watched as Watched;
  };
}

export const text = (session: HostSession, length: number) => session.screen.image.text.cells.slice(0, length).join('');

export const shows = (session: HostSession, expected: string) =>
  eventually(() => (text(session, expected.length) === expected ? true : undefined));
