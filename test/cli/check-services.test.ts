import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readScreenPictures } from '../../src/cli/services/recorded-screens.js';
import { SimulatedHost } from '../../src/demo/simulated-host/simulated-host.js';
import { soundValue } from '../../src/lib/read-outcome.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { DriveProcess } from '../support/drive-process.js';
import { fixture, projectFolder } from '../support/project.js';
import { sallyportInProcess as sallyport } from './command-in-process.js';

const LARGEST_SIDE = 255;
const MOST_PICTURES = 1_000;

const shipped = join(projectFolder, 'templates', 'services');

describe('sallyport check-services', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-check-services-'));
  });
  after(() => rm(folder, { recursive: true }));

  async function written(name: string, text: string): Promise<string> {
    const file = join(folder, name);
    await writeFile(file, text);
    return file;
  }

  it('says that the services that are shipped are good', async () => {
    const { code, stdout, stderr } = await sallyport(['check-services', shipped]);
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.match(/services: good, \d+ screens, \d+ services\n$/);
  });

  it('shows each fault with its line and a caret, and exits with 2', async () => {
    const faulty = fixture('services', 'step-type');
    const { code, stdout, stderr } = await sallyport(['check-services', faulty]);
    expect([code, stdout]).to.deep.equal([2, '']);
    expect(stderr).to.contain(`${join(faulty, 'service.yaml')}:5:20: error: steps.2.type: Enter goes to the host`);
    expect(stderr).to.contain("    - { at: A, type: 'x[enter]', press: Enter }\n                     ^");
    expect(stderr).to.match(/step-type: 4 errors\n$/);
  });

  it('exits with 0 for warnings, which it shows and counts', async () => {
    const { code, stdout, stderr } = await sallyport(['check-services', fixture('services', 'parameter-unused')]);
    expect(code).to.equal(0);
    expect(stdout).to.match(/good, 2 screens, 1 service, 1 warning\n$/);
    expect(stderr).to.contain('warning: parameters.p: no step uses it');
  });

  it('exits with 2 where there is no folder', async () => {
    const { code, stderr } = await sallyport(['check-services', join(folder, 'absent')]);
    expect(code).to.equal(2);
    expect(stderr).to.contain('no such folder');
  });

  it('tells screens of the simulated host, as drive answers them, and exits with 0', async () => {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) return expect.fail('no code page 37');
    const host = new SimulatedHost({ codePage, users: { DEMO: 'DEMO' }, start: 'MENU' });
    const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
    const session = new DriveProcess(port);
    const answers: unknown[] = [];
    try {
      await session.ask({ cmd: 'wait', until: 'field' });
      answers.push(await session.ask({ cmd: 'screen' }));
      for (const [text, awaited] of [
        ['2', 'Account number'],
        ['10000001', 'Balance'],
      ] as const) {
        await session.ask({ cmd: 'type', text });
        await session.ask({ cmd: 'key', key: 'Enter' });
        await session.ask({ cmd: 'wait', text: awaited });
        answers.push({}, await session.ask({ cmd: 'screen' }));
      }
    } finally {
      session.kill();
      await host.close();
    }
    const pictures = await written('drive.jsonl', answers.map((answer) => JSON.stringify(answer)).join('\n'));
    const { code, stdout, stderr } = await sallyport(['check-services', shipped, '--images', pictures]);
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout.split('\n').slice(0, 3)).to.deep.equal([
      `${pictures}:1: MENU`,
      `${pictures}:3: ACCT`,
      `${pictures}:5: ACCOUNT`,
    ]);
  });

  it('says where the second of two screens stands that a text cannot tell apart, and exits with 1', async () => {
    const alike = join(fixture('services', 'good'));
    const picture = await written('both.txt', ' AAA BBB\n');
    await written('screens.yaml', 'screens:\n  A: [{ text: AAA }]\n  B: [{ text: BBB }]\n  C: [{ inputFields: 0 }]\n');
    const { code, stdout, stderr } = await sallyport(['check-services', folder, '--images', picture]);
    expect(code).to.equal(1);
    expect(stdout).to.equal(`${picture}: A\nA text file has no fields and no cursor. Not checked in text files: C\n`);
    expect(stderr).to.equal(
      `${join(folder, 'screens.yaml')}:3:3: error: screens.B: A and B cannot be distinguished on ${picture}\n` +
        `${folder}: 1 pair of screens cannot be distinguished\n`,
    );
    expect((await sallyport(['check-services', alike, '--images', picture])).code).to.equal(1);
  });

  it('exits with 2 for a picture that cannot be read', async () => {
    const absent = join(folder, 'absent.txt');
    const { code, stderr } = await sallyport(['check-services', shipped, '--images', absent]);
    expect([code, stderr]).to.deep.equal([2, `${absent}: cannot be read: no such file\n`]);
  });
});

describe('pictures of screens in files', () => {
  const fault = (source: string) => {
    const read = readScreenPictures(source);
    return read.kind === 'fault' ? read.fault : 'none';
  };
  const first = (source: string) => soundValue(readScreenPictures(source))[0];

  const drive = {
    rows: 2,
    cols: 5,
    cursor: [1, 2],
    text: ['ab', ' s3c'],
    fields: [
      { at: 0, fa: 'e0' },
      { at: 5, fa: 'cc' },
    ],
  };
  const session = {
    rows: 2,
    columns: 5,
    cursor: { row: 2, column: 3, position: 7 },
    text: ['ab'],
    fields: [
      { row: 1, column: 2, protected: true },
      { row: 2, column: 2, nonDisplayable: true },
    ],
  };
  const page = {
    k: 's',
    r: 1,
    n: 2,
    c: 5,
    u: 7,
    l: 0,
    t: [[0, 'ab']],
    f: [
      [0, 0xe0],
      [5, 0xcc],
    ],
  };

  for (const [from, screen] of Object.entries({ drive, session, page, problem: { code: 'x', screen: session } })) {
    it(`are read as ${from} has them: fields, cursor, and nothing that is not displayed`, () => {
      const picture = first(JSON.stringify(screen, undefined, 2));
      expect(picture?.isText).to.equal(false);
      expect(picture?.image.text.cells.join('')).to.equal(' b        ');
      expect(picture?.image.cursor).to.equal(7);
      expect(
        picture?.image.fields.map(({ address, length, attribute }) => [address, length, attribute & 0x3c]),
      ).to.deep.equal([
        [0, 4, 0x20],
        [5, 4, 0x0c],
      ]);
    });
  }

  it('of texts have the size of the first terminal that holds them', () => {
    for (const [source, size] of [
      ['x', [24, 80]],
      [`${'\n'.repeat(23)}x`, [24, 80]],
      [`${'\n'.repeat(24)}x`, [32, 80]],
      [`${'\n'.repeat(42)}x`, [43, 80]],
      ['x'.repeat(81), [27, 132]],
      [`${'\n'.repeat(43)}x`, [44, 1]],
      ['x'.repeat(LARGEST_SIDE), [1, LARGEST_SIDE]],
    ] as const) {
      const image = first(source)?.image;
      expect([image?.rows, image?.columns]).to.deep.equal(size);
    }
  });

  for (const [what, source, words] of [
    ['nothing', '', 'it contains no screen'],
    ['a JSON object that is not a screen', '{"a":1}', 'it contains no screen'],
    ['half a line of JSON', '{"rows":\n{"rows"', 'line 1: expected JSON'],
    [
      'rows that are none',
      JSON.stringify({ ...drive, rows: 0 }),
      'line 1: it is not a screen (docs/write/services.md)',
    ],
    ['too many rows', JSON.stringify({ ...drive, rows: 256 }), 'line 1: it is not a screen (docs/write/services.md)'],
    [
      'a row that is too long',
      JSON.stringify({ ...drive, text: ['abcdef'] }),
      'line 1: it is not a screen (docs/write/services.md)',
    ],
    [
      'a field that is nowhere',
      JSON.stringify({ ...drive, fields: [{ at: 10, fa: 'e0' }] }),
      'line 1: it is not a screen (docs/write/services.md)',
    ],
    [
      'a piece that is nowhere',
      JSON.stringify({ ...page, t: [[10, 'a']] }),
      'line 1: it is not a screen (docs/write/services.md)',
    ],
    ['a tab', 'a\n\tb', 'line 2: expected text without tabs and other control characters'],
    ['a row of 256 columns', 'x'.repeat(256), 'expected at most 255 rows of 255 columns'],
    ['256 rows', `${'\n'.repeat(255)}x`, 'expected at most 255 rows of 255 columns'],
  ] as const) {
    it(`are none of ${what}`, () => {
      expect(fault(source)).to.equal(words);
    });
  }

  it('are a thousand in a file at most', () => {
    const line = `${JSON.stringify(page)}\n`;
    expect(soundValue(readScreenPictures(line.repeat(MOST_PICTURES))).length).to.equal(MOST_PICTURES);
    expect(fault(line.repeat(MOST_PICTURES + 1))).to.equal('expected at most 1000 screens in one file');
  });
});
