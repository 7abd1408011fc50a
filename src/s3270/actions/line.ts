import { type ActionFamily, numberOf } from '../action.js';
import { ActionError, HOST_GONE } from '../action-error.js';

const EXPECT_SECONDS = 30;
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', a: '\x07', e: '\x1b' };

function unescaped(text: string): string {
  return text.replace(/\\(?:x([0-9a-f]{1,2})|([0-7]{1,3})|([\s\S]))/gi, (_, hex, octal, letter) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    return escapes[letter] ?? letter;
  });
}

const readText: ActionFamily[string] = {
  takes: [0, 0],
  act: (terminal) => [terminal.lineText.take()],
};

export const lineActions: ActionFamily = {
  AnsiText: { ...readText, countedAs: 'NvtText' },
  NvtText: readText,
  Expect: {
    takes: [1, 2],
    act: async (terminal, [written = '', seconds]) => {
      const within = seconds === undefined ? EXPECT_SECONDS : numberOf(seconds);
      if (!terminal.isInLineMode) throw new ActionError('Expect() is valid only when connected in NVT mode');
      if (within === undefined || within < 1 || within > 600) throw new ActionError('Expect(): Invalid timeout');
      const text = unescaped(written);
      const end = await terminal.waitUntil(() => terminal.lineText.takePast(text), within * 1_000);
      if (end === 'timedOut') throw new ActionError('Expect(): Timed out');
      if (end !== 'holds') throw new ActionError(HOST_GONE);
    },
  },
  Interrupt: {
    takes: [0, 0],
    act: (terminal) => {
      if (terminal.isIn3270Mode) terminal.conversation.interrupt();
    },
  },
};
