import type { BrowserSession } from './browser-session.js';

/** What pages and programs say to the user: that the host sent a faulty record, else the text of the connection script. */
export function sessionNotice({ notice, screen }: Pick<BrowserSession, 'notice' | 'screen'>): string {
  const { programCheck } = screen.state.operator;
  if (programCheck === undefined) return notice;
  return `The host sent something that this terminal cannot show (X PROG ${programCheck}). What you sent last may have reached it.`;
}
