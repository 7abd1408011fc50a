import { expect } from 'chai';
import { commandScript } from '../support/project.js';
import { needS3270 } from '../support/s3270.js';
import { runWithHost } from './raw-host.js';
import { ownS3270 } from './started-s3270.js';

const ours = [process.execPath, commandScript, 's3270', '-set', 'contentionResolution=false'];
/** TELNET's options, and a record: a protected field, one of 12 positions to type into, and a protected one. */
const says =
  'fffd18 fffa1801fff0 fffd19 fffb19 fffd00 fffb00 f5c3114040 1d60 c1c2c3 1d40 000000000000000000000000 1d60 c1 ffef';

const aplNames = [
  'alpha bar braceleft braceright bracketleft bracketright circle circlebar circleslope circlestar circlestile colon comma',
  'commabar degree del delstile delta deltastile deltaunderbar deltilde diaeresis diaeresiscircle diaeresisdot diaeresisjot',
  'diamond dieresis divide dot downarrow downcaret downcarettilde downshoe downstile downtack downtackjot downtackup epsilon',
  'epsilonunderbar equal equalunderbar equiv euro greater iota iotaunderbar jot leftarrow leftbracket leftparen leftshoe',
  'lefttack less multiply notequal notgreater notless omega overbar plus plusminus quad quaddivide quadjot quadquote',
  'quadslope query quote rho rightarrow rightbracket rightparen rightshoe righttack section semicolon slash slashbar slope',
  'slopebar splat squad star stile tilde times underbar uparrow upcaret upcarettilde upshoe upshoejot upstile uptack uptackjot',
]
  .join(' ')
  .split(' ')
  .map((name) => `apl_${name}`);
/** With 4.1 X is Z. */
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWYZ'].map((letter) => `apl_${letter}underbar`);
const otherNames = [
  ...[
    'U+00e9',
    'U+41',
    'u+41',
    '0x41',
    '0X41',
    'U+ 41',
    'U+0041z',
    'U+00000000041',
    'U+0',
    'U+',
    '0x',
    '0xg',
    'U+110000',
  ],
  ...['0x20ac', 'euro', 'eacute', 'Eacute', 'space', 'apl_', 'apl_foo', 'apl_Alpha', 'Home', 'nothing', '\\\\', 'é'],
];

const send = 'HostFile=a,LocalFile=/nonexistent/b,Direction=send';
const receive = 'HostFile=a,LocalFile=/nonexistent/b,Direction=receive';
const transfers = [
  ...[
    '',
    'Foo',
    'Direction',
    'Direction=',
    '=',
    '=x',
    'HostFile=',
    `${send},OtherOptions=`,
    'Direction=foo',
    'Direction=s',
  ],
  ...['Host=t', 'Host=foo', 'Mode=foo', 'Cr=foo', 'Cr=a', 'Remap=n', 'Exist=k', 'Recfm=f', 'Recfm=x', 'Allocation=a'],
  ...['Lrecl=0', 'Lrecl=-1', 'Lrecl=+5', 'Lrecl=5x', 'Blksize=x', 'PrimarySpace=x', 'SecondarySpace=0', 'BufferSize=0'],
  ...['Avblock=x', 'Mode=binary,Cr=add', `${send},Mode=b,Cr=a`, `${send},Mode=b,Cr=auto`, `${send},Mode=b,Remap=no`],
  ...[`${receive},Recfm=default`, `${receive},Allocation=default`, `${send},Host=cics,Recfm=default`, receive],
  ...[`${send},Host=vm,Allocation=default`, `${send},Allocation=avblock,PrimarySpace=2,Avblock=x`, send],
].map((parameters) => `Transfer(${parameters})`);

const settings = [
  ...['Set(model,3279-4)', 'Set(model,foo)', 'Set(oversize,100x50)', 'Toggle(oversize,foo)', 'MoveCursor(0,5)'],
  ...['String("a[")', 'Set(codePage,german)', 'Set(codePage)', 'Ascii(0,0,1,10)', 'String("ä")', 'Ebcdic(0,0,1,10)'],
  ...['Set(codePage,foo)', 'Set(codePage,"")', 'Set(codePage,cp930)', 'Set(codePage)', 'Query(CodePage)'],
  ...['Toggle(codePage,cp1047)', 'Query(CodePage)', 'Ascii(0,0,1,10)', 'Set(alwaysInsert,true)', 'Set(insertMode)'],
  ...['MoveCursor(0,5)', 'String(x)', 'Ascii(0,5,9)', 'ToggleInsert', 'Set(insertMode)', 'Reset', 'Set(insertMode)'],
  ...['Set(aidWait,false)', 'ToggleInsert', 'Enter', 'Set(insertMode)', 'Reset', 'String(y)', 'Enter', 'Reset'],
  ...['Set(alwaysInsert,false)', 'Set(insertMode)', 'Clear', 'Disconnect', 'Set(insertMode)', 'Set(alwaysInsert,true)'],
  'Set(insertMode)',
];

const backslashes = ['\\\\', '\\', '\\x', '\\\\x', '\\\\\\', '\\\\\\\\', 'abc\\\\', 'a\\\\b', '\\"', '\\\\" x'];

const scripts: Readonly<Record<string, readonly string[]>> = {
  'keys by their names': [...aplNames, ...otherNames].flatMap((name) => [
    ...['MoveCursor(0,5)', 'EraseEOF', `Key("${name}")`, 'Ascii(0,5,3)', 'ReadBuffer(Ebcdic)'],
  ]),
  // how they are shown is no likeness
  'letters with a line below them': letters.flatMap((name) => [
    ...['MoveCursor(0,5)', 'EraseEOF', `Key(${name})`, 'ReadBuffer(Ebcdic)'],
  ]),
  'what is wrong with a transfer': transfers,
  'what is set with a connection': settings,
  'backslashes in quotation marks': backslashes.map((text) => `Set("${text}")`),
};

describe('names and settings beside s3270', () => {
  for (const [what, actions] of Object.entries(scripts)) {
    it(`are the same: ${what}`, async function () {
      needS3270(this);
      const words = ['-utf8', '-model', '2', '127.0.0.1:PORT'];
      const [real, own] = await Promise.all([
        runWithHost(['s3270'], words, { says, actions }),
        runWithHost(ownS3270, words, { says, actions }),
      ]);
      const answers = ({ output }: { output: string }) => output.split(/(?<=^(?:ok|error)\n)/m);
      expect(answers(own).map((answer, at) => `${actions[at]}\n${answer}`)).to.deep.equal(
        answers(real).map((answer, at) => `${actions[at]}\n${answer}`),
      );
      expect(own.sent).to.equal(real.sent);
    });
  }

  it('have an X with a line below it', async () => {
    const { output } = await runWithHost(ours, ['-utf8', '-model', '2', '127.0.0.1:PORT'], {
      says,
      actions: ['MoveCursor(0,5)', 'Key(apl_Xunderbar)', 'ReadBuffer(Ebcdic)'],
    });
    expect(output).to.include(' GE(67) ');
  });

  it('hold a million backslashes as well as one', async () => {
    const { output } = await runWithHost(ours, ['-utf8', '127.0.0.1:PORT'], {
      says,
      actions: [`Echo("${'\\'.repeat(900_000)}x")`, 'Query(Cursor)'],
    });
    expect(output.match(/^ok$/gm)).to.have.lengthOf(3);
  });
});
