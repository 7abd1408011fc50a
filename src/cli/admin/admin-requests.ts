import { type ExitCode, exitCodes } from '../exit-codes.js';
import { printableText } from '../printable-text.js';
import { RequestError } from '../request/http-exchange.js';
import { type Ask, asking, parsed, refused, type ServerOptions, shown } from '../request/token-requests.js';
import { inOneLine, tableOf } from '../table.js';

const ROOT = '/api/admin/v1/';
/** A trace of 4 MiB as JSON, or 10,000 sessions. */
const LARGEST_ANSWER_BYTES = 8 * 1024 * 1024;

export interface AdminOptions extends ServerOptions {
  readonly json: boolean;
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

/** Does something with what a path names, and shows how it does then. */
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
        total > sessions.length ? `${total - sessions.length} more: --limit, --user and --line choose others\n` : '';
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
    () => `Session ${printableText(id)} is shown the message.\n`,
  );
}

export type TraceAct = 'start' | 'stop' | 'list' | 'print' | 'remove';

export interface TraceOptions extends AdminOptions {
  readonly minutes: number;
}

export function operateTrace(act: TraceAct, name: string, options: TraceOptions): Promise<ExitCode> {
  const path = `traces/${encodeURIComponent(name)}`;
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ minutes: options.minutes });
  switch (act) {
    case 'start':
      return answered(
        options,
        (ask) => ask(`sessions/${encodeURIComponent(name)}/trace`, { method: 'POST', headers, body }),
        (answer) => `${cell(answer.name)}\n`,
      );
    case 'list':
      return answered(
        options,
        (ask) => ask('traces', { method: 'GET' }),
        (answer) =>
          table(
            ['TRACE', 'BYTES', 'WRITTEN', 'OPEN'],
            listOf(answer, 'traces').map((trace) => textsOf(trace, 'name', 'bytes', 'written', 'open')),
          ),
      );
    case 'print':
      return answered(
        options,
        (ask) => ask(path, { method: 'GET' }),
        (answer) => printableText(String(answer.trace)),
      );
    default:
      return answered(
        options,
        (ask) => ask(`${path}/${act}`, { method: 'POST' }),
        () => `Trace ${printableText(name)} is ${act === 'stop' ? 'stopped' : 'removed'}.\n`,
      );
  }
}

type Json = Readonly<Record<string, unknown>>;

function answered(
  options: AdminOptions,
  send: (ask: Ask) => ReturnType<Ask>,
  words: (answer: Json) => string,
): Promise<ExitCode> {
  return asking(options, ROOT, async (ask) => {
    const answer = await send((path, request) => ask(path, { ...request, mostBytes: LARGEST_ANSWER_BYTES }));
    if (answer.status !== 200) return refused(answer);
    const value = parsed(answer.text);
    if (typeof value !== 'object' || value === null)
      throw new RequestError('The answer is no JSON: is this a portal line?');
    process.stdout.write(options.json ? `${shown(answer.text)}\n` : words(value as Json));
    return exitCodes.fine;
  });
}

function listOf(answer: Json, name: string): readonly Json[] {
  const list = answer[name];
  if (!Array.isArray(list)) throw new RequestError('The answer is none of a portal line.');
  return list.map((one) => Object(one));
}

function textsOf(value: unknown, ...names: readonly string[]): readonly string[] {
  return names.map((name) => cell(Object(value)[name]));
}

function cell(value: unknown): string {
  return value === undefined || value === null ? '' : inOneLine(String(value));
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return tableOf([head, ...rows], process.stdout.isTTY ? process.stdout.columns : undefined);
}
