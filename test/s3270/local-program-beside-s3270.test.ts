import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { commandScript } from '../support/project.js';
import { needS3270 } from '../support/s3270.js';
import { transcriptOf } from './transcript.js';

const ours = [process.execPath, commandScript, 's3270'];
const actions = [
  ...['Expect(ready,60)', 'String("hi\\n")', 'Expect("got hi",60)', 'Ascii(0,0,4,30)', 'Query(Host)'],
  ...['Query(ConnectionState)', 'Disconnect', 'Query(ConnectionState)', 'Reconnect', 'Expect(ready,60)', 'Disconnect'],
];

describe('a program of the machine in place of a host (-e)', () => {
  it('is spoken with as s3270 does, on a pseudo-terminal', async function () {
    needS3270(this);
    const words = [
      '-model',
      '2',
      '-e',
      'echo',
      'ready;',
      'test',
      '-t',
      '0',
      '&&',
      'read',
      'x;',
      'echo',
      'got',
      '$x;',
      'cat',
    ];
    const [real, own] = await Promise.all([
      transcriptOf(['s3270', '-utf8'], words, actions),
      transcriptOf(ours, words, actions),
    ]);
    expect(own.split('\n')).to.deep.equal(real.split('\n'));
    expect(own).to.contain('data: got hi');
  });

  it('is refused with the reason where there is no pseudo-terminal for it', () => {
    const { status, stderr } = spawnSync(ours[0] ?? '', [...ours.slice(1), '-e', 'cat'], {
      env: { ...process.env, PATH: '/nowhere' },
      encoding: 'utf8',
      input: 'Query(Host)\n',
    });
    expect({ status, stderr: stderr.split('\n')[1] }).to.deep.equal({
      status: 1,
      stderr: '-e needs the program script of util-linux (bsdutils)',
    });
  });
});
