import { expect } from 'chai';
import type { Conversation } from '../../../src/tn3270/conversation/conversation.js';
import type { ScreenDefinition } from '../../../src/tn3270/conversation/screen-definition.js';
import type { StepEnd } from '../../../src/tn3270/conversation/step.js';
import { ebcdic, HostedConversations, record } from './hosted-conversation.js';

/** The definitions of docs: those of the simulated host. */
const screens = {
  'SIGN-ON': [{ text: 'SIGNON', row: 1, column: 2 }],
  MENU: [{ text: 'MENU', row: 1, column: 2 }, { text: 'Option ===>' }],
  ACCT: [{ text: 'ACCT', row: 1, column: 2 }, { text: 'F3=Menu', row: -1 }, { not: { text: 'There is no account' } }],
  ACCOUNT: [
    { text: 'ACCT', row: 1, column: 2 },
    { text: 'Balance', area: [5, 1, 12, 80] },
  ],
  'NOT-FOUND': [
    { text: 'ACCT', row: 1, column: 2 },
    { text: 'There is no account', row: 22 },
  ],
  OPERATOR: [{ text: 'OPERATOR', row: 1, column: 2 }],
  LATE: [{ text: 'LATE', row: 1, column: 2 }],
} as const;

const named = (...names: (keyof typeof screens)[]): readonly ScreenDefinition[] =>
  names.map((name) => ({ name, conditions: screens[name] }));

const within = { withinMilliseconds: 10_000 };
const shortly = { withinMilliseconds: 300 };

describe('steps on host screens', () => {
  const hosted = new HostedConversations();
  afterEach(() => hosted.end());

  const choose = (conversation: Conversation, option: string, further: object = within) =>
    conversation.step({
      at: named('MENU'),
      act: { type: [{ text: option }], press: 'Enter' },
      ...within,
      ...further,
    });
  const summary = (end: StepEnd) => (end.kind === 'done' ? end.screen : end.kind);
  const gone = async (conversation: Conversation) => {
    await conversation.waitUntil(() => conversation.end !== undefined);
  };

  it('sign on, inquire, and end with the screen that came', async () => {
    const conversation = await hosted.simulated({ start: 'SIGNON' });
    const signedOn = await conversation.step({
      at: named('SIGN-ON'),
      act: {
        fill: [
          { label: 'Userid', text: 'DEMO' },
          { label: 'Password', text: 'DEMO' },
        ],
        press: 'Enter',
      },
      expect: named('MENU'),
      ...within,
    });
    expect(summary(signedOn)).to.equal('MENU');
    expect(summary(await choose(conversation, '2', { expect: named('ACCT') }))).to.equal('ACCT');
    const inquire = (text: string) =>
      conversation.step({
        at: named('ACCT', 'NOT-FOUND'),
        act: { fill: [{ label: 'Account number', text }], press: 'Enter' },
        expect: named('ACCOUNT', 'NOT-FOUND'),
        ...within,
      });
    expect(summary(await inquire('99999999'))).to.equal('NOT-FOUND');
    expect(summary(await inquire('10000003'))).to.equal('ACCOUNT');
    const extracts = {
      name: { at: [6, 22], length: 30 },
      balance: { at: [10, 22], length: 15, as: 'decimal' },
    } as const;
    expect(conversation.extract(extracts)).to.deep.equal({
      kind: 'done',
      values: { name: 'KONRAD ZUSE', balance: '-125.50' },
    });
  });

  it('end as guard failures with the picture and what differs, and press nothing', async () => {
    const conversation = await hosted.simulated({});
    const end = await conversation.step({
      at: named('ACCT', 'ACCOUNT'),
      act: { fill: [{ label: 'Option', text: 'X' }], press: 'Enter' },
      ...shortly,
      withinMilliseconds: 1_500,
    });
    if (end.kind !== 'guardFailed') throw new Error(end.kind);
    expect(end.expected).to.deep.equal(['ACCT', 'ACCOUNT']);
    expect(end.differs).to.deep.equal([
      {
        screen: 'ACCT',
        differs: [
          '"ACCT" at row 1, column 2: there is "MENU"',
          '"F3=Menu" in row -1: there is " ENTER=Select   F3=Log off"',
        ],
      },
      {
        screen: 'ACCOUNT',
        differs: [
          '"ACCT" at row 1, column 2: there is "MENU"',
          '"Balance" within rows 5 to 12, columns 1 to 80: it is not there',
        ],
      },
    ]);
    expect(end.image.text.cells.slice(0, 8).join('')).to.equal(' MENU   ');
    expect(summary(await choose(conversation, '2', { expect: named('ACCT') }))).to.equal('ACCT');
  });

  it('end as guard failures where a label is not there', async () => {
    const conversation = await hosted.simulated({});
    const end = await conversation.step({
      at: named('MENU'),
      act: { fill: [{ label: 'Wish', text: 'CANARY' }], press: 'Enter' },
      ...within,
    });
    if (end.kind !== 'guardFailed') throw new Error(end.kind);
    expect(end.differs).to.deep.equal([
      { screen: 'MENU', differs: ['there is no input field right of, or below, "Wish"'] },
    ]);
  });

  it('end as operator errors with their code', async () => {
    const conversation = await hosted.simulated({});
    const end = await conversation.step({
      at: named('MENU'),
      act: { fill: [{ label: 'Option', text: 'TOO LONG BY FAR' }], press: 'Enter' },
      ...within,
    });
    expect(end).to.deep.include({ kind: 'operatorError', code: 'tooMuchEntered', at: [3, 14] });
    expect(summary(await conversation.expect(named('MENU'), within))).to.equal('MENU');
  });

  it('time out where the host does not answer, and go on when it has', async () => {
    const conversation = await hosted.simulated({});
    await choose(conversation, '8', { expect: named('LATE') });
    const wait = { at: named('LATE'), act: { type: [{ text: '2' }], press: 'Enter' } };
    expect(summary(await conversation.step({ ...wait, expect: named('LATE'), ...shortly }))).to.equal('timedOut');
    // a step that finds the keyboard with the host presses nothing
    const early = await conversation.step({ ...wait, ...shortly });
    expect([summary(early), conversation.screen.keyboard.typedAhead]).to.deep.equal(['timedOut', 0]);
    expect(summary(await conversation.expect(named('LATE'), within))).to.equal('LATE');
  });

  it('time out where the keyboard is never restored', async () => {
    const conversation = await hosted.simulated({ faults: ['locked'] });
    expect(
      summary(await choose(conversation, '2', { expect: named('ACCT'), ...shortly, withinMilliseconds: 1_500 })),
    ).to.equal('timedOut');
  });

  it('are stopped by a signal with its reason', async () => {
    const conversation = await hosted.simulated({});
    const stop = new AbortController();
    const step = conversation.step({ at: named('ACCT'), ...within, signal: stop.signal });
    stop.abort(new Error('given up'));
    expect(await step.catch((error: Error) => error.message)).to.equal('given up');
  });

  for (const [when, before] of [
    ['at the first screen', []],
    ['behind a key', ['disconnect']],
  ] as const) {
    it(`end with the host where the connection is cut ${when}`, async () => {
      const conversation = await hosted.simulated({ faults: before.length === 0 ? ['disconnect'] : [] });
      if (before.length > 0) await order(conversation, 'disconnect');
      const end = await choose(conversation, '2', { expect: named('ACCT') });
      expect(end.kind).to.equal('hostGone');
      await gone(conversation);
      expect((await conversation.expect(named('MENU'), within)).kind).to.equal('hostGone');
    });
  }

  it('pass over what is late, cut into bytes, or sent unasked', async () => {
    for (const fault of ['delay', 'split'] as const) {
      const conversation = await hosted.simulated({ faults: [fault] });
      expect(summary(await choose(conversation, '2', { expect: named('ACCT') })), fault).to.equal('ACCT');
    }
  });

  it('end as screen faults where a record cannot be carried out', async () => {
    const { host, conversation } = await hosted.scripted();
    const menu = record(`f5c3 1d60 ${ebcdic('MENU')} 1d60 ${ebcdic('Option ===>')} 1d40 13 1d60`);
    await host.send(menu);
    const step = conversation.step({ at: named('MENU'), act: { press: 'Enter' }, ...within });
    await host.hears('7d');
    // an order that is truncated
    await host.send(record('f5c3 11 00'));
    expect(await step).to.deep.include({ kind: 'screenFault', programCheck: 754 });
    expect((await conversation.step({ at: named('MENU'), ...within })).kind).to.equal('screenFault');
    conversation.press('Reset');
    await host.send(menu);
    expect(summary(await conversation.expect(named('MENU'), within))).to.equal('MENU');
  });

  it('wait for an application that writes in several records', async () => {
    const { host, conversation } = await hosted.scripted();
    await host.send(record(`f5c3 1d60 ${ebcdic('MENU')} 1d60 ${ebcdic('Option ===>')} 1d40 13 1d60`));
    const late: readonly ScreenDefinition[] = [{ name: 'PART', conditions: [{ text: 'PART' }] }];
    const step = conversation.step({
      at: named('MENU'),
      act: { press: 'Enter' },
      expect: late,
      ...within,
      quietMilliseconds: 250,
    });
    await host.hears('7d');
    await host.send(record(`f5c3 1d60 ${ebcdic('PART ONE')}`));
    await conversation.waitUntil(() => conversation.image.text.cells.join('').includes('ONE'));
    await host.send(record(`f1c3 114050 ${ebcdic('PART TWO')}`));
    const end = await step;
    if (end.kind !== 'done') throw new Error(end.kind);
    expect(end.image.text.cells.join('')).to.include('PART ONE').and.include('PART TWO');
  });

  it('have nothing that was filled in where it is not displayed', async () => {
    const conversation = await hosted.simulated({ start: 'SIGNON' });
    const at = named('SIGN-ON');
    const fill = [{ label: 'Password', text: 'CANARY42' }];
    const ends = [
      await conversation.step({ at, act: { fill: [...fill, { label: 'Nowhere', text: 'CANARY42' }] }, ...within }),
      await conversation.step({ at, act: { fill: [{ label: 'Password', text: 'CANARY42CANARY42' }] }, ...within }),
      await conversation.step({ at, act: { fill, press: 'Enter' }, expect: named('MENU'), ...shortly }),
    ];
    expect(ends.map(({ kind }) => kind)).to.deep.equal(['guardFailed', 'operatorError', 'guardFailed']);
    expect(JSON.stringify(ends)).to.not.include('CANARY42');
  });

  it('go on after an Attn that the host has not answered', async () => {
    const { host, conversation } = await hosted.scripted();
    await host.send(record(`f5c3 1d60 ${ebcdic('MENU')} 1d60 ${ebcdic('Option ===>')} 1d40 13 1d60`));
    const attn = { at: named('MENU'), act: { press: 'Attn' }, expect: named('ACCT') };
    expect(summary(await conversation.step({ ...attn, ...within, ...shortly }))).to.equal('timedOut');
    expect(summary(await conversation.step({ at: named('MENU'), ...within }))).to.equal('MENU');
  });

  it('quote nothing that was typed into a screen without fields', async () => {
    const { host, conversation } = await hosted.scripted();
    await host.send(record(`f5c3 ${ebcdic('LOGON ')} 13`));
    await conversation.waitUntil(() => conversation.image.text.cells.join('').startsWith('LOGON'));
    expect(conversation.act({ type: [{ text: 'CANARY42' }] })).to.equal(undefined);
    expect(conversation.image.text.cells.slice(0, 14).join('')).to.equal('LOGON CANARY42');
    const conditions = [
      { text: 'MENU', row: 1, column: 2 },
      { text: 'X', row: 1 },
    ];
    const end = await conversation.step({ at: [{ name: 'MENU', conditions }], ...shortly });
    if (end.kind !== 'guardFailed') throw new Error(end.kind);
    expect(end.differs).to.deep.equal([
      {
        screen: 'MENU',
        differs: ['"MENU" at row 1, column 2: it is not there', '"X" in row 1: it is not there'],
      },
    ]);
  });

  it('do not act on a screen that is already there if their signal is aborted', async () => {
    const conversation = await hosted.simulated({});
    await conversation.expect(named('MENU'), within);
    const sent = conversation.sentRecords;
    const failed = await choose(conversation, '2', { signal: AbortSignal.abort(new Error('gone')) }).catch(String);
    expect(failed).to.equal('Error: gone');
    expect(conversation.sentRecords).to.equal(sent);
  });

  it('wait for the quiet time of a screen that is already there', async () => {
    const conversation = await hosted.simulated({});
    await conversation.expect(named('MENU'), within);
    const sent = conversation.sentRecords;
    const end = await choose(conversation, '2', { quietMilliseconds: 600_000, ...shortly });
    expect(summary(end)).to.equal('timedOut');
    expect(conversation.sentRecords).to.equal(sent);
  });

  async function order(conversation: Conversation, fault: string): Promise<void> {
    await choose(conversation, '9', { expect: named('OPERATOR') });
    const place = conversation.image.text.cells.join('').indexOf(fault.padEnd(12));
    const row = Math.floor(place / 80) + 1;
    await conversation.step({
      at: named('OPERATOR'),
      act: { fill: [{ at: [row, 4], text: 'Y' }], press: 'Enter' },
      ...within,
    });
    // the next record is the one that is cut
    await conversation.step({ at: named('OPERATOR'), act: { press: 'PF3' }, expect: named('MENU'), ...within });
  }
});
