import { type ActionData, type ActionFamily, ANY_NUMBER, type ScriptCaller } from '../action.js';
import { ActionError } from '../action-error.js';
import { type PrintForm, printScreen } from '../print-text.js';
import type { ScriptTools } from '../script-tools.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';
import { informationOf } from '../terminal-information.js';
import { MachineAccessError } from '../terminal-only.js';

type Destination = 'string' | 'file' | 'command';

interface PrintWish {
  form: PrintForm;
  to: Destination;
  how: 'append' | 'replace';
  caption: string | undefined;
  hasInformationLine: boolean;
  target: string | undefined;
}

const keywords: Readonly<Record<string, Partial<PrintWish>>> = {
  file: { to: 'file' },
  command: { to: 'command' },
  string: { to: 'string' },
  text: { form: 'text' },
  html: { form: 'html' },
  rtf: { form: 'rtf' },
  append: { how: 'append' },
  replace: { how: 'replace' },
  oia: { hasInformationLine: true },
  // for the print dialogue of a window
  modi: {},
  secure: {},
};

/** Reads keywords in any order and case. The first other word is the file or the command; no keywords may follow it. */
function readWish(parameters: readonly string[]): PrintWish {
  const wish: PrintWish = {
    form: 'text',
    to: 'command',
    how: 'append',
    caption: undefined,
    hasInformationLine: false,
    target: undefined,
  };
  for (let at = 0; at < parameters.length; at++) {
    const word = parameters[at] ?? '';
    const folded = word.toLowerCase();
    if (folded === 'caption') {
      wish.caption = parameters[++at];
      if (wish.caption === undefined) throw new ActionError('PrintText(): missing caption parameter');
      continue;
    }
    const isDestination = folded === 'string' || folded === 'file' || folded === 'command';
    if (wish.to === 'string' && isDestination) throw new ActionError(`PrintText(): contradictory option '${word}'`);
    const keyword = keywords[folded];
    if (keyword !== undefined && wish.target === undefined) {
      Object.assign(wish, keyword);
      continue;
    }
    if (wish.to === 'string') throw new ActionError("PrintText(): extra argument with 'string'");
    if (wish.target !== undefined) throw new ActionError('PrintText(): extra arguments');
    wish.target = word;
  }
  return wish;
}

async function printText(
  terminal: ScriptedTerminal,
  parameters: readonly string[],
  { tools }: ScriptCaller,
): Promise<ActionData> {
  const wish = readWish(parameters);
  if (wish.to === 'file' && wish.target === undefined) throw new ActionError('PrintText(): missing filename');
  const picture = terminal.print();
  const lines = printScreen(picture, {
    form: wish.form,
    caption: wish.caption?.replaceAll('%T%', timeOf(new Date())),
    information: wish.hasInformationLine ? informationOf(terminal, true) : undefined,
  });
  if (wish.to === 'string') return lines;
  const text = `${lines.join('\n')}\n`;
  if (wish.to === 'file') await writeFile(tools, wish, text);
  else await tools.runProgram(terminal, wish.target ?? 'lpr', text);
}

async function writeFile(
  tools: ScriptTools<ScriptedTerminal>,
  { target = '', how }: PrintWish,
  text: string,
): Promise<void> {
  try {
    await tools.writeFile(target, text, how);
  } catch (error) {
    throw error instanceof ActionError && !(error instanceof MachineAccessError)
      ? new ActionError(`PrintText(): ${error.message}`)
      : error;
  }
}

function timeOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

export const printingActions: ActionFamily = {
  PrintText: { takes: [0, ANY_NUMBER], act: printText },
};
