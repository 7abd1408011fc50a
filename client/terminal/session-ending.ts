import { tellSessionState } from './session-state.js';
import { type WordKey, words } from './words/words.js';

/** The connection to the host failed; the host did not end the session. */
export const HOST_LOST = 'hostLost';

const endings: Readonly<Record<string, WordKey>> = {
  disconnected: 'ending.disconnected',
  hostEnded: 'ending.hostEnded',
  [HOST_LOST]: 'ending.hostLost',
  idle: 'ending.idle',
  displaced: 'ending.displaced',
  undecipherable: 'ending.undecipherable',
  operator: 'ending.operator',
  signOnReplaced: 'ending.signOnReplaced',
  stopped: 'ending.stopped',
  failed: 'ending.failed',
};

export function endingWords(reason: string): string {
  return words(endings[reason] ?? 'ending.otherwise');
}

export function showEnding(alert: HTMLElement, reason: string, detail: string): void {
  const again = link(alert.dataset.again ?? '/', words('ending.again'));
  const isExplained = ['failed', 'hostEnded', HOST_LOST].includes(reason);
  const explanation = `${endingWords(reason)}${isExplained && detail !== '' ? ` (${detail})` : ''} `;
  const menu = link('/', words('ending.menu'));
  // leave the workspace too
  menu.target = '_top';
  alert.replaceChildren(explanation, again, ' ', menu);
  alert.hidden = false;
  tellSessionState('ended');
  again.focus();
  // works wherever the focus is
  const begin = (event: KeyboardEvent) => {
    const { target } = event;
    if (event.key !== 'Enter' || document.querySelector('dialog[open]') !== null) return;
    if (target instanceof Element && target.closest('a, button') !== null) return;
    event.preventDefault();
    event.stopPropagation();
    again.click();
  };
  document.addEventListener('keydown', begin, true);
}

function link(address: string, text: string): HTMLAnchorElement {
  const element = document.createElement('a');
  element.href = address;
  element.textContent = text;
  return element;
}
