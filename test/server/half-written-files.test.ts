import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { SallyportProcess } from '../cli/sallyport-process.js';
import { eventually } from '../support/eventually.js';
import { projectFolder } from '../support/project.js';

/** Where a server replaces files, and files of each folder. The file of users has a lock, and a test of its own. */
const FILES = [
  'data/tokens.json',
  'data/copy-unfinished',
  'data/terminal-settings/0123abcd.json',
  'data/services-drafts/01234567-89ab-cdef-0123-456789abcdef.json',
  'services/screens.yaml',
] as const;
const FOLDERS = ['data', 'data/terminal-settings', 'data/services-drafts', 'services'] as const;
const module = pathToFileURL(join(projectFolder, 'dist/src/lib/files/replace-file.js')).href;

describe('files that a killed process has left half-written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-half-'));
  const servers: SallyportProcess[] = [];
  after(async () => {
    for (const server of servers) {
      server.child.kill('SIGTERM');
      await server.finished;
    }
    rmSync(folder, { recursive: true });
  });

  const halfWritten = () =>
    FOLDERS.flatMap((of) => readdirSync(join(folder, of)).filter((name) => /\.[0-9a-f]{8}-\d+\.new$/.test(name)));

  /** Stops a process in the middle of replacing all files. */
  async function stoppedWriter() {
    const files = FILES.map((file) => join(folder, file));
    // the piece after the first never comes
    const script = `import { replaceFile } from ${JSON.stringify(module)};
      async function* endless() { yield 'secret'; process.stdout.write('.'); await new Promise((resolve) => setTimeout(resolve, 1e9)); }
      await Promise.all(${JSON.stringify(files)}.map((file) => replaceFile(file, endless())));`;
    const writer = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await eventually(() => (halfWritten().length === FILES.length + 1 ? true : undefined));
    return writer;
  }

  async function serve(): Promise<void> {
    const server = new SallyportProcess(['serve', '--config', join(folder, 'sallyport.yaml')], folder);
    servers.push(server);
    await server.prints(/^C-HTTP +(http:\/\/127\.0\.0\.1:\d+)/m);
    server.child.kill('SIGTERM');
    await server.finished;
    servers.pop();
  }

  it('are removed when a server starts, once their process has ended, and no other file is', async () => {
    for (const of of FOLDERS) mkdirSync(join(folder, of), { recursive: true });
    writeFileSync(
      join(folder, 'sallyport.yaml'),
      `data: ./data
services: ./services
sessions: { keysReady: 0 }
lines: { C-HTTP: { listen: '127.0.0.1:0', entryPoint: E } }
hosts: { SIM: { simulated: true } }
entryPoints: { E: { directory: D, transactions: { TSO: { applicationType: 1, application: SIM } } } }
directories: { D: . }
`,
    );
    const kept = ['notes.txt.4194305.new', 'tokens.json.new', 'tokens.json.x.new', 'tokens.json.00000000-1.new'];
    for (const name of kept) writeFileSync(join(folder, 'data', name), 'kept');
    symlinkSync(join(folder, 'sallyport.yaml'), join(folder, 'data', 'link.json.4194305.new'));
    const before = readdirSync(join(folder, 'data')).sort();
    const writer = await stoppedWriter();
    await serve();
    // tokens.json.00000000-1.new has the form of a file of another machine, too
    expect(halfWritten()).to.have.length(FILES.length + 1);
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    await serve();
    expect(halfWritten()).to.deep.equal(['tokens.json.00000000-1.new']);
    expect(readdirSync(join(folder, 'data')).sort()).to.include.members(before);
  });
});
