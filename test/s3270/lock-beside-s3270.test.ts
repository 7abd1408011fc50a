import { expect } from 'chai';
import { needS3270 } from '../support/s3270.js';
import { bothPrograms, SteppingTerminal } from './stepping-terminal.js';

const bytes = (hexadecimal: string) => Buffer.from(hexadecimal.replaceAll(' ', ''), 'hex');
/** TERMINAL-TYPE, END-OF-RECORD and BINARY. */
const agreement = 'fffd18 fffa1801fff0 fffd19 fffb19 fffd00 fffb00';
const screen = 'f5c3 1140401d40 c1 ffef';
const query = 'f3000501ffff02 ffef';
const lockedWrite = 'f140 1140c1 c2 ffef';
const freeingWrite = 'f1c2 1140c1 c3 ffef';

/** What a program answers to each step: an action, or what the host says and is then asked about. */
async function answersOf(
  program: readonly string[],
  begins: string,
  steps: readonly (string | { readonly action: string; readonly host: string })[],
): Promise<string[]> {
  const terminal = await SteppingTerminal.start(program, ['-model', '2'], 'C:');
  try {
    await terminal.sentFor(bytes(begins));
    const answers: string[] = [];
    for (const step of steps) {
      if (typeof step === 'string') answers.push(`${step}\n${comparable(await terminal.ask(step))}`);
      else if (step.action === '') await terminal.sentFor(bytes(step.host));
      else {
        const says = step.host === '' ? 'nothing more' : bytes(step.host);
        answers.push(`${step.action}\n${comparable(await terminal.askHost(step.action, says))}`);
      }
    }
    return answers;
  } finally {
    await terminal.end();
  }
}

/** Behind the place of the cursor s3270 4.1 has what was in its memory. */
const comparable = (text: string) => text.replaceAll(/( \d{3}\/\d{3})[^\n]*/g, '$1');
const host = (says: string) => ({ action: '', host: says });
const look = 'PrintText(string,oia)';

async function expectAlike(begins: string, steps: Parameters<typeof answersOf>[2]): Promise<string> {
  const [real, own] = await Promise.all(bothPrograms.map((program) => answersOf(program, begins, steps)));
  expect(own).to.deep.equal(real);
  return (real ?? []).join('');
}

describe('a locked keyboard beside s3270', () => {
  before(function () {
    needS3270(this);
  });

  for (const [what, says, words] of [
    ['nothing', '', 'X Wait '],
    ['a write without restore', lockedWrite, 'X SYSTEM'],
    ['an erase without restore', 'f540 1d40 ffef', 'X SYSTEM'],
    ['an alternate erase without restore', '7e40 1d40 ffef', 'X SYSTEM'],
    ['a write in a structured field', 'f3000640 00f140 ffef', 'X SYSTEM'],
    ['a write and a read', `${lockedWrite} f6ffef`, 'X SYSTEM'],
    ['a read', 'f6ffef', 'X Wait '],
    ['a read of the buffer', 'f2ffef', 'X Wait '],
    ['a query', query, 'X Wait '],
    ['a query and a write', `${query} ${lockedWrite}`, 'X SYSTEM'],
    ['a reply mode', 'f3000509000 0ffef', 'X Wait '],
    ['an empty record', 'ffef', 'X Wait '],
    ['a write that restores', freeingWrite, '4A                    '],
    ['two writes, of which the second restores', lockedWrite + freeingWrite, '4A                    '],
    ['Erase All Unprotected', '6fffef', '4A                    '],
  ] as const) {
    it(`is told in the same words: a key, and ${what}`, async () => {
      const steps = ['Set(aidWait,false)', 'Enter', host(says), look, 'Wait(0,Unlock)'];
      const told = await expectAlike(agreement + screen, [...steps, 'Reset', look, 'Enter', look]);
      expect(told).to.include(words);
    });
  }

  it('is told in the same words where the host has only asked, and what is typed ahead is marked', async () => {
    const told = await expectAlike(agreement + query, [
      ...[look, 'Wait(0,Unlock)', 'Tab', look, 'Reset', look, 'Reset', look],
    ]);
    expect(told)
      .to.include('X Inhibit')
      .and.to.match(/ {4}T {5}s {4}/);
  });

  it('is given back by the second Reset where the first has forgotten what was typed ahead', async () => {
    const steps = ['Set(aidWait,false)', 'Enter', 'Up', look, 'Reset', look, 'Reset', look];
    await expectAlike(agreement + screen, steps);
  });
});

describe('waits for a host beside s3270', () => {
  before(function () {
    needS3270(this);
  });

  it('end for the same reasons where the host is silent', async () => {
    const keywords = ['Unlock', 'Output', 'NVTMode', 'Disconnect', 'Seconds'];
    const waits = [...keywords.map((keyword) => `Wait(0.5,${keyword})`), 'Wait(0,Output)'];
    const typed = ['Ascii(0,0,1)', 'String(x)', 'Wait(0.5,Output)', 'MoveCursor(3,3)', 'Wait(0.5,Output)'];
    await expectAlike(agreement + screen, [
      ...waits,
      ...typed,
      ...['Set(aidWait,false)', 'Reset', 'Enter', ...waits, 'Ascii(0,0,1)', ...waits],
    ]);
  });

  for (const [what, says] of [
    ['a write', lockedWrite],
    ['a write of nothing', 'f140 ffef'],
    ['a write in a structured field', 'f3000640 00f140 ffef'],
    ['a query', query],
    ['a read', 'f6ffef'],
    ['Erase All Unprotected', '6fffef'],
    ['an empty record', 'ffef'],
    ['TELNET alone', 'fff1 fffd63'],
    ['text', Buffer.from('hello').toString('hex')],
  ] as const) {
    it(`take the same for output: ${what}`, async () => {
      const begin = ['Set(aidWait,false)', 'Ascii(0,0,1)', 'Enter', host(says)];
      await expectAlike(agreement + screen, [...begin, 'Wait(0.5,Output)', 'Ascii(0,0,3)', 'Wait(0.5,Output)']);
    });
  }

  it('end with what they wait for, and not before', async () => {
    const begin = ['Set(aidWait,false)', 'Ascii(0,0,1)'];
    const late = (keyword: string, says: string) => ({ action: `Enter() Wait(40,${keyword})`, host: says });
    const told = await expectAlike(agreement + screen, [
      ...begin,
      ...[late('Output', lockedWrite), 'Ascii(0,0,3)', 'Reset', late('Unlock', lockedWrite + freeingWrite)],
      'Ascii(0,0,3)',
    ]);
    expect(told).to.include('data:  B').and.to.include('data:  C');
  });

  for (const keyword of ['Unlock', 'Output', 'Disconnect', 'NVTMode']) {
    it(`tell the same of a host that hangs up meanwhile: ${keyword}`, async () => {
      const begin = ['Set(aidWait,false)', 'Ascii(0,0,1)'];
      const wait = { action: `Enter() Wait(40,${keyword})`, host: '' };
      await expectAlike(agreement + screen, [...begin, wait, 'Ascii(0,0,3)', 'Query(ConnectionState)']);
    });
  }

  it('tell the same of line terminals', async () => {
    const keywords = ['InputField', 'Unlock', 'Output', '3270Mode', 'NVTMode', 'Disconnect'];
    const waits = keywords.map((keyword) => `Wait(0.5,${keyword})`);
    await expectAlike(Buffer.from('hello\r\n').toString('hex'), [...waits, 'Ascii(0,0,1)', ...waits, look]);
    await expectAlike(`fffb01 fffb03 ${Buffer.from('login: ').toString('hex')}`, [...waits, 'Ascii()', ...waits, look]);
  });
});
