import type { Action, Actions } from '../action-registry.js';
import { holdTyping } from '../keys/held-typing.js';
import { loadScript } from '../words/language-of-page.js';
import { words } from '../words/words.js';
import type { CommandDialogs } from './command-dialogs.js';

/** Built from command-dialogs.ts, beside this script. */
const TOOLS_SCRIPT = './commands.js';

interface CommandPort {
  readonly actions: Actions;
  readonly keysOf: (action: Action) => readonly string[];
  /** Keys reserved by the browser. */
  readonly kept: readonly string[];
  say(text: string): void;
  type(text: string): void;
  focus(): void;
}

export function addCommands(port: CommandPort): void {
  let isOpen = false;
  const open = async <Answer>(show: (tools: CommandDialogs) => Promise<Answer>): Promise<Answer | undefined> => {
    if (isOpen) return undefined;
    isOpen = true;
    let answer: Answer | undefined;
    try {
      const { tools } = await loadScript<{ readonly tools: CommandDialogs }>(TOOLS_SCRIPT);
      answer = await show(tools);
    } catch {
      port.say(words('commands.noScript'));
    }
    isOpen = false;
    if (document.querySelector('dialog[open]') === null) port.focus();
    return answer;
  };
  port.actions.add(
    {
      id: 'palette',
      label: words('commands.palette'),
      run: () => {
        const opened = holdTyping((text) => port.type(text));
        void open((tools) => tools.openPalette({ ...port, opened }))
          .finally(opened)
          .then((chosen) => chosen?.run());
      },
    },
    { id: 'help', label: words('commands.help'), run: () => void open((tools) => tools.showKeyHelp(port)) },
  );
}
