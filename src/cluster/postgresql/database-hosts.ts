import pg from 'pg';
import { connectionSettings } from './connection-settings.js';
import type { DatabaseDefinition, DatabaseHost } from './database-definition.js';
import { reasonOf } from './database-error.js';

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
