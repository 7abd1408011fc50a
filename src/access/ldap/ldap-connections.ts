import { ServiceError } from '../../lib/errors.js';
import { directoryUnavailable, LdapConnection } from './ldap-connection.js';
import type { LdapServer } from './ldap-server.js';

/** Those that may wait for a connection. */
const MOST_WAITING = 200;

interface Waiting {
  readonly begin: () => void;
  readonly fail: (error: ServiceError) => void;
}

/** Connections with one server: at most so many at a time, each for one piece of work, the others wait their turn. */
export class LdapConnections {
  readonly #server: LdapServer;
  readonly #most: number;
  readonly #open = new Set<LdapConnection>();
  readonly #waiting = new Set<Waiting>();
  #underWay = 0;
  #isClosed = false;

  constructor(server: LdapServer, most: number) {
    this.#server = server;
    this.#most = most;
  }

  /** @throws ServiceError SVC_ERR_SERVICE_BUSY where too many wait or the wait takes too long */
  async use<Result>(work: (connection: LdapConnection) => Promise<Result>): Promise<Result> {
    await this.#turn();
    try {
      return await this.#work(work);
    } finally {
      this.#next();
    }
  }

  /** Ends every connection at once, whatever it is doing. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { fail } of [...this.#waiting]) fail(this.#closedError());
    await Promise.all([...this.#open].map((connection) => connection.destroy(new Error('the service is stopping'))));
  }

  async #work<Result>(work: (connection: LdapConnection) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw this.#closedError();
    const connection = new LdapConnection(this.#server);
    this.#open.add(connection);
    try {
      await connection.open();
      const result = await work(connection);
      await connection.close();
      return result;
    } catch (error) {
      await connection.destroy(new Error('the connection was given up'));
      throw error;
    } finally {
      this.#open.delete(connection);
    }
  }

  async #turn(): Promise<void> {
    if (this.#isClosed) throw this.#closedError();
    if (this.#underWay < this.#most) {
      this.#underWay += 1;
      return;
    }
    if (this.#waiting.size >= MOST_WAITING) throw this.#busyError(`${MOST_WAITING} wait for a connection already`);
    const { connectMilliseconds, timeoutMilliseconds } = this.#server;
    await new Promise<void>((resolve, reject) => {
      const late = () => waiting.fail(this.#busyError('no connection became free in time'));
      const timer = setTimeout(late, connectMilliseconds + timeoutMilliseconds);
      const leave = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting = {
        begin: () => {
          leave();
          resolve();
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      };
      this.#waiting.add(waiting);
    });
  }

  /** Hands the turn on to whoever waits longest. */
  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) this.#underWay -= 1;
    else first.begin();
  }

  #busyError(fault: string): ServiceError {
    return new ServiceError('SVC_ERR_SERVICE_BUSY', { detail: `${this.#server.place}: ${fault}` });
  }

  #closedError(): ServiceError {
    return directoryUnavailable(this.#server.place, 'the service is stopping');
  }
}
