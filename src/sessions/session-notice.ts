import { type Language, locales } from '../lib/locale.js';
import { filled } from '../lib/text/catalogue-text.js';
import type { BrowserSession } from './browser-session.js';

/**
 * Notice for pages and programs: the program check of the host, else the text of the connection script; operator
 * messages until the user has answered a page that shows them; and names of watching or tracing operators.
 */
export function sessionNotice(
  session: Pick<BrowserSession, 'notice' | 'isHostSilent' | 'isSubmitRefused' | 'screen' | 'supervision'>,
  language: Language = 'en',
): string {
  const words = locales[language].notices;
  const { isSubmitRefused, screen, supervision } = session;
  const { programCheck } = screen.state.operator;
  const ofHost =
    programCheck === undefined
      ? noticeOfHost(session, language)
      : filled(words.faulty, { check: String(programCheck) });
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
  language: Language,
): string {
  return notice === '' && isHostSilent ? locales[language].notices.silent : notice;
}
