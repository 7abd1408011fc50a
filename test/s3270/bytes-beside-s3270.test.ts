import { expect } from 'chai';
import { needS3270 } from '../support/s3270.js';
import { runWithHost } from './raw-host.js';
import { ownS3270 } from './started-s3270.js';

const tn3270 = 'fffd18 fffa1801fff0 fffd19 fffb19 fffd00 fffb00';
/** Protected, words to type over, digits, fields of the light pen, a hidden field. */
const screen = [
  'f5c3 114040 1d60 d5c1d4c57a 1d40 c1c240c3c44040c5c6 1d60 1140d1 1d50 f1f2 1d60 11c150 1d44 6fa2 1d60 11c1d9 1d64 50c1 1d60',
  '11c260 1d4c a2a3 1d60 11c2f0 1d68 40c1 1d60 114046 13 ffef',
].join('');
/** Colours, highlighting, and characters that HTML and RTF write otherwise. */
const coloured =
  'f5c3 1140401d60c1c2c3 1d40 13c1 11c150 2902c0e842f2 c4c5c6 2903c0f842f441f2 4c50 6e 2841f4c1 280000 2842f5c2 280000 1d60 ffef';

interface Case {
  readonly words: readonly string[];
  readonly says: string;
  readonly actions: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const utf8 = (codePoint: number) => Buffer.from(String.fromCodePoint(codePoint)).toString('hex');
const model2 = ['-model', '2', '127.0.0.1:PORT'];

/** Asks for the reply RPQ names. */
const rpqRequest = `${tn3270} f3 0007 01 ffff 03 00 a1 ffef ${screen}`;
const rpqTerms = [
  'ADDRESS;more:TIMEZONE:USER=0xc1c',
  'ADDRESS USER=y:U=a b',
  'USER=0xzz:NOADDRESS:FOO=bar',
  `ADDRESS=1.2.3.4:USER=${'x'.repeat(300)}`,
  `USER=${'x'.repeat(247)}`,
  'ALL:NOTIMESTAMP:NOVERSION:  USER = fred',
  'ALL=foo:NO',
  ' ALL :NOFOO',
  'USER=a日b',
  'ADDRESS=localhost:USER=x',
  'ADDRESS=nosuch.invalid:NOALL=',
  `USER=0X${'c1'.repeat(248)}`,
  'USER=0x41zz',
  'USER=0x 41 42',
  'ADDRESS=1::2',
  '=nosuch.invalid',
  'ADDRESS=',
];

/** TN3270E with BIND-IMAGE: a BIND that names default and alternate rows and columns, and how they are to be used. */
const boundTo = (sizes: string) =>
  [
    'fffd28 fffa280802fff0 fffa28020449424d2d333237382d342d4501 4c5531fff0 fffa2803040002 04fff0',
    `0300000000 31${'00'.repeat(19)} ${sizes} 0000 03c1c2c3 ffef 0000000000 f5c31140401d4013ffef`,
  ].join('');
/** Too many columns, too few rows, larger by default; and one that is taken. */
const boundSizes = ['1850 1e64 7f', '1850 1450 7f', '3e50 0000 7e', '1850 1850 7f'];

/** Device types are asked for by TN3270E, and the one with the logical unit is refused: DEVICE-IN-USE, INV-NAME. */
const refused = (reason: string) => `fffa280206 05${reason}fff0`;
const deviceAsked = 'fffd28 fffa280802fff0';
const afterRefusal = `${tn3270} f5c3 114040 1d40 13ffef`;

const cases: Readonly<Record<string, Case>> = {
  'all logical units refused, and then without TN3270E': {
    words: ['lu1,lu2@127.0.0.1:PORT'],
    says: `${deviceAsked} ${refused('01')} ${refused('03')} ${afterRefusal}`,
    actions: ['Wait(InputField)', 'Query(LuName)', 'Query(ConnectionState)'],
  },
  'a logical unit refused by a request that is not supported': {
    words: ['lu1@127.0.0.1:PORT'],
    says: `${deviceAsked} ${refused('07')} ${afterRefusal}`,
    actions: ['Wait(InputField)', 'Query(LuName)', 'Query(ConnectionState)'],
  },
  'functions that were not asked for': {
    words: ['127.0.0.1:PORT'],
    says: `${deviceAsked} fffa28020449424d2d333237382d342d4501 4c5531fff0 fffa2803040001 02fff0 ${afterRefusal}`,
    actions: ['Wait(InputField)', 'Query(LuName)', 'Query(ConnectionState)', 'Query(Tn3270eOptions)'],
  },
  ...Object.fromEntries(
    boundSizes.map((sizes) => [
      `sizes of a BIND: ${sizes}`,
      {
        words: ['127.0.0.1:PORT'],
        says: boundTo(sizes),
        actions: ['Wait(InputField)', 'Query(ScreenSizeCurrent)', 'Query(ScreenSizeMax)'],
      },
    ]),
  ),
  ...Object.fromEntries(
    rpqTerms.map((X3270RPQ) => [
      `RPQ names of ${X3270RPQ.slice(0, 40)} (${X3270RPQ.length})`,
      { words: model2, says: rpqRequest, actions: ['Query(Formatted)'], environment: { X3270RPQ } },
    ]),
  ),
  'the negotiation, and what is known of it': {
    words: ['127.0.0.1:PORT'],
    says: `${tn3270} f5c31140401d60c1c2c31d4013ffef`,
    actions: [
      ...[
        'Query(TelnetMyOptions)',
        'Query(TelnetHostOptions)',
        'Query(StatsRx)',
        'Query(StatsTx)',
        'Query(BindPluName)',
      ],
      ...['Query(CodePage)', 'Query(CodePages)', 'Query(Proxies)', 'Query(Prefixes)', 'Query(ConnectionState)'],
    ],
  },
  'TN3270E with logical units': {
    words: ['LUA,LUB@127.0.0.1:PORT'],
    says: 'fffd28 fffa280802fff0 fffa2802060501fff0 fffa280204 49424d2d333237382d342d45 01 4c5542 fff0 fffa280304000204fff0 030000000031014c00ffef 0000000000f5c31140401d60c1c2c31d4013ffef',
    actions: ['Query(LuName)', 'Query(Tn3270eOptions)', 'Query(ConnectionState)'],
  },
  'logical units without TN3270E': {
    words: ['lu1,lu2@127.0.0.1:PORT'],
    says: `${tn3270}${screen}`,
    actions: ['Query(LuName)', 'Query(Host)'],
  },
  'a host without extended attributes (S:)': {
    words: ['S:127.0.0.1:PORT'],
    says: `${tn3270}${screen}`,
    actions: ['Query(LuName)', 'Query(Formatted)'],
  },
  'a host without extended attributes (S:), by TN3270E': {
    words: ['S:127.0.0.1:PORT'],
    says: `fffd28 fffa280802fff0 fffe28 ${tn3270}${screen}`,
    actions: ['Query(Formatted)'],
  },
  'a host that does not speak TELNET (T:)': {
    words: ['T:127.0.0.1:PORT'],
    says: '68c3a90d0a6162',
    actions: [
      'Expect(ab,60)',
      'Query(ConnectionState)',
      'Ascii(0,0,2,9)',
      'String("\u00e9x")',
      'Enter',
      'PF(1)',
      'Tab',
    ],
  },
  'names of models, and sizes that are none': {
    words: ['-model', '3278'],
    says: '',
    actions: [
      ...[
        'Query(Model)',
        'Set(model,3279)',
        'Set(model,5-E)',
        'Query(Model)',
        'Set(oversize,132X50)',
        'Set(oversize,x)',
      ],
      ...['Set(oversize,127x129)', 'Query(Model)', 'Query(TerminalName)', 'Query(ScreenSizeMax)'],
    ],
  },
  'characters that are none, as code points': {
    words: ['-codepage', '275', '-model', '2', '127.0.0.1:PORT'],
    says: `${tn3270} f5c3114040 1d40 41 4a 0c 0d 15 19 25 0e 40 c1 1c ffef`,
    actions: ['ReadBuffer(Unicode)', 'Query(CodePage)'],
  },
  'double-byte characters, as code points': {
    words: ['-codepage', 'cp930', '-model', '2', '127.0.0.1:PORT'],
    says: `${tn3270} f5c3114040 1d40 0e 4141 4242 4040 4442 0f 40 c1 ffef`,
    actions: ['ReadBuffer(Unicode)', 'Query(CodePage)'],
  },
  'double-byte characters that are typed over others': {
    words: ['-codepage', 'cp930', '-model', '2', '127.0.0.1:PORT'],
    says: `${tn3270} f5c3114040 2902c040fe01 13 0e 42c142c242c3 0f c1c2 11c150 1d60 ffef`,
    actions: [
      ...['MoveCursor(0,2)', 'String("日本")', 'Key(0x4e2d)', 'ReadBuffer(Ebcdic)', 'MoveCursor(0,4)', 'Delete'],
      ...['Query(Cursor)', 'Ascii(0,0,1,20)', 'MoveCursor(0,2)', 'Right', 'Query(Cursor)', 'Left', 'Query(Cursor)'],
    ],
  },
  'the cursor of a line terminal that is moved': {
    words: ['A:127.0.0.1:PORT'],
    says: '6162',
    actions: [
      ...['Expect(ab,60)', 'MoveCursor(3,4)', 'String(x)', 'MoveCursor1(3,79)', 'MoveCursor(99)', 'MoveCursor(2x,0x7)'],
      ...['String("two words ")', 'DeleteWord', 'Ascii(0,0,4,20)', 'DeleteWord', 'DeleteWord', 'Ascii(0,0,4,20)'],
    ],
  },
  'control characters in a line that the terminal edits': {
    words: ['A:127.0.0.1:PORT'],
    says: '6162',
    actions: [
      'Expect(ab,60)',
      ...[
        'x',
        '0x03',
        'a',
        '0x16',
        '0x03',
        '0x12',
        '0x15',
        'b',
        '0x04',
        'd',
        '0x1c',
        'e',
        '0x1a',
        '0x08',
        '0x7f',
      ].flatMap((key) => [`Key(${key})`, 'Ascii(0,0,4,20)']),
      ...['Key(f)', 'Key(0x17)', 'Key(g)', 'Key(0x0d)', 'HexString(6162)', 'PasteString(63640d0a65)', 'Enter'],
    ],
  },
  'hexadecimal text that is typed': {
    words: model2,
    says: `${tn3270}${screen}`,
    actions: ['6162', 'c3a9', 'ff', '610962', '5c74', '610062', '0x61,0x62', '616'].flatMap((digits) => [
      ...['EraseInput', `HexString(${digits})`, 'Ebcdic(0,0,2,30)'],
    ]),
  },
  'colours that are none': {
    words: ['-model', '2', '127.0.0.1:PORT'],
    says: `${tn3270} f5c3114040 2902c0c04201 c1 2902c0c042f1 c1 2903c0c0424045c0 c1 2902c0c042ffff c1 2842ef c1 2842f0 c1 284500 ffef`,
    actions: ['ReadBuffer(Ascii)'],
  },
  'hosts that are none': {
    words: ['-model', '2'],
    says: '',
    actions: ['127.0.0.1:1@x', '=foo', 'lu1,@', '@a', 'a=', 'lu1@lu2@a', '[a', '[a]b'].map(
      (name) => `Connect("${name}")`,
    ),
  },
  'a name of the terminal': {
    words: ['-tn', 'FOO', '127.0.0.1:PORT'],
    says: `${tn3270}${screen}`,
    actions: ['Query(TerminalName)'],
  },
  'NEW-ENVIRON': {
    words: ['-user', 'fred', '-devname', 'foo', '127.0.0.1:PORT'],
    says: `fffd27 fffa2701fff0 fffa270100555345520044455646fff0 fffa2701034445564e414d45fff0 fffa270100fff0 fffa270103fff0 ${tn3270}${screen}`,
    actions: ['Query(TelnetMyOptions)'],
  },
  'NEW-ENVIRON, with variables asked for as others than they are': {
    words: ['-user', 'fred', '-devname', 'foo', '127.0.0.1:PORT'],
    // USERVAR USER; VAR DEVNAME; VAR USER, USERVAR IBMRSEED, USERVAR DEVNAME
    says: `fffd27 fffa27010355534552fff0 fffa2701004445564e414d45fff0 fffa2701005553455203${Buffer.from('IBMRSEED').toString('hex')}034445564e414d45fff0 ${tn3270}${screen}`,
    actions: ['Query(ConnectionState)'],
  },
  ...Object.fromEntries(
    [
      { USER: 'anna', USERNAME: 'other' },
      { USER: '', USERNAME: '' },
    ].map((environment) => [
      `NEW-ENVIRON of the user ${JSON.stringify(environment)}, and requests that are none`,
      {
        words: ['127.0.0.1:PORT'],
        says: `fffd27 fffa2701fff0 fffa27010055534552fff0 fffa270107fff0 fffa2700fff0 fffa270100fffffff0 ${tn3270}${screen}`,
        actions: ['Query(ConnectionState)'],
        environment,
      },
    ]),
  ),
  'a line terminal from the beginning': {
    words: ['-nvt', '127.0.0.1:PORT'],
    says: 'fffd18 fffa1801fff0 6162',
    // what the host said last is there: so is the answer to all before it
    actions: ['Expect(ab,60)', 'Query(ConnectionState)', 'Ascii(0,0,1,5)'],
  },
  'a line terminal by its prefix': {
    words: ['A:127.0.0.1:PORT'],
    says: '',
    actions: ['Query(ConnectionState)'],
  },
  ...Object.fromEntries(
    [
      ['G0', `\x1b(0${Array.from({ length: 32 }, (_, at) => String.fromCharCode(0x5f + at)).join('')}\r\n\x1b(Bqq`],
      ['G1, shifted', '\x1b)0a\x0eqx\x0fq\x1b(A#\x1b)A\x0e#'],
      ['sets that are reset, or are none', '\x1b(0q\x1bcq\x1b(Bx\x1b*0q\x1b(0\x0eq'],
    ].map(([name = '', text = '']) => [
      `line drawing of a line terminal: ${name}`,
      {
        words: ['-utf8', '127.0.0.1:PORT'],
        says: Buffer.from(text, 'latin1').toString('hex'),
        actions: ['Wait(NVTMode)', 'Ascii(0,0,2,40)', 'Query(Cursor1)'],
      },
    ]),
  ),
  words: {
    words: model2,
    says: `${tn3270}${screen}`,
    actions: [
      ...[...Array<string>(9).fill('NextWord'), ...Array<string>(8).fill('PreviousWord')],
      ...[
        'MoveCursor(0,8)',
        'NextWord',
        'MoveCursor(0,12)',
        'PreviousWord',
        'MoveCursor(0,13)',
        'DeleteWord',
        'AsciiField',
      ],
      ...['DeleteWord', 'DeleteWord', 'AsciiField', 'MoveCursor(0,16)', 'DeleteWord', 'Reset'],
    ],
  },
  'the light pen': {
    words: model2,
    says: `${tn3270}${screen}`,
    actions: [
      'MoveCursor(1,1)',
      'CursorSelect',
      'AsciiField',
      'CursorSelect',
      'AsciiField',
      'MoveCursor(3,2)',
      'CursorSelect',
    ],
  },
  'text that is pasted, saved and restored': {
    words: model2,
    says: `${tn3270}${screen}`,
    actions: [
      ...[
        'PasteString(6162)',
        'AsciiField',
        'Key(a)',
        'Key(space)',
        'Key(0x41)',
        'CircumNot',
        'PasteString(0x78)',
        'MonoCase',
      ],
      ...['Ascii(0,0,1,20)', 'SaveInput', 'EraseInput', 'RestoreInput', 'AsciiField', 'Key(foo)', 'PasteString(c1)'],
    ],
  },
  'control characters, line ends and names of keys that are typed': {
    words: model2,
    says: `${tn3270}${screen}`,
    actions: [
      ...[1, 7, 8, 9, 10, 11, 12, 13, 14, 0x1b, 0x1c, 0x7f, 0x85, 0xa0].map((code) => `PasteString(61${utf8(code)}62)`),
      ...[1, 7, 8, 9, 11, 14, 0x1b, 0x1c, 0x7f].map((code) => `String("a${String.fromCodePoint(code)}b")`),
      ...['PasteString(610a0a62)', 'PasteString(610a620a)', 'PasteString(0a)', 'PasteString(610061)'],
      ...['PasteString(616263646566676869707172737475767778)', 'String("日")', 'String("")', 'HexString', 'Key(日,b)'],
      ...['q', '\\', 'a', 'v', '0', '101', 'x4', 'x414', 'u41', 'u00410', 'ec1', 'ec', 'e00', 'e3f'].map(
        (code) => `String("a\\${code}z")`,
      ),
      ...['T', 'R', 'B', 'PF1', 'X41', 'Ec1'].map((code) => `String("a\\${code}z")`),
      ...['Eacute', 'nobreakspace', 'Oslash', 'oslash', 'Return', 'Escape', '""', '0x1'].map((name) => `Key(${name})`),
    ].flatMap((action) => ['Reset', 'EraseInput', 'MoveCursor(0,7)', action, 'Ebcdic(0,0,2,30)']),
  },
  'input that is kept and typed again': {
    words: model2,
    says: `${tn3270} f5c3 114040 1d60 d5c1d4c57a 1d40 c1c240404000004040 1d60 1140d1 1d50 f1f24040 1d60 114046 13 ffef`,
    actions: [
      ...['SaveInput(a)', 'EraseInput', 'RestoreInput(a)', 'ReadBuffer(Ebcdic)', 'EraseInput', 'SaveInput(empty)'],
      ...['RestoreInput(a)', 'RestoreInput(empty)', 'ReadBuffer(Ebcdic)'],
      ...['EraseInput', 'String("a  ")', 'SaveInput', 'EraseInput', 'RestoreInput', 'ReadBuffer(Ebcdic)'],
      ...['MoveCursor(0,18)', 'String("3   ")', 'SaveInput', 'EraseInput', 'RestoreInput', 'ReadBuffer(Ebcdic)'],
    ],
  },
  'words of what is wrong with typed and kept input': {
    words: model2,
    says: `${tn3270}${screen}`,
    actions: [
      ...['Dup(a)', 'Dup(failOnError)', 'FieldMark(a,b)', 'CircumNot(a)', 'Flip(a)', 'AnsiText(a)', 'Close(a)'],
      ...['SaveInput(x)', 'RestoreInput(X)', 'RestoreInput(y)', 'RestoreInput', 'RequestInput(a)', 'RequestInput(a,b)'],
      ...[
        'TemporaryComposeMap',
        'TemporaryComposeMap(a)',
        'ReadBuffer("")',
        'Wait("")',
        'Wait(5,"")',
        'ToggleReverse(a)',
      ],
      ...['HexString(g)', 'HexString(c)', 'HexString(a,b,c,d,g)'],
    ],
  },
  pictures: {
    words: model2,
    says: `${tn3270}${coloured}`,
    actions: [
      ...['PrintText(string)', 'PrintText(html,string)', 'PrintText(rtf,string)', 'PrintText(caption,hello,string)'],
      ...['PrintText(caption)', 'PrintText(file)', 'PrintText(string,x)', 'PrintText(html,caption,"a < b",string)'],
    ],
  },
  'settings and traces': {
    words: ['-model', '2'],
    says: '',
    actions: [
      ...[
        'Set(model,3279-3)',
        'Query(Model)',
        'Query(ScreenSizeMax)',
        'Set(model,foo)',
        'Set(codePage,foo)',
        'Set(codePage,cp1047)',
      ],
      ...['Query(CodePage)', 'Set(nopSeconds,foo)', 'Set(noTelnetInputMode,foo)', 'Set(proxy,foo)'],
      ...[
        'Set(monoCase,yes)',
        'Toggle(model)',
        'Toggle(a,b,c)',
        'Set(monoCase,true,blankFill)',
        'Trace',
        'Trace(foo)',
        'ScreenTrace',
      ],
      ...['Macro', 'Macro(foo)', 'Source(/nonexistent)', 'Script', 'KeyboardDisable(foo)', 'NvtText(a)', 'Expect(a)'],
      ...[
        'Connect("foo bar")',
        'Connect(lu@)',
        'Connect("")',
        'Connect(@foo)',
        'Connect(X:1:2)',
        'Connect(=)',
        'Connect("::1")',
      ],
    ],
  },
  'a line terminal whose host echoes': {
    words: ['A:127.0.0.1:PORT'],
    says: `fffd18 fffa1801fff0 fffb01 fffb03 ${Buffer.from('\x1b[1;31mred\x1b[0m\x1b[?1hx\x1b[c').toString('hex')}`,
    actions: [
      ...[
        'Wait(0.5,Seconds)',
        'Query(ConnectionState)',
        'Query(TerminalName)',
        'String(abc)',
        'Enter',
        'Tab',
        'Erase',
        'BackSpace',
        'Up',
        'Left',
        'PF(1)',
      ],
      ...[
        'PF(5)',
        'PF(12)',
        'PF(13)',
        'PA(2)',
        'Clear',
        'Newline',
        'DeleteField',
        'Key(a)',
        'String("a\\nb\\t")',
        'Ascii1(1,1,1,9)',
      ],
    ],
  },
};

/** Variables of express logon, which 4.1 does not know: IBMELF is YES, IBMAPPLID is None. */
const expressLogon = '0349424d454c4601594553' + '0349424d4150504c4944014e6f6e65';

describe('bytes and answers beside s3270', () => {
  for (const [name, { words, ...play }] of Object.entries(cases)) {
    it(`are the same: ${name}`, async function () {
      needS3270(this);
      const [real, own] = await Promise.all([
        runWithHost(['s3270', '-utf8'], words, play),
        runWithHost(ownS3270, ['-set', 'contentionResolution=false', ...words], play),
      ]);
      expect(own.output.split('\n')).to.deep.equal(real.output.split('\n'));
      expect(own.sent.replaceAll(expressLogon, '')).to.equal(real.sent);
      expect(own.errors).to.equal(real.errors);
    });
  }
});
