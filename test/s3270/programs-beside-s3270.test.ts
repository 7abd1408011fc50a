import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { commandScript } from '../support/project.js';
import { needS3270 } from '../support/s3270.js';
import { transcriptOf } from './transcript.js';

const shell = (command: string) => `Script(sh,-c,"${command}")`;
const send = (action: string) => `echo '${action}' >&$X3270INPUT`;

/** Each is answered as s3270 4.1 answers it. Blank lines and comments are not among the files: they end 4.1. */
const programs = [
  'Script()',
  'Script(-async)',
  'Script(echo,"a b",c,"$HOME")',
  shell('exit 3'),
  shell('kill -9 $$'),
  shell('echo out; echo err >&2; exit 1'),
  shell("env | grep -o '^X3270[A-Z]*' | sort"),
  shell('echo $X3270URL | tr -d 0-9'),
  shell(`${send('CloseScript(3)')}; read line <&$X3270OUTPUT; sleep 9`),
  'Execute',
  'Execute(a,b)',
  'Execute("exit 3")',
  'Execute("kill -9 $$")',
  'Execute("echo a; echo b >&2; exit 1")',
  'Execute(/nonexistent)',
  'Execute("env | grep -o \'^X3270[A-Z]*\' | sort")',
];

/** Behind these s3270 4.1 reads on now, and ends another time: each has a process of its own. */
const alone = ['Script("")', 'Script(/nonexistent)', 'Script("sh -c true")', 'Script(-async,true)'];

const files: Readonly<Record<string, string>> = {
  fault: 'Query(Model)\nFoo()\nQuery(Cursor)\n',
  nested: 'Source(cut)\nQuery(Model)\n',
  cut: 'Query(Cursor)\nQuery(x',
  returns: 'Query(Model)\r\nQuery(Cursor)\r\n',
  second: 'Query(Model) Query(\nCursor)\n',
  empty: '',
};
const sources = ['Source()', 'Source(a,b)', 'Source(none)', ...Object.keys(files).map((name) => `Source(${name})`)];

describe('programs and files of actions beside s3270', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-actions-'));
  before(() => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('are run and answered in the same way', async function () {
    needS3270(this);
    const actions = [...programs, ...sources.map((action) => action.replace(/\((\w+)\)/, `(${folder}/$1)`))];
    for (const some of [actions, ...alone.map((action) => [action])]) {
      const own = await transcriptOf([process.execPath, commandScript, 's3270'], [], some);
      expect(own).to.equal(await transcriptOf(['s3270'], [], some));
    }
  });

  it('are traced into the same files', async function () {
    needS3270(this);
    const trace = join(folder, 'trace');
    const actions = [
      ...[`Trace(on,${trace},x)`, `Trace(on,${trace})`, 'Query(TraceFile)', 'Trace(off,x)', 'Trace(off)'],
      ...[`Trace(on,>>${trace})`, 'Query(TraceFile)', 'Trace(off)', 'Trace(on,/nonexistent/trace)', 'Query(TraceFile)'],
      ...['Trace(on)', 'Query(TraceFile)', 'Trace(off)'],
    ];
    const words = ['-tracefile', join(folder, 'named')];
    const own = await transcriptOf([process.execPath, commandScript, 's3270'], words, actions);
    expect(own).to.equal(await transcriptOf(['s3270'], words, actions));
  });

  it('may have comments, which end s3270 4.1', async () => {
    const answer = await transcriptOf(
      [process.execPath, commandScript, 's3270'],
      [],
      ['# comment', '  ! comment', 'Query(Cursor) # comment'],
    );
    expect(answer.split('\n').filter((line) => !line.startsWith('L '))).to.deep.equal([
      ...['ok', 'ok', 'data: 0 0', 'ok'],
      '',
    ]);
  });
});
