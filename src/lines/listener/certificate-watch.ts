import { X509Certificate } from 'node:crypto';
import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import type { Log } from '../../lib/log/log.js';
import { tlsCiphers } from '../../lib/network/tls-ciphers.js';
import { messageOf } from '../../lib/text/messages.js';
import { readTlsFiles } from './http-server.js';
import type { ListenerDefinition, ReadPem } from './line-definition.js';

export interface CertificateState {
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** Reason why the current files are not used, or a message that the certificate has expired. */
  readonly fault: string | undefined;
  /** Message that the certificate expires within 24 hours; it stays in use. */
  readonly endsSoon: string | undefined;
}

interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

interface TlsFilesUse<Files extends TlsFiles> {
  readonly line: string;
  readonly peers: 'browsers' | 'other servers';
  read(): Files;
  use(found: Files): void;
}

const LOOK_MILLISECONDS = 1_000;
/** An expiry within this time is reported as an error. */
export const CERTIFICATE_ERROR_MILLISECONDS = 24 * 3_600_000;
const TELL_MILLISECONDS = 3_600_000;

/** Checks certificate and key for changes and uses new ones for new connections. Ignores unusable files. */
export class CertificateWatch<Files extends TlsFiles = TlsFiles> {
  readonly #use: TlsFilesUse<Files>;
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout;
  #served: Files;
  #fault: string | undefined;
  /**
   * Error of the previous check; it is reported only if it recurs, because the files may be in the middle of a write.
   */
  #suspicion: string | undefined;
  #toldAt: number | undefined;

  constructor(served: Files, use: TlsFilesUse<Files>, log: Log) {
    this.#use = use;
    this.#log = log;
    this.#served = served;
    this.#timer = setInterval(() => this.#look(), LOOK_MILLISECONDS).unref();
  }

  static begin(
    server: Server,
    { name, tls }: ListenerDefinition,
    readPem: ReadPem | undefined,
    log: Log,
  ): CertificateWatch | undefined {
    if (tls === undefined || !isTlsServer(server)) return undefined;
    const read = () => readTlsFiles(name, tls, readPem);
    const ciphers = tlsCiphers(tls.ciphers);
    const use = (found: TlsFiles) => server.setSecureContext({ ...found, ciphers });
    return new CertificateWatch(read(), { line: name, peers: 'browsers', read, use }, log);
  }

  get state(): CertificateState {
    const expires = endOf(this.#served);
    const ended = expires < Date.now() ? this.#endedText(expires) : undefined;
    return { expires, fault: this.#fault ?? ended, endsSoon: endsSoonText(expires) };
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    this.#lookAtFiles();
    this.#tellEnd();
  }

  /** Logs once an hour that the current certificate has expired, or expires within 24 hours. */
  #tellEnd(): void {
    const { expires, endsSoon } = this.state;
    const reason = expires < Date.now() ? this.#endedText(expires) : endsSoon;
    const now = performance.now();
    if (reason === undefined) this.#toldAt = undefined;
    else if (this.#toldAt === undefined || now - this.#toldAt >= TELL_MILLISECONDS) {
      this.#toldAt = now;
      this.#log.error({ line: this.#use.line, reason }, 'renew the certificate of the line');
    }
  }

  #lookAtFiles(): void {
    let found: Files;
    try {
      found = this.#use.read();
      if (isDeepStrictEqual(found, this.#served)) {
        this.#fault = undefined;
        this.#suspicion = undefined;
        return;
      }
      const expires = endOf(found);
      // expired files, installed by mistake, must not replace a valid certificate
      if (expires < Date.now() && endOf(this.#served) > expires) throw new Error(this.#endedText(expires));
      this.#use.use(found);
    } catch (error) {
      this.#complain(messageOf(error));
      return;
    }
    this.#served = found;
    this.#fault = undefined;
    this.#suspicion = undefined;
    const { validTo, subject } = new X509Certificate(found.cert);
    this.#log.info({ line: this.#use.line, subject, validTo }, 'the line uses a new certificate');
  }

  #complain(words: string): void {
    const isKnown = this.#fault === words;
    const isSure = this.#suspicion === words;
    this.#suspicion = words;
    if (isKnown || !isSure) return;
    this.#fault = words;
    this.#log.error(
      { line: this.#use.line, reason: words },
      'the new certificate cannot be used: the line keeps the current one',
    );
  }

  #endedText(expires: number): string {
    return `the certificate expired on ${new Date(expires).toISOString()}: ${this.#use.peers} reject it`;
  }
}

function endsSoonText(expires: number): string | undefined {
  const left = expires - Date.now();
  if (left < 0 || left >= CERTIFICATE_ERROR_MILLISECONDS) return undefined;
  return `the certificate expires on ${new Date(expires).toISOString()}, within 24 hours: replace it with a renewed one`;
}

function endOf({ cert }: TlsFiles): number {
  return Date.parse(new X509Certificate(cert).validTo);
}

function isTlsServer(server: Server): server is Server & TlsServer {
  return 'setSecureContext' in server;
}
