import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { needS3270 } from '../support/s3270.js';
import { type Said, saidBy } from './said-by.js';
import { ownS3270, programOf } from './started-s3270.js';

const asking = 'Query(Model) Set(monoCase) Query(CodePage) Set(loginMacro) Set(termName) Query(TerminalName)\n';
const numbers = 'Set(nopSeconds) Set(unlockDelayMs) Set(ftBufferSize)\n';

/** Files of sessions, by their names. */
const files: Readonly<Record<string, string>> = {
  'plain.s3270': 's3270.monoCase: true\nfoo\n',
  'CASE.S3270': 's3270.monoCase: true\n',
  'other.foo': 'foo.monoCase: true\n',
  'goes-on.s3270': 's3270.termName: a\\\nb\ns3270.monoCase: true',
  'blanks.s3270': '  s3270.termName: ab  \r\ns3270.monoCase: true\r\n# foo\n  ! foo\n\t\n',
  'escaped.s3270': 's3270.loginMacro: String("a\\\\n")\\n\\\n   c  \n',
  'twice.s3270': 's3270.termName: a\\nb\\\n   c\\\\\nd\n',
  'faults.s3270':
    's3270.foo: 1\nfoo.bar: 2\ns3270.nopSeconds: z\ns3270.monoCase: z\ns3270.ftHost: z\ns3270.model: z\ns3270.oversize: z\ns3270.codePage: z\n',
  'model.s3270':
    's3270.model: 3\nbad\ns3270.monoCase: x\ns3270.monoCase: true\ns3270.codePage: cp273\ns3270.loginMacro: x\n',
  'lines.s3270': 's3270.a\\\nb: 1\n\n\ns3270.c: 1\n',
  'hashes.s3270': '#\n# x\nfoo\n',
  'comment.s3270': '! x \\\ns3270.monoCase: true\n',
  'end.s3270': 's3270.loginMacro: a \\',
};

const xrm = (...resources: readonly string[]) => resources.flatMap((resource) => ['-xrm', resource]);
const words = (lines: string) => lines.split('\n').map((line) => line.trim().split(' '));
const each = (values: readonly string[], line: (value: string) => readonly string[]) => values.map(line);

const options = words(`-TN x
  -Model 2
  -nosuch
  -constructor
  -xrm s3270.constructor:x
  foo -bar
  -bar foo
  -bar foo baz
  a b c -set nosuch
  -set nosuch a b c
  a b c -minversion 99
  -minversion 3 -nosuch
  -minversion 99 -minversion 4.0
  -minversion x -minversion 4.0
  a b c -xrm foo
  -nosuch -xrm foo
  -nosuch -model
  -nosuch -e true
  -nosuch -clear nosuch
  -- -model 2
  -- -nosuch
  -- foo bar baz
  -nvt
  -nvt -tn X
  -model
  -tn
  -set
  -clear
  -set monoCase -clear monoCase
  -clear monoCase -set monoCase
  -set monoCase -xrm s3270.monoCase:false
  -xrm s3270.monoCase:true -clear monoCase
  -set model=2 -model 3
  -model 3 -set model=2
  -model 2 -xrm s3270.model:3
  -xrm s3270.model:3 -model 2
  -set loginMacro=a -xrm s3270.loginMacro:b
  -connecttimeout x
  -connecttimeout -3
  -xrm s3270.connectTimeout:x
  -set termName=x -oversize 100x50
  -model foo -codepage foo -oversize foo`);

const sessions = [
  // a host, where nobody calls the program so
  ...Object.keys(files)
    .filter((name) => name !== 'other.foo')
    .map((name) => [name]),
  ...words(`plain.s3270 -nosuch
    plain.s3270 -xrm s3270.monoCase:false
    -xrm s3270.monoCase:false plain.s3270
    missing.s3270
    missing.s3270 -nosuch
    folder.s3270
    -alias foo plain.s3270
    -alias foo other.foo
    other.foo -alias foo
    -xrm foo model.s3270
    -model 2 model.s3270
    model.s3270 -model 2
    -codepage cp037 model.s3270
    -clear monoCase model.s3270
    -set model=2 model.s3270
    -set loginMacro=y model.s3270
    -set nosuch model.s3270
    model.s3270 -minversion 3
    model.s3270 -model`),
];

const resources = [
  ...['true ', '  true', '', 'TRUE', 'on', '1', 'yes', '"true"'].map((value) => xrm(`s3270.monoCase: ${value}`)),
  ...xrmEach`s3270.monoCase :true|s3270. monoCase:true| s3270.monoCase:true|s3270.MonoCase: true|s3270.monocase: true`,
  ...xrmEach`*monocase: true|S3270.monoCase: true|s3270.foo.monoCase: true|.monoCase: true|s3270: true||*|*:|*: a`,
  ...xrmEach`s3270.:x|s3270.monoCase|#s3270.monoCase: x|s3270.a b: c|s3270..monoCase: true|s3270**monoCase: true|s: x`,
  ...each(['a b ', 'a\\nb\\x41', ' a:b', '\\\\', '\\t\\b\\a\\e\\0\\101\\u0041\\"', 'a\\', '\\ \\ x', 'é'], (value) =>
    xrm(`s3270.termName: ${value}`, `s3270.loginMacro: ${value}`),
  ),
  ...each(['abcdefghi: x', '#bcd', 'foo.monoCase', 'foo: a', 'foo*monoCase: true', 'foo*: true'], (resource) => [
    '-alias',
    'foo',
    ...xrm(resource),
  ]),
  [...xrm('foo.monoCase: true'), '-alias', 'foo'],
  ...each(['bindLimit', 'qrBgColor', 'secure', 'scriptPortOnce', 'idleCommandEnabled', 'alias', 'eof'], (name) =>
    xrm(`s3270.${name}: x`),
  ),
];

function xrmEach({ raw: [text = ''] }: TemplateStringsArray): readonly (readonly string[])[] {
  return text.split('|').map((resource) => xrm(resource));
}

const integers = ['0x10', '010', '-3', '+3', '7 ', '', '1.5', 'x', '08', '0x', '-0', ' 5', '2147483647', '1e3'];
const numbered = ['nopSeconds', 'unlockDelayMs', 'ftBufferSize'].flatMap((name) => [
  ...integers.map((value) => xrm(`s3270.${name}: ${value}`)),
  // what no buffer can be is the default at once
  ...(name === 'ftBufferSize' ? [] : integers).map((value) => ['-set', `${name}=${value}`]),
]);

const ofTransfers = [
  ...['', 'TSO', 'v', 'foo'].map((value) => xrm(`s3270.ftHost: ${value}`)),
  ...['ftDirection', 'ftMode', 'ftCr', 'ftExist', 'ftRemap'].flatMap((name) =>
    ['', 'x', 's', 'YES', 'Send', 'ascii', 'KEEP', 'keep '].map((value) => xrm(`s3270.${name}: ${value}`)),
  ),
  ...['ftRecfm', 'ftAllocation'].flatMap((name) =>
    ['', 'f', 'TRACKS', 'x'].map((value) => xrm(`s3270.${name}: ${value}`)),
  ),
  ...['ftLrecl', 'ftBlksize', 'ftPrimarySpace', 'ftSecondarySpace', 'ftAvblock'].flatMap((name) =>
    ['', '0', '-1', '010', '1.5', '7 ', 'x'].map((value) => xrm(`s3270.${name}: ${value}`)),
  ),
  xrm('s3270.FtHost: foo', 's3270.fthost: foo', 's3270.ftOtherOptions: x'),
  xrm('s3270.ftHost: foo', 's3270.ftHost: vm'),
  xrm(
    's3270.ftCr: x',
    's3270.ftMode: z',
    's3270.ftRecfm: z',
    's3270.ftAllocation: y',
    's3270.ftHost: b',
    's3270.foo: x',
  ),
  [...xrm('s3270.ftHost: foo', 's3270.ftExist: x', 's3270.ftDirection: x', 's3270.ftRemap: x'), '-model', 'foo'],
];

const idle = ['Foo(', 'foo bar', 'PF(3', 'PF(3) x', '"a', '#c', ''].flatMap((command) => [
  xrm(`s3270.idleCommand: ${command}`),
  xrm(`s3270.idleCommand: ${command}`, 's3270.idleCommandEnabled: true'),
]);
const idleTimes = ['1', '1S', '2m', '~7h', '5x', 'never', '~', '0', '0s', '', '1 s', '1d'].map((time) =>
  xrm(`s3270.idleTimeout: ${time}`, 's3270.idleCommandEnabled: true', 's3270.idleCommand: Foo('),
);

/** Ours has more settings, says what is near, and why a value is wrong. */
function compared({ output, error, code }: Said): Said {
  return {
    output,
    error: error
      .replaceAll(/ \(did you mean "[^"]*"\?\)/g, '')
      .replaceAll(/: invalid value \(.*\)$/gm, ': invalid value')
      .replaceAll(/Toggle names are:\n .*/g, 'Toggle names')
      .replaceAll(/4\.\dga\d+/g, '4.x'),
    code,
  };
}

describe('all kinds of command lines beside s3270', () => {
  let folder: string;

  before(function () {
    needS3270(this);
    folder = mkdtempSync(join(tmpdir(), 's3270-command-lines-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    mkdirSync(join(folder, 'folder.s3270'));
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  const lists: Readonly<Record<string, readonly [lines: readonly (readonly string[])[], actions: string]>> = {
    options: [options, asking],
    'files of sessions': [sessions, asking],
    resources: [resources, asking],
    numbers: [numbered, numbers],
    'resources of transfers': [ofTransfers, asking],
    'idle commands': [[...idle, ...idleTimes], asking],
  };
  for (const [name, [lines, actions]] of Object.entries(lists)) {
    it(`mean the same: ${name}`, async () => {
      const differing: unknown[] = [];
      for (const line of lines) {
        const [real, own] = await Promise.all([
          saidBy(programOf(['s3270', '-utf8']), line, actions, folder),
          saidBy(ownS3270, line, actions, folder),
        ]);
        const [theirs, ours] = [compared(real), compared(own)];
        if (JSON.stringify(theirs) !== JSON.stringify(ours)) differing.push({ line, s3270: theirs, own: ours });
      }
      expect(differing).to.deep.equal([]);
    });
  }
});
