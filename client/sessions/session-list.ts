import { toldWords } from '../terminal/words/told-words.js';
import { words } from '../terminal/words/words.js';

/** An open session of this browser (docs/write/browser-sessions.md). */
export interface ListedSession {
  readonly label: string;
  readonly name: string;
  readonly transaction: string;
  readonly host: string;
  readonly logicalUnit: string;
  readonly path: string;
}

export interface ListedApplication {
  readonly path: string;
  readonly transaction: string;
  readonly description: string;
  readonly host: string;
}

interface SessionList {
  readonly sessions: readonly ListedSession[];
  readonly applications: readonly ListedApplication[];
}

export class UnknownSessionError extends Error {
  override readonly name = 'UnknownSessionError';
}

const ADDRESS = '/w2h/sessions';
const UNKNOWN = 404;
const headers = { Accept: 'application/json' };

export async function listSessions(): Promise<SessionList> {
  return answer(fetch(ADDRESS, { headers, cache: 'no-store' }));
}

/** @throws Error with the server's message */
export async function nameSession(label: string, name: string): Promise<SessionList> {
  return change({ SESSION: label, ACTION: 'NAME', NAME: name });
}

/** @throws Error with the server's message */
export async function endSession(label: string): Promise<SessionList> {
  return change({ SESSION: label, ACTION: 'END' });
}

async function change(fields: Readonly<Record<string, string>>): Promise<SessionList> {
  const changed = await answer(fetch(ADDRESS, { method: 'POST', headers, body: new URLSearchParams(fields) }));
  // in a cluster, the node of that session lists only its own sessions
  return fields.SESSION?.includes('.') ? listSessions() : changed;
}

/** @throws Error in the language of the page, unlike the browser's network errors and a proxy's HTML */
async function answer(request: Promise<Response>): Promise<SessionList> {
  let response: Response;
  let content: unknown;
  try {
    response = await request;
    content = await response.json();
  } catch {
    throw new Error(words('tabs.unreachable'));
  }
  if (response.ok) return content as SessionList;
  const told = toldWords(content) ?? words('tabs.unreachable');
  throw response.status === UNKNOWN ? new UnknownSessionError(told) : new Error(told);
}
