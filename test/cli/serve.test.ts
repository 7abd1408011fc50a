import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { firstAdministrator } from '../../src/cli/users/first-administrator.js';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import { eventually } from '../support/eventually.js';
import { skipUnless } from '../support/need.js';
import { fixture } from '../support/project.js';
import { sallyportInProcess } from './command-in-process.js';
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
        if (signal === 'SIGINT') await writesOneLineForARequest(process, url);
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
      sallyportInProcess(['user', 'add', name, '--role', role, '--config', file, '--password-stdin'], {
        folder,
        input: 'some-password\n',
      });
    const said = /^No user can sign on at the portal yet: sallyport user add admin/m;
    const server = new SallyportProcess(['serve', '--config', file], folder);
    await server.prints(/^P-HTTP +http/m);
    server.child.kill('SIGTERM');
    expect((await server.finished).stdout).to.match(said);
    // what each further start would print
    const printed = async () => firstAdministrator((await loadConfiguration(file)).configuration);
    for (const [name, role, isSaid] of [
      ['carl', 'user', true],
      ['root', 'administrator', false],
    ] as const) {
      expect((await add(name, role)).code).to.equal(0);
      expect(said.test(await printed()), name).to.equal(isSaid);
    }
  });

  it('ends with 2 where another program has the ports of all lines, and says which', async function () {
    skipUnless(this, process.platform === 'linux', 'only Linux tells who has a port');
    const holder = new SallyportProcess(['simulated-host', '--listen', '127.0.0.1:0'], folder);
    try {
      const [, port] = await holder.prints(/ listens on 127\.0\.0\.1:(\d+)/);
      const file = join(folder, 'taken.yaml');
      const lineOn = (name: string, address: string) => `  ${name}: { listen: ${address}, entryPoint: E }\n`;
      const configuration = (lines: string) =>
        `directories: { CLI: . }\nlines:\n${lines}entryPoints: { E: { directory: CLI } }\n`;
      await writeFile(file, configuration(lineOn('A-HTTP', `127.0.0.1:${port}`)));
      const { code, stderr, stdout } = await sallyport(['serve', '--config', file], folder);
      expect(stderr).to.match(
        new RegExp(`^line A-HTTP: 127\\.0\\.0\\.1:${port} is taken by process ${holder.child.pid} \\(\\w+\\)$`, 'm'),
      );
      expect(stderr).to.match(/^Sallyport did not start: none of its lines could open its port\.$/m);
      expect([code, stdout.includes('"stopped"')]).to.deep.equal([2, false]);
      // one that another line can be reached without is served on
      await writeFile(file, configuration(lineOn('A-HTTP', `127.0.0.1:${port}`) + lineOn('B-HTTP', '127.0.0.1:0')));
      const served = new SallyportProcess(['serve', '--config', file], folder);
      try {
        const [, url = ''] = await served.prints(/^B-HTTP +(http:\/\/127\.0\.0\.1:\d+\/?)/m);
        expect((await fetch(url)).status).to.equal(200);
        await eventually(() => served.stderr.includes(`is taken by process ${holder.child.pid} (`) || undefined);
      } finally {
        served.child.kill('SIGKILL');
      }
    } finally {
      holder.child.kill();
    }
  });

  /** Where the log is for people. */
  async function writesOneLineForARequest(server: SallyportProcess, url: string): Promise<void> {
    await fetch(new URL('/E.HTML?FROM=EUR', url));
    await fetch(new URL('/NONE.HTML', url));
    await server.prints(/"SVC_ERR_TEMPLATE_UNKNOWN".*\n/);
    // behind the one of the page that was asked for first
    const lines = server.stdout.split('\n').filter((line) => line.includes(': request '));
    expect(lines).to.have.length(3);
    expect(lines[1]).to.match(
      /^\[[\d:.]+\] INFO: request \{"line":"A-HTTP",.*"parameters":"FROM=EUR","status":200,.*\}$/,
    );
    expect(lines[2]).to.match(/"status":404,.*\}$/);
    expect(server.stdout).to.not.match(/^ {4}/m);
  }

  it('exits with 2 where the configuration is wrong, and says where', async () => {
    const { code, stderr } = await sallyport(['--config', fixture('config', 'unknown-top-key', 'config.yaml')]);
    expect(stderr).to.match(
      /config\.yaml:6:1: error: direktories: unknown key .*\n.*\n.*\^\nSallyport did not start: /,
    );
    expect(code).to.equal(2);
  });
});
