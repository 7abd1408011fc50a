import type { IncomingMessage } from 'node:http';
import type { SecurityUser } from '../../access/users/user-store.js';
import { countText, type Language, locales } from '../../lib/locale.js';
import { applicationTypes, securityLevels, type Transaction } from '../../lines/entry-point/transaction.js';
import type { HostState } from '../../sessions/browser-sessions.js';
import type { ClientSite } from '../http/client-site.js';
import { isOverTls, plainAddress } from '../http/request-sender.js';
import type { OpenSession } from '../sessions/open-sessions.js';
import { languageOf, type PageWords } from '../words/page-words.js';
import { noRunValues, type RunValues } from './page-rendering.js';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/** A duration, in the words of the section `durations`. */
export function durationWords(seconds: number, language: Language): string {
  const words = locales[language].durations;
  if (seconds < MINUTE) return words.moment;
  const [length, unit] =
    seconds < HOUR ? [MINUTE, 'minutes' as const] : seconds < DAY ? [HOUR, 'hours' as const] : [DAY, 'days' as const];
  return countText(words, unit, Math.floor(seconds / length), language);
}

/**
 * Names and addresses that can be shown in a command line without quoting: a name, an IPv4 address or an IPv6 address
 * in brackets, with an optional port.
 */
const HOST = /^(?:[A-Za-z0-9_.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/** URL of the line without a trailing slash, from the client's Host header or else from the address that it reached. */
function lineUrl(request: IncomingMessage): string {
  const { headers, socket } = request;
  const { host = '' } = headers;
  const address = plainAddress(socket.localAddress ?? '');
  const reached = `${address.includes(':') ? `[${address}]` : address}:${socket.localPort}`;
  return `${isOverTls(request) ? 'https' : 'http'}://${HOST.test(host) ? host : reached}`;
}

/** With more applications, the menu has a search field. */
const MOST_AT_A_GLANCE = 8;

interface MenuApplication {
  readonly path: string;
  readonly transaction: string;
  readonly description: string;
  readonly host: string;
  readonly state: HostState;
  readonly needsSignOn: boolean;
}

const stateWords: Readonly<Record<HostState, keyof PageWords | undefined>> = {
  reached: 'HOST-REACHED',
  notReached: 'HOST-NOT-REACHED',
  unknown: undefined,
};

/**
 * Transactions for the menu: started from it, with a first page (reference 1.1, STARTUP), and open to everyone or after
 * sign-on.
 */
export function menuApplications(
  { entryPoint, security, sessions }: ClientSite,
  user: SecurityUser | undefined,
): readonly MenuApplication[] {
  const levels: readonly number[] = [
    securityLevels.public,
    ...(security === undefined ? [] : [securityLevels.basic, securityLevels.form]),
    ...(user === undefined ? [] : [securityLevels.signedOnAlready]),
  ];
  return entryPoint.definition.transactions.flatMap((transaction) => {
    const { startup, security: level, page, externalName, description } = transaction;
    if (startup !== 'menu' || !levels.includes(level) || page === undefined) return [];
    const host = hostOf(transaction);
    return {
      path: `/${encodeURIComponent(page)}+${encodeURIComponent(externalName)}`,
      transaction: externalName,
      description,
      host,
      state: sessions.hostStates.of(host),
      needsSignOn: level !== securityLevels.public && user === undefined,
    };
  });
}

function hostOf({ applicationType, application }: Transaction): string {
  return applicationType === applicationTypes.hostApplication ? (application ?? '') : '';
}

type Lists = Readonly<Record<string, readonly string[]>>;

interface MenuValues extends RunValues {
  /** True if the page received data that only its user may see. */
  readonly isPersonal: () => boolean;
}

/**
 * Variables of pages without a session: one value per application and per open session of the browser, the user, and
 * the line's URL.
 */
export function menuVariables(
  site: ClientSite,
  incoming: IncomingMessage,
  user: SecurityUser | undefined,
  sessions: readonly OpenSession[],
): MenuValues {
  const lists = new Map<string, () => Lists>([
    ['$MENU', () => applicationLists(menuApplications(site, user), locales[languageOf(incoming)].pages)],
    ['$SESSION', () => sessionLists(sessions, incoming)],
  ]);
  const made = new Map<string, Lists>();
  return {
    ...noRunValues,
    isPersonal: () => user !== undefined || made.has('$SESSION'),
    valuesOf: (variable) => {
      const name = variable.toUpperCase();
      if (name === '$USER$') return user === undefined ? undefined : [user.name];
      if (name === '$LINE-URL$') return [lineUrl(incoming)];
      const kind = name.slice(0, name.indexOf('-'));
      const make = lists.get(kind);
      if (make === undefined) return undefined;
      const values = made.get(kind) ?? make();
      made.set(kind, values);
      const list = values[name];
      return list === undefined || list.length === 0 ? undefined : [...list];
    },
  };
}

const menuWords = ['ON-HOST'] as const;
const sessionWords = [
  'END-OF',
  'END-SESSION',
  'END-SESSION-SHORT',
  'ENDS-SESSION-WITH',
  'IDLE-FOR',
  'ON-HOST',
  'OPEN-FOR',
  'UNFINISHED-IS-LOST',
] as const;

function applicationLists(offered: readonly MenuApplication[], words: PageWords): Lists {
  const stateOf = (state: HostState) => {
    const key = stateWords[state];
    return key === undefined ? '' : words[key];
  };
  return {
    '$MENU-PATH$': offered.map(({ path }) => path),
    '$MENU-PAGE$': offered.map(({ path }) => path.slice(1, path.indexOf('+'))),
    '$MENU-TRANSACTION$': offered.map(({ transaction }) => transaction),
    '$MENU-DESCRIPTION$': offered.map(({ description }) => description),
    '$MENU-NAME$': offered.map(({ description, transaction }) => description || transaction),
    '$MENU-HOST$': offered.map(({ host }) => host),
    '$MENU-STATE$': offered.map(({ state }) => state),
    '$MENU-STATE-WORDS$': offered.map(({ state }) => stateOf(state)),
    '$MENU-SIGN-ON$': offered.map(({ needsSignOn }) => (needsSignOn ? words['SIGN-ON-NEEDED'] : '')),
    ...wordsOfEach('MENU', menuWords, words, offered.length),
    '$MENU-SEARCH$': offered.length > MOST_AT_A_GLANCE ? [String(offered.length)] : [],
  };
}

function sessionLists(sessions: readonly OpenSession[], incoming: IncomingMessage): Lists {
  const language = languageOf(incoming);
  return {
    '$SESSION-PATH$': sessions.map(({ path }) => path),
    '$SESSION-LABEL$': sessions.map(({ label }) => label),
    '$SESSION-NAME$': sessions.map(({ name }) => name),
    '$SESSION-TRANSACTION$': sessions.map(({ transaction }) => transaction),
    '$SESSION-HOST$': sessions.map(({ host }) => host),
    '$SESSION-LU$': sessions.map(({ logicalUnit }) => logicalUnit),
    '$SESSION-SINCE$': sessions.map(({ sinceSeconds }) => durationWords(sinceSeconds, language)),
    '$SESSION-IDLE$': sessions.map(({ idleSeconds }) => durationWords(idleSeconds, language)),
    ...wordsOfEach('SESSION', sessionWords, locales[language].pages, sessions.length),
  };
}

/** Repeats words for each pass of a loop, because a variable with one value has none in the second pass. */
function wordsOfEach(kind: string, keys: readonly (keyof PageWords)[], words: PageWords, times: number): Lists {
  return Object.fromEntries(keys.map((key) => [`$${kind}-WORDS-${key}$`, new Array<string>(times).fill(words[key])]));
}
