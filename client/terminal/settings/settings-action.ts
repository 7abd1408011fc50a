import type { Action, Actions } from '../action-registry.js';
import { loadScript } from '../words/language-of-page.js';
import { words } from '../words/words.js';
import type { Settings } from './settings.js';
import type { SettingsDrawer } from './settings-drawer.js';

/** Built from settings-drawer.ts, beside this script. */
const TOOLS_SCRIPT = './settings.js';

interface PageTerminal {
  readonly settings: Settings;
  focus(): void;
  say(text: string): void;
}

interface SettingsPort {
  readonly actions: Actions;
  readonly application: string;
  readonly hotKeyOwner: (chord: string) => string | undefined;
}

export function settingsAction(terminal: PageTerminal, { actions, application, hotKeyOwner }: SettingsPort): Action {
  let isOpen = false;
  const open = async () => {
    if (isOpen) return;
    isOpen = true;
    try {
      const { tools } = await loadScript<{ readonly tools: SettingsDrawer }>(TOOLS_SCRIPT);
      await tools.openSettings({ settings: terminal.settings, actions: actions.all, application, hotKeyOwner });
    } catch {
      terminal.say(words('settings.noScript'));
    }
    isOpen = false;
    terminal.focus();
  };
  return { id: 'settings', label: words('action.settings'), run: () => void open() };
}
