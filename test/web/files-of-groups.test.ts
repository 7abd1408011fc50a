import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { sallyportInProcess } from '../cli/command-in-process.js';
import { SallyportProcess } from '../cli/sallyport-process.js';
import { eventually } from '../support/eventually.js';
import { SignOnClient } from '../support/sign-on-client.js';

const PASSWORD = 'canary-Geheim-8';

/** A transaction whose files are for the group DEV: ANNA is in it, BERT is not. */
describe('files of a group', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-files-'));
  const config = join(folder, 'sallyport.yaml');
  let server: SallyportProcess;
  let url = '';

  before(async () => {
    mkdirSync(join(folder, 'pages'));
    writeFileSync(
      join(folder, 'pages', 'SCREEN.HTML'),
      '<!--SVC start="{{{" end="}}}" --><p>{{{AJAX-SESSION-CODE}}}</p>',
    );
    const transaction = (name: string, further: string) =>
      `      ${name}: { applicationType: 1, application: SIM, fileTransfer: { mebibytes: 2, groups: [DEV] }${further} }\n`;
    writeFileSync(
      config,
      `data: ./data
directories: { CLI: ./pages }
security: { database: ./data/security.yaml }
hosts: { SIM: { simulated: true, start: MENU } }
sessions: { keysReady: 0 }
lines: { C-HTTP: { listen: '127.0.0.1:0', entryPoint: E } }
entryPoints:
  E:
    directory: CLI
    transactions:
${transaction('DEVELOPERS', ', security: 4')}${transaction('EVERYBODY', '')}`,
    );
    for (const [name, group] of [
      ['ANNA', 'DEV'],
      ['BERT', 'OPS'],
    ] as const) {
      const args = ['user', 'add', name, '--role', 'user', '--group', group, '--password-stdin', '--config', config];
      const { code, stderr } = await sallyportInProcess(args, { folder, input: `${PASSWORD}\n` });
      expect(code, stderr).to.equal(0);
    }
    server = new SallyportProcess(['serve', '--config', config], folder);
    [, url = ''] = await server.prints(/C-HTTP +(http:\S+)/);
  });

  after(async () => {
    server?.child.kill('SIGTERM');
    await server?.finished;
    rmSync(folder, { recursive: true });
  });

  /** What a user's session is told of files: by its own request, and by the socket of its page. */
  async function told(user: string, transaction: string, offers: 0 | 1) {
    const client = new SignOnClient(url);
    const path = `/SCREEN.HTML+${transaction}`;
    const opened = user === '' ? await client.request(path) : await client.signOn(path, user, PASSWORD);
    const shown = opened.status === 303 ? await client.request(opened.headers.get('location') ?? '') : opened;
    const [, code = ''] = /SvcSession=([\w-]+)/.exec(shown.text) ?? [];
    const { status, text } = await client.request(`/w2h/x++TransferSvcSession=${code}`, {
      headers: { Accept: 'application/json' },
    });
    const messages: string[] = [];
    const socket = new WebSocket(`${url.replace('http', 'ws')}/w2h/SCREEN.HTML++SvcSession=${code}`, {
      headers: { Cookie: client.cookie, Origin: url },
    });
    socket.on('message', (data) => messages.push(String(data)));
    socket.on('open', () => socket.send('{"k":"h"}'));
    await eventually(() => (messages.some((message) => message.includes('"k":"s"')) ? true : undefined));
    // an answer that comes behind whatever the welcome had to tell
    socket.send('{"k":"q"}');
    await eventually(() => (messages.some((message) => message.includes('"k":"t"')) ? true : undefined));
    const offered = () => messages.filter((message) => message.includes('"k":"f"'));
    await eventually(() => (offered().length >= offers ? true : undefined));
    socket.close();
    const { code: refused, mostBytes } = JSON.parse(text) as { code?: string; mostBytes?: number };
    return { status, refused, mostBytes, offered: offered() };
  }

  it('are transferred by its members, and by nobody else', async () => {
    const mostBytes = 2 << 20;
    expect(await told('ANNA', 'DEVELOPERS', 1)).to.deep.equal({
      status: 200,
      refused: undefined,
      mostBytes,
      offered: [`{"k":"f","n":${mostBytes}}`],
    });
    const none = { status: 403, refused: 'SVC_ERR_TRANSFER_OFF', mostBytes: undefined, offered: [] };
    expect(await told('BERT', 'DEVELOPERS', 0)).to.deep.equal(none);
    // who has not signed on is in no group; the check says so
    expect(await told('', 'EVERYBODY', 0)).to.deep.equal(none);
    const { stdout, stderr } = await sallyportInProcess(['check-config', config], { folder });
    expect(stdout + stderr).to.match(/warning: .*EVERYBODY|has no effect: users of a public transaction/);
  });
});
