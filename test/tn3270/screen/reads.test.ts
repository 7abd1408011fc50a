import { expect } from 'chai';
import { Terminal } from './terminal.js';

const packed = (text: string) => text.replaceAll(' ', '');

/** Everything up to the nulls that fill the rest of the screen. */
const start = (record: string | undefined) => record?.replace(/(00)+$/, '');

/** GA23-0059, chapter 3: what a terminal answers to the three read commands. */
describe('reads by the host', () => {
  function screen(): Terminal {
    const terminal = new Terminal();
    terminal.host('f5c3 29 02 c0e0 42f4 c1 28 42f2 c2 28 4200 1dc1 c300c4 1d40 c5');
    return terminal;
  }

  function answer(terminal: Terminal, ...records: readonly string[]): string | undefined {
    terminal.sent.length = 0;
    for (const record of records) terminal.host(record);
    return start(terminal.sent.at(-1));
  }

  it('Read Buffer in field mode: every attribute as SF, every position', () => {
    expect(answer(screen(), 'f2')).to.equal(packed('60 4040 1d60 c1 c2 1dc1 c3 00 c4 1d40 c5'));
  });

  it('Read Buffer in extended field mode: attributes as SFE', () => {
    expect(answer(screen(), 'f3 0005 09 00 01', 'f2')).to.equal(
      packed('60 4040 29 02 c060 42f4 c1 c2 29 01 c0c1 c3 00 c4 29 01 c040 c5'),
    );
  });

  it('Read Buffer in character mode: Set Attribute where characters differ, for the types asked for', () => {
    expect(answer(screen(), 'f3 0006 09 00 02 42', 'f2')).to.equal(
      packed('60 4040 29 02 c060 42f4 c1 28 42f2 c2 29 01 c0c1 28 4200 c3 00 c4 29 01 c040 c5'),
    );
    expect(answer(screen(), 'f3 0006 09 00 02 41', 'f2')).to.equal(
      packed('60 4040 29 02 c060 42f4 c1 c2 29 01 c0c1 c3 00 c4 29 01 c040 c5'),
    );
  });

  it('Read Modified: fields with the modified bit, nulls left out', () => {
    expect(answer(screen(), 'f6')).to.equal(packed('60 4040 11 40c4 c3c4'));
    expect(answer(screen(), '6e')).to.equal(packed('60 4040 11 40c4 c3c4'));
  });

  it('tell the key that was pressed, and all of a short read only by Read Modified All', () => {
    const terminal = screen().press('PA1');
    expect(answer(terminal, 'f6')).to.equal('6c');
    expect(answer(terminal, '6e')).to.equal(packed('6c 4040 11 40c4 c3c4'));
    expect(answer(terminal, 'f1c2', 'f6'), 'restored').to.equal(packed('60 4040 11 40c4 c3c4'));
  });

  it('by Read Partition go under its own identifier', () => {
    expect(answer(screen(), 'f3 0005 01 00 f6')).to.equal(packed('61 4040 11 40c4 c3c4'));
    expect(answer(screen(), 'f3 0005 01 00 f2')).to.match(/^614040/);
  });

  it('forget the reply mode at an erase with reset', () => {
    const terminal = screen();
    terminal.host('f3 0005 09 00 01');
    expect(answer(terminal, 'f1c3', 'f2')).to.match(/^60404029/);
    expect(answer(terminal, 'f5c3 1d60 c1', 'f2')).to.equal(packed('60 4040 1d60 c1'));
  });

  it('tell characters of the alternate set by Graphic Escape, whatever else says so', () => {
    const written = 'f5c3 1dc1 08a2 28 43f1 a3 28 4300 c1 1d60';
    const inField = new Terminal();
    inField.host(written);
    expect(answer(inField, 'f6')).to.equal(packed('60 4040 11 40c1 08a2 08a3 c1'));
    expect(answer(inField, 'f2')).to.equal(packed('60 4040 1dc1 08a2 08a3 c1 1d60'));
    expect(answer(inField, 'f3 0006 09 00 02 43', 'f6')).to.equal(
      packed('60 4040 11 40c1 08a2 28 43f1 08a3 28 4300 c1'),
    );
    const unformatted = new Terminal();
    unformatted.host('f5c3 28 43f1 b7');
    expect(answer(unformatted, 'f3 0006 09 00 02 43', 'f6')).to.equal(packed('60 4040 28 43f1 08b7'));
  });

  it('tell those whose field is of the alternate set by Graphic Escape, too, in every reply mode', () => {
    const written = 'f5c3 29 02 c060 43f1 b7 00 1c 29 02 c0e1 43f1 b8 08b9 1d60';
    const extended = packed('60 4040 29 02 c060 43f1 08b7 00 1c 29 02 c061 43f1 08b8 08b9 29 01 c060');
    for (const [replyMode, expected] of [
      ['f3 0005 09 00 00', packed('60 4040 1d60 08b7 00 1c 1d61 08b8 08b9 1d60')],
      ['f3 0005 09 00 01', extended],
      ['f3 0006 09 00 02 43', extended],
    ] as const) {
      const terminal = new Terminal();
      terminal.host(written);
      expect(answer(terminal, replyMode, 'f2'), replyMode).to.equal(expected);
    }
  });

  it('Read Modified in character mode: Set Attribute for what is in force, across fields', () => {
    const terminal = new Terminal();
    terminal.host('f5c3 29 02 c0c1 42f5 c8 1dc1 d1 1d60');
    expect(answer(terminal, 'f3 0007 09 00 02 42 41', 'f6')).to.equal(
      packed('60 4040 11 40c1 28 42f5 c8 11 40c3 28 4200 d1'),
    );
    expect(answer(terminal, 'f2'), 'Read Buffer tells what is their own').to.equal(
      packed('60 4040 29 02 c0c1 42f5 c8 29 01 c0c1 d1 29 01 c060'),
    );
    const other = new Terminal();
    other.host('f5c3 29 04 c0c1 42f5 45f2 41f4 c8 28 42f2 28 41f1 c9 28 0000 d1 1dc1 d2 1d60');
    expect(answer(other, 'f3 0008 09 00 02 41 42 45', 'f6')).to.equal(
      packed('60 4040 11 40c1 28 42f5 28 45f2 28 41f4 c8 28 42f2 28 41f1 c9 28 42f5 28 41f4 d1') +
        packed('11 40c5 28 4200 28 4500 28 4100 d2'),
    );
    expect(answer(other, 'f3 0006 09 00 02 45', 'f6'), 'of the types asked for').to.equal(
      packed('60 4040 11 40c1 28 45f2 c8 c9 d1 11 40c5 28 4500 d2'),
    );
  });

  it('count a character behind Graphic Escape as one of the default set', () => {
    const terminal = new Terminal();
    terminal.host('f5c3 29 02 c0c1 43f1 b7 08b8 b9 1d60');
    expect(answer(terminal, 'f3 0006 09 00 02 43', 'f6')).to.equal(
      packed('60 4040 11 40c1 28 43f1 08b7 28 4300 08b8 28 43f1 08b9'),
    );
  });

  it('say where a record holds what is not displayed', () => {
    const terminal = new Terminal();
    terminal.host('f5c3 1d40 13 00000000 1d4c 00000000 1d60');
    terminal.press("'user", "'pass", 'Enter');
    expect(terminal.sent).to.deep.equal([packed('7d 404b 11 40c1 a4a28599 11 40c6 9781a2a2')]);
    expect(terminal.hidden).to.deep.equal(['9781a2a2']);
    answer(terminal, 'f2');
    expect(terminal.hidden.at(-1)).to.equal('9781a2a2');
  });

  it('say where a record holds a hidden field that goes on from the last position to the first', () => {
    const terminal = new Terminal();
    // SBA to position 1917 of 1920: a hidden, modified field of AB at the end of the screen and CD at its beginning
    terminal.host('f5c3 11 5d7d 1d4d c1c2 c3c4 1d60 c5');
    expect(answer(terminal, 'f2')).to.match(/^604040c3c41d60c500.*1d4dc1c2$/);
    expect(terminal.hidden.at(-1)).to.equal('c3c4 c1c2');
    answer(terminal, 'f3 0005 09 00 01', 'f2');
    expect(terminal.hidden.at(-1)).to.equal('c3c4 c1c2');
    for (const read of ['f6', '6e']) {
      expect(answer(terminal, read), read).to.equal(packed('60 4040 11 5d7e c1c2c3c4'));
      expect(terminal.hidden.at(-1), read).to.equal('c1c2c3c4');
    }
    // a visible field that goes on over the end
    terminal.host('f5c3 11 5d7d 1d41 c1c2 c3c4 1d4d c5c6 1d60');
    answer(terminal, 'f2');
    expect(terminal.hidden.at(-1)).to.equal('c5c6');
  });
});
