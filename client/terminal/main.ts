import { encryptForm, tell } from '../form/form-submission.js';
import { pageEncryption } from '../form/page-encryption.js';
import { Actions } from './action-registry.js';
import { addCommands } from './commands/command-controls.js';
import { Display } from './display.js';
import { playEarlyStrokes } from './early-play.js';
import { releaseEarlyStrokes } from './early-strokes.js';
import { listenForEmbedder, serveEmbedder } from './embedder.js';
import { fullScreenAction } from './full-screen.js';
import { Keypad } from './keypad.js';
import { chordWords, keptByBrowser } from './keys/chord.js';
import { KeyMap } from './keys/key-map.js';
import { PageKeyboard } from './keys/page-keyboard.js';
import { askBeforeDisconnecting, askBeforeLeaving } from './leaving.js';
import { MacroControls } from './macros/macro-controls.js';
import { isTabPlain, wereKeysDiscarded } from './page-storage.js';
import { keepFocusOnClick } from './pointer-focus.js';
import { settingCommands } from './settings/setting-commands.js';
import { Settings } from './settings/settings.js';
import { settingsAction } from './settings/settings-action.js';
import { rememberTheme } from './settings/theme-choice.js';
import { Terminal } from './terminal.js';
import { terminalKeyActions } from './terminal-keys.js';
import type { TextControls } from './text/text-controls.js';
import { followLanguageSetting } from './words/language-choice.js';
import { speakLanguageOfPage } from './words/language-of-page.js';
import { words } from './words/words.js';

/** Built from text-controls.ts, beside this script; the page loads both at once. */
const TEXT_SCRIPT = './text.js';
const SECRETS = 'input[type="password"], input[vcrypt]';

/** Turns the form of the page into a terminal. On failure the form stays usable. */
function begin(addTextControls: TextControls | undefined): void {
  const element = (id: string) => document.getElementById(id);
  const [form, screen, information, notices, hostKeys, announcements, alert] = [
    element('screen-form'),
    element('screen'),
    element('information'),
    element('notices'),
    element('host-keys'),
    element('announcements'),
    element('alert'),
  ];
  if (!(form instanceof HTMLFormElement) || !screen || !information || !notices || !hostKeys) return;
  if (!announcements || !alert) return;
  // WebSockets are blocked here: use the form
  if (isTabPlain()) {
    beginPlain(form);
    return;
  }
  let encryption: ReturnType<typeof pageEncryption>;
  try {
    encryption = pageEncryption();
  } catch {
    beginPlain(form);
    return;
  }
  const path = new URL(form.action).pathname;
  // a reload shows this session and sends no form twice
  history.replaceState(null, '', path);
  document.body.classList.add('live');
  screen.tabIndex = 0;
  screen.setAttribute('role', 'group');
  const settings = new Settings();
  followLanguageSetting(settings);
  rememberTheme(settings);
  const terminal = new Terminal(path, encryption, settings, { screen, information, notices, announcements, alert });
  playEarlyStrokes(terminal);
  settings.notKept = (reason) => terminal.say(words('settings.notSaved', { reason }));
  form.addEventListener('submit', (event) => {
    const { submitter } = event;
    event.preventDefault();
    if (submitter instanceof HTMLButtonElement) terminal.press(submitter.value);
  });
  askBeforeLeaving(terminal, settings);
  const [pad, toggle] = [element('keypad'), element('keypad-toggle')];
  const keypad = pad && toggle instanceof HTMLButtonElement ? new Keypad(pad, toggle) : undefined;
  keepFocusOnClick(terminal, screen);
  const actions = new Actions();
  const { application = '' } = document.body.dataset;
  const keyMap = new KeyMap(settings, application);
  let hotKeyOwner: (chord: string) => string | undefined = () => undefined;
  const [record, list, stop] = [element('macro-record'), element('macro-list'), element('macro-stop')];
  if (record instanceof HTMLButtonElement && list instanceof HTMLButtonElement && stop instanceof HTMLButtonElement) {
    const macros = new MacroControls(terminal, { record, list, stop }, (chord) => {
      const use = keyMap.useOf(chord);
      return use && { label: actions.find(use.action)?.label ?? use.action, isOwn: use.isOwn };
    });
    actions.addSource(() => macros.commands);
    hotKeyOwner = (chord) => macros.hotKeyOwner(chord);
  }
  const display = new Display(terminal, settings, hostKeys, keypad?.anotherButton());
  actions.add(...terminalKeyActions(terminal), ...display.actions);
  if (list) actions.add({ id: 'macros', label: words('action.macros'), run: () => list.click() });
  // Tab belongs to the screen, so another key leaves it
  if (keypad) actions.add({ id: 'leaveScreen', label: words('action.leaveScreen'), run: () => keypad.focus() });
  actions.add(fullScreenAction((text) => terminal.say(text)));
  actions.add(settingsAction(terminal, { actions, application, hotKeyOwner }));
  new PageKeyboard({ screen, actions, keyMap, terminal });
  actions.addSource(() => settingCommands(settings));
  // priority: the user's own keys, macro hot keys, the base map
  const isInForce = (chord: string) => keyMap.useOf(chord)?.isOwn === true || hotKeyOwner(chord) === undefined;
  addCommands({
    actions,
    keysOf: ({ id, keys = [] }) => [...keyMap.keysOf(id).filter(isInForce).map(chordWords), ...keys],
    kept: keptByBrowser.map(chordWords),
    say: (text) => terminal.say(text),
    type: (text) => terminal.user.type(text),
    focus: () => terminal.focus(),
  });
  serveEmbedder(terminal, actions);
  addTextControls?.({ terminal, actions, keyMap });
  // last in the command list, where Enter chooses the first entry
  const leaveForm = element('leave-form');
  if (leaveForm instanceof HTMLFormElement) {
    const title = document.title.split(' – ')[0] ?? '';
    const run = askBeforeDisconnecting(leaveForm, terminal, title);
    actions.add({ id: 'disconnect', label: words('leave.action'), run });
  }
  showButtons(actions, terminal);
  // in the workspace, the outer page decides which terminal gets the focus
  if (parent === window || document.hasFocus()) terminal.focus();
  else addEventListener('focus', () => terminal.focus(), { once: true });
}

function beginPlain(form: HTMLFormElement): void {
  document.body.classList.add('plain');
  encryptForm(form, SECRETS);
  if (wereKeysDiscarded()) tell(words('early.discarded'));
  releaseEarlyStrokes({});
}

function showButtons(actions: Actions, terminal: Terminal): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-does]')) {
    const action = actions.find(button.dataset.does ?? '');
    if (action === undefined) continue;
    button.hidden = false;
    button.addEventListener('click', () => {
      actions.run(action.id);
      if (document.querySelector('dialog[open]') === null) terminal.focus();
    });
  }
}

listenForEmbedder();
/** Without this script the terminal works, with the browser's own selection. */
async function textControls(): Promise<TextControls | undefined> {
  try {
    return ((await import(TEXT_SCRIPT)) as { readonly addTextControls: TextControls }).addTextControls;
  } catch {
    return undefined;
  }
}

const [addTextControls] = await Promise.all([textControls(), speakLanguageOfPage()]);
begin(addTextControls);
