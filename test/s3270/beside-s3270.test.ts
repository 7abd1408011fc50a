import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { SimulatedHost } from '../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { awaited, nameOfProgram } from '../support/awaited.js';
import { commandScript } from '../support/project.js';
import { needS3270 } from '../support/s3270.js';

const PASSWORD = 'canary7';
const launchWords = ['-xrm', 's3270.unlockDelay: False', '-model', '3', '-utf8'];

/** Scripts whose transcripts must be the same to the letter, but for times and ports. */
const scripts: Readonly<Record<string, (port: number) => readonly string[]>> = {
  'without a host': () => [
    'Query(Cursor) Query(Formatted)',
    ...['Query Cursor', 'query("cursor")', 'Quer( Cursor )', 'Query(ConnectionState)', 'Query(Model)', 'Query(LuName)'],
    ...['Query(Cursor', 'Query(Cursor))', 'Query("Cursor)', 'Query(a b)', '()', ',', 'Asc', 'E(0,0,1)'],
    ...['Query(Foo)', 'Query(a,b)', 'Tab(1)', 'PF', 'PF(x)', 'PF(99)', 'MoveCursor', 'Disconnect(1)'],
    ...[
      'Connect',
      'Connect(1,2)',
      'Wait',
      'Wait(InputField)',
      'Wait(x,Output)',
      'Wait(0.1,Unlock)',
      'Wait(Disconnect)',
    ],
    ...['String(abc)', 'Enter', 'Tab', 'Reset', 'MoveCursor(1,1)', 'Ascii(1)', 'Ascii1(1,1,5)', 'AsciiField'],
    ...['Ascii(0,0,9999)', 'Ascii(99,0,1)', 'Ascii(-1,0,1)', 'Ascii1(0,0,1)', 'Ascii(0,0)', 'Ebcdic1(1,1,3)'],
    ...['Set(blankFill)', 'Set(blankFill,x)', 'Set(blankFill,false)', 'Toggle(blankFill)', 'Set(foo)'],
    ...['Snap(Status)', 'Snap(Foo)', 'Snap(Wait,1,Output)', 'ReadBuffer(Field)', 'ReadBuffer(Foo)', 'HexString(c1c)'],
    ...['Bell', 'ignore', 'Disconnect', '', ' Query(Cursor)'],
  ],
  'in words of errors, without a host': () => [
    ...['Snap(Wait)', 'Snap(Wait,1)', 'Snap(Wait,foo)', 'Snap(Wait,Unlock)', 'Snap(Wait,Output)'],
    ...['Snap(Wait,1,Output)', 'Snap(Wait,Output,1)', 'Snap(Save,1)', 'Snap(Rows,1)'],
    ...[
      'Trace',
      'Trace(foo)',
      'Trace(on,/dev/null)',
      'Trace',
      'Trace(on,/dev/null)',
      'Trace(on)',
      'Trace(off)',
      'Trace',
    ],
    ...['ScreenTrace(off)', 'ScreenTrace(/dev/null)', 'ScreenTrace', 'ScreenTrace(on)', 'ScreenTrace(off,x)'],
    ...['ScreenTrace(off)', 'ScreenTrace(on,/dev/null,x)', 'ScreenTrace'],
    ...['Expect(foo)', 'Expect(foo,x)', 'Script(/nonexistent)', 'Source(/tmp)', 'Source(/nonexistent)', 'Reconnect'],
    ...['Connect([::1)', 'Connect([::1]x)', 'Connect(a@b@c)', 'Connect(127.0.0.1:)', 'Connect(:23)', 'Connect([]:23)'],
    'Query(ScreenSizeCurrent)',
  ],
  'at the edges of areas, to the position': () => [
    ...[
      'Query(ScreenSizeCurrent)',
      'Ascii(0)',
      'Ascii(-1)',
      'Ascii(1920)',
      'Ascii(1921)',
      'Ascii(2560)',
      'Ascii(2561)',
    ],
    ...[
      'Ascii(0,0,1920)',
      'Ascii(0,0,1921)',
      'Ascii(0,0,2560)',
      'Ascii(0,0,2561)',
      'Ascii(0,1,2559)',
      'Ascii(0,1,2560)',
    ],
    ...['Ascii(31,0,80)', 'Ascii(31,0,81)', 'Ascii(31,79,1)', 'Ascii(31,79,2)', 'Ascii(31,80,0)', 'Ascii(31,80,1)'],
    ...['Ascii(31,0,0)', 'Ascii(32,0,0)', 'Ascii(32,0,1)', 'Ascii(-1,0,1)', 'Ascii(0,-1,1)', 'Ascii(0,0,-1)'],
    ...[
      'Ascii(0,0,0)',
      'Ascii(0,0,1,-1)',
      'Ascii(0,0,-1,1)',
      'Ascii(0,0,24,80)',
      'Ascii(0,0,32,80)',
      'Ascii(0,0,33,80)',
    ],
    ...[
      'Ascii(0,0,32,81)',
      'Ascii(0,1,1,79)',
      'Ascii(0,1,1,80)',
      'Ascii(31,0,1,1)',
      'Ascii(31,0,2,1)',
      'Ascii(32,0,0,1)',
    ],
    ...['Ascii(0,0,0,1)', 'Ascii(0,0,1,0)', 'Ascii1(0,1,1)', 'Ascii1(1,0,1)', 'Ascii1(32,80,1)', 'Ascii1(32,80,2)'],
    ...['Ascii1(33,1,0)', 'Ascii(0,0,80)', 'Ascii(0,0,81)', 'Ascii(0,79,1)', 'Ascii(0,79,2)', 'Ascii(1,2,3,4,5)'],
    ...['Ascii(23,0,80)', 'Ascii(23,0,81)', 'Ascii(23,79,1)', 'Ascii(23,79,2)', 'Ascii(23,80,0)', 'Ascii(23,80,1)'],
    ...['Ascii(24,0,0)', 'Ascii(24,0,1)', 'Ascii(24,0,0,1)', 'Ascii(24,0,1,0)', 'Ascii(23,0,1,80)', 'Ascii(23,0,1,81)'],
    ...['Ascii(23,0,2,1)', 'Ascii(0,0,25,80)', 'Ascii(0,0,25,1)', 'Ascii(0,0,2,0)', 'Ascii(25,0,0)', 'Ascii1(24,80,1)'],
    ...['Ascii1(24,80,2)', 'Ascii1(25,1,0)', 'Ascii1(24,81,0)', 'Ascii(0,80,0,0)', 'Ascii(0,80,1,0)', 'Ascii(0,81,0)'],
  ],
  'in names that are cut short, and at the edge of the screen': () => [
    ...['Query(Formatt)', 'Query(f)', 'Query(con)', 'Query(S)', 'Query(Tls)', 'Query(Tl)', 'Query(Curs)', 'Query(Mod)'],
    ...['Query(Ss)', 'Query(ScreenC)', 'Query(a)', 'Query(-al)', 'Query("")', 'Show(Form)', 'Show(a,b)', 'Show(Tasks)'],
    ...['Ascii(0,80,1)', 'Ascii(0,81,1)', 'Ascii(42,80,1)', 'Ascii(0,80,0,0)', 'Ascii(0,79,1,2)', 'Ascii(0,0,0,5)'],
    ...['Ascii(0,0,5,0)', 'Ascii1(1,81,1)', 'Ebcdic(0,80,1)', 'Ebcdic1(1,81,1)', 'Ebcdic(0,0,0,5)', 'Tasks'],
    ...['Abort', 'Abort(x)', 'Info', 'Info(hi)', 'Info(a,b)', 'RequestInput', 'RequestInput(-noecho)'],
    ...['Capabilities', 'Capabilities(foo)', 'Capabilities(interactive)', 'Query(Task)'],
  ],
  'of settings': () => [
    ...[
      'Set(monoCase,Set)',
      'Set(monoCase)',
      'Set(monoCase,clear)',
      'Toggle(monoCase,x)',
      'Set(monoCase,true,blankFill)',
    ],
    ...['Set(unlockDelay,x)', 'Set(verifyHostCert,x)', 'Set(oerrLock,x)', 'Set(startTls,x)', 'Set(aidWait,x)'],
    ...['256', '255', '32767', '32768', '""', '2048'].flatMap((value) => [
      `Set(ftBufferSize,${value})`,
      'Set(ftBufferSize)',
    ]),
    ...[
      'Set(unlockDelayMs,"")',
      'Set(unlockDelayMs)',
      'Set(unlockDelayMs,-5)',
      'Set(nopSeconds,x)',
      'Set(lineMode,off)',
    ],
    ...[
      'Set(model,3)',
      'Set(model)',
      'Set(codePage,cp037)',
      'Query(ScreenSizeCurrent)',
      'Set(model,3278-2)',
      'Set(model)',
    ],
    ...['Set(oversize,100x50)', 'Set(oversize)', 'Query(ScreenSizeMax)', 'Set(model,3279-2-e)', 'Set(model)'],
    ...['Set(oversize,100x50)', 'Query(ScreenSizeMax)', 'Set(model,3278-2)', 'Set(oversize)', 'Query(ScreenSizeMax)'],
    ...['Set(codePage,german)', 'Set(codePage)', 'Query(ScreenSizeCurrent)'],
  ],
  'over fields': (port) => [
    `Connect(127.0.0.1:${port})`,
    ...['Wait(InputField)', 'Wait(1,3270Mode)', 'Wait(0.2,NVTMode)', 'Wait(0.2,Disconnect)', 'Wait(1,2,Output)'],
    ...['Query(ConnectionState)', 'Query(Host)', 'Query(Tls)', 'Query(ScreenSizeCurrent)', 'Query(ScreenSizeMax)'],
    ...[
      'MoveCursor(0,0)',
      'String(x)',
      'String(y)',
      'Enter',
      'Reset',
      'DeleteField',
      'Delete',
      'Reset',
      'Dup',
      'Reset',
    ],
    ...['MoveCursor(24,0)', 'MoveCursor(0,80)', 'MoveCursor1(1,1)', 'MoveCursor1(0,1)', 'MoveCursor(560)', 'Home'],
    ...['String("A\\eC1\\x42")', 'String("\\x41\\u0042")', 'AsciiField', 'EbcdicField', 'EraseInput'],
    ...['String("TOOLONGTEXT1234567890")', 'AsciiField', 'Home', 'AsciiField', 'EraseEOF', 'String(abcdef)'],
    ...['Left2', 'Left', 'Delete', 'AsciiField', 'BackSpace', 'Erase', 'EbcdicField', 'Right2', 'Right'],
    ...['Home', 'Insert', 'String(xy)', 'AsciiField', 'Reset', 'ToggleInsert', 'String(z)', 'ToggleInsert', 'FieldEnd'],
    ...['DeleteField', 'Dup', 'Home', 'FieldMark', 'AsciiField', 'Newline', 'Newline', 'Up', 'Down', 'BackTab', 'Tab'],
    ...['MoveCursor(7,29)', 'AsciiField', 'Ascii', 'ReadBuffer(Ascii)', 'ReadBuffer(Ebcdic)', 'ReadBuffer(Field)'],
    ...['Snap', 'Snap(Cols)', 'Snap(Rows)', 'Snap(Ascii1,1,1,5)', 'Snap(Status)', 'Ascii(0,0,2,20)', 'Ebcdic(0,0,1,9)'],
    ...['Connect(nowhere)', 'Disconnect', 'Ascii(0,0,20)', 'Reconnect', 'Disconnect'],
  ],
  'in an operator error, and at the left margin of a string': (port) => {
    const overflow = ['Reset', 'MoveCursor(7,30)', 'EraseInput', 'String(abcdefgh)', 'MoveCursor(7,30)', 'Insert'];
    const stuck = [...overflow, 'String(xyz)'];
    return [
      `Connect(127.0.0.1:${port})`,
      ...['DeleteField', 'DeleteWord', 'EraseEOF', 'Delete', 'Erase', 'Key(a)', 'PasteString(61)', 'FieldEnd'].flatMap(
        (action) => [...stuck, action, 'AsciiField'],
      ),
      ...['Reset', 'MoveCursor(5,15)', 'Key(a)', 'Key(b)', 'Reset'],
      ...['Set(blankFill,false)', 'Home', 'EraseInput', 'MoveCursor(7,33)', 'String(x)', 'EbcdicField'],
      ...['Set(blankFill,true)', 'Home', 'EraseInput', 'MoveCursor(7,33)', 'String(x)', 'EbcdicField'],
      ...['\\b', 'a\\b\\b', '\\t', 'a\\t', '\\ta', '\\T', '\\r', '\\t\\t', '\\bx\\b'].flatMap((text) => [
        ...['MoveCursor(7,33)', `String("${text}")`, 'Query(Cursor)'],
      ]),
      'Disconnect',
    ];
  },
  // the actions of reference 10.6, in the order of a sign-on
  'as py3270 and Mainframe3270 send them': (port) => [
    ...[`Connect(127.0.0.1:${port})`, 'Query(ConnectionState)', 'Wait(5, InputField)', 'ignore', 'Query(Cursor)'],
    ...['Ascii(0,0,80)', 'ascii(0,0,10)', 'MoveCursor(7,29)', 'DeleteField', 'String("demo")', 'Tab', 'BackTab', 'Tab'],
    ...[`String("${PASSWORD}")`, 'Enter', 'Wait(5, InputField)', 'Ascii(0,0,1920)', 'Delete', 'PF(3)', 'Ascii(0,0,80)'],
    ...['Query(ConnectionState)', 'Clear', 'Disconnect', 'Query(ConnectionState)', 'NoOpCommand'],
  ],
  'through an application': (port) => [
    `Connect(127.0.0.1:${port})`,
    `String("demo\\t${PASSWORD}\\n")`,
    ...['Ascii1(1,1,20)', 'String(2)', 'Enter', 'Wait(InputField)', 'Ascii1(1,1,40)', 'Query(Cursor1)', 'PF(3)'],
    ...[
      'Ascii1(1,1,40)',
      'Query(Cursor)',
      'Ascii(0,0,24,80)',
      'ReadBuffer(Unicode)',
      'PF(3)',
      'Query(ConnectionState)',
    ],
  ],
};

describe('scripts of s3270', () => {
  /** One each: they give out the same logical units. */
  const hosts: SimulatedHost[] = [];
  const ports: number[] = [];

  before(async () => {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page 37');
    for (let count = 0; count < 2; count++) {
      const host = new SimulatedHost({ codePage, users: { DEMO: PASSWORD }, start: 'SIGNON' });
      hosts.push(host);
      ports.push((await host.listen({ host: '127.0.0.1', port: 0 })).port);
    }
  });

  after(() => Promise.all(hosts.map((host) => host.close())));

  for (const [name, script] of Object.entries(scripts)) {
    it(`are answered as s3270 answers them: ${name}`, async function () {
      needS3270(this);
      const [port = 0, ourPort = 0] = ports;
      const actions = script(port);
      const [real, ours] = await Promise.all([
        transcript('s3270', launchWords, actions),
        transcript(process.execPath, [commandScript, 's3270', ...launchWords], script(ourPort)),
      ]);
      expect(real).to.have.lengthOf(actions.length);
      for (const [at, answer] of real.entries())
        expect(`${actions[at]}\n${ours[at]}`).to.equal(`${actions[at]}\n${answer}`);
      expect(ours).to.have.lengthOf(real.length);
    });
  }

  it('end the process with Quit, though its standard input stays open', async () => {
    for (const lines of ['Quit\n', 'Query(Cursor)\nQuery(Cursor)\nQuit\nQuery(Cursor)\n']) {
      const child = spawn(process.execPath, [commandScript, 's3270'], { stdio: ['pipe', 'ignore', 'inherit'] });
      child.stdin.write(lines);
      const [code] = await awaited('sallyport s3270', 'its end after Quit', once(child, 'close'), () => child.kill());
      expect(code).to.equal(0);
    }
  });

  it('may be JSON, and end with Quit, which is not answered', async () => {
    const [cursor, both, unknown, malformed] = await transcript(
      process.execPath,
      [commandScript, 's3270', '-model', '2', '-xrm', 's3270.unlockDelay: False', '-utf8'],
      [
        '{"action":"MoveCursor1","args":[2,3]}',
        '["Query(Cursor)",{"action":"Query","args":["Formatted"]}]',
        '"Nothing()"',
        '{"action":',
        'Quit',
        'Query(Cursor)',
      ],
      1,
    );
    const parsed = (answer: string | undefined) => JSON.parse(answer ?? '');
    expect(parsed(cursor)).to.include({ success: true }).and.to.have.property('status').that.is.a('string');
    expect(parsed(cursor)).to.have.all.keys('result', 'result-err', 'success', 'status');
    // a terminal without a host has a cursor that nobody moves
    expect(parsed(both)).to.deep.include({ result: ['0 0', 'unformatted'], 'result-err': [false, false] });
    expect(parsed(unknown)).to.deep.include({
      result: ['Unknown action: Nothing'],
      'result-err': [true],
      success: false,
    });
    expect(malformed).to.match(/^data: JSON parse error/);
  });
});

/**
 * Runs a script to the end of its lines.
 * @param linesOfAnswer undefined: answers end with `ok` or `error`
 * @returns the answer to each line, without times and ports
 */
async function transcript(
  command: string,
  words: readonly string[],
  actions: readonly string[],
  linesOfAnswer?: 1,
): Promise<string[]> {
  const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(actions.map((action) => `${action}\n`).join(''));
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const what = `the answers to ${actions.join(' ')}`;
  await awaited(nameOfProgram([command, ...words]), what, once(child, 'close'), () => child.kill('SIGKILL'));
  const even = output.replaceAll(/^(.* 0x0) \d+\.\d{3}$/gm, '$1').replaceAll(/^(data: host 127\.0\.0\.1) \d+$/gm, '$1');
  return linesOfAnswer === 1 ? even.trimEnd().split('\n') : even.split(/(?<=^(?:ok|error)\n)/m);
}
