import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../support/project.js';
import { main } from './macro-process.js';

/** A command whose reader has left before it writes anything, as the one before `| true` may find it. */
function withoutReader(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [main, ...args], { cwd: projectFolder });
  child.stdout.destroy();
  return child;
}

async function endOf(child: ChildProcess): Promise<{ code: number | null; stderr: string }> {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return { code, stderr };
}

describe('sallyport whose output nobody reads', () => {
  const scenarios = join(projectFolder, 'templates', 'scenarios');
  const commands: readonly (readonly string[])[] = [
    ['--help'],
    ['--version'],
    ['help', 'drive'],
    [
      'assemble',
      ...readdirSync(scenarios)
        .filter((name) => name.endsWith('.scn'))
        .map((name) => join(scenarios, name)),
    ],
    ['check-template', join(projectFolder, 'templates', 'pages', 'CLIWHOST.HTML')],
  ];
  for (const args of commands) {
    it(`does its work and says nothing of it: ${args.slice(0, 2).join(' ')}`, async () => {
      expect(await endOf(withoutReader(args))).to.deep.equal({ code: 0, stderr: '' });
    });
  }

  it('ends a driven session, though its input goes on', async () => {
    const host = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(host, 'listening');
    const connected = once(host, 'connection');
    const child = withoutReader(['drive', '127.0.0.1', String((host.address() as AddressInfo).port)]);
    const ended = endOf(child);
    try {
      await connected;
      child.stdin?.write('{"cmd":"screen"}\n');
      expect((await ended).stderr).to.equal('');
    } finally {
      child.kill('SIGKILL');
      host.close();
    }
  });
});
