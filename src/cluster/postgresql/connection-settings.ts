import pg from 'pg';
import { TLS_CIPHERS } from '../../lib/network/tls-ciphers.js';
import type { DatabaseDefinition, DatabaseHost } from './database-definition.js';

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
