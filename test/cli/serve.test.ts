import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { fixture } from '../support/project.js';
import { main, run } from './macro-process.js';
import { SallyportProcess, sallyport } from './sallyport-process.js';

describe('sallyport serve', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-serve-'));
    await writeFile(
      join(folder, 'sallyport.yaml'),
      'directories: { CLI: . }\nlines:\n  A-HTTP: { listen: 127.0.0.1:0, entryPoint: E }\n' +
        '  B-HTTP: { listen: 127.0.0.1:0, entryPoint: E }\nentryPoints: { E: { directory: CLI } }\n',
    );
    await writeFile(join(folder, 'E.HTML'), '<!DOCTYPE html><title>It works</title>\n');
  });
  after(() => rm(folder, { recursive: true }));

  for (const [signal, args] of [
    ['SIGTERM', []],
    ['SIGINT', ['serve', '--config', 'sallyport.yaml', '--log-form', 'readable']],
  ] as const) {
    it(`prints a line with the URL of each listener, serves, and exits with 0 on ${signal}`, async () => {
      const process = new SallyportProcess(args, folder);
      try {
        const [, url = ''] = await process.prints(/^A-HTTP +(http:\/\/127\.0\.0\.1:\d+\/?)/m);
        await process.prints(/^B-HTTP +http:\/\/127\.0\.0\.1:\d+/m);
        const answer = await fetch(url);
        expect(await answer.text()).to.contain('It works');
        expect(answer.status).to.equal(200);
        // npm passes on the signal that the terminal has sent already: the two are one key press
        process.child.kill(signal);
        process.child.kill(signal);
        expect((await process.finished).code).to.equal(0);
        expect(process.stdout).to.contain('stopped');
      } finally {
        process.child.kill('SIGKILL');
      }
    });
  }

  it('says how to make an administrator where a portal has none, until there is one', async () => {
    const file = join(folder, 'portal.yaml');
    const text =
      'directories: { CLI: . }\nlines:\n  P-HTTP: { listen: 127.0.0.1:0, entryPoint: E, portal: administration }\n';
    await writeFile(file, `${text}data: ./portal-data\nentryPoints: { E: { directory: CLI } }\n`);
    const add = (name: string, role: string) =>
      run(process.execPath, [main, 'user', 'add', name, '--role', role, '--config', file, '--password-stdin'], {
        folder,
        input: 'some-password\n',
      });
    for (const [words, isSaid] of [
      [undefined, true],
      [['carl', 'user'], true],
      [['root', 'administrator'], false],
    ] as const) {
      if (words !== undefined) expect((await add(words[0], words[1])).code).to.equal(0);
      const server = new SallyportProcess(['serve', '--config', file], folder);
      await server.prints(/^P-HTTP +http/m);
      server.child.kill('SIGTERM');
      const { stdout } = await server.finished;
      expect(/^Nobody can sign on at the portal yet: sallyport user add admin/m.test(stdout), stdout).to.equal(isSaid);
    }
  }).timeout(20_000);

  it('exits with 2 where the configuration is wrong, and says where', async () => {
    const { code, stderr } = await sallyport(['--config', fixture('config', 'unknown-top-key', 'config.yaml')]);
    expect(stderr).to.match(
      /config\.yaml:6:1: error: direktories: unknown key .*\n.*\n.*\^\nSallyport did not start: /,
    );
    expect(code).to.equal(2);
  });
});
