import type { MacroDirectory } from '../../macros/macro-directory.js';

/** Addresses of pages; names may hold `#` and others that mean something in one. */
export function macroPath(directory: MacroDirectory): string {
  return directory.level === 'global'
    ? '/macros/global'
    : `/macros/${directory.level}/${encodeURIComponent(directory.name)}`;
}

export function userPath(name: string): string {
  return `/users/${encodeURIComponent(name)}`;
}

export function groupPath(name: string): string {
  return `/groups/${encodeURIComponent(name)}`;
}

export function linePath(name: string): string {
  return `/lines/${encodeURIComponent(name)}`;
}

export function nodePath(code: string): string {
  return `/nodes/${encodeURIComponent(code)}`;
}

export function poolPath(name: string): string {
  return `/pools/${encodeURIComponent(name)}`;
}

export function servicePath(name: string): string {
  return `/loaded/services/${encodeURIComponent(name)}`;
}

export function tokenPath(name: string): string {
  return `/tokens/${encodeURIComponent(name)}`;
}

/** @param id of a live session */
export function sessionPath(id: string): string {
  return `/sessions/${encodeURIComponent(id)}`;
}

/** @param id of a session, as the log of its server has it */
export function sessionLogPath(id: string): string {
  return withQuery('/log', { session: id });
}

/** @param id of a live session */
export function sessionTracePath(id: string): string {
  return withQuery('/traces', { kind: 'session', subject: id });
}

export function tracePath(name: string): string {
  return `/traces/${encodeURIComponent(name)}`;
}

/** Where a form leads to when it has done its work. */
export function redirectTo(path: string, done: NoticeWord): { readonly kind: 'redirect'; readonly to: string } {
  return { kind: 'redirect', to: `${path}?done=${done}` };
}

/** A path with those of the parameters that say something. */
export function withQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== '')).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** The parameters of a page that say something, for the name of a topic. */
export function topicParameter(parameters: Readonly<Record<string, string>>): string {
  const lines = Object.entries(parameters).filter(([, value]) => value !== '');
  return Buffer.from(lines.map((line) => line.join('=')).join('\n')).toString('base64url');
}

/** @param parameter as `topicParameter` makes it, or anything else */
export function parametersOfTopic(parameter: string): ReadonlyMap<string, string> {
  const lines = Buffer.from(parameter, 'base64url').toString().split('\n');
  return new Map(lines.map((line) => line.split(/=(.*)/s, 2)).map(([name = '', value = '']) => [name, value]));
}

/** What the page says that a form leads to, by the word in its address: `?done=uploaded`. */
const notices = {
  'node-drained': 'The server is drained: no further sessions begin at it.',
  'node-chosen': 'This server answers in the portal from now on, in this browser.',
  uploaded: 'The macros were uploaded.',
  restored: 'The version was restored: it is the current one now.',
  removed: 'The macros were removed. They can be restored from the versions below.',
  'user-added': 'The user was added.',
  'user-changed': 'The user was changed.',
  'user-unlocked': 'The user was unlocked.',
  'user-removed': 'The user was removed.',
  'password-set': 'The password was set.',
  'group-added': 'The group was added.',
  'draft-published': 'The service was published, and can be called now. The draft is here until it is removed.',
  'draft-published-restart':
    'The service was published, but this server could not take it over: the log says why. It can be called after a restart.',
  'configuration-reloaded': 'The configuration was taken over.',
  'configuration-reloaded-partly': 'The configuration was taken over, but for what needs a restart.',
  'line-started': 'The line is open, and sessions begin at it.',
  'line-opening': 'The line cannot open yet, and goes on trying.',
  'line-drained': 'The line is drained: sessions that it has go on, no others begin.',
  'line-stopped': 'The line is being stopped.',
  'pool-drained': 'The pool is drained: calls that have a session go on to their end, others are refused.',
  'pool-resumed': 'The sessions of the pool sign on again.',
  'draft-removed': 'The draft was removed.',
  'group-removed': 'The group was removed.',
  'session-ended': 'The session is being ended: it is gone within seconds.',
  'message-sent': 'The message was sent.',
  'trace-started': 'The trace has begun. It ends by itself.',
  'trace-stopped': 'The trace was stopped.',
  'trace-removed': 'The trace was removed.',
  'token-revoked': 'The token was revoked: nobody can call with it any more.',
} as const;

type NoticeWord = keyof typeof notices;

/** Undefined for words that are none of ours: what an address says is not shown. */
export function noticeOf(word: string): string | undefined {
  return Object.hasOwn(notices, word) ? notices[word as NoticeWord] : undefined;
}
