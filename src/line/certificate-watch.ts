import { X509Certificate } from 'node:crypto';
import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:tls';
import type { Log } from '../log.js';
import { CIPHERS, readTlsFiles } from './http-server.js';
import type { LineTls, ListenerDefinition, ReadPem } from './line-definition.js';

/** The certificate that a line shows. */
export interface CertificateState {
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** Why the files that are there now are not used, or that the certificate has ended; in words. */
  readonly fault: string | undefined;
}

type TlsFiles = ReturnType<typeof readTlsFiles>;

const LOOK_MILLISECONDS = 1_000;

/** Looks whether certificate and key have other contents, and uses them for new connections. Unusable files change nothing. */
export class CertificateWatch {
  readonly #server: TlsServer;
  readonly #line: string;
  readonly #tls: LineTls;
  readonly #readPem: ReadPem | undefined;
  readonly #log: Log;
  readonly #timer: NodeJS.Timeout;
  #served: TlsFiles;
  #fault: string | undefined;
  /** The fault found by the previous check, so that files being written are not reported. */
  #suspicion: string | undefined;

  private constructor(server: TlsServer, line: string, tls: LineTls, readPem: ReadPem | undefined, log: Log) {
    this.#server = server;
    this.#line = line;
    this.#tls = tls;
    this.#readPem = readPem;
    this.#log = log;
    this.#served = readTlsFiles(line, tls, readPem);
    this.#timer = setInterval(() => this.#look(), LOOK_MILLISECONDS).unref();
  }

  /** @returns undefined if the line has no TLS */
  static begin(
    server: Server,
    { name, tls }: ListenerDefinition,
    readPem: ReadPem | undefined,
    log: Log,
  ): CertificateWatch | undefined {
    if (tls === undefined || !isTlsServer(server)) return undefined;
    return new CertificateWatch(server, name, tls, readPem, log);
  }

  get state(): CertificateState {
    const expires = endOf(this.#served);
    const ended = expires < Date.now() ? endedText(expires) : undefined;
    return { expires, fault: this.#fault ?? ended };
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    let found: TlsFiles;
    try {
      found = readTlsFiles(this.#line, this.#tls, this.#readPem);
      if (found.cert.equals(this.#served.cert) && found.key.equals(this.#served.key)) {
        this.#fault = undefined;
        this.#suspicion = undefined;
        return;
      }
      const expires = endOf(found);
      // an old pair put there by mistake must not replace a valid one
      if (expires < Date.now() && endOf(this.#served) > expires) throw new Error(endedText(expires));
      this.#server.setSecureContext({ ...found, ciphers: CIPHERS });
    } catch (error) {
      this.#complain(error instanceof Error ? error.message : String(error));
      return;
    }
    this.#served = found;
    this.#fault = undefined;
    this.#suspicion = undefined;
    const { validTo, subject } = new X509Certificate(found.cert);
    this.#log.info({ line: this.#line, subject, validTo }, 'the line uses a new certificate');
  }

  #complain(words: string): void {
    const isKnown = this.#fault === words;
    const isSure = this.#suspicion === words;
    this.#suspicion = words;
    if (isKnown || !isSure) return;
    this.#fault = words;
    this.#log.error(
      { line: this.#line, reason: words },
      'the new certificate cannot be used: the line goes on with the one it has',
    );
  }
}

function endOf({ cert }: TlsFiles): number {
  return Date.parse(new X509Certificate(cert).validTo);
}

function endedText(expires: number): string {
  return `the certificate ended on ${new Date(expires).toISOString()}: browsers refuse it`;
}

function isTlsServer(server: Server): server is Server & TlsServer {
  return 'setSecureContext' in server;
}
