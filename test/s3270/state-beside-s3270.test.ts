import { expect } from 'chai';
import { SimulatedHost } from '../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { commandScript } from '../support/project.js';
import { needS3270 } from '../support/s3270.js';
import { runWithHost } from './raw-host.js';
import { transcriptOf } from './transcript.js';

const ours = [process.execPath, commandScript, 's3270'];
/** s3270 4.1 does not know contention resolution. */
const alike = [...ours, '-set', 'contentionResolution=false'];

/** What a program answers that is connected with the simulated host, each with a host of its own. */
async function answersOf(
  command: readonly string[],
  actions: readonly string[],
  form = 'HOST',
  words: readonly string[] = [],
): Promise<string> {
  const codePage = findCodePage('IBM037');
  if (codePage === undefined) throw new Error('no code page 37');
  const host = new SimulatedHost({ codePage, users: {}, start: 'SIGNON' });
  const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
  try {
    const line = ['-model', '2', ...words, form.replace('HOST', `127.0.0.1:${port}`)];
    return await transcriptOf(command, line, ['Wait(InputField)', ...actions]);
  } finally {
    await host.close();
  }
}

/**
 * Only ours is asked for the row below the screen (`oia`): s3270 4.1 prints memory there that nothing has written, in the last column, and on some
 * machines it does not answer any more. The expected rows are what 4.1 prints up to that column (2026-11-27), and a blank.
 */
const row = (head: string, columns: number, right: string) => `${head.padEnd(columns - right.length)}${right}`;
/** The last 33 columns: insert mode, a script that acts, the name of the LU, the place of the cursor, and a blank. */
const right = (insert: string, name: string, place: string) => `${insert}   s  ${name.padEnd(18)}${place} `;

describe('states of a terminal beside s3270', () => {
  for (const [what, form, words, columns, protocol, name] of [
    ['TN3270E', 'HOST', [], 80, 'B', 'SALLYSIM'],
    ['TN3270', 'N:HOST', [], 80, 'A', ''],
    ['a wide screen', 'HOST', ['-model', '5'], 132, 'B', 'SALLYSIM'],
  ] as const) {
    it(`are printed alike: ${what}`, async function () {
      needS3270(this);
      const prints = ['string', 'html,string', 'rtf,string', 'rtf,string,caption,above'].map(
        (parameters) => `PrintText(${parameters})`,
      );
      const actions = [
        ...prints,
        ...['Set(insertMode,true)', ...prints, 'MoveCursor(0,0)', 'String(x)', ...prints, 'Reset'],
        ...['Disconnect', ...prints],
      ];
      const printed = await answersOf(alike, actions, form, words);
      expect(printed).to.equal(await answersOf(['s3270'], actions, form, words));
    });

    it(`are told in the row below the printed screen: ${what}`, async () => {
      const print = 'PrintText(string,oia)';
      const insert = ['Set(insertMode,true)', print];
      const wrong = ['MoveCursor(0,0)', 'String(x)', print];
      const answers = await answersOf(ours, [print, ...insert, ...wrong, 'Reset', 'Disconnect', print], form, words);
      const rows = answers.match(/^data: .*\d{3}\/\d{3}.*$/gm);
      expect(rows?.map((line) => line.slice('data: '.length))).to.deep.equal([
        row(`4${protocol}`, columns, right(' ', name, '008/031')),
        row(`4${protocol}`, columns, right('I', name, '008/031')),
        row(`4${protocol}     X Protected`, columns, right('I', name, '001/001')),
        row('4A?    X Not Connected', columns, right(' ', '', '001/001')),
      ]);
    });
  }

  it('are told below the screen in the colours and marks of HTML and RTF', async () => {
    const prints = ['PrintText(html,string,oia)', 'PrintText(rtf,string,oia)'];
    const answers = await answersOf(ours, ['MoveCursor(0,0)', 'String(x)', ...prints]);
    const rows = answers.match(/^data: .*001\/001.*$/gm);
    const look = (colour: string, context: string, weight: string, line: string, text: string) =>
      `<span style="color:${colour};background:${context};font-weight:${weight};font-style:normal;text-decoration:${line}">${text}</span>`;
    const blanks = (count: number) => '\\~'.repeat(count);
    expect(rows).to.deep.equal([
      [
        'data: </span>',
        look('black', 'deepSkyBlue', 'normal', 'none', '4'),
        look('deepSkyBlue', 'black', 'normal', 'underline', 'B'),
        look('black', 'deepSkyBlue', 'normal', 'none', ' '),
        look('deepSkyBlue', 'black', 'normal', 'none', '    '),
        look('red', 'black', 'bold', 'none', 'X Protected'),
        look('deepSkyBlue', 'black', 'normal', 'none', `${' '.repeat(33)}s  SALLYSIM          001/001 `),
        '</pre></td></tr>',
      ].join(''),
      [
        'data: \\ul0 \\cf1\\highlight2 4\\ul \\cf0\\highlight0 B\\ul0 \\cf1\\highlight2 \\~\\cf0\\highlight0 ',
        `${blanks(4)}\\b X\\~Protected\\b0 ${blanks(33)}s${blanks(2)}SALLYSIM${blanks(10)}001/001\\~\\par`,
      ].join(''),
    ]);
  });

  it('are told alike: names and options, with a host and without one', async function () {
    needS3270(this);
    const ofHost = ['BindPluName', 'LuName', 'Host', 'Tn3270eOptions', 'ConnectionState'];
    const queries = [...ofHost, 'Formatted', 'Cursor', 'Cursor1'].map((keyword) => `Query(${keyword})`);
    const actions = [...queries, 'Disconnect', ...queries];
    const withoutPort = (text: string) => text.replaceAll(/127\.0\.0\.1 \d+/g, 'HOST PORT');
    const real = withoutPort(await answersOf(['s3270'], actions));
    expect(withoutPort(await answersOf(alike, actions))).to.equal(real);
    expect(real).to.include('data: SALLYSIM\n');
  });

  it('decide in the same way what can be set', async function () {
    needS3270(this);
    const names = [
      'acceptHostname',
      'caDir',
      'caFile',
      'certFile',
      'certFileType',
      'chainFile',
      'keyFile',
      'keyFileType',
    ];
    const switches = ['startTls', 'verifyHostCert', 'termName', 'keyPasswd'];
    const actions = [
      ...[...names, ...switches].map((name) => `Set(${name},true)`),
      ...['Set(model,3279-4)', 'Set(oversize,100x100)', 'Reconnect', 'Connect(127.0.0.1)', 'Set(lineWrap,true)'],
      ...['Disconnect', 'Set(termName,FOO)', 'Set(termName)', 'PrintText(file,/nonexistent/x)'],
    ];
    expect(await answersOf(alike, actions)).to.equal(await answersOf(['s3270'], actions));
  });

  it('are said to be those of a host that does not answer', async () => {
    const { output } = await runWithHost(ours, ['-model', '2', 'N:127.0.0.1:PORT'], {
      // TELNET's options, and a record: Erase/Write, keyboard restored
      says: 'fffd18 fffa1801fff0 fffd19 fffb19 fffd00 fffb00 f5c3 1140401d40 c1 ffef',
      actions: ['Wait(InputField)', 'Set(aidWait,false)', 'Enter', 'Query(KeyboardLockDetail)'],
    });
    expect(output).to.include('data: twait\n');
  });

  it('of 4.6 are told, though 4.1 does not know them', async () => {
    const detail = 'Query(KeyboardLockDetail)';
    const answer = await answersOf(ours, [
      ...[detail, 'Query(KeyboardLock)', 'MoveCursor(0,0)', 'String(x)', detail, 'Query(KeyboardLock)', 'Reset'],
      ...['Query(Resolver)', 'Query(OutputQueues)', 'Query(Dirs)', 'Query(WindowId)', 'Disconnect', detail],
    ]);
    expect(answer.match(/^data: .*$/gm)).to.deep.equal([
      ...['data: unlocked', 'data: false'],
      ...['data: Keyboard locked', 'data: Operator error', 'data: oerr protected', 'data: true'],
      ...['data: getaddrinfo', 'data: ', 'data: ', 'data: 0x0', 'data: not-connected'],
    ]);
  });
});
