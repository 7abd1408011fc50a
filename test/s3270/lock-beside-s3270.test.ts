import { expect } from 'chai';
import { needS3270 } from '../support/s3270.js';
import { askWithInformation, informationIn } from './information-row.js';
import { bothPrograms, SteppingTerminal } from './stepping-terminal.js';

const [real = [], ours = []] = bothPrograms;
const bytes = (hexadecimal: string) => Buffer.from(hexadecimal.replaceAll(' ', ''), 'hex');
/** TERMINAL-TYPE, END-OF-RECORD and BINARY. */
const agreement = 'fffd18 fffa1801fff0 fffd19 fffb19 fffd00 fffb00';
const screen = 'f5c3 1140401d40 c1 ffef';
const query = 'f3000501ffff02 ffef';
const lockedWrite = 'f140 1140c1 c2 ffef';
const freeingWrite = 'f1c2 1140c1 c3 ffef';

/** What a program answers to each step: an action, or what the host says and is then asked about. Only ours is asked for information rows. */
async function answersOf(
  program: readonly string[],
  begins: string,
  steps: readonly (string | { readonly action: string; readonly host: string })[],
): Promise<{ readonly answers: readonly string[]; readonly rows: readonly string[] }> {
  const isOwn = program === ours;
  const terminal = await SteppingTerminal.start(program, ['-model', '2'], 'C:');
  try {
    await terminal.sentFor(bytes(begins));
    const answers: string[] = [];
    const rows: string[] = [];
    for (const step of steps) {
      if (step === askWithInformation) {
        if (isOwn) rows.push(informationIn(await terminal.ask(step)));
      } else if (typeof step === 'string') answers.push(`${step}\n${await terminal.ask(step)}`);
      else if (step.action === '') await terminal.sentFor(bytes(step.host));
      else {
        const says = step.host === '' ? 'nothing more' : bytes(step.host);
        answers.push(`${step.action}\n${await terminal.askHost(step.action, says)}`);
      }
    }
    return { answers, rows };
  } finally {
    await terminal.end();
  }
}

const host = (says: string) => ({ action: '', host: says });
const look = askWithInformation;

/** @param rows that ours shows, one for each look */
async function expectAlike(
  begins: string,
  steps: Parameters<typeof answersOf>[2],
  rows: readonly string[] = [],
): Promise<string> {
  const [theirs, own] = await Promise.all([answersOf(real, begins, steps), answersOf(ours, begins, steps)]);
  expect(own.answers).to.deep.equal(theirs.answers);
  expect(own.rows).to.deep.equal(rows);
  return theirs.answers.join('');
}

describe('a locked keyboard beside s3270', () => {
  before(function () {
    needS3270(this);
  });

  const freed = '4A s 001/001';
  const locked = '4A X Wait s 001/001';
  const system = '4A X SYSTEM s 001/001';
  for (const [what, says, answered, reset = freed, asked = locked] of [
    ['nothing', '', locked],
    ['a write without restore', lockedWrite, system],
    ['an erase without restore', 'f540 1d40 ffef', system],
    ['an alternate erase without restore', '7e40 1d40 ffef', system],
    ['a write in a structured field', 'f3000640 00f140 ffef', system],
    ['a write and a read', `${lockedWrite} f6ffef`, system],
    ['a read', 'f6ffef', locked],
    ['a read of the buffer', 'f2ffef', locked],
    ['a query', query, locked],
    ['a query and a write', `${query} ${lockedWrite}`, system],
    ['a reply mode', 'f3000509000 0ffef', locked],
    ['an empty record', 'ffef', locked],
    ['a write that restores', freeingWrite, freed],
    ['two writes, of which the second restores', lockedWrite + freeingWrite, freed],
    // the cursor goes to the first field
    ['Erase All Unprotected', '6fffef', '4A s 001/002', '4A s 001/002', '4A X Wait s 001/002'],
  ] as const) {
    it(`is told in the same words: a key, and ${what}`, async () => {
      const steps = ['Set(aidWait,false)', 'Enter', host(says), look, 'Wait(0,Unlock)'];
      const rows = [answered, reset, asked];
      await expectAlike(agreement + screen, [...steps, 'Reset', look, 'Enter', look], rows);
    });
  }

  it('is told in the same words where the host has only asked, and what is typed ahead is marked', async () => {
    const steps = [look, 'Wait(0,Unlock)', 'Tab', look, 'Reset', look, 'Reset', look];
    await expectAlike(agreement + query, steps, [
      '4A X Inhibit s 001/001',
      '4A X Inhibit T s 001/001',
      '4A X Inhibit s 001/001',
      '4A s 001/001',
    ]);
  });

  it('is given back by the second Reset where the first has forgotten what was typed ahead', async () => {
    const steps = ['Set(aidWait,false)', 'Enter', 'Up', look, 'Reset', look, 'Reset', look];
    await expectAlike(agreement + screen, steps, ['4A X Wait T s 001/001', '4A X Wait s 001/001', '4A s 001/001']);
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
    await expectAlike(
      Buffer.from('hello\r\n').toString('hex'),
      [...waits, 'Ascii(0,0,1)', ...waits, look],
      ['4AN s 002/001'],
    );
    await expectAlike(
      `fffb01 fffb03 ${Buffer.from('login: ').toString('hex')}`,
      [...waits, 'Ascii()', ...waits, look],
      ['4AN s 001/008'],
    );
  });
});
