import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SimulatedHost } from '../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { commandScript } from '../support/project.js';
import { needS3270 } from '../support/s3270.js';
import { bothPrograms, SteppingTerminal } from './stepping-terminal.js';
import { transcriptOf } from './transcript.js';

const PASSWORD = 'canary9';
const tn3270 = 'fffd18 fffa1801fff0 fffd19 fffb19 fffd00 fffb00';
const real = ['s3270', '-utf8'];
const ours = [process.execPath, commandScript, 's3270', '-utf8'];

describe('traces of screens beside s3270', () => {
  let folder: string;

  before(function () {
    needS3270(this);
    folder = mkdtempSync(join(tmpdir(), 'sallyport-screens-'));
  });
  afterEach(() => {
    for (const name of ['real', 'ours']) rmSync(join(folder, name), { force: true });
  });
  after(() => {
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });

  /** The time of day differs between two runs, and a trace begun twice has two. */
  const fileOf = (name: string) => readFileSync(join(folder, name), 'utf8').replaceAll(/\d\d:\d\d:\d\d/g, 'TIME');

  async function runBoth(actionsFor: (file: string) => readonly string[], run: typeof throughMenus): Promise<void> {
    const answers = { real: await run(real, actionsFor('real')), ours: await run(ours, actionsFor('ours')) };
    expect(answers.ours.replaceAll(join(folder, 'ours'), 'FILE')).to.equal(
      answers.real.replaceAll(join(folder, 'real'), 'FILE'),
    );
    expect(fileOf('ours')).to.equal(fileOf('real'));
  }

  async function throughMenus(command: readonly string[], actions: readonly string[]): Promise<string> {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page 37');
    const host = new SimulatedHost({ codePage, users: { DEMO: PASSWORD }, start: 'SIGNON' });
    const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
    try {
      return await transcriptOf(command, ['-model', '2', `127.0.0.1:${port}`], actions);
    } finally {
      await host.close();
    }
  }

  for (const form of ['text', 'html']) {
    it(`are the same through menus, as ${form}; a password is in none`, async () => {
      await runBoth(
        (file) => [
          `ScreenTrace(on,${form},${join(folder, file)})`,
          ...['String(demo)', 'Tab', `String(${PASSWORD})`, 'Enter', 'String(2)', 'Enter', 'PF(3)', 'ScreenTrace'],
          ...['ScreenTrace(off)', 'ScreenTrace(off)', 'Query(ScreenTraceFile)'],
        ],
        throughMenus,
      );
      expect(fileOf('ours')).to.include('Option ===').and.not.to.include(PASSWORD);
      expect(statSync(join(folder, 'ours')).mode & 0o077, 'read by nobody else').to.equal(0);
    });
  }

  it('have what is cleared, whoever clears it, and not what is written over or was empty', async () => {
    const screen = (text: string) => `f5c3 1140401d40 ${text} ffef`;
    const answers = new Map<string, readonly string[]>();
    for (const [name, command] of [['real', bothPrograms[0]] as const, ['ours', bothPrograms[1]] as const]) {
      const terminal = await SteppingTerminal.start(command ?? [], ['-model', '2']);
      const heard: string[] = [];
      const says = async (...records: readonly string[]) => {
        for (const record of records) await terminal.sentFor(Buffer.from(record.replaceAll(' ', ''), 'hex'));
      };
      const begin = `ScreenTrace(on,${join(folder, name)})`;
      const ask = async (...actions: readonly string[]) => {
        for (const action of actions) heard.push((await terminal.ask(action)).replaceAll(join(folder, name), 'FILE'));
      };
      // s3270 reads no action before its first screen
      await says(tn3270 + screen('c1c1'));
      await ask('Query(Formatted)', begin);
      await says('f1c2 114bf0 c2c2 ffef', 'f1c2 114bf4 c3c3 ffef', screen('c4c4'), screen('c4c4'));
      // the second time it adds to the file
      await ask('ScreenTrace(off)', begin);
      await says('f5c3 ffef', screen('c5c5'));
      await ask('Set(aidWait,false)', 'Clear', 'Disconnect', 'ScreenTrace(off)');
      await terminal.end();
      answers.set(name, heard);
    }
    expect(answers.get('ours')).to.deep.equal(answers.get('real'));
    expect(fileOf('ours')).to.equal(fileOf('real'));
    for (const words of [' AA ', ' BB ', ' CC ', ' DD ']) expect(fileOf('ours')).to.include(words);
    expect(fileOf('ours')).to.include(' EE ');
  });

  it('have a name where none is given, and say what is wrong with one', async () => {
    const actions = ['ScreenTrace(on,/nonexistent/x)', 'ScreenTrace', 'ScreenTrace(on,foo,bar,x)', 'ScreenTrace(off)'];
    const [expected, found] = [await transcriptOf(real, [], actions), await transcriptOf(ours, [], actions)];
    expect(found).to.equal(expected);
    const named = await transcriptOf(ours, [], ['ScreenTrace(html)', 'ScreenTrace(off)', 'ScreenTrace(on)']);
    const files = [...named.matchAll(/enabled, file: (\S+)\.$/gm)].map(([, file = '']) => file);
    for (const file of files) rmSync(file);
    expect(files).to.have.lengthOf(2);
    expect(files[0]).to.match(/\/x3scr\.\d+(-\d+)?\.html$/);
    expect(files[1]).to.match(/\/x3scr\.\d+(-\d+)?\.txt$/);
  });
});
