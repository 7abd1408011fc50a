import type { ExitCode } from '../../lib/exit-codes.js';
import { type TraceKind, traceCollections } from '../../operation/trace-kinds.js';
import { printableText, tableOf } from '../output.js';
import { type AdminOptions, answered, cell, listOf, table, textsOf } from './admin-answers.js';

export type TraceAct = TraceKind | 'list' | 'get' | 'stop' | 'remove';

export interface TraceOptions extends AdminOptions {
  readonly seconds?: number;
  readonly bytes?: number;
  readonly form: string;
}

/** @param name name of the trace; for `start`, of the object to trace */
export function operateTrace(act: TraceAct, name: string, options: TraceOptions): Promise<ExitCode> {
  const path = `traces/${encodeURIComponent(name)}`;
  switch (act) {
    case 'list':
      return listTraces(options);
    case 'get':
      return answered(
        options,
        (ask) => ask(`${path}?form=${options.form}`, { method: 'GET' }),
        (answer) => printableText(String(answer.trace)),
      );
    case 'stop':
    case 'remove':
      return answered(
        options,
        (ask) => ask(`${path}/${act}`, { method: 'POST' }),
        () => `Trace ${printableText(name)} is ${act === 'stop' ? 'stopped' : 'removed'}.\n`,
      );
    default: {
      const { seconds, bytes } = options;
      const request = {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ seconds, bytes }),
      } as const;
      return answered(
        options,
        (ask) => ask(`${traceCollections[act]}/${encodeURIComponent(name)}/trace`, request),
        (answer) => `${cell(answer.name)}\n`,
      );
    }
  }
}

function listTraces(options: TraceOptions): Promise<ExitCode> {
  return answered(
    options,
    (ask) => ask('traces', { method: 'GET' }),
    (answer) => {
      const rows = listOf(answer, 'traces').map((trace) => [
        ...textsOf(trace, 'name', 'kind', 'subject', 'by', 'bytes', 'until'),
        trace.open === true ? 'yes' : 'no',
      ]);
      return table(['TRACE', 'KIND', 'OF', 'BEGUN BY', 'BYTES', 'UNTIL', 'RUNNING'], rows);
    },
  );
}

export interface SessionsOptions extends AdminOptions {
  readonly user?: string;
  readonly line?: string;
  readonly limit: number;
}

export type PoolAct = 'show' | 'drain' | 'resume';
export type LineAct = 'show' | 'start' | 'stop' | 'drain';

export function listLines(options: AdminOptions): Promise<ExitCode> {
  return answered(
    options,
    (ask) => ask('lines', { method: 'GET' }),
    (answer) => {
      const rows = listOf(answer, 'lines').map((line) => [
        ...textsOf(line, 'name', 'state', 'url', 'entryPoint', 'connections', 'sessions', 'requests', 'refused'),
        textsOf(line.lastFault, 'reason')[0] ?? '',
      ]);
      return table(
        ['LINE', 'STATE', 'ADDRESS', 'ENTRY POINT', 'CONN', 'SESS', 'REQUESTS', 'REFUSED', 'LAST FAULT'],
        rows,
      );
    },
  );
}

export function operateLine(name: string, act: LineAct, options: AdminOptions): Promise<ExitCode> {
  return operated(`lines/${encodeURIComponent(name)}`, act, options);
}

/** Executes an operation and prints the new state. */
function operated(path: string, act: string, options: AdminOptions): Promise<ExitCode> {
  return answered(
    options,
    (ask) => (act === 'show' ? ask(path, { method: 'GET' }) : ask(`${path}/${act}`, { method: 'POST' })),
    (answer) => {
      const facts = Object.entries(answer).filter(([, value]) => value !== null);
      return tableOf(
        facts.map(([key, value]) => [key, cell(typeof value === 'object' ? JSON.stringify(value) : value)]),
      );
    },
  );
}

export function listPools(options: AdminOptions): Promise<ExitCode> {
  return answered(
    options,
    (ask) => ask('pools', { method: 'GET' }),
    (answer) => {
      const names = ['name', 'host', 'drained', 'free', 'lent', 'between', 'most', 'waiting', 'trouble'];
      const rows = listOf(answer, 'pools').map((pool) => textsOf(pool, ...names));
      return table(['POOL', 'HOST', 'DRAINED', 'READY', 'BUSY', 'BETWEEN', 'MOST', 'WAITING', 'TROUBLE'], rows);
    },
  );
}

export function operatePool(name: string, act: PoolAct, options: AdminOptions): Promise<ExitCode> {
  return operated(`pools/${encodeURIComponent(name)}`, act, options);
}

export type NodeAct = 'show' | 'drain';

export function listNodes(options: AdminOptions): Promise<ExitCode> {
  return answered(
    options,
    (ask) => ask('nodes', { method: 'GET' }),
    (answer) => {
      const names = ['code', 'state', 'sessions', 'address', 'version', 'silentSeconds'];
      const rows = listOf(answer, 'nodes').map((node) => textsOf(node, ...names));
      return table(['NODE', 'STATE', 'SESS', 'INTERNAL LINE', 'VERSION', 'SILENT'], rows);
    },
  );
}

export function operateNode(code: string, act: NodeAct, options: AdminOptions): Promise<ExitCode> {
  return operated(`nodes/${encodeURIComponent(code)}`, act, options);
}

export function listPrinters(options: AdminOptions): Promise<ExitCode> {
  return answered(
    options,
    (ask) => ask('printers', { method: 'GET' }),
    (answer) => {
      const names = ['name', 'host', 'logicalUnit', 'printers', 'connected', 'documents', 'lastPrinted', 'trouble'];
      const rows = listOf(answer, 'printers').map((printer) => textsOf(printer, ...names));
      return table(['PRINTER', 'HOST', 'LU', 'PRINTERS', 'CONNECTED', 'DOCUMENTS', 'LAST', 'TROUBLE'], rows);
    },
  );
}

export function listSessions(options: SessionsOptions): Promise<ExitCode> {
  const { user, line, limit } = options;
  const query = new URLSearchParams({
    limit: String(limit),
    ...(user === undefined ? {} : { user }),
    ...(line === undefined ? {} : { line }),
  });
  return answered(
    options,
    (ask) => ask(`sessions?${query}`, { method: 'GET' }),
    (answer) => {
      const sessions = listOf(answer, 'sessions');
      const rows = sessions.map((session) =>
        textsOf(
          session,
          'id',
          'kind',
          'state',
          'user',
          'address',
          'line',
          'transaction',
          'host',
          'logicalUnit',
          'began',
          'idleSeconds',
        ),
      );
      const total = Number(answer.total);
      const more =
        total > sessions.length
          ? `${total - sessions.length} more: use --limit, --user or --line to select others\n`
          : '';
      return `${table(['SESSION', 'KIND', 'STATE', 'USER', 'ADDRESS', 'LINE', 'TRANS', 'HOST', 'LU', 'SINCE', 'IDLE'], rows)}${more}`;
    },
  );
}

export function endSession(id: string, options: AdminOptions): Promise<ExitCode> {
  const path = `sessions/${encodeURIComponent(id)}/end`;
  return answered(
    options,
    (ask) => ask(path, { method: 'POST' }),
    () => `Session ${printableText(id)} is ending.\n`,
  );
}

export function sendMessage(id: string, text: string, options: AdminOptions): Promise<ExitCode> {
  const path = `sessions/${encodeURIComponent(id)}/message`;
  const request = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ text }),
  } as const;
  return answered(
    options,
    (ask) => ask(path, request),
    () => `Session ${printableText(id)} receives the message.\n`,
  );
}

export function operateServer(act: 'drain' | 'restart', options: AdminOptions): Promise<ExitCode> {
  const words = {
    drain: 'The server accepts no new sessions, and stops after the last session has ended.\n',
    restart: 'The workers are drained and restarted, one after the other.\n',
  } as const;
  return answered(
    options,
    (ask) => ask(`server/${act}`, { method: 'POST' }),
    () => words[act],
  );
}
