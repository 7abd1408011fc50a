import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { commandScript } from '../support/project.js';
import { needS3270 } from '../support/s3270.js';
import { saidBy } from './said-by.js';
import { ownS3270, programOf } from './started-s3270.js';

const actions = 'Set(monoCase) Query(Model) Query(TerminalName) Query(ScreenSizeMax) Query(CodePage)\n';

/** s3270 4.1 writes a trace into it. */
const folder = mkdtempSync(join(tmpdir(), 's3270-options-'));

writeFileSync(
  join(folder, 'faulty.s3270'),
  's3270.monoCase: x\ns3270.foo: 1\n! a comment\n\nfoo\n s3270.monoCase: true\nx.model: 2\n',
);

const lines: readonly string[] = [
  ...[
    '-oversize 1x1',
    '-oversize 90x30',
    '-oversize 200x100',
    '-oversize 128x128',
    '-oversize 127x129',
    '-oversize 0x0',
  ],
  ...['-oversize 100X50', '-oversize auto', '-oversize 100x50', '-oversize 80x43', '-model 3278-5 -oversize 131x30'],
  ...['-model 2', '-model 3278-3', '-model 3279-5-E', '-model foo', '-model 9', '-codepage foo', '-charset cp273'],
  ...['-foo', '-foo bar', '-unlockdelay', 'a b c', '-xrm s3270.monoCase:true', '-xrm *monoCase:true', '-set monoCase'],
  ...[
    '-xrm s3270.monoCase',
    '-xrm x3270.monoCase:true',
    '-xrm s3270*monoCase:true',
    '-xrm foo',
    '-set codePage=german',
  ],
  ...['-trace -tracefile /nonexistent/trace', '-trace -tracefile none'],
  ...['monoCase:x', 'nopSeconds:x', 'nopSeconds:', 'unlockDelayMs:z', 'verifyHostCert:z', 'ftBufferSize:z'].map(
    (resource) => `-xrm s3270.${resource}`,
  ),
  'faulty.s3270',
  ...['-minversion foo', '-minversion 4.1ga', '-minversion 4.0', 'missing.s3270'],
  // empty values of ports are judged, too; a terminal that is refused its callback ends
  ...[
    '-scriptport  -callback x',
    '-httpd  -callback x',
    '-set scriptPort= -callback x',
    '-xrm s3270.httpd: -callback x',
  ],
  ...['-clear aidWait', '-tn FOO', '-httpd foo -nosuch', '-callback 127.0.0.1:1', '-callback x'],
  ...[
    '-xrm s3270.macros:a',
    '-xrm *idleCommand:a',
    '-xrm s3270.Macros:a',
    '-xrm s3270.MACROS:a',
    '-xrm s3270.scriptPortOnce:true',
  ],
];

/** Each way to end, and what is told on the way, as a process of its own has it. */
const linesOfProcesses = new Set(['-oversize 1x1', '-model foo', '-foo bar', 'faulty.s3270', '-callback x']);

describe('command lines beside s3270', () => {
  before(function () {
    needS3270(this);
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const line of lines) {
    it(`mean the same: ${line}`, async () => {
      const words = line.split(' ');
      const start = linesOfProcesses.has(line) ? programOf([process.execPath, commandScript, 's3270']) : ownS3270;
      const [real, own] = await Promise.all([
        saidBy(programOf(['s3270']), words, actions, folder),
        saidBy(start, words, actions, folder),
      ]);
      expect(own).to.deep.equal(real);
    });
  }
});
