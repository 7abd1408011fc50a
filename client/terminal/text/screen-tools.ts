import type { Action, Actions } from '../action-registry.js';
import { chordsOf } from '../keys/chord.js';
import { holdTyping } from '../keys/held-typing.js';
import type { KeyMap } from '../keys/key-map.js';
import { type PicturedScreen, ScreenHistory } from '../model/screen-history.js';
import type { ScreenDialogs } from '../screens/screen-dialogs.js';
import type { ScreenTools } from '../screens/screen-port.js';
import type { Terminal } from '../terminal.js';
import { loadScript } from '../words/language-of-page.js';
import { words } from '../words/words.js';
import { transferTools } from './file-transfers.js';
import { documentTools } from './printed-documents.js';
import type { ScreenOverlay } from './screen-overlay.js';
import { textAction } from './text-actions.js';

/** Built from screen-dialogs.ts, beside this script. */
const TOOLS_SCRIPT = './screens.js';

interface ScreenToolsOptions {
  readonly terminal: Terminal;
  readonly actions: Actions;
  readonly keyMap: KeyMap;
  readonly overlay: ScreenOverlay;
}

export function screenTools({ terminal, actions, keyMap, overlay }: ScreenToolsOptions): readonly Action[] {
  const { model } = terminal;
  const history = new ScreenHistory();
  const current = (): PicturedScreen => {
    const { rows, columns, fields, runs } = model;
    return { rows, columns, fields, runs, cells: model.cells() };
  };
  terminal.listen({
    screen: () => history.written(current(), Date.now()),
    sent: (key) => history.left(current(), key, Date.now()),
  });
  const port: ScreenTools = {
    overlay,
    element: terminal.element,
    screens: () => {
      history.typed(current());
      return history.screens;
    },
    current,
    say: (text) => terminal.say(text),
    announce: (text) => terminal.announce(text),
    focus: () => terminal.focus(),
    pressKey: (event) => {
      const action = keyMap.actionOf(chordsOf(event));
      return action !== undefined && actions.run(action);
    },
    listen: (events) => terminal.listen(events),
  };
  const withTools = (act: (tools: ScreenDialogs) => void) => async () => {
    let tools: ScreenDialogs;
    try {
      tools = (await loadScript<{ readonly screenDialogs: ScreenDialogs }>(TOOLS_SCRIPT)).screenDialogs;
    } catch {
      terminal.say(words('screens.noScript'));
      return;
    }
    act(tools);
  };
  const tool = (act: (tools: ScreenDialogs) => void) => () => void withTools(act)();
  return [
    textAction('find', () => {
      const opened = holdTyping((text) => terminal.user.type(text));
      void withTools((tools) => tools.find(port))().finally(opened);
    }),
    textAction(
      'history',
      tool((tools) => void tools.history(port)),
    ),
    textAction(
      'print',
      tool((tools) => tools.print(current(), false)),
    ),
    textAction(
      'printAsSeen',
      tool((tools) => tools.print(current(), true)),
    ),
    documentTools(terminal, (act) => void withTools(act)()),
    transferTools(terminal, (act) => void withTools(act)()),
    textAction(
      'saveText',
      tool((tools) => tools.saveText(current())),
    ),
    textAction(
      'saveHtml',
      tool((tools) => tools.savePage(current(), terminal.element)),
    ),
  ];
}
