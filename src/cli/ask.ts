import { StringDecoder } from 'node:string_decoder';

const LONGEST_ANSWER = 1024;
const INTERRUPTED = 130;

const ctrlC = '\u0003';
const ctrlD = '\u0004';
const ctrlU = '\u0015';
const escapeKey = '\u001b';
/** Cursor keys, function keys and paste marks, each of which arrives in one piece; or a single Escape. */
const escapeSequences = new RegExp(`${escapeKey}(\\[[0-9;?]*[A-Za-z~]|O[A-Za-z])?`, 'g');

/** Standard input ended without an answer, or the answer is too long. The message is shown to the user. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/** If standard input is not a terminal, returns its next line without prompting. @throws NoAnswerError */
export async function ask(prompt: string): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write(prompt);
  return nextLine(prompt);
}

/** Like `ask`, without echo. Ctrl+C ends the process. @throws NoAnswerError */
export async function askHidden(prompt: string): Promise<string> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY) return nextLine(prompt);
  stdin.setRawMode(true);
  try {
    stderr.write(prompt);
    return await hiddenLine(prompt);
  } finally {
    stdin.setRawMode(false);
    stderr.write('\n');
  }
}

interface Input {
  readonly stream: typeof process.stdin;
  readonly decoder: StringDecoder;
  unread: string;
  ended: boolean;
}

let lastInput: Input | undefined;

/** Keeps unread input as long as `process.stdin` is the same stream. */
function standardInput(): Input {
  const { stdin } = process;
  if (lastInput?.stream !== stdin)
    lastInput = { stream: stdin, decoder: new StringDecoder('utf8'), unread: '', ended: false };
  return lastInput;
}

async function nextLine(prompt: string): Promise<string> {
  const input = standardInput();
  for (;;) {
    const { unread, ended } = input;
    const end = unread.indexOf('\n');
    const length = end < 0 ? unread.length : end;
    if (length > LONGEST_ANSWER) throw new NoAnswerError(`${titleOf(prompt)}: more than ${LONGEST_ANSWER} characters`);
    if (end >= 0 || (ended && unread !== '')) {
      const line = unread.slice(0, length).replace(/\r$/, '');
      input.unread = unread.slice(length + 1);
      return line;
    }
    if (ended) throw new NoAnswerError(`${titleOf(prompt)}: standard input ended before an answer was given`);
    await readMore(input);
  }
}

async function hiddenLine(prompt: string): Promise<string> {
  const input = standardInput();
  let typed: string[] = [];
  for (;;) {
    const characters = [...input.unread.replace(escapeSequences, '')];
    input.unread = '';
    for (const [index, character] of characters.entries()) {
      if (character === '\r' || character === '\n') {
        input.unread = characters.slice(index + 1).join('');
        return typed.join('');
      } else if (character === ctrlC) interrupt();
      else if (character === ctrlD && typed.length === 0) throw new NoAnswerError(`${titleOf(prompt)}: no answer`);
      else if (character === '\b' || character === '\u007f') typed.pop();
      else if (character === ctrlU) typed = [];
      else if (character >= ' ') typed.push(character);
      if (typed.length > LONGEST_ANSWER)
        throw new NoAnswerError(`${titleOf(prompt)}: more than ${LONGEST_ANSWER} characters`);
    }
    if (input.ended) throw new NoAnswerError(`${titleOf(prompt)}: no answer`);
    await readMore(input);
  }
}

/** In raw mode the terminal sends no signal, so the process ends itself with the exit code that shells expect. */
function interrupt(): never {
  process.stdin.setRawMode(false);
  process.stderr.write('\n');
  process.exit(INTERRUPTED);
}

function readMore(input: Input): Promise<void> {
  const { stream: stdin, decoder } = input;
  if (stdin.readableEnded) {
    input.ended = true;
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      stdin.off('data', onData).off('end', onEnd).off('error', settle);
      stdin.pause();
      if (error) reject(new NoAnswerError(`standard input cannot be read: ${error.message}`));
      else resolve();
    };
    const onData = (bytes: Buffer | string) => {
      input.unread += typeof bytes === 'string' ? bytes : decoder.write(bytes);
      settle();
    };
    const onEnd = () => {
      input.unread += decoder.end();
      input.ended = true;
      settle();
    };
    stdin.on('data', onData).on('end', onEnd).on('error', settle);
    stdin.resume();
  });
}

function titleOf(prompt: string): string {
  return prompt.replace(/[\s:?]+$/, '');
}
