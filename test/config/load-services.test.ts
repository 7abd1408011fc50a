import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadServices } from '../../src/config/load-services.js';
import { formatPlace } from '../../src/lib/documents/source-diagnostic.js';
import { fixture, projectFolder } from '../support/project.js';

const LARGEST_SERVICE_BYTES = 256 * 1024;
const MOST_SERVICE_FILES = 1_000;

const service = 'service: s\nsteps:\n  - { at: A, press: Enter }\n';

/** Diagnostics as a person sees them, files named within the folder. */
async function diagnose(folder: string): Promise<readonly string[]> {
  const { reports } = await loadServices(folder);
  return reports.flatMap(({ diagnostics }) =>
    diagnostics.map((diagnostic) => formatPlace({ ...diagnostic, file: diagnostic.file.slice(folder.length + 1) })),
  );
}

describe('loadServices', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-services-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  describe('says what is wrong, in which file, where, and what was expected', () => {
    const cases = readdirSync(fixture('services')).filter((name) =>
      existsSync(fixture('services', name, 'expected.txt')),
    );
    for (const name of cases) {
      it(name, async () => {
        const expected = await readFile(fixture('services', name, 'expected.txt'), 'utf8');
        expect(await diagnose(fixture('services', name))).to.deep.equal(expected.split('\n').filter(Boolean));
      });
    }
  });

  it('finds nothing wrong with the services that are shipped', async () => {
    const { reports, screens, services, serviceFiles } = await loadServices(
      join(projectFolder, 'templates', 'services'),
    );
    expect(reports).to.deep.equal([]);
    expect([...services.keys()]).to.include.members(['account-inquiry', 'sign-on', 'sign-off']);
    expect(serviceFiles.get('sign-on')).to.equal(join(projectFolder, 'templates', 'services', 'sign-on.yaml'));
    expect(screens.size).to.be.greaterThan(5);
  });

  it('has nothing of a faulty file, and what the others have', async () => {
    await writeFile(join(folder, 'screens.yaml'), 'screens:\n  A: [{ text: A }]\n');
    await writeFile(join(folder, 'good.yaml'), service);
    await writeFile(join(folder, 'bad.yaml'), 'service: t\nsteps: []\n');
    const { services, serviceFiles, reports } = await loadServices(folder);
    expect([...services.keys()]).to.deep.equal(['s']);
    expect([...serviceFiles]).to.deep.equal([['s', join(folder, 'good.yaml')]]);
    expect(reports.length).to.equal(1);
  });

  it('says that there is no such folder', async () => {
    const { reports } = await loadServices(join(folder, 'absent'));
    expect(reports[0]?.diagnostics[0]?.message).to.equal('no such folder, or no permission to read it');
  });

  it('reads a file of the largest size, and says of a larger one that it is', async () => {
    const most = service + '#'.repeat(LARGEST_SERVICE_BYTES - service.length);
    await writeFile(join(folder, 'screens.yaml'), 'screens:\n  A: [{ text: A }]\n');
    await writeFile(join(folder, 's.yaml'), most);
    expect(await diagnose(folder)).to.deep.equal([]);
    await writeFile(join(folder, 's.yaml'), `${most}#`);
    expect((await diagnose(folder)).join()).to.match(/s\.yaml:1:1: error: expected at most 262144 bytes/);
  });

  it('reads as many files as there may be, and none of more', async () => {
    await Promise.all(
      Array.from({ length: MOST_SERVICE_FILES }, (_, at) =>
        writeFile(join(folder, `${at}.yaml`), `service: s${at}\nscenario: SCEN\n`),
      ),
    );
    const { services, reports } = await loadServices(folder);
    expect([services.size, reports.length]).to.deep.equal([MOST_SERVICE_FILES, 0]);
    await writeFile(join(folder, 'more.yaml'), service);
    const more = await loadServices(folder);
    expect(more.services.size).to.equal(0);
    expect(more.reports[0]?.diagnostics[0]?.message).to.equal('expected at most 1000 files, found 1001');
  });

  it('takes a folder with the name of a service for no service', async () => {
    await mkdir(join(folder, 'x.yaml'));
    expect((await diagnose(folder)).join()).to.equal('x.yaml:1:1: error: the file cannot be read: it is a folder');
  });

  for (const [what, most, text] of [
    [
      'screens',
      1_000,
      (count: number) => ['screens.yaml', `screens:\n${lines(count, (at) => `  S${at}: [{ text: A }]`)}`],
    ],
    [
      'parameters',
      100,
      (count: number) => [
        's.yaml',
        `service: s\nscenario: A\nparameters:\n${lines(count, (at) => `  p${at}: { type: string }`)}`,
      ],
    ],
    [
      'steps',
      100,
      (count: number) => ['s.yaml', `service: s\nsteps:\n${lines(count, () => '  - { at: A, press: Enter }')}`],
    ],
    [
      'fields of a step',
      200,
      (count: number) => [
        's.yaml',
        `service: s\nsteps:\n  - at: A\n    press: Enter\n    fill:\n${lines(count, () => '      - { label: L, text: x }')}`,
      ],
    ],
    [
      'values of an enumeration',
      500,
      (count: number) => [
        's.yaml',
        `service: s\nscenario: A\nparameters:\n  p: { type: string, enum: [${lines(count, (at) => `v${at},`).replaceAll('\n', ' ')}] }\n`,
      ],
    ],
    [
      'texts that a step extracts',
      200,
      (count: number) => [
        's.yaml',
        `service: s\nsteps:\n  - at: A\n    extract:\n${lines(count, (at) => `      x${at}: { at: [1, 1], length: 1 }`)}`,
      ],
    ],
    [
      'columns of a table',
      100,
      (count: number) => [
        's.yaml',
        `service: s\nsteps:\n  - at: A\n    extract:\n      t:\n        rows: [1, 2]\n        columns:\n${lines(count, (at) => `          x${at}: { column: 1, length: 1 }`)}`,
      ],
    ],
  ] as const) {
    it(`takes ${most} ${what}, and one more is an error`, async () => {
      await writeFile(join(folder, 'screens.yaml'), 'screens:\n  A: [{ text: A }]\n');
      for (const count of [most, most + 1]) {
        const [name = '', source = ''] = text(count);
        await writeFile(join(folder, name), source);
        const said = (await diagnose(folder)).join('\n');
        if (count === most) expect(said).to.equal('');
        else expect(said).to.match(new RegExp(`error: .*expected (a list of )?at most ${most}`));
      }
    });
  }
});

function lines(count: number, line: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => line(at)).join('\n');
}
