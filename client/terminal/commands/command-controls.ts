import type { Action, Actions } from '../actions.js';
import { holdTyping } from '../keys/held-typing.js';
import { loadScript } from '../words/language-of-page.js';
import { words } from '../words/words.js';
import type { CommandDesk } from './command-dialogs.js';

/** Built from command-desk.ts, beside this script. */
const DESK_SCRIPT = './commands.js';

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
  const open = async <Answer>(show: (desk: CommandDesk) => Promise<Answer>): Promise<Answer | undefined> => {
    if (isOpen) return undefined;
    isOpen = true;
    let answer: Answer | undefined;
    try {
      const { desk } = await loadScript<{ readonly desk: CommandDesk }>(DESK_SCRIPT);
      answer = await show(desk);
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
        void open((desk) => desk.openPalette({ ...port, opened }))
          .finally(opened)
          .then((chosen) => chosen?.run());
      },
    },
    { id: 'help', label: words('commands.help'), run: () => void open((desk) => desk.showKeyHelp(port)) },
  );
}
