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
      return answered(options, 'GET', `${path}?form=${options.form}`, (answer) => printableText(String(answer.trace)));
    case 'stop':
    case 'remove':
      return answered(
        options,
        'POST',
        `${path}/${act}`,
        () => `Trace ${printableText(name)} is ${act === 'stop' ? 'stopped' : 'removed'}.\n`,
      );
    default: {
      const { seconds, bytes } = options;
      const traced = `${traceCollections[act]}/${encodeURIComponent(name)}/trace`;
      return answered(options, 'POST', traced, (answer) => `${cell(answer.name)}\n`, { seconds, bytes });
    }
  }
}

function listTraces(options: TraceOptions): Promise<ExitCode> {
  return answered(options, 'GET', 'traces', (answer) => {
    const rows = listOf(answer, 'traces').map((trace) => [
      ...textsOf(trace, 'name', 'kind', 'subject', 'by', 'bytes', 'until'),
      trace.open === true ? 'yes' : 'no',
    ]);
    return table(['TRACE', 'KIND', 'OF', 'BEGUN BY', 'BYTES', 'UNTIL', 'RUNNING'], rows);
  });
}

export interface SessionsOptions extends AdminOptions {
  readonly user?: string;
  readonly line?: string;
  readonly limit: number;
}

export function listLines(options: AdminOptions): Promise<ExitCode> {
  return answered(options, 'GET', 'lines', (answer) => {
    const rows = listOf(answer, 'lines').map((line) => [
      ...textsOf(line, 'name', 'state', 'url', 'entryPoint', 'connections', 'sessions', 'requests', 'refused'),
      textsOf(line.lastFault, 'reason')[0] ?? '',
    ]);
    return table(
      ['LINE', 'STATE', 'ADDRESS', 'ENTRY POINT', 'CONN', 'SESS', 'REQUESTS', 'REFUSED', 'LAST FAULT'],
      rows,
    );
  });
}

const lists = {
  pools: {
    head: ['POOL', 'HOST', 'DRAINED', 'READY', 'BUSY', 'BETWEEN', 'MOST', 'WAITING', 'TROUBLE'],
    members: ['name', 'host', 'drained', 'free', 'lent', 'between', 'most', 'waiting', 'trouble'],
  },
  nodes: {
    head: ['NODE', 'STATE', 'SESS', 'INTERNAL LINE', 'VERSION', 'SILENT'],
    members: ['code', 'state', 'sessions', 'address', 'version', 'silentSeconds'],
  },
  printers: {
    head: ['PRINTER', 'HOST', 'LU', 'PRINTERS', 'CONNECTED', 'DOCUMENTS', 'LAST', 'TROUBLE'],
    members: ['name', 'host', 'logicalUnit', 'printers', 'connected', 'documents', 'lastPrinted', 'trouble'],
  },
} as const;

export function list(what: keyof typeof lists, options: AdminOptions): Promise<ExitCode> {
  const { head, members } = lists[what];
  return answered(options, 'GET', what, (answer) =>
    table(
      head,
      listOf(answer, what).map((one) => textsOf(one, ...members)),
    ),
  );
}

/** Executes an operation and prints the new state. */
export function operate(
  what: 'lines' | 'pools' | 'nodes',
  name: string,
  act: string,
  options: AdminOptions,
): Promise<ExitCode> {
  const path = `${what}/${encodeURIComponent(name)}`;
  const [method, target] = act === 'show' ? (['GET', path] as const) : (['POST', `${path}/${act}`] as const);
  return answered(options, method, target, (answer) => {
    const facts = Object.entries(answer).filter(([, value]) => value !== null);
    return tableOf(facts.map(([key, value]) => [key, cell(typeof value === 'object' ? JSON.stringify(value) : value)]));
  });
}

const sessionMembers = ['id', 'kind', 'state', 'user', 'address', 'line', 'transaction', 'host', 'logicalUnit'];

export function listSessions(options: SessionsOptions): Promise<ExitCode> {
  const { user, line, limit } = options;
  const query = new URLSearchParams({
    limit: String(limit),
    ...(user === undefined ? {} : { user }),
    ...(line === undefined ? {} : { line }),
  });
  return answered(options, 'GET', `sessions?${query}`, (answer) => {
    const sessions = listOf(answer, 'sessions');
    const rows = sessions.map((session) => textsOf(session, ...sessionMembers, 'began', 'idleSeconds'));
    const total = Number(answer.total);
    const more =
      total > sessions.length
        ? `${total - sessions.length} more: use --limit, --user or --line to select others\n`
        : '';
    return `${table(['SESSION', 'KIND', 'STATE', 'USER', 'ADDRESS', 'LINE', 'TRANS', 'HOST', 'LU', 'SINCE', 'IDLE'], rows)}${more}`;
  });
}

export function endSession(id: string, options: AdminOptions): Promise<ExitCode> {
  const path = `sessions/${encodeURIComponent(id)}/end`;
  return answered(options, 'POST', path, () => `Session ${printableText(id)} is ending.\n`);
}

export function sendMessage(id: string, text: string, options: AdminOptions): Promise<ExitCode> {
  const path = `sessions/${encodeURIComponent(id)}/message`;
  return answered(options, 'POST', path, () => `Session ${printableText(id)} receives the message.\n`, { text });
}

export function operateServer(act: 'drain' | 'restart', options: AdminOptions): Promise<ExitCode> {
  const words = {
    drain: 'The server accepts no new sessions, and stops after the last session has ended.\n',
    restart: 'The workers are drained and restarted, one after the other.\n',
  } as const;
  return answered(options, 'POST', `server/${act}`, () => words[act]);
}
