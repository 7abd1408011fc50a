import { connect as connectSocket, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { Client, type Entry, ResultCodeError, type SearchOptions } from 'ldapts';
import { ServiceError } from '../../lib/errors.js';
import { LdapMessages, ldapResultCodes, resultText } from './ldap-messages.js';
import type { LdapServer } from './ldap-server.js';

const MOST_ENTRIES = 10_000;
/** Maximum bytes received until no request is pending. */
const MOST_ANSWER_BYTES = 4 * 1024 * 1024;
const PAGE_ENTRIES = 500;
const LONGEST_FAULT = 200;

export function directoryUnavailable(place: string, fault: string): ServiceError {
  return new ServiceError('SVC_ERR_SECURITY_UNAVAILABLE', {
    detail: `${place}: ${fault}`,
    headers: { 'Retry-After': '10' },
  });
}

/**
 * Connection to a directory server. Every method rejects with ServiceError SVC_ERR_SECURITY_UNAVAILABLE if the server
 * cannot be reached, does not answer in time, or sends an invalid answer.
 */
export class LdapConnection {
  readonly #server: LdapServer;
  readonly #client: Client;
  /** The TCP socket, and the TLS socket after StartTLS. */
  readonly #sockets: Socket[] = [];
  #closed: Promise<void> = Promise.resolve();
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
      // For `ldap:` URLs, `tlsOptions` would make ldapts use LDAPS.
      ...(security === 'ldaps' ? { tlsOptions: tls } : {}),
      createConnection: this.#connect,
      createSecureConnection: this.#connectSecurely,
    });
  }

  /** Connects and starts TLS if the definition has StartTLS. Otherwise the first request connects. */
  async open(): Promise<void> {
    const { security, tls, connectMilliseconds, timeoutMilliseconds } = this.#server;
    if (security !== 'startTls') return;
    const late = () => this.destroy(new Error('StartTLS was not completed in time'));
    const timer = setTimeout(late, 2 * connectMilliseconds + timeoutMilliseconds);
    try {
      await this.#ask('StartTLS', () => this.#client.startTLS({ ...tls }));
    } finally {
      clearTimeout(timer);
    }
  }

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

  /** Returns at most `most` entries, without an error if there are more. */
  async searchFirst(base: string, filter: string, attributes: readonly string[], most: number): Promise<Entry[]> {
    const options = { ...this.#searchOptions(filter, attributes), sizeLimit: most };
    const found = await this.#ask('search', () => unlessReferred(this.#client.search(base, options)));
    return found?.searchEntries ?? [];
  }

  /** More than 10,000 entries are an error. */
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

  async close(): Promise<void> {
    await this.#client.unbind().catch(() => {});
    await this.destroy(new Error('the connection is closed'));
  }

  async destroy(fault: Error): Promise<void> {
    this.#fault ??= fault;
    for (const socket of this.#sockets.toReversed()) {
      // ldapts removes every listener if StartTLS fails.
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
    // ldapts reconnects a lost connection without TLS and without a bind.
    if (this.#sockets.length > 0) throw this.#fault ?? new Error('the server closed the connection');
    const socket = connectSocket(...parameters);
    this.#closed = closeOf(socket);
    this.#clearText = this.#watch(socket);
    return socket;
  }) as typeof connectSocket;

  readonly #connectSecurely = ((...parameters: Parameters<typeof connectSecurely>) => {
    const isStartTls = this.#server.security === 'startTls';
    if (this.#sockets.length > (isStartTls ? 1 : 0)) throw this.#fault ?? new Error('the server closed the connection');
    // Data that an attacker appended to the clear-text StartTLS answer would be treated as received over TLS.
    if (isStartTls && !this.#clearText?.hasOne) throw new Error('the server sent more than the answer in clear text');
    const socket = connectSecurely(...parameters);
    if (!isStartTls) this.#closed = closeOf(socket);
    this.#watch(socket);
    return socket;
  }) as typeof connectSecurely;

  /** Passes only complete, well-formed messages to the listeners of the socket, within the size limits. */
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
    // ldapts listens to the socket itself and does not accept another stream.
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

/** Undefined for a referral. Referrals are not followed, because the search account is only for this server. */
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
  // If a name has several addresses, the connection error has a code and an empty message.
  const text = error.message || ('code' in error ? String(error.code) : error.name);
  return text.slice(0, LONGEST_FAULT);
}

const MOST_WAITING = 200;

interface Waiting {
  readonly begin: () => void;
  readonly fail: (error: ServiceError) => void;
}

/** Limits the number of connections to one server. Each connection is used for one task, and further tasks wait. */
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

  /** @throws ServiceError SVC_ERR_SERVICE_BUSY if too many callers wait, or if the wait takes too long */
  async use<Result>(work: (connection: LdapConnection) => Promise<Result>): Promise<Result> {
    await this.#turn();
    try {
      return await this.#work(work);
    } finally {
      this.#next();
    }
  }

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
      await connection.destroy(new Error('the connection was abandoned'));
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
    if (this.#waiting.size >= MOST_WAITING)
      throw this.#busyError(`${MOST_WAITING} are already waiting for a connection`);
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
