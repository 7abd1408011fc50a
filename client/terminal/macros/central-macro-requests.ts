import { type MacroSet, NO_MACROS } from '../../../src/macro/macro-set.js';
import { words } from '../words/words.js';
import { macroFileText, readMacroFile } from './model/macro-file.js';

export const levels = ['user', 'group', 'global'] as const;
export type Level = (typeof levels)[number];

/** The macros of a level as the server has them. */
export interface ReadMacros {
  readonly set: MacroSet;
  readonly etag: string | undefined;
  /** The user may save them. */
  readonly maySave?: boolean;
}

type SaveEnd = { readonly kind: 'saved'; readonly etag: string | undefined } | { readonly kind: 'changedMeanwhile' };

/** The server does not do it, and why. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

function request(level: Level, options: RequestInit = {}): Promise<Response> {
  return fetch(`/w2h/${level}/macros.json`, { credentials: 'same-origin', cache: 'no-cache', ...options }).catch(() => {
    throw new RefusedError(words('server.unreachable'));
  });
}

/** @throws RefusedError, MacroFileError */
export async function readLevel(level: Level): Promise<ReadMacros> {
  const answer = await request(level, { headers: { accept: 'application/json' } });
  if (answer.status === 404) return { set: NO_MACROS, etag: undefined };
  if (!answer.ok) throw new RefusedError(statusWords(answer));
  const maySave = answer.headers.get('allow')?.includes('PUT') === true;
  return { set: readMacroFile(await answer.text(), true), etag: answer.headers.get('etag') ?? undefined, maySave };
}

/** @param etag of what was read before; undefined: there was nothing. @throws RefusedError */
export async function saveLevel(level: Level, set: MacroSet, etag: string | undefined): Promise<SaveEnd> {
  const answer = await request(level, {
    method: 'PUT',
    headers: {
      'content-type': 'application/json',
      ...(etag === undefined ? { 'if-none-match': '*' } : { 'if-match': etag }),
    },
    body: macroFileText(set),
  });
  if (answer.status === 412) return { kind: 'changedMeanwhile' };
  if (!answer.ok) throw new RefusedError((await wordsOf(answer)) ?? statusWords(answer));
  return { kind: 'saved', etag: answer.headers.get('etag') ?? undefined };
}

function statusWords({ status }: Response): string {
  return status === 401 || status === 403 ? words('central.signOnEnded') : words('server.answered', { status });
}

/** What the server says itself. */
async function wordsOf(answer: Response): Promise<string | undefined> {
  try {
    const { code, message } = (await answer.json()) as { readonly code?: unknown; readonly message?: unknown };
    if (typeof message === 'string') return typeof code === 'string' ? `${message} (${code})` : message;
  } catch {
    // no JSON
  }
  return undefined;
}
