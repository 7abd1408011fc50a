import { expect } from 'chai';
import { findCodePage } from '../../src/codepage/code-pages.js';
import { SimulatedHost } from '../../src/simulated-host/simulated-host.js';
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

/** Behind the place of the cursor s3270 4.1 has what was in its memory. */
const comparable = (text: string) =>
  text.replaceAll(/(?<=[ ~])(\d{3}\/\d{3})(?:[^\n]*?(<\/span><\/pre>)|[^\n]*?(\\par)$|[^\n]*)/gm, '$1$2$3');

describe('states of a terminal beside s3270', () => {
  for (const [what, form, words] of [
    ['TN3270E', 'HOST', []],
    ['TN3270', 'N:HOST', []],
    ['a wide screen', 'HOST', ['-model', '5']],
  ] as const) {
    it(`are shown alike below the printed screen: ${what}`, async function () {
      needS3270(this);
      const prints = ['string', 'html,string', 'rtf,string', 'rtf,string,caption,above'].map(
        (parameters) => `PrintText(${parameters},oia)`,
      );
      const actions = [
        ...prints,
        ...['Set(insertMode,true)', ...prints, 'MoveCursor(0,0)', 'String(x)', ...prints, 'Reset'],
        ...['Disconnect', ...prints],
      ];
      const real = await answersOf(['s3270'], actions, form, words);
      expect(comparable(await answersOf(alike, actions, form, words))).to.equal(comparable(real));
      expect(real).to.include('X Protected').and.to.include('X Not Connected');
    });
  }

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
