import { connect as connectSocket, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { Client, type Entry, ResultCodeError, type SearchOptions } from 'ldapts';
import { ServiceError } from '../../lib/errors.js';
import { LdapMessages, ldapResultCodes, resultText } from './ldap-messages.js';
import type { LdapServer } from './ldap-server.js';

/** Entries that one search may give. */
const MOST_ENTRIES = 10_000;
/** Bytes that may come between a moment when nothing is asked for and the next. */
const MOST_ANSWER_BYTES = 4 * 1024 * 1024;
const PAGE_ENTRIES = 500;
const LONGEST_FAULT = 200;

/** The directory cannot be asked; the detail is for the log. */
export function directoryUnavailable(place: string, fault: string): ServiceError {
  return new ServiceError('SVC_ERR_SECURITY_UNAVAILABLE', {
    detail: `${place}: ${fault}`,
    headers: { 'Retry-After': '10' },
  });
}

/**
 * One connection with a directory server. Every method rejects with ServiceError SVC_ERR_SECURITY_UNAVAILABLE where the
 * server cannot be reached, does not answer in time, or answers what it should not.
 */
export class LdapConnection {
  readonly #server: LdapServer;
  readonly #client: Client;
  /** TCP, and TLS upon it where StartTLS made it so. */
  readonly #sockets: Socket[] = [];
  #closed: Promise<void> = Promise.resolve();
  /** What came before TLS. */
  #clearText: LdapMessages | undefined;
  #fault: Error | undefined;
  #underWay = 0;
  #answerBytes = 0;

  constructor(server: LdapServer) {
    this.#server = server;
    const { url, security, tls, connectMilliseconds, timeoutMilliseconds } = server;
    this.#client = new Client({
      url,
      connectTimeout: connectMilliseconds,
      timeout: timeoutMilliseconds,
      // given for ldap:, they would make it ldaps:
      ...(security === 'ldaps' ? { tlsOptions: tls } : {}),
      createConnection: this.#connect,
      createSecureConnection: this.#connectSecurely,
    });
  }

  /** Turns to TLS where the definition says StartTLS; otherwise the first request connects. */
  async open(): Promise<void> {
    const { security, tls, connectMilliseconds, timeoutMilliseconds } = this.#server;
    if (security !== 'startTls') return;
    const late = () => this.destroy(new Error('StartTLS was not finished in time'));
    const timer = setTimeout(late, 2 * connectMilliseconds + timeoutMilliseconds);
    try {
      await this.#ask('StartTLS', () => this.#client.startTLS({ ...tls }));
    } finally {
      clearTimeout(timer);
    }
  }

  /** The result code of a simple bind. */
  async bind(dn: string, password: string): Promise<number> {
    let code: number = ldapResultCodes.success;
    await this.#ask('bind', async () => {
      try {
        await this.#client.bind(dn, password);
      } catch (error) {
        if (!(error instanceof ResultCodeError)) throw error;
        code = error.code;
      }
    });
    return code;
  }

  /** At most `most` entries, and nothing said of further ones. */
  async searchFirst(base: string, filter: string, attributes: readonly string[], most: number): Promise<Entry[]> {
    const options = { ...this.#searchOptions(filter, attributes), sizeLimit: most };
    const found = await this.#ask('search', () => unlessReferred(this.#client.search(base, options)));
    return found?.searchEntries ?? [];
  }

  /** All there are; more than 10,000 are a failure. */
  async searchAll(base: string, filter: string, attributes: readonly string[]): Promise<Entry[]> {
    const options = { ...this.#searchOptions(filter, attributes), paged: { pageSize: PAGE_ENTRIES } };
    const entries: Entry[] = [];
    await this.#ask('search', () =>
      unlessReferred(
        (async () => {
          for await (const page of this.#client.searchPaginated(base, options)) {
            entries.push(...page.searchEntries);
            if (entries.length > MOST_ENTRIES) throw new Error(`more than ${MOST_ENTRIES} entries`);
            if (this.#underWay === 1) this.#answerBytes = 0;
          }
        })(),
      ),
    );
    return entries;
  }

  /** Says goodbye; resolves when the connection is closed. */
  async close(): Promise<void> {
    await this.#client.unbind().catch(() => {});
    await this.destroy(new Error('the connection is closed'));
  }

  /** Closes at once; what is under way fails. */
  async destroy(fault: Error): Promise<void> {
    this.#fault ??= fault;
    for (const socket of this.#sockets.toReversed()) {
      // where StartTLS fails, ldapts takes every listener away
      socket.on('error', () => {});
      socket.destroy(fault);
    }
    await this.#closed;
  }

  #searchOptions(filter: string, attributes: readonly string[]): SearchOptions {
    const timeLimit = Math.ceil(this.#server.timeoutMilliseconds / 1000);
    return { scope: 'sub', filter, attributes: [...attributes], timeLimit };
  }

  async #ask<Answer>(what: string, ask: () => Promise<Answer>): Promise<Answer> {
    if (this.#underWay === 0) this.#answerBytes = 0;
    this.#underWay += 1;
    try {
      if (this.#fault) throw this.#fault;
      return await ask();
    } catch (error) {
      throw directoryUnavailable(this.#server.place, `${what}: ${faultText(this.#fault ?? error)}`);
    } finally {
      this.#underWay -= 1;
    }
  }

  readonly #connect = ((...parameters: Parameters<typeof connectSocket>) => {
    // ldapts connects anew where a connection is gone: without TLS, and as nobody
    if (this.#sockets.length > 0) throw this.#fault ?? new Error('the server closed the connection');
    const socket = connectSocket(...parameters);
    this.#closed = closeOf(socket);
    this.#clearText = this.#watch(socket);
    return socket;
  }) as typeof connectSocket;

  readonly #connectSecurely = ((...parameters: Parameters<typeof connectSecurely>) => {
    const isStartTls = this.#server.security === 'startTls';
    if (this.#sockets.length > (isStartTls ? 1 : 0)) throw this.#fault ?? new Error('the server closed the connection');
    // what somebody on the way put behind the answer to StartTLS would be taken for an answer that came over TLS
    if (isStartTls && !this.#clearText?.hasOne) throw new Error('there was more in clear text than the answer');
    const socket = connectSecurely(...parameters);
    if (!isStartTls) this.#closed = closeOf(socket);
    this.#watch(socket);
    return socket;
  }) as typeof connectSecurely;

  /** Whoever reads from the socket is given whole messages of the right form, and of nothing too much. */
  #watch(socket: Socket): LdapMessages {
    this.#sockets.push(socket);
    const messages = new LdapMessages(MOST_ANSWER_BYTES);
    const emit: (name: string | symbol, ...rest: unknown[]) => boolean = socket.emit.bind(socket);
    const take = (chunk: Buffer) => {
      if (this.#fault) return;
      this.#answerBytes += chunk.length;
      try {
        if (this.#answerBytes > MOST_ANSWER_BYTES) throw new Error(`more than ${MOST_ANSWER_BYTES} bytes`);
        for (const message of messages.take(chunk)) emit('data', message);
      } catch (error) {
        void this.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    };
    // ldapts listens to the socket itself and takes no stream in its place
    socket.emit = ((name: string | symbol, ...rest: unknown[]) => {
      const [chunk] = rest;
      if (name !== 'data' || !Buffer.isBuffer(chunk)) return emit(name, ...rest);
      take(chunk);
      return true;
    }) as typeof socket.emit;
    return messages;
  }
}

function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** Undefined where the server names another one: we follow nobody to where the search account was not made for. */
async function unlessReferred<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ResultCodeError && error.code === ldapResultCodes.referral) return undefined;
    throw error;
  }
}

function faultText(error: unknown): string {
  if (error instanceof ResultCodeError) return resultText(error.code);
  if (!(error instanceof Error)) return 'failed';
  // where a name has several addresses, the error of a connection has a code and no message
  const text = error.message || ('code' in error ? String(error.code) : error.name);
  return text.slice(0, LONGEST_FAULT);
}

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
