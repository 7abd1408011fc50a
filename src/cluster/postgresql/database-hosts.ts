import pg from 'pg';
import { TLS_CIPHERS } from '../../lib/network/tls-ciphers.js';
import type { DatabaseDefinition, DatabaseHost } from './database-definition.js';
import { reasonOf } from './database-error.js';

/** How long a change may hold its lock while it does nothing: the database ends that of a node that hangs. */
const LONGEST_CHANGE_MILLISECONDS = 60_000;
/** A network that says nothing, beyond the limit that the database keeps. */
const NETWORK_MILLISECONDS = 5_000;
const INT8 = 20;

/** For a connection of any kind. Whole numbers of eight bytes come as numbers. */
export function connectionSettings(definition: DatabaseDefinition, { host, port }: DatabaseHost): pg.ClientConfig {
  const { database, user, password, tls, limits } = definition;
  return {
    host,
    port,
    database,
    user,
    ...(password === undefined ? {} : { password }),
    ssl:
      tls === undefined
        ? false
        : { rejectUnauthorized: true, ciphers: TLS_CIPHERS, ...(tls.ca === undefined ? {} : { ca: tls.ca }) },
    application_name: 'sallyport',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: limits.statementMilliseconds,
    lock_timeout: limits.statementMilliseconds,
    query_timeout: limits.statementMilliseconds + NETWORK_MILLISECONDS,
    idle_in_transaction_session_timeout: LONGEST_CHANGE_MILLISECONDS,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
}

/** For each of several hosts: connecting, TLS, signing on and the check. A host whose packets are lost delays the others by this. */
const HOST_MILLISECONDS = 2_000;

/** Opens connections to the first host that accepts one, beginning with the host that accepted the last one. */
export class DatabaseHosts {
  readonly #definition: DatabaseDefinition;
  #first = 0;

  constructor(definition: DatabaseDefinition) {
    this.#definition = definition;
  }

  /**
   * @param check rejects if the database of a host cannot be used, for example because it is read-only
   * @throws the error of the host; of several hosts an Error with the reason of each
   */
  async open(check: (client: pg.Client) => Promise<unknown>): Promise<pg.Client> {
    const { hosts } = this.#definition;
    const faults: string[] = [];
    let last: unknown;
    for (const host of [...hosts.slice(this.#first), ...hosts.slice(0, this.#first)]) {
      try {
        const client = await this.#openAt(host, check);
        this.#first = hosts.indexOf(host);
        return client;
      } catch (error) {
        last = error;
        faults.push(`${host.host}:${host.port}: ${reasonOf(error)}`);
      }
    }
    throw hosts.length === 1 ? last : new Error(faults.join('; '), { cause: last });
  }

  async #openAt(host: DatabaseHost, check: (client: pg.Client) => Promise<unknown>): Promise<pg.Client> {
    const { hosts, limits } = this.#definition;
    const { connectMilliseconds } = limits;
    const most = hosts.length === 1 ? connectMilliseconds : Math.min(connectMilliseconds, HOST_MILLISECONDS);
    const settings = connectionSettings(this.#definition, host);
    const client = new pg.Client({ ...settings, connectionTimeoutMillis: most });
    // pg also rejects what waits for the connection
    client.on('error', () => {});
    const end = () => void client.end().catch(() => {});
    let timer: NodeJS.Timeout | undefined;
    try {
      await client.connect();
      timer = setTimeout(end, most);
      await check(client);
      return client;
    } catch (error) {
      end();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
