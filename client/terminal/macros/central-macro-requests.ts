import { type MacroSet, NO_MACROS } from '../../../src/macros/macro-set.js';
import { toldWords } from '../words/told-words.js';
import { words } from '../words/words.js';
import { macroFileText, readMacroFile } from './model/macro-file.js';

export const levels = ['user', 'group', 'global'] as const;
export type Level = (typeof levels)[number];

export interface ReadMacros {
  readonly set: MacroSet;
  readonly etag: string | undefined;
}

type SaveEnd = { readonly kind: 'saved'; readonly etag: string | undefined } | { readonly kind: 'changedMeanwhile' };

export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

export interface MacroPlace {
  readonly level: Level;
  /** Default: the user's own group. */
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

/**
 * @throws RefusedError
 * @throws MacroFileError
 */
export async function readMacros(place: MacroPlace): Promise<ReadMacros> {
  const answer = await request(pathOf(place), { headers: asJson });
  if (answer.status === 404 && place.group === undefined) return { set: NO_MACROS, etag: undefined };
  if (!answer.ok) {
    // for a signed-on user without permission, the server's own message is shown
    const told = place.group === undefined || answer.status === 401 ? undefined : await answerText(answer);
    throw new RefusedError(told ?? statusWords(answer));
  }
  return { set: readMacroFile(await answer.text(), true), etag: answer.headers.get('etag') ?? undefined };
}

/** Groups that the user may publish to; empty if the server does not answer. */
export async function readPublishing(): Promise<readonly string[]> {
  try {
    const answer = await request('group/publishing.json', { headers: asJson });
    return answer.ok ? namesIn(((await answer.json()) as { readonly groups?: unknown }).groups) : [];
  } catch {
    return [];
  }
}

/** Reads names from an unchecked JSON value. */
export function namesIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
}

/** @param etag of the version read before; undefined if there was none. @throws RefusedError */
export async function saveMacros(place: MacroPlace, set: MacroSet, etag: string | undefined): Promise<SaveEnd> {
  const body = new Blob([macroFileText(set)]);
  const answer = await request(pathOf(place), {
    method: 'PUT',
    // the request survives leaving the page; browsers limit such bodies to 64 KiB in total
    keepalive: body.size <= MOST_KEPT_ALIVE,
    headers: {
      ...asJson,
      'content-type': 'application/json',
      ...(etag === undefined ? { 'if-none-match': '*' } : { 'if-match': etag }),
    },
    body,
  });
  if (answer.status === 412) return { kind: 'changedMeanwhile' };
  if (!answer.ok) throw new RefusedError((await answerText(answer)) ?? statusWords(answer));
  return { kind: 'saved', etag: answer.headers.get('etag') ?? undefined };
}

function statusWords({ status }: Response): string {
  return status === 401 || status === 403 ? words('central.signOnEnded') : words('server.answered', { status });
}

async function answerText(answer: Response): Promise<string | undefined> {
  try {
    const value: unknown = await answer.json();
    const told = toldWords(value);
    const { code } = value as { readonly code?: unknown };
    if (told !== undefined) return typeof code === 'string' ? `${told} (${code})` : told;
  } catch {
    // not JSON
  }
  return undefined;
}
