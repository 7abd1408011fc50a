import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const hostile = 'a\u001b[31m\u009b31m\u202eb\u2028c\u007f\n"d';

/** What a process writes that logs one hostile text and ends. */
function written(form: string): string {
  const log = fileURLToPath(new URL('../src/log.js', import.meta.url));
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
    const log = fileURLToPath(new URL('../src/log.js', import.meta.url));
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

  for (const form of ['json', 'readable']) {
    it(`writes nothing that a terminal would obey (${form})`, () => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
      expect(written(form)).to.not.match(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/);
    });
  }
});
