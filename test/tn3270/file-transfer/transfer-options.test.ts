import { expect } from 'chai';
import { type TransferOptions, transferCommand } from '../../../src/tn3270/file-transfer/transfer-options.js';

const send: TransferOptions = { direction: 'send', host: 'tso', hostFile: 'A.B', text: false, lines: false };
const ascii = { ...send, text: true, lines: true };

/** What s3270 4.1 types for the same keywords, but for its blanks. */
const commands: readonly (readonly [TransferOptions, string])[] = [
  [send, 'IND$FILE PUT A.B'],
  [{ ...ascii, direction: 'receive' }, 'IND$FILE GET A.B ASCII CRLF'],
  [{ ...ascii, lines: false }, 'IND$FILE PUT A.B ASCII'],
  [{ ...ascii, append: true }, 'IND$FILE PUT A.B ASCII CRLF APPEND'],
  [
    {
      ...ascii,
      lines: false,
      recordFormat: 'fixed',
      recordLength: 80,
      blockSize: 800,
      space: { unit: 'tracks', primary: 3, secondary: 1 },
    },
    'IND$FILE PUT A.B ASCII RECFM(F) LRECL(80) BLKSIZE(800) SPACE(3,1) TRACKS',
  ],
  [
    { ...send, recordFormat: 'undefined', space: { unit: 'avblock', primary: 2, averageBlock: 300 } },
    'IND$FILE PUT A.B RECFM(U) SPACE(2) AVBLOCK(300)',
  ],
  [{ ...send, host: 'cics', hostFile: 'A' }, 'IND$FILE PUT A (BINARY NOCRLF'],
  [{ ...ascii, host: 'cics', hostFile: 'A' }, 'IND$FILE PUT A (ASCII CRLF'],
  [
    { ...ascii, host: 'vm', hostFile: 'A B', recordFormat: 'variable', recordLength: 100 },
    'IND$FILE PUT A B (ASCII CRLF RECFM V LRECL 100',
  ],
  [{ ...ascii, otherOptions: ' NEW ' }, 'IND$FILE PUT A.B ASCII CRLF NEW'],
];

const wrong: readonly (readonly [Partial<TransferOptions>, RegExp])[] = [
  [{ hostFile: '' }, /data set name/],
  [{ hostFile: 'A.B; LOGOFF' }, /data set name/],
  [{ hostFile: `${'ABCDEFGH.'.repeat(4)}ABCDEFGHI` }, /data set name/],
  [{ hostFile: 'A.B(TOOLONGNAME)' }, /data set name/],
  [{ host: 'vm', hostFile: 'ONE' }, /file name, a file type/],
  [{ host: 'cics', hostFile: 'A B' }, /no blanks/],
  [{ direction: 'receive', recordFormat: 'fixed' }, /that are sent/],
  [{ host: 'cics', hostFile: 'A', recordFormat: 'fixed' }, /CICS/],
  [{ host: 'vm', hostFile: 'A B', blockSize: 1 }, /for TSO/],
  [{ recordLength: 80 }, /need a record format/],
  [{ recordFormat: 'fixed', recordLength: 32_768 }, /from 1 to 32767/],
  [{ space: { primary: 1_000_000 } }, /from 1 to 999999/],
  [{ space: { unit: 'avblock', primary: 1 } }, /average blocks/],
  [{ otherOptions: 'A\nLOGOFF' }, /printable/],
  [{ otherOptions: 'A'.repeat(201) }, /at most 200/],
];

describe('the command of a file transfer', () => {
  for (const [options, command] of commands) {
    it(`is as s3270 types it: ${command}`, () => {
      expect(transferCommand(options)).to.deep.equal({ kind: 'read', value: command });
    });
  }

  for (const [change, words] of wrong) {
    it(`is not typed with ${JSON.stringify(change).slice(0, 60)}`, () => {
      const outcome = transferCommand({ ...send, ...change });
      expect(outcome.kind === 'fault' ? outcome.fault : '').to.match(words);
    });
  }

  const longest = `${'ABCDEFGH.'.repeat(4)}ABCDEFGH`;
  const average = (averageBlock: number) => ({ space: { unit: 'avblock', primary: 1, averageBlock } }) as const;
  const bounds: readonly (readonly [what: string, within: Partial<TransferOptions>, past: Partial<TransferOptions>])[] =
    [
      ['data set of 44', { hostFile: longest }, { hostFile: `${longest.slice(0, -8)}ABCDEFG.H` }],
      ['qualifier of 8', { hostFile: 'ABCDEFGH.B' }, { hostFile: 'ABCDEFGHI.B' }],
      ['member of 8', { hostFile: `'${longest}(ABCDEFGH)'` }, { hostFile: `'${longest}(ABCDEFGHI)'` }],
      ['VM name of 8', { host: 'vm', hostFile: 'ABCDEFGH EXEC A1' }, { host: 'vm', hostFile: 'ABCDEFGHI EXEC A1' }],
      ['VM type of 8', { host: 'vm', hostFile: 'A ABCDEFGH' }, { host: 'vm', hostFile: 'A ABCDEFGHI' }],
      ['VM mode to 6', { host: 'vm', hostFile: 'A EXEC A6' }, { host: 'vm', hostFile: 'A EXEC A7' }],
      ['CICS name of 44', { host: 'cics', hostFile: 'A'.repeat(44) }, { host: 'cics', hostFile: 'A'.repeat(45) }],
      ['CICS name of 1', { host: 'cics', hostFile: 'A' }, { host: 'cics', hostFile: '' }],
      ['record length', { recordFormat: 'fixed', recordLength: 1 }, { recordFormat: 'fixed', recordLength: 0 }],
      [
        'record length',
        { recordFormat: 'fixed', recordLength: 32_767 },
        { recordFormat: 'fixed', recordLength: 32_768 },
      ],
      ['block size', { recordFormat: 'fixed', blockSize: 1 }, { recordFormat: 'fixed', blockSize: 0 }],
      ['block size', { recordFormat: 'fixed', blockSize: 32_767 }, { recordFormat: 'fixed', blockSize: 32_768 }],
      ['primary space', { space: { primary: 1 } }, { space: { primary: 0 } }],
      ['primary space', { space: { primary: 999_999 } }, { space: { primary: 1_000_000 } }],
      ['secondary space', { space: { primary: 1, secondary: 1 } }, { space: { primary: 1, secondary: 0 } }],
      [
        'secondary space',
        { space: { primary: 1, secondary: 999_999 } },
        { space: { primary: 1, secondary: 1_000_000 } },
      ],
      ['average block', average(1), average(0)],
      ['average block', average(32_767), average(32_768)],
      ['other options of 200', { otherOptions: 'A'.repeat(200) }, { otherOptions: 'A'.repeat(201) }],
    ];

  for (const [what, within, past] of bounds) {
    it(`has its bound, and one past it is refused: ${what} (${JSON.stringify(past).slice(0, 60)})`, () => {
      expect(transferCommand({ ...send, ...within })).to.include({ kind: 'read' });
      expect(transferCommand({ ...send, ...past })).to.include({ kind: 'fault' });
    });
  }
});
