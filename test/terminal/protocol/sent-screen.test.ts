import { expect } from 'chai';
import fc from 'fast-check';
import { type ReceivedScreen, receivedScreen } from '../../../src/terminal/protocol/received-screen.js';
import { SentScreen } from '../../../src/terminal/protocol/sent-screen.js';
import { decodeServerMessage } from '../../../src/terminal/protocol/server-message.js';
import type { ScreenImage } from '../../../src/tn3270/screen/screen-image.js';
import { Terminal } from '../../tn3270/screen/terminal.js';

const free = { lock: 0, notice: '' } as const;

/** What a page that shows a screen shows after a message. */
function shown(before: ReceivedScreen | undefined, text: string): ReceivedScreen {
  const message = decodeServerMessage(text);
  if (message?.k !== 's' && message?.k !== 'd') throw new Error(text);
  const after = receivedScreen(before, message);
  if (after === undefined) throw new Error(`of another revision: ${text}`);
  return after;
}

/** What of an image a page is told, by the words of docs/write/screen-protocol.md. */
function told({ revision, erased, rows, columns, cursor, text, nulls, fields, runs }: ScreenImage) {
  const colour = (value: number) => (value === 0 ? 0 : value & 0x0f || 16);
  return {
    revision,
    erased,
    rows,
    columns,
    cursor,
    cells: text.cells,
    nulls: new Set(nulls),
    fields: fields.map(({ address, length, attribute, foreground, highlighting, background, ...others }) => ({
      address,
      length,
      attribute: attribute & (32 | 16 | 12 | 1),
      colour: colour(foreground),
      highlighting: highlighting & 0x0f,
      background: colour(background),
      validation: others.validation,
      doubleByteEntry: others.doubleByteEntry,
    })),
    runs: runs.map(({ address, length, foreground, highlighting, background }) => ({
      address,
      length,
      colour: colour(foreground),
      highlighting: highlighting & 0x0f,
      background: colour(background),
    })),
  };
}

describe('screen that a page was sent', () => {
  it('differs from the next by what is needed to make the next one of it', () => {
    const part = fc.constantFrom(
      'c1',
      '1d60',
      '1d4c',
      '40',
      '2842f2c3',
      '2841f4c4',
      '2902c0602842f1',
      '2902c040fe01',
      '2902c04043f8',
      '0e42c142c20f',
      '1d40',
      '00',
    );
    const record = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 1_919 }), part), { maxLength: 12 })
      .map((parts) => `f1c3${parts.map(([at, what]) => `11${at.toString(16).padStart(4, '0')}${what}`).join('')}`);
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 4 }), (records) => {
        const terminal = new Terminal({ codePage: 'cp939' });
        terminal.host('f5c3');
        const sent = new SentScreen();
        let page = shown(undefined, sent.update(terminal.screen.image, free));
        for (const written of records) {
          terminal.host(written);
          page = shown(page, sent.update(terminal.screen.image, free));
          expect(page).to.deep.equal({ ...told(terminal.screen.image), lock: 0, alarms: 0, notice: '' });
        }
      }),
    );
  });

  it('is sent whole where its size is another', () => {
    const terminal = new Terminal({ model: '3279-4-E' });
    terminal.host('f5c3');
    const sent = new SentScreen();
    sent.update(terminal.screen.image, free);
    terminal.host('7ec3');
    const message = decodeServerMessage(sent.update(terminal.screen.image, free));
    expect(message).to.include({ k: 's', n: 43, c: 80 });
  });

  it('differs from itself by nothing', () => {
    const { image } = new Terminal().screen;
    const sent = new SentScreen();
    sent.update(image, free);
    expect(sent.shows(image.revision, free)).to.equal(true);
    expect(decodeServerMessage(sent.update(image, free)))
      .to.deep.include({ k: 'd', t: [] })
      .and.not.have.any.keys('f', 'x');
  });

  it('is what a page of ours has from before', () => {
    const terminal = new Terminal();
    terminal.host('f5c3 c1 1d60 2842f2c3');
    const sent = new SentScreen();
    sent.adopt(terminal.screen.image, { lock: 1, notice: '' });
    expect(sent.shows(terminal.screen.image.revision, free)).to.equal(false);
    const message = decodeServerMessage(sent.update(terminal.screen.image, free));
    expect(message).to.deep.include({ k: 'd', l: 0, t: [] }).and.not.have.any.keys('f', 'x');
  });
});
