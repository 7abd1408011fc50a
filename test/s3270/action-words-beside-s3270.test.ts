import { expect } from 'chai';
import { needS3270 } from '../support/s3270.js';
import { bothPrograms } from './stepping-terminal.js';
import { transcriptOf } from './transcript.js';

const model = ['-model', '2'];
/** What a program answers to each action. */
async function answersOf(program: readonly string[], actions: readonly string[]): Promise<readonly string[]> {
  const transcript = await transcriptOf(program, model, actions);
  return transcript.split(/(?<=^(?:ok|error)\n)/m);
}

/** The actions that are answered in another way than s3270 4.1 answers them. */
async function differencesOf(actions: readonly string[]) {
  const [real = [], own = []] = await Promise.all(bothPrograms.map((program) => answersOf(program, actions)));
  expect(real.length).to.equal(actions.length);
  return actions.flatMap((action, at) => (own[at] === real[at] ? [] : [{ action, own: own[at], s3270: real[at] }]));
}

/** What s3270 lists: each action, or the name of each line. */
async function namesOf(listing: 'Query(Actions)' | 'Set' | 'Query', program = bothPrograms[0] ?? []) {
  const [answer = ''] = await answersOf(program, [listing]);
  const lines = answer.split('\n').filter((line) => line.startsWith('data: '));
  if (listing !== 'Query(Actions)') return lines.map((line) => line.slice('data: '.length).split(':')[0] ?? '');
  return (lines[0] ?? '').slice('data: '.length).replaceAll('()', '').split(' ');
}

/** They end the terminal, start something, wait, or write files; or both say different things of themselves. */
const leftOut =
  /^(?:Abort|CloseScript|Connect|Execute|Exit|Open|Pause|PrintText|Prompt|Quit|Reconnect|ScreenTrace|Script|Source|SubjectNames|Trace)$/;
/** They list more than 4.1 has. */
const lists = /^(?:Set|Show|Toggle|Query)\(\)$/;
/** These take a length alone. */
const takesLength = /^(?:Ascii1|Ebcdic1)\((?:x|1|"")\)$/;

describe('words of actions beside s3270', () => {
  before(function () {
    needS3270(this);
  });

  it('are the same for every action, with parameters of all numbers', async () => {
    const parameters = ['', 'x', '1', 'x,y', '1,2', 'x,y,z', '1,2,3', '1,2,3,4,5', '""'];
    const actions = (await namesOf('Query(Actions)'))
      .filter((name) => !leftOut.test(name))
      .flatMap((name) => parameters.map((some) => `${name}(${some})`));
    const compared = actions.filter((action) => !lists.test(action) && !takesLength.test(action));
    expect(compared.length).to.be.greaterThan(600);
    expect(await differencesOf(compared)).to.deep.equal([]);
  });

  it('are the same for actions that s3270 has not', async () => {
    const windows = [
      'Compose',
      'Printer',
      'Help',
      'Keymap',
      'Title',
      'WindowState',
      'Redraw',
      'Keypad',
      'Menu',
      'Crash',
    ];
    const others = ['PrintWindow', 'Cut', 'Copy', 'Paste', 'SelectAll', 'ForceStatus', 'a', 'Wai(0,Seconds)', 'Res'];
    const keys = ['Pa(4)', 'PF(25)', 'PF(0)', 'PF(x)', 'Key(0x41)', 'Key(0x)', 'Key(U+0041)', 'Key(u+41)', 'Key(Left)'];
    expect(await differencesOf([...windows, ...others, ...keys])).to.deep.equal([]);
  });

  it('are the same for every keyword of Query and Show, and in the same order', async () => {
    const own = await namesOf('Query', bothPrograms[1]);
    const real = await namesOf('Query');
    expect(own.filter((name) => real.includes(name))).to.deep.equal(real);
    // what each is and is made of
    const differ = /^(?:About|Actions|BuildOptions|CodePages|Copyright|TlsProvider|Version)$/;
    const asked = real.filter((name) => !differ.test(name));
    const actions = ['Query', 'Show'].flatMap((action) => [
      ...asked.flatMap((name) => [`${action}(${name})`, `${action}(${name.toLowerCase()})`, `${action}(${name},x)`]),
      ...['x', '""', 'Co', 'T', 'Screen', '-al', 'Cursor', '-all,x'].map((keyword) => `${action}(${keyword})`),
    ]);
    expect(await differencesOf(actions)).to.deep.equal([]);
  });

  it('are the same for every setting, with right and wrong values', async () => {
    const own = await namesOf('Set', bothPrograms[1]);
    const real = await namesOf('Set');
    expect(own.filter((name) => real.includes(name))).to.deep.equal(real);
    const values = ['x', 'true', 'TRUE', 'on', '1', '0', 'False', '""', '-1', '2', '99999999999'];
    const actions = real.flatMap((name) => [
      ...[`Set(${name})`, `Set(${name.toUpperCase()})`, `Toggle(${name})`, `Set(${name},true,${name})`],
      ...(/^(?:trace|screenTrace|httpd|scriptPort)$/.test(name) ? [] : values).flatMap((value) => [
        ...[`Set(${name},${value})`, `Toggle(${name},${value})`, `Set(${name})`],
      ]),
      `Toggle(${name},x,y)`,
    ]);
    const odd = ['Set(x)', 'Toggle(x)', 'Set(mono)', 'Toggle("")', 'Set("")', 'Set(x,y)', 'Set(x,y,z)', 'Set(nvt'];
    // passwords are not shown, and 4.1 names another setting for a wrong size of the buffer
    const compared = [...actions, ...odd].filter((action) => !/^(?:Set\(keyPasswd\)|\w+\(ftBufferSize,)/i.test(action));
    expect(await differencesOf(compared)).to.deep.equal([]);
  });

  it('are the same for macros: it has a resource for them, and looks into none', async () => {
    const macros = ['-xrm', 's3270.macros: a: Set(model)\\nb: Set(port)', '-xrm', '*macros.host: c: Set(model)'];
    const actions = ['Macro(a)', 'Macro("b")', 'Macro(c)', 'Macro()', 'Macro(a,b)'];
    const [real, own] = await Promise.all(
      bothPrograms.map((program) => transcriptOf(program, [...model, ...macros], actions)),
    );
    expect(own).to.equal(real);
    expect(real).to.include("data: Macro(): No such macro: 'a'\n");
  });
});
