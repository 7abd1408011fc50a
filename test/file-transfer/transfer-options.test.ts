import { expect } from 'chai';
import { type TransferOptions, transferCommand } from '../../src/file-transfer/transfer-options.js';

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
  [{ host: 'cics', hostFile: 'A B' }, /without blanks/],
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

  it('is typed with names and values as long as they may be', () => {
    const longest = `${'ABCDEFGH.'.repeat(4)}ABCDEFGH`;
    expect(longest).to.have.length(44);
    for (const change of [
      { hostFile: longest },
      { hostFile: `'${longest}(ABCDEFGH)'` },
      { recordFormat: 'fixed', recordLength: 32_767 } as const,
      { space: { primary: 999_999 } },
      { otherOptions: 'A'.repeat(200) },
    ]) {
      expect(transferCommand({ ...send, ...change }), JSON.stringify(change)).to.include({ kind: 'read' });
    }
  });
});
