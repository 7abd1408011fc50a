import type { HostMessage } from '../../src/terminal/protocol/server-message.js';
import { choose } from './macros/dialog.js';
import { isTabPlain } from './page-storage.js';
import { isUntouched } from './page-touch.js';
import { LEAVING_EVENT } from './session-state.js';
import type { Settings } from './settings/settings.js';
import { words } from './words/words.js';

interface LeftTerminal {
  readonly isOver: boolean;
  readonly model: { readonly hasUnsent: boolean };
  readonly isRecording: boolean;
  readonly host: HostMessage | undefined;
  leave(): boolean;
  press(name: string): void;
  focus(): void;
}

/** Links of the page do not ask: the session stays open, and the application menu leads back to it. */
export function askBeforeLeaving(terminal: LeftTerminal, settings: Settings): void {
  let isByLink = false;
  document.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('a[href]') === null) return;
    isByLink = true;
    // the link may have opened another tab
    setTimeout(() => {
      isByLink = false;
    });
  });
  const ask = (event: Event) => {
    if (terminal.isOver || isByLink || isTabPlain()) return;
    // browsers ignore beforeunload without a user gesture, and log a warning
    if (isUntouched()) return;
    if (settings.get('confirmLeave') || terminal.model.hasUnsent || terminal.isRecording) event.preventDefault();
  };
  // in the workspace, the outer page asks once for all terminals
  if (parent === window) addEventListener('beforeunload', ask);
  else document.addEventListener(LEAVING_EVENT, ask);
}

/** Asks before the form ends the session. @returns a function that does the same without the button */
export function askBeforeDisconnecting(form: HTMLFormElement, terminal: LeftTerminal, application: string): () => void {
  let isAnswered = false;
  const disconnect = () => {
    isAnswered = true;
    form.requestSubmit(form.querySelector('button'));
    isAnswered = false;
  };
  const ask = async () => {
    const { h: host = '', d: unit = '' } = terminal.host ?? {};
    const what = [application, host, unit].filter((part) => part !== '').join(' · ');
    const unsent = terminal.model.hasUnsent ? ` ${words('leave.unsent')}` : '';
    const answer = await choose(words('leave.title'), words('leave.ends', { what }) + unsent, [
      ['end', words('leave.end')],
      ['stay', words('leave.stay')],
    ]);
    if (answer === 'end') disconnect();
    else terminal.focus();
  };
  form.addEventListener('submit', (event) => {
    if (!isAnswered && !terminal.isOver) {
      event.preventDefault();
      void ask();
      return;
    }
    // the form shows the closing page
    if (terminal.leave()) return;
    event.preventDefault();
    terminal.press('DISCONNECT');
  });
  return () => void ask();
}
