/** The host did not end the session: the connection to it failed. */
export const HOST_LOST = 'hostLost';

const endings: Readonly<Record<string, string>> = {
  disconnected: 'You have left the application.',
  hostEnded: 'The host has ended the session.',
  [HOST_LOST]: 'The connection to the host was lost.',
  idle: 'The session was not used for a long time and has ended.',
  displaced: 'The session was not used for a while, and another one needed its place.',
  undecipherable: 'The session has ended: encrypted fields could not be read.',
  stopped: 'The server is being stopped.',
  failed: 'The session failed.',
};
/** What the server says where there is no more to say. */
const HOST_LOGGED_OFF = 'the host ended the session';

/** Why a session is over, in words for its user. */
export function endingWords(reason: string): string {
  return endings[reason] ?? 'The session has ended.';
}

/** Says that the session is over, and offers what can be done now. */
export function showEnding(alert: HTMLElement, reason: string, detail: string): void {
  const again = link(alert.dataset.again ?? '/', 'Begin a new session');
  const isExplained =
    reason === 'failed' || reason === HOST_LOST || (reason === 'hostEnded' && detail !== HOST_LOGGED_OFF);
  const words = `${endingWords(reason)}${isExplained && detail !== '' ? ` (${detail})` : ''} `;
  alert.replaceChildren(words, again, ' ', link('/', 'Application menu'));
  alert.hidden = false;
  again.focus();
}

function link(address: string, words: string): HTMLAnchorElement {
  const element = document.createElement('a');
  element.href = address;
  element.textContent = words;
  return element;
}
