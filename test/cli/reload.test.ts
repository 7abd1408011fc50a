import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { skipUnless } from '../support/need.js';
import { sallyportInProcess } from './command-in-process.js';
import { SallyportProcess, sallyport } from './sallyport-process.js';

const configuration = (description: string) => `directories: { CLI: . }
lines:
  A-HTTP: { listen: 127.0.0.1:0, entryPoint: E }
entryPoints: { E: { directory: CLI, description: ${description} } }
`;

describe('sallyport reload', () => {
  let folder: string;
  let file: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-reload-'));
    file = join(folder, 'sallyport.yaml');
    await writeFile(join(folder, 'E.HTML'), '<!DOCTYPE html><title>It works</title>\n');
  });
  beforeEach(() => writeFile(file, configuration('first')));
  after(() => rm(folder, { recursive: true }));

  it('has the server read its configuration again, and refuses a wrong one before the server sees it', async function () {
    skipUnless(this, process.platform === 'linux', 'the system does not tell when a process began');
    const server = new SallyportProcess(['serve', '--config', file, '--log-form', 'json'], folder);
    const [, url = ''] = await server.prints(/^A-HTTP +(http\S+)/m);

    await writeFile(file, configuration('second'));
    const told = await sallyport(['reload', '--config', file], folder);
    expect([told.code, told.stdout]).to.deep.equal([
      0,
      `Process ${server.child.pid} reads ${file} again; its log says what came of it.\n`,
    ]);
    const [line] = await server.prints(/\{[^\n]*"the configuration was read again"[^\n]*/);
    expect(JSON.parse(line ?? '')).to.deep.include({ takenOver: ['entryPoints'], by: 'SIGHUP' });

    await writeFile(file, 'nonsense: 1\n');
    const refused = await sallyportInProcess(['reload', '--config', file], { folder });
    expect([refused.code, refused.stdout]).to.deep.equal([2, '']);
    expect(refused.stderr).to.include('nonsense');

    server.child.kill('SIGHUP');
    await server.prints(/the configuration is invalid; the server continues with the previous one/);
    expect((await fetch(`${url}/E.HTML`)).status).to.equal(200);

    server.child.kill('SIGTERM');
    expect((await server.finished).code).to.equal(0);
  });

  it('tells where no server runs, also where another process has its number', async () => {
    const told = await sallyport(['reload', '--config', file], folder);
    expect([told.code, told.stdout]).to.deep.equal([1, '']);
    expect(told.stderr).to.match(/^No server of this configuration is found/);
    const note = join(folder, 'data', 'server.json');
    for (const content of [
      JSON.stringify({ pid: process.pid, started: '1' }),
      '{"pid":-1}',
      'nonsense',
      '{"pid":0,"started":"1"}',
    ]) {
      await writeFile(note, content);
      expect((await sallyportInProcess(['reload', '--config', file], { folder })).code, content).to.equal(1);
      expect(await readFile(note, 'utf8')).to.equal(content);
    }
  });
});
