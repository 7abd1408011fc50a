import type { BrowserSession } from './browser-session.js';

export interface NoticeWords {
  /** `{check}` is the number of a program check. */
  readonly faulty: string;
  readonly otherScreen: string;
  /** The host sends nothing, because its port expects TLS. The log contains address and advice. */
  readonly silent: string;
  /** Placeholders: `{name}` and `{message}`; `{names}` in `watched` and `traced`. */
  readonly message: string;
  readonly watched: string;
  readonly traced: string;
}

const english: NoticeWords = {
  faulty:
    'The host sent something that this terminal cannot show (X PROG {check}). What you sent last may have reached it.',
  otherScreen: 'The screen has changed since you pressed the key. Nothing was sent to the host.',
  silent:
    'The host says nothing, because its port speaks TLS and the server connects without TLS. Please tell your administrator.',
  message: 'Message of {name}: {message}',
  watched: 'This session is being watched by {names}.',
  traced: 'What this session exchanges with its host is being recorded by {names}.',
};

/**
 * Notice for pages and programs: the program check of the host, else the text of the connection script; operator
 * messages until the user has answered a page that shows them; and names of watching or tracing operators.
 */
export function sessionNotice(
  session: Pick<BrowserSession, 'notice' | 'isHostSilent' | 'isSubmitRefused' | 'screen' | 'supervision'>,
  words = english,
): string {
  const { isSubmitRefused, screen, supervision } = session;
  const { programCheck } = screen.state.operator;
  const ofHost =
    programCheck === undefined ? noticeOfHost(session, words) : filled(words.faulty, { check: String(programCheck) });
  const ofOperators = supervision
    .showUnread()
    .map(({ from, text }) => filled(words.message, { name: from, message: text }));
  const { watchedBy, tracedBy } = supervision;
  const watched = watchedBy.length === 0 ? [] : [filled(words.watched, { names: watchedBy.join(', ') })];
  const traced = tracedBy.length === 0 ? [] : [filled(words.traced, { names: tracedBy.join(', ') })];
  const refused = isSubmitRefused ? [words.otherScreen] : [];
  return [...refused, ...ofOperators, ...watched, ...traced, ofHost].filter((text) => text !== '').join(' ');
}

export function noticeOfHost(
  { notice, isHostSilent }: Pick<BrowserSession, 'notice' | 'isHostSilent'>,
  { silent } = english,
): string {
  return notice === '' && isHostSilent ? silent : notice;
}

function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
