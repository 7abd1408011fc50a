import { type MacroSet, NO_MACROS } from '../../../src/macros/macro-set.js';
import { toldWords } from '../words/told-words.js';
import { words } from '../words/words.js';
import { macroFileText, readMacroFile } from './model/macro-file.js';

export const levels = ['user', 'group', 'global'] as const;
export type Level = (typeof levels)[number];

/** The macros of a level as the server has them. */
export interface ReadMacros {
  readonly set: MacroSet;
  readonly etag: string | undefined;
}

type SaveEnd = { readonly kind: 'saved'; readonly etag: string | undefined } | { readonly kind: 'changedMeanwhile' };

/** The server does not do it, and why. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** Macros on the server: of a level, or of a group that is named. */
export interface MacroPlace {
  readonly level: Level;
  /** Not given: the user's own group. */
  readonly group?: string;
}

const asJson = { accept: 'application/json' };

const MOST_KEPT_ALIVE = 32 * 1024;

function request(path: string, options: RequestInit = {}): Promise<Response> {
  return fetch(`/w2h/${path}`, { credentials: 'same-origin', cache: 'no-cache', ...options }).catch(() => {
    throw new RefusedError(words('server.unreachable'));
  });
}

function pathOf({ level, group }: MacroPlace): string {
  return `${level}/macros.json${group === undefined ? '' : `?GROUP=${encodeURIComponent(group)}`}`;
}

/** @throws RefusedError, MacroFileError */
export async function readMacros(place: MacroPlace): Promise<ReadMacros> {
  const answer = await request(pathOf(place), { headers: asJson });
  if (answer.status === 404 && place.group === undefined) return { set: NO_MACROS, etag: undefined };
  if (!answer.ok) {
    // who has signed on and may not is told by the server
    const told = place.group === undefined || answer.status === 401 ? undefined : await wordsOf(answer);
    throw new RefusedError(told ?? statusWords(answer));
  }
  return { set: readMacroFile(await answer.text(), true), etag: answer.headers.get('etag') ?? undefined };
}

/** The groups that the user may publish to; none where the server does not tell. */
export async function readPublishing(): Promise<readonly string[]> {
  try {
    const answer = await request('group/publishing.json', { headers: asJson });
    return answer.ok ? namesIn(((await answer.json()) as { readonly groups?: unknown }).groups) : [];
  } catch {
    return [];
  }
}

/** The names of a list that somebody else has written. */
export function namesIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
}

/** @param etag of what was read before; undefined: there was nothing. @throws RefusedError */
export async function saveMacros(place: MacroPlace, set: MacroSet, etag: string | undefined): Promise<SaveEnd> {
  const body = new Blob([macroFileText(set)]);
  const answer = await request(pathOf(place), {
    method: 'PUT',
    // a page that is left lets it arrive; browsers keep 64 KiB alive in all
    keepalive: body.size <= MOST_KEPT_ALIVE,
    headers: {
      ...asJson,
      'content-type': 'application/json',
      ...(etag === undefined ? { 'if-none-match': '*' } : { 'if-match': etag }),
    },
    body,
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
    const value: unknown = await answer.json();
    const told = toldWords(value);
    const { code } = value as { readonly code?: unknown };
    if (told !== undefined) return typeof code === 'string' ? `${told} (${code})` : told;
  } catch {
    // no JSON
  }
  return undefined;
}
