import { type ExitCode, exitCodes } from '../../lib/exit-codes.js';
import { inOneLine, tableOf } from '../output.js';
import { RequestError } from '../request/http-exchange.js';
import { asking, parsed, refusedRequest, type ServerOptions, shown } from '../request/token-requests.js';

const ROOT = '/api/admin/v1/';
/** Large enough for a trace of 4 MiB as JSON, or for 10,000 sessions. */
const LARGEST_ANSWER_BYTES = 8 * 1024 * 1024;

export interface AdminOptions extends ServerOptions {
  readonly json: boolean;
}

type Json = Readonly<Record<string, unknown>>;

/** @param body sent as JSON */
export function answered(
  options: AdminOptions,
  method: 'GET' | 'POST',
  path: string,
  words: (answer: Json) => string,
  body?: object,
): Promise<ExitCode> {
  return asking(options, ROOT, async (ask) => {
    const content =
      body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await ask(path, { method, ...content, mostBytes: LARGEST_ANSWER_BYTES });
    if (answer.status !== 200) return refusedRequest(answer);
    const value = parsed(answer.text);
    if (typeof value !== 'object' || value === null)
      throw new RequestError('The answer is not JSON. Check that --server names a portal line.');
    process.stdout.write(options.json ? `${shown(answer.text)}\n` : words(value as Json));
    return exitCodes.fine;
  });
}

export function listOf(answer: Json, name: string): readonly Json[] {
  const list = answer[name];
  if (!Array.isArray(list)) throw new RequestError('The answer does not come from a portal line. Check --server.');
  return list.map((one) => Object(one));
}

export function textsOf(value: unknown, ...names: readonly string[]): readonly string[] {
  return names.map((name) => cell(Object(value)[name]));
}

export function cell(value: unknown): string {
  return value === undefined || value === null ? '' : inOneLine(String(value));
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return tableOf([head, ...rows], process.stdout.isTTY ? process.stdout.columns : undefined);
}
