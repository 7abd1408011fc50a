import pg from 'pg';
import { TLS_CIPHERS } from '../../lib/network/tls-ciphers.js';
import type { DatabaseDefinition, DatabaseHost } from './database-definition.js';
import { reasonOf } from './database-error.js';

/**
 * Limit for a change that holds its lock and is idle. PostgreSQL then ends the session, for example of a hanging node.
 */
const LONGEST_CHANGE_MILLISECONDS = 60_000;
/** Time for the network, in addition to the limit in PostgreSQL. */
const NETWORK_MILLISECONDS = 5_000;
const INT8 = 20;

/** Parses int8 as numbers. */
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

/**
 * Per host, if there are several: for connection, TLS, authentication and check. A host that drops packets delays the
 * others by this time.
 */
const HOST_MILLISECONDS = 2_000;

/** Tries the hosts in order, starting with the host of the last connection. */
export class DatabaseHosts {
  readonly #definition: DatabaseDefinition;
  #first = 0;

  constructor(definition: DatabaseDefinition) {
    this.#definition = definition;
  }

  /**
   * @param check rejects if the database cannot be used, for example because it is read-only
   * @throws the error of the only host, or an Error with the reasons of all hosts
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
    // pg also rejects the pending queries.
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
