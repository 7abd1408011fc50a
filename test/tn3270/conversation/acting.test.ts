import { expect } from 'chai';
import { readFault, soundValue } from '../../../src/lib/read-outcome.js';
import { readStrokes } from '../../../src/tn3270/conversation/act.js';
import type { Stroke } from '../../../src/tn3270/screen/operation.js';
import { ebcdic, HostedConversations, record } from './hosted-conversation.js';

const MOST_STROKES = 2_000;

const at = (row: number, column: number) => `11${((row - 1) * 80 + column - 1).toString(16).padStart(4, '0')}`;
/** A protected text at a place, its attribute before it. */
const label = (row: number, column: number, text: string) => `${at(row, column - 1)} 1d60 ${ebcdic(text)}`;
/** An input field of six characters at a place. */
const input = (row: number, column: number, attribute = '40', value = '') =>
  `${at(row, column - 1)} 1d${attribute} ${ebcdic(value)} ${at(row, column + 6)} 1d60`;

const SCREEN = record(
  [
    'f5c3',
    label(1, 2, 'ACCT'),
    label(4, 2, 'Account number . .'),
    input(4, 22, '40', 'OLD'),
    label(5, 2, 'Amount:'),
    input(5, 22, '50'),
    label(6, 2, 'Password'),
    input(6, 22, '4c'),
    label(8, 2, 'Name'),
    input(9, 2),
    label(11, 2, 'From'),
    label(11, 12, 'To'),
    input(11, 22),
    label(13, 2, 'Twice'),
    input(13, 22),
    label(14, 2, 'Twice'),
    input(14, 22),
    `${at(4, 22)} 13`,
  ].join(' '),
);

const typed = (text: string): readonly Stroke[] => soundValue(readStrokes(text));

describe('acting on a host screen', () => {
  const hosted = new HostedConversations();
  afterEach(() => hosted.end());

  async function shown() {
    const { host, conversation } = await hosted.scripted();
    await host.send(SCREEN);
    await conversation.settled();
    host.received = Buffer.alloc(0);
    const text = (row: number, column: number, length: number) =>
      conversation.image.cells
        .slice((row - 1) * 80 + column - 1)
        .slice(0, length)
        .join('');
    /** What the host got: fields by their addresses. */
    const hears = (...parts: string[]) => host.hears(parts.join(''));
    return { host, conversation, text, hears };
  }
  const sent = (row: number, column: number, text: string) => `${at12(row, column)}${ebcdic(text)}`;
  const at12 = (row: number, column: number) => {
    const address = (row - 1) * 80 + column - 1;
    const codes =
      '40c1c2c3c4c5c6c7c8c94a4b4c4d4e4f50d1d2d3d4d5d6d7d8d95a5b5c5d5e5f6061e2e3e4e5e6e7e8e96a6b6c6d6e6ff0f1f2f3f4f5f6f7f8f97a7b7c7d7e7f';
    const code = (value: number) => codes.slice(2 * value, 2 * value + 2);
    return `11${code(address >> 6)}${code(address & 63)}`;
  };

  it('fills fields by place and by label, and presses one key', async () => {
    const { conversation, hears } = await shown();
    const fill = [
      { at: [4, 22], text: '123456' },
      { label: 'Amount', text: '12.50' },
      { label: 'Password', text: 'SECRET' },
      { label: 'Name', text: 'ADA' },
    ] as const;
    expect(conversation.act({ fill, press: 'pf5' })).to.equal(undefined);
    const fields = [sent(4, 22, '123456'), sent(5, 22, '12.50'), sent(6, 22, 'SECRET'), sent(9, 2, 'ADA')];
    await hears('f5', at12(4, 22).slice(2), ...fields, 'ffef');
  });

  it('sends what was filled in even where it was there before', async () => {
    const { conversation, hears } = await shown();
    conversation.act({ fill: [{ at: [4, 22], text: 'OLD' }], press: 'Enter' });
    await hears('7d', at12(4, 22).slice(2), sent(4, 22, 'OLD'), 'ffef');
  });

  it('types at the cursor with keys between, the last one to the host', async () => {
    const { conversation, hears } = await shown();
    conversation.act({ cursor: [4, 22], type: typed('[delete][eof][[A[tab]1[pf18]') });
    await hears('c6', at12(5, 23).slice(2), sent(4, 22, 'LD[A'), sent(5, 22, '1'), 'ffef');
  });

  it('finds no field for words that lead to none, to several, or past other words', async () => {
    const { conversation, text } = await shown();
    const differs = (label: string) => {
      const refusal = conversation.act({ fill: [{ label, text: 'X' }], press: 'Enter' });
      return refusal?.kind === 'notThere' ? refusal.differs : refusal;
    };
    expect(differs('Nothing')).to.equal('there is no input field right of, or below, "Nothing"');
    expect(differs('From')).to.equal('there is no input field right of, or below, "From"');
    expect(differs('Account')).to.equal('there is no input field right of, or below, "Account"');
    expect(differs('ccount number')).to.equal('there is no input field right of, or below, "ccount number"');
    expect(differs('Twice')).to.equal(
      'there are several input fields right of, or below, "Twice": row 13, column 22; row 14, column 22',
    );
    const place = conversation.act({ fill: [{ at: [4, 23], text: 'X' }] });
    expect(place).to.deep.equal({ kind: 'notThere', differs: 'no input field begins at row 4, column 23' });
    expect(conversation.act({ cursor: [25, 1] })?.kind).to.equal('notThere');
    expect(text(4, 22, 6)).to.equal('OLD   ');
    expect(conversation.act({ fill: [{ label: 'To', text: 'X' }], press: 'Enter' })).to.equal(undefined);
  });

  it('does all of it or nothing, and says which rule of the keyboard was broken', async () => {
    const { conversation, host, text } = await shown();
    const fill = [{ at: [4, 22], text: 'NEW' }] as const;
    const code = (act: Parameters<typeof conversation.act>[0]) => {
      const refusal = conversation.act({ press: 'Enter', ...act });
      return refusal?.kind === 'operatorError' ? [refusal.code, ...refusal.at] : refusal;
    };
    expect(code({ fill: [...fill, { at: [5, 22], text: '1234567' }] })).to.deep.equal(['tooMuchEntered', 5, 22]);
    expect(code({ fill, cursor: [1, 2], type: typed('A') })).to.deep.equal(['goElsewhere', 1, 2]);
    expect(code({ fill, cursor: [9, 2], type: typed('[insert]ABCDEFG') })).to.deep.equal(['goElsewhere', 9, 9]);
    const { image } = conversation;
    expect([image.operatorError, image.locked, image.insertMode, text(4, 22, 6), text(9, 2, 6)]).to.deep.equal([
      undefined,
      false,
      false,
      'OLD   ',
      '      ',
    ]);
    expect(host.received.length).to.equal(0);
  });

  it('does nothing while the host has the keyboard', async () => {
    const { conversation, text } = await shown();
    conversation.act({ press: 'Enter' });
    expect(conversation.act({ fill: [{ at: [4, 22], text: 'NEW' }], press: 'Enter' })).to.deep.equal({
      kind: 'locked',
    });
    expect([text(4, 22, 3), conversation.screen.keyboard.typedAhead]).to.deep.equal(['OLD', 0]);
  });

  it('refuses what is no act', async () => {
    const { conversation } = await shown();
    const refused = (act: Parameters<typeof conversation.act>[0]) => () => conversation.act(act);
    expect(refused({ press: 'Tab' })).to.throw(RangeError, 'Tab is not a key that goes to the host');
    expect(refused({ press: 'PF25' })).to.throw(RangeError, 'PF25 is not a key that goes to the host');
    expect(refused({ type: typed('a[enter]b') })).to.throw(RangeError, 'one key that goes to the host');
    expect(refused({ type: typed('a[enter]'), press: 'PF3' })).to.throw(RangeError, 'one key that goes to the host');
    const most = 'A'.repeat(MOST_STROKES);
    expect(refused({ cursor: [1, 2], type: typed(most) })).to.not.throw();
    expect(refused({ type: typed(`${most}A`) })).to.throw(RangeError, String(MOST_STROKES));
    expect(readStrokes('[foo]')).to.deep.equal(readFault('there is no key [foo]; [[ types a bracket'));
    expect(readStrokes('a[')).to.deep.equal(readFault('a bracket is not closed; [[ types one'));
  });

  it('tells the host of a trigger field once, and types no further', async () => {
    const { host, conversation } = await hosted.scripted();
    // field validation (0xC1) of a field: trigger
    await host.send(record(`f5c3 1140402902c040c101 13 11404a 1d40 ${at(3, 1)} 1d60`));
    await conversation.settled();
    host.received = Buffer.alloc(0);
    const refusal = conversation.act({ type: typed('A[tab]B'), press: 'Enter' });
    expect([refusal?.kind, host.received.length, conversation.image.cells.join('').trim()]).to.deep.equal([
      'operatorError',
      0,
      '',
    ]);
    expect(conversation.act({ type: typed('A[tab]') })).to.equal(undefined);
    await host.hears('7f');
    expect(conversation.isSettled).to.equal(false);
  });
});
