import { createServer as createHttpServer, type Server, type ServerOptions } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createSecureContext } from 'node:tls';
import { openingFaults } from '../../../machines/line.machine.js';
import { tlsCiphers } from '../../lib/network/tls-ciphers.js';
import { messageOf } from '../../lib/text/messages.js';
import type { LineTls, ListenerDefinition, ReadPem } from './line-definition.js';
import { LineOpeningError } from './line-opening-error.js';

/** The parser's limits are higher by this value, so that the application handles requests at the configured limits. */
const PARSER_SLACK_BYTES = 4_096;
const noPem: ReadPem = () => {
  throw new Error('the line was created without access to files');
};
const SLOW_CHECK_MILLISECONDS = 250;

function serverOptions(limits: ListenerDefinition['limits']): ServerOptions {
  return {
    maxHeaderSize: limits.urlBytes + limits.headerBytes + PARSER_SLACK_BYTES,
    headersTimeout: Math.min(limits.headerSeconds, limits.requestSeconds) * 1_000,
    requestTimeout: limits.requestSeconds * 1_000,
    keepAliveTimeout: limits.idleSeconds * 1_000,
    connectionsCheckingInterval: SLOW_CHECK_MILLISECONDS,
    // the application rejects a missing Host itself, in the common error format
    requireHostHeader: false,
    keepAlive: true,
  };
}

/**
 * Creates an HTTP or HTTPS server with the limits of a line, not yet listening. Reads certificate and key.
 * @throws LineOpeningError if they are unusable
 */
export function createLineServer(definition: ListenerDefinition, readPem: ReadPem | undefined): Server {
  const { tls, limits } = definition;
  const server =
    tls === undefined
      ? createHttpServer(serverOptions(limits))
      : createHttpsServer({
          ...serverOptions(limits),
          ...readTlsFiles(definition.name, tls, readPem),
          ciphers: tlsCiphers(tls.ciphers),
          handshakeTimeout: limits.headerSeconds * 1_000,
        });
  // without a listener, Node closes idle connections, even if a request has arrived that it has not read yet
  server.on('timeout', () => {});
  // limited by headerBytes; a limit on their number would silently drop headers
  server.maxHeadersCount = 0;
  return server;
}

export function readTlsFiles(
  line: string,
  { cert, key }: Pick<LineTls, 'cert' | 'key'>,
  readPem: ReadPem = noPem,
): { cert: Buffer; key: Buffer } {
  const files = {
    cert: readTlsFile(line, 'certificate', cert, readPem),
    key: readTlsFile(line, 'key', key, readPem),
  };
  try {
    createSecureContext(files);
  } catch (error) {
    const message = `line ${line}: certificate ${cert} and key ${key} cannot be used: ${messageOf(error)}`;
    throw new LineOpeningError(openingFaults.refused, message, { cause: error });
  }
  return files;
}

function readTlsFile(line: string, role: string, path: string, readPem: ReadPem): Buffer {
  try {
    return readPem(path);
  } catch (error) {
    const message = `line ${line}: cannot read the ${role} ${path}: ${messageOf(error)}`;
    throw new LineOpeningError(openingFaults.refused, message, { cause: error });
  }
}

/** @throws Error of the system, or if the signal is aborted */
export async function listen(server: Server, { host, port }: ListenerDefinition, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  if (signal.aborted) {
    server.close();
    server.closeAllConnections();
    throw new Error('stopped');
  }
}
