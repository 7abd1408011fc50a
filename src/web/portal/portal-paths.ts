import { locales } from '../../lib/locale.js';
import type { MacroDirectory } from '../../macros/macro-directory.js';
import type { PortalWord, PortalWording } from '../words/portal-wording.js';

/** Addresses of pages. Names may contain `#` and other reserved characters. */
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

/** @param id of a session, as in the log of its server */
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

/** Redirects after a form has succeeded. */
export function redirectTo(path: string, done: NoticeWord): { readonly kind: 'redirect'; readonly to: string } {
  return { kind: 'redirect', to: `${path}?done=${done}` };
}

/** A path with the parameters that are not empty. */
export function withQuery(path: string, parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== '')).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** The parameters of a page that are not empty, for the name of a topic. */
export function topicParameter(parameters: Readonly<Record<string, string>>): string {
  const lines = Object.entries(parameters).filter(([, value]) => value !== '');
  return Buffer.from(lines.map((line) => line.join('=')).join('\n')).toString('base64url');
}

/** @param parameter result of `topicParameter`, or any other text */
export function parametersOfTopic(parameter: string): ReadonlyMap<string, string> {
  const lines = Buffer.from(parameter, 'base64url').toString().split('\n');
  return new Map(lines.map((line) => line.split(/=(.*)/s, 2)).map(([name = '', value = '']) => [name, value]));
}

/** Words in the address of the page after a form, such as `?done=uploaded`. They are also the keys of the notice. */
type NoticeWord = Extract<PortalWord, `notice.${string}`> extends `notice.${infer Word}` ? Word : never;

/** Undefined for unknown words, because the page shows no text from its address. */
export function noticeOf(word: string, words: PortalWording): string | undefined {
  return Object.hasOwn(locales.en.portal, `notice.${word}`) ? words.text(`notice.${word as NoticeWord}`) : undefined;
}
