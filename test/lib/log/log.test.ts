import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { skipUnless } from '../../support/need.js';
import { SmallDisk } from '../../support/small-disk.js';

const hostile = 'a\u001b[31m\u009b31m\u202eb\u2028c\u007f\n"d';

/** What a process writes that logs one hostile text and ends. */
function written(form: string): string {
  const log = fileURLToPath(new URL('../../../src/lib/log/log.js', import.meta.url));
  const program = `
    const { openLog } = await import(${JSON.stringify(log)});
    const { log, flush } = await openLog({ level: 'info', form: '${form}' });
    log.info({ text: ${JSON.stringify(hostile)} }, 'first');
    log.debug('not this one');
    for (let line = 0; line < 200; line++) log.info({ padding: 'x'.repeat(200) }, 'more than one block');
    log.info('last');
    flush();`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(status).to.equal(0);
  return stdout;
}

describe('log', () => {
  it('writes JSON lines, all of them and in order, that read back as what was logged', () => {
    const lines = written('json')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).to.have.length(202);
    expect(lines[0]).to.include({ level: 30, text: hostile, msg: 'first' });
    expect(lines[0]?.time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(lines[201]).to.include({ msg: 'last' });
  });

  it('writes a readable line as one line, whatever is in its message, its values and its error', () => {
    const log = fileURLToPath(new URL('../../../src/lib/log/log.js', import.meta.url));
    const program = `
      const { openLog } = await import(${JSON.stringify(log)});
      const { log } = await openLog({ level: 'info', form: 'readable' });
      log.info({ template: 'A\\nB', user: 'x\\r\\ny' }, 'request');
      log.error({ err: new Error('first\\nsecond', { cause: new Error('inner') }) }, 'request');
      log.info('a message\\nof two "lines"');`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).to.have.length(3);
    expect(lines[0]).to.include('INFO: request {"template":"A\\nB","user":"x\\r\\ny"}');
    expect(lines[1]).to.include('ERROR: request {"err":').and.include('first\\nsecond').and.include('inner');
    expect(lines[2]).to.match(/INFO: a message\\nof two "lines"$/);
  });

  it('writes the stack of an error that is repeated once, with its causes and what it is about each time', () => {
    const log = fileURLToPath(new URL('../../../src/lib/log/log.js', import.meta.url));
    const program = `
      const { openLog } = await import(${JSON.stringify(log)});
      const { log, flush } = await openLog({ level: 'info', form: 'json' });
      const refused = (port) => {
        const each = [4, 6].map((family) => Object.assign(new Error('connect ' + family), { code: 'ECONNREFUSED', port }));
        return new Error('no store at ' + port, { cause: new AggregateError(each, 'all refused') });
      };
      for (const port of [1, 2, 3]) log.error({ err: refused(port), requestId: port }, 'request');
      for (const port of [4, 5]) log.error(refused(port).cause, 'without fields');
      log.child({ line: 'C-HTTP' }).error({ err: refused(6) }, 'request');
      log.error({ err: new TypeError('another one') }, 'request');
      log.error({ err: 'a text' }, 'request');
      flush();`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ err }) => err.message ?? err)).to.deep.equal([
      'no store at 1: all refused',
      'no store at 2: all refused',
      'no store at 3: all refused',
      'all refused',
      'all refused',
      'no store at 6: all refused',
      'another one',
      'a text',
    ]);
    const hasStack = lines.map(({ err }) => JSON.stringify(err).includes('    at '));
    expect(hasStack).to.deep.equal([true, false, false, true, false, true, true, false]);
    expect(lines[0].err.stack).to.include('caused by: ');
    expect(lines[1].err.stackAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const [first] = lines[4].err.aggregateErrors;
    expect(first).to.deep.equal({ type: 'Error', message: 'connect 4', code: 'ECONNREFUSED', port: 5 });
    expect(stdout.split('\n')[1]?.length).to.be.below(250);
  });

  it('keeps what a full disk does not take until there is room, and the process does not wait for it', async function () {
    const disk = SmallDisk.ifAllowed(1);
    skipUnless(this, disk !== undefined, 'this machine mounts nothing for us');
    try {
      const file = join(disk?.folder ?? '', 'server.log');
      const log = fileURLToPath(new URL('../../../src/lib/log/log.js', import.meta.url));
      const program = `
        import { createInterface } from 'node:readline';
        const { openLog } = await import(${JSON.stringify(log)});
        const { log, flush } = await openLog({ level: 'info', form: 'json' });
        for await (const line of createInterface({ input: process.stdin })) {
          log.info({ padding: 'x'.repeat(20_000) }, line);
          flush();
          process.stderr.write(line + '\\n');
        }`;
      const output = openSync(file, 'w');
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['pipe', output, 'pipe'],
      });
      closeSync(output);
      const ended = once(child, 'exit');
      let said = '';
      child.stderr?.on('data', (chunk) => {
        said += chunk;
      });
      const logs = async (line: string) => {
        child.stdin?.write(`${line}\n`);
        await eventually(() => (said.includes(line) ? true : undefined));
      };
      await logs('first');
      disk?.fill();
      await logs('second');
      await logs('third');
      expect(readFileSync(file, 'utf8')).to.not.include('second');
      disk?.empty();
      await eventually(() => (readFileSync(file, 'utf8').includes('third') ? true : undefined));
      await logs('fourth');
      child.stdin?.end();
      expect((await ended)[0]).to.equal(0);
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line).msg)).to.deep.equal(['first', 'second', 'third', 'fourth']);
      expect(said).to.equal('first\nsecond\nthird\nfourth\n');
    } finally {
      disk?.remove();
    }
  });

  for (const form of ['json', 'readable']) {
    it(`writes nothing that a terminal would obey (${form})`, () => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
      expect(written(form)).to.not.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/);
    });
  }
});
