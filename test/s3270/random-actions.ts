import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { awaited, nameOfProgram } from '../support/awaited.js';
import { eventually } from '../support/eventually.js';
import { randomFrom } from '../support/random.js';

/** Actions of one random script. Those of "Differences" in docs/write/s3270.md are not among them. */
const ACTIONS = 200;

const keys = [
  ...['Tab', 'BackTab', 'Home', 'Newline', 'Up', 'Down', 'Left', 'Left2', 'Right', 'Right2', 'FieldEnd'],
  ...['NextWord', 'PreviousWord', 'Delete', 'DeleteField', 'DeleteWord', 'BackSpace', 'EraseEOF'],
  ...['EraseInput', 'Insert', 'ToggleInsert', 'Reset', 'Dup', 'FieldMark', 'CursorSelect', 'CircumNot', 'MonoCase'],
];
const keysForHost = ['Enter', 'PF(1)', 'PF(3)', 'PF(7)', 'PF(8)', 'PF(12)', 'PA(1)', 'PA(2)', 'Clear'];
const reads = [
  ...['Ascii()', 'AsciiField', 'EbcdicField', 'Ebcdic(0,0,3,80)', 'ReadBuffer(Ascii)', 'ReadBuffer(Ebcdic)'],
  ...['ReadBuffer(Field)', 'ReadBuffer(Unicode)', 'Snap', 'Snap(Status)', 'Snap(Cols)', 'ignore', ''],
  ...['PrintText(string)', 'Query(Cursor)', 'Query(Cursor1)', 'Query(Formatted)'],
  ...['Query(ConnectionState)', 'Query(LuName)', 'Query(ScreenSizeCurrent)', 'Query(Tls)'],
  ...['Query(Tn3270eOptions)', 'Query(TerminalName)', 'Query(CodePage)', 'Query(Model)', 'Query(LocalEncoding)'],
  ...['Wait(1,3270Mode)', 'Wait(1,Unlock)'],
];
const texts = ['a', 'AB cd', '2', 'x', ' ', '1234567890', 'demo', 'two words', '\\x41', 'it\\b'];
const settings = ['blankFill', 'monoCase', 'insertMode'];

/** @param asksHost whether keys that wait for the host are among them */
export function randomActions(seed: number, asksHost = true): string[] {
  const next = randomFrom(seed);
  const below = (count: number) => Math.floor(next() * count);
  const one = <Of>(of: readonly Of[]) => of[below(of.length)] as Of;
  const kinds = [
    ...Array<() => string>(6).fill(() => one(keys)),
    ...Array<() => string>(4).fill(() => one(reads)),
    ...(asksHost ? [() => one(keysForHost)] : []),
    () => `String("${one(texts)}")`,
    () => `String("${one(texts)}")`,
    () => `MoveCursor(${below(24)},${below(80)})`,
    () => `MoveCursor1(${1 + below(24)},${1 + below(80)})`,
    () => `Ascii(${below(24)},${below(80)},${1 + below(60)})`,
    () => `Set(${one(settings)},${one(['true', 'false'])})`,
    () => 'Reset',
  ];
  return Array.from({ length: ACTIONS }, () => one(kinds)());
}

/**
 * @param first asked again and again until its answer is as it should be, before the actions; and what is asked once before that
 * @returns the answer to each action, without times
 */
export async function answersTo(
  child: ChildProcessWithoutNullStreams,
  actions: readonly string[],
  first: { readonly once?: string; readonly ask: string; readonly until: RegExp } = {
    ask: 'Wait(5,3270Mode)',
    until: /ok\n$/,
  },
): Promise<string[]> {
  const program = nameOfProgram(child.spawnargs);
  const owes = <Found>(what: string, found: Promise<Found>) =>
    awaited(program, what, found, () => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (action: string) => {
    child.stdin.write(`${action}\n`);
    let answer = '';
    for (let line = ''; line !== 'ok' && line !== 'error'; answer += `${line}\n`) {
      const { value, done } = await owes(`an answer to ${action}`, lines.next());
      if (done) throw new Error(`${program} has ended without an answer to ${action}`);
      line = value.replace(/^(.* 0x0) \d+\.\d{3}$/, '$1');
    }
    return answer;
  };
  if (first.once !== undefined) await ask(first.once);
  await eventually(async () => (first.until.test(await ask(first.ask)) ? true : undefined));
  const answers: string[] = [];
  for (const action of actions) answers.push(await ask(action));
  const over = once(child, 'close');
  child.stdin.end('Quit\n');
  await owes('its end after Quit', over);
  return answers;
}
