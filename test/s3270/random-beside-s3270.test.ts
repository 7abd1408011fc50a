import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { findCodePage } from '../../src/codepage/code-pages.js';
import { SimulatedHost } from '../../src/simulated-host/simulated-host.js';
import { commandScript } from '../support/project.js';
import { randomFrom } from '../support/random.js';
import { rounds } from '../support/rounds.js';
import { needS3270 } from '../support/s3270.js';

/** Actions of one random script. Those of "Differences" in docs/s3270.md are not among them. */
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

describe('random actions beside s3270', () => {
  for (let seed = 1; seed <= rounds(50, 1); seed++) {
    it(`are answered as s3270 answers them (seed ${seed})`, async function () {
      needS3270(this);
      const actions = randomActions(seed);
      const [real, own] = await Promise.all([
        transcript(['s3270', '-utf8'], actions),
        transcript([process.execPath, commandScript, 's3270', '-set', 'contentionResolution=false'], actions),
      ]);
      expect(real).to.have.lengthOf(actions.length);
      const differs = real.findIndex((answer, at) => answer !== own[at]);
      const before = actions.slice(Math.max(0, differs - 8), differs + 1).join(' ');
      expect(own[differs], `action ${differs}: ${before}`).to.equal(real[differs]);
    });
  }
});

function randomActions(seed: number): string[] {
  const next = randomFrom(seed);
  const below = (count: number) => Math.floor(next() * count);
  const one = <Of>(of: readonly Of[]) => of[below(of.length)] as Of;
  const kinds = [
    ...Array<() => string>(6).fill(() => one(keys)),
    ...Array<() => string>(4).fill(() => one(reads)),
    () => one(keysForHost),
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

/** @returns the answer to each action, without times */
async function transcript([program = '', ...words]: readonly string[], actions: readonly string[]): Promise<string[]> {
  const codePage = findCodePage('IBM037');
  if (codePage === undefined) throw new Error('no code page 37');
  const host = new SimulatedHost({ codePage, users: { DEMO: 'demo' }, start: 'MENU' });
  const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
  const child = spawn(program, [...words, '-model', '2', '-codepage', 'cp037', `127.0.0.1:${port}`]);
  child.stderr.resume();
  try {
    return await answersTo(child, actions);
  } finally {
    await host.close();
  }
}

async function answersTo(child: ChildProcessWithoutNullStreams, actions: readonly string[]): Promise<string[]> {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answers: string[] = [];
  for (const action of ['Wait(5,3270Mode)', ...actions]) {
    child.stdin.write(`${action}\n`);
    let answer = '';
    for (let line = ''; line !== 'ok' && line !== 'error'; answer += `${line}\n`) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${action} was not answered`);
      line = value.replace(/^(.* 0x0) \d+\.\d{3}$/, '$1');
    }
    answers.push(answer);
  }
  const over = once(child, 'close');
  child.stdin.end('Quit\n');
  await over;
  return answers.slice(1);
}
