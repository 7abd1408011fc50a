import { encryptForm } from '../form/form-submission.js';
import { pageEncryption } from '../form/page-encryption.js';
import { MacroControls } from './macros/macro-controls.js';
import { keepFocusOnClick } from './pointer-focus.js';
import { Terminal } from './terminal.js';

const PLAIN_KEY = 'sallyport-plain';
const SECRETS = 'input[type="password"], input[vcrypt]';

/** Turns the form of the terminal page into a terminal. Where that cannot be, the form stays what it is. */
function begin(): void {
  const element = (id: string) => document.getElementById(id);
  const [form, screen, information, announcements, alert] = [
    element('screen-form'),
    element('screen'),
    element('information'),
    element('announcements'),
    element('alert'),
  ];
  if (!(form instanceof HTMLFormElement) || !screen || !information || !announcements || !alert) return;
  // WebSockets do not get through here: the form works without
  if (sessionStorage.getItem(PLAIN_KEY) !== null) {
    encryptForm(form, SECRETS);
    return;
  }
  let encryption: ReturnType<typeof pageEncryption>;
  try {
    encryption = pageEncryption();
  } catch {
    encryptForm(form, SECRETS);
    return;
  }
  const path = new URL(form.action).pathname;
  // loaded again, the page shows this session, and sends no form twice
  history.replaceState(null, '', path);
  document.body.classList.add('live');
  screen.tabIndex = 0;
  screen.setAttribute('role', 'group');
  const terminal = new Terminal(path, encryption, { screen, information, announcements, alert });
  form.addEventListener('submit', (event) => {
    const { submitter } = event;
    event.preventDefault();
    if (submitter instanceof HTMLButtonElement) terminal.press(submitter.value);
  });
  element('leave-form')?.addEventListener('submit', (event) => {
    // the form is answered with the last page
    if (terminal.leave()) return;
    event.preventDefault();
    terminal.press('DISCONNECT');
  });
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-key]')) {
    button.hidden = false;
    button.addEventListener('click', () => terminal.press(button.dataset.key ?? ''));
  }
  const keypad = element('keypad');
  const toggle = element('keypad-toggle');
  if (keypad && toggle instanceof HTMLButtonElement) {
    toggle.hidden = false;
    const show = (isShown: boolean) => {
      keypad.hidden = !isShown;
      toggle.setAttribute('aria-expanded', String(isShown));
    };
    show(matchMedia('(pointer: coarse)').matches);
    toggle.addEventListener('click', () => show(keypad.hasAttribute('hidden')));
    // the screen has the Tab key: this is the way out of it
    document.addEventListener('keydown', (event) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      toggle.focus();
    });
  }
  keepFocusOnClick(terminal, screen);
  const [record, list, stop] = [element('macro-record'), element('macro-list'), element('macro-stop')];
  if (record instanceof HTMLButtonElement && list instanceof HTMLButtonElement && stop instanceof HTMLButtonElement) {
    new MacroControls(terminal, { record, list, stop });
  }
  const copy = element('copy-screen');
  if (copy instanceof HTMLButtonElement && navigator.clipboard !== undefined) {
    copy.hidden = false;
    copy.addEventListener('click', () => {
      void navigator.clipboard.writeText(terminal.screenText());
      terminal.focus();
    });
  }
  terminal.focus();
}

begin();
