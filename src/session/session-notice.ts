import type { BrowserSession } from './browser-session.js';

/**
 * What pages and programs say to the user: that the host sent a faulty record, else the text of the connection script; what
 * operators say, until the user has answered a page that shows it; and who watches or traces.
 */
export function sessionNotice({
  notice,
  screen,
  supervision,
}: Pick<BrowserSession, 'notice' | 'screen' | 'supervision'>): string {
  const { programCheck } = screen.state.operator;
  const ofHost =
    programCheck === undefined
      ? notice
      : `The host sent something that this terminal cannot show (X PROG ${programCheck}). What you sent last may have reached it.`;
  const ofOperators = supervision.showUnread().map(({ from, text }) => `Message of ${from}: ${text}`);
  const { watchedBy, tracedBy } = supervision;
  const watched = watchedBy.length === 0 ? [] : [`This session is being watched by ${watchedBy.join(', ')}.`];
  const traced =
    tracedBy.length === 0
      ? []
      : [`What this session exchanges with its host is being recorded by ${tracedBy.join(', ')}.`];
  return [...ofOperators, ...watched, ...traced, ofHost].filter((text) => text !== '').join(' ');
}
