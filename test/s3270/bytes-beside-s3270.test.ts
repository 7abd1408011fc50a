import { areTheSame, type CaseBeside, model2, screen, tn3270 } from './bytes-beside.js';

const coloured =
  'f5c3 1140401d60c1c2c3 1d40 13c1 11c150 2902c0e842f2 c4c5c6 2903c0f842f441f2 4c50 6e 2841f4c1 280000 2842f5c2 280000 1d60 ffef';

const utf8 = (codePoint: number) => Buffer.from(String.fromCodePoint(codePoint)).toString('hex');

const cases: Readonly<Record<string, CaseBeside>> = {
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

describe('bytes and answers beside s3270', () => {
  areTheSame(cases);
});
