import { areTheSame, type CaseBeside, model2, screen, tn3270 } from './bytes-beside.js';

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

const cases: Readonly<Record<string, CaseBeside>> = {
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
};

describe('what is agreed on with a host beside s3270', () => {
  areTheSame(cases);
});
