import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfiguration } from '../src/config/load-configuration.js';
import { silentLog } from '../src/lib/log/log.js';
import { type RunningServer, startServer } from '../src/server/server.js';
import { exchange } from './lines/listener/raw-connection.js';
import { freePort } from './support/free-port.js';
import { projectFolder } from './support/project.js';

/** The shipped configuration, pages and scenarios; nothing but the ports is another. */
describe('the demo on other ports', () => {
  let folder: string;
  let server: RunningServer;
  let url: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-demo-'));
    for (const part of ['templates', 'public']) {
      cpSync(join(projectFolder, part), join(folder, part), { recursive: true });
    }
    const shipped = readFileSync(join(projectFolder, 'sallyport.yaml'), 'utf8');
    const changed = shipped
      .replaceAll(/127\.0\.0\.1:4100[123]/g, '127.0.0.1:0')
      .replace('127.0.0.1:41023', '127.0.0.1:0')
      .replace('127.0.0.1:41080', `127.0.0.1:${await freePort()}`);
    writeFileSync(join(folder, 'sallyport.yaml'), changed);
    const { configuration } = await loadConfiguration(join(folder, 'sallyport.yaml'));
    server = await startServer(configuration, silentLog);
    url = server.listeners.find(({ name }) => name === 'C-HTTP')?.url ?? '';
  });

  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  const textOf = async (path: string) => (await fetch(url + path)).text();

  it('gives the rate, as a record and on the page', async () => {
    expect(await textOf('/WS1.HTML+WS3?FROMCURRENCY=EUR&TOCURRENCY=USD')).to.equal('00.7236');
    expect(await textOf('/WS1.HTML+WS4?FROMCURRENCY=EUR&TOCURRENCY=USD')).to.contain('Answer is 00.7236<');
  });

  it('has a command line on its page that works as it stands', async () => {
    const [, command = ''] = /<pre>curl '([^']+)'<\/pre>/.exec(await textOf('/DEMO.HTML')) ?? [];
    expect(command.startsWith(`${url}/`), command).to.equal(true);
    expect(await (await fetch(command.replaceAll('&amp;', '&'))).text()).to.equal('00.7236');
  });

  it('has nothing in that line that a client makes up', async () => {
    const { host, port } = new URL(url);
    const page = await exchange(Number(port), `GET /DEMO.HTML HTTP/1.1\r\nHost: x';rm\r\nConnection: close\r\n\r\n`);
    expect(page).to.contain(`<pre>curl 'http://${host}/WS1.HTML`);
  });
});
