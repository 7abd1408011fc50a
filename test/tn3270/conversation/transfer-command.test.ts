import { expect } from 'chai';
import { holdLongTimers } from '../../support/hold-long-timers.js';
import { ebcdic, HostedConversations, record } from './hosted-conversation.js';

/** 22 characters: IND$FILE GET TEST.FILE. */
const receive = {
  host: 'tso',
  hostFile: 'TEST.FILE',
  direction: 'receive',
  text: false,
  lines: false,
  mostBytes: 1_000,
  beginMilliseconds: 300,
} as const;
const COMMAND = 'c9d5c45bc6c9d3c5 40 c7c5e3 40 e3c5e2e34bc6c9d3c5';
/** The host shows a text in place of a transfer, with a field and the cursor in row 24. */
const answer = (text: string) => record(`f5c3 ${ebcdic(text)} 11 5cf0 1d40 13`);

describe('the command of a file transfer', () => {
  const hosted = new HostedConversations();
  afterEach(() => hosted.end());

  /** @param screen erase/write without its command */
  async function on(screen: string) {
    const { host, conversation } = await hosted.scripted();
    await host.send(record(`f5c3 ${screen}`));
    await conversation.waitUntil(() => conversation.screen.state.hostWrites > 0);
    return { host, conversation, end: conversation.transferFile(receive) };
  }

  it('is typed into a field that has just as much room, and into none with less', async () => {
    // SBA to position 80: a field of 22 positions, from 81 on
    const fits = await on('11 c150 1d40 13 11 c1e7 1d60');
    await fits.host.hears(`11 c1d1 ${COMMAND} ffef`);
    await fits.host.send(answer('NO'));
    expect(await fits.end).to.include({ kind: 'failed', reason: 'notBegun' });
    const small = await on('11 c150 1d40 13 11 c1e6 1d60');
    expect(await small.end).to.deep.equal({
      kind: 'failed',
      reason: 'notStarted',
      words: 'The field has room for 21 characters, and the command has 22.',
      detail: { code: 'transfer.smallField', values: { room: 21, length: 22 } },
      obstacle: 'smallField',
    });
  });

  it('is typed into the field of the cursor, from its first position to its last, else into the first field', async () => {
    // fields of 30 positions at 80 and at 160; the cursor at each of the addresses
    const fields = '11 c150 1d40 11 c16f 1d60 11 c260 1d40 11 c27f 1d60';
    for (const [cursor, field] of [
      ['c261', 'c261'],
      ['c27e', 'c261'],
      ['c27f', 'c1d1'],
      ['c260', 'c1d1'],
    ] as const) {
      const { host, end } = await on(`${fields} 11 ${cursor} 13`);
      await host.hears(`11 ${field} ${COMMAND} ffef`);
      await host.send(answer('NO'));
      await end;
    }
  });

  it('is typed into a field that begins at the first position, behind an attribute at the last', async () => {
    const { host, end } = await on('11 5d7f 1d40 11 40f0 1d60');
    await host.hears(`11 4040 ${COMMAND} ffef`);
    await host.send(answer('NO'));
    await end;
  });

  it('that the host answers with text is told with 300 characters of it', async () => {
    const row = (letter: string, length: number) => letter.repeat(length);
    const three = `${row('a', 80)}${row('b', 80)}${row('c', 80)}`;
    const told = `${row('a', 80)} / ${row('b', 80)} / ${row('c', 80)} / `;
    for (const [text, words] of [
      ['NO  SUCH   COMMAND', 'NO SUCH COMMAND'],
      [`${three}${row('d', 51)}`, `${told}${row('d', 51)}`],
      [`${three}${row('d', 52)}`, `${told}${row('d', 51)}`],
    ] as const) {
      const { host, end } = await on('1d40 13 11 c150 1d60');
      await host.hears(COMMAND);
      await host.send(answer(text));
      expect(await end).to.deep.equal({
        kind: 'failed',
        reason: 'notBegun',
        words: `The host did not start the transfer. It displays: ${words}`,
        detail: { code: 'transfer.notBegun', values: { text: words } },
      });
    }
  });

  it('that the host answers with text leaves the keyboard to the next step at once', async () => {
    const { host, conversation, end } = await on('1d40 13 11 c150 1d60');
    await host.hears(COMMAND);
    const letGo = holdLongTimers(4_000);
    try {
      await host.send(answer('NO'));
      expect(await end).to.include({ kind: 'failed', reason: 'notBegun' });
      expect(await conversation.settled({ withinMilliseconds: 1_000 })).to.equal('holds');
      expect(conversation.takesInput).to.equal(true);
    } finally {
      letGo();
    }
  });
});
