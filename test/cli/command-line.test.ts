import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { commands } from '../../src/cli/commands.js';
import { fixture, projectFolder } from '../support/project.js';
import { sallyportInProcess } from './command-in-process.js';
import { main, run } from './macro-process.js';
import { sallyport as sallyportProcess } from './sallyport-process.js';

const sallyport = (args: readonly string[], folder?: string) =>
  sallyportInProcess(args, folder === undefined ? {} : { folder });

describe('sallyport', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-cli-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('--version prints the version of package.json', async () => {
    const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
    expect(await sallyportProcess(['--version'])).to.deep.equal({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('--help lists every command with examples and exit codes', async () => {
    const { code, stdout } = await sallyportProcess(['--help']);
    expect(code).to.equal(0);
    for (const command of ['serve', 'assemble', 'check-template', 'check-config', 'request']) {
      expect(stdout).to.match(new RegExp(`^  ${command}\\b`, 'm'));
      const help = await sallyport([command, '--help']);
      expect(help.code).to.equal(0);
      expect(help.stdout).to.match(/Examples?:\n {2}sallyport /);
    }
    expect(stdout).to.contain('Exit codes: 0 success, 1 failure, 2 invalid usage or configuration');
  });

  it('--help shows after each command what that command takes', async () => {
    const inOneSpace = (text: string) => text.replaceAll(/\s+/g, ' ');
    const list = inOneSpace((await sallyport(['--help'])).stdout);
    for (const { name, usage, description } of commands) {
      expect(list).to.include(inOneSpace(` ${name} ${usage} ${description} `));
      const help = await sallyport([name, '--help']);
      // it answers as the s3270 whose scripts it runs
      if (name === 's3270') {
        expect(help.stderr).to.match(/^Usage: s3270 \[options\]/);
        continue;
      }
      const own = inOneSpace(help.stdout);
      // each has the option --help at least, which the list leaves out
      const named = (text: string) => text.replace('[options]', '').replace('[command]', '');
      expect(inOneSpace(named(own))).to.include(inOneSpace(named(`sallyport ${name} ${usage} ${description} `)));
    }
  });

  const imports: readonly (readonly [string, readonly string[]])[] = [
    ['--help', []],
    ['assemble --help', ['assemble']],
    ['request --help', ['request']],
  ];
  for (const [words, own] of imports) {
    it(`loads no other command for: sallyport ${words}`, async () => {
      const coverage = await mkdtemp(join(folder, 'coverage-'));
      const { code } = await run(process.execPath, [main, ...words.split(' ')], {
        folder,
        environment: { NODE_V8_COVERAGE: coverage },
      });
      expect(code).to.equal(0);
      const [report = ''] = readdirSync(coverage);
      const { result } = JSON.parse(readFileSync(join(coverage, report), 'utf8')) as { result: { url: string }[] };
      const loaded = commands
        .map(({ name }) => name)
        .filter((name) =>
          result.some(({ url }) => new RegExp(`/(?:cli/.*|runtime/)${name}(?:-\\w{8})?\\.js$`).test(url)),
        );
      expect(loaded).to.deep.equal(own);
      const libraries = new Set(result.flatMap(({ url }) => packagesIn(url)));
      expect([...libraries]).to.deep.equal(['commander']);
    });
  }

  it('explains a subcommand where help names it', async () => {
    const { code, stdout } = await sallyport(['help', 'user', 'add']);
    expect(code).to.equal(0);
    expect(stdout).to.include('Usage: sallyport user add [options] <name>').and.include('--password-stdin');
  });

  const wrongUses: readonly [string[], RegExp][] = [
    [['serv'], /unknown command "serv"\nDid you mean "serve"\?/],
    [['nonsense'], /unknown command "nonsense"\n/],
    [['--colour'], /unknown option '--colour'/],
    [['serve', 'extra'], /too many arguments/],
    [['serve', '--config'], /argument missing/],
    [['serve', '--log-level', 'loud'], /argument 'loud' is invalid. Allowed choices are trace, debug/],
    [['assemble'], /missing required argument 'files'/],
    [['check-template'], /missing required argument 'files'/],
    [['request'], /missing required argument 'url'\n\(sallyport help request explains it\)/],
    [['user', 'ad'], /unknown command 'ad'\n\(Did you mean add\?\)\n\(sallyport help user explains it\)/],
    [
      ['user', 'add', '--rol', 'user', 'x'],
      /unknown option '--rol'\n\(Did you mean --role\?\)\n\(sallyport user add --help explains it\)/,
    ],
    [['store', 'copy'], /required option '--from <place>' not specified\n\(sallyport store copy --help explains it\)/],
    [['help', 'user', 'nope'], /unknown command "user nope"\n\(sallyport help user lists the commands\)/],
    [['help', 'srve'], /unknown command "srve"\nDid you mean "serve"\?/],
  ];
  for (const [args, message] of wrongUses) {
    it(`exits with 2 for: sallyport ${args.join(' ')}`, async () => {
      const start = args[0] === 'serv' || args[0] === 'serve' ? sallyportProcess : sallyport;
      const { code, stdout, stderr } = await start(args);
      expect(stderr).to.match(message);
      expect(stdout).to.equal('');
      expect(code).to.equal(2);
    });
  }

  describe('check-config', () => {
    it('exits with 0 and says how many warnings a good configuration has', async () => {
      const file = fixture('config', 'good', 'config.yaml');
      expect(await sallyportProcess(['check-config', file])).to.deep.equal({
        code: 0,
        stdout: `${file}: good\n`,
        stderr: '',
      });
    });

    it('finds the shipped configuration, its templates and its scenarios good, and RSA-1024 weak', async () => {
      const file = join(projectFolder, 'sallyport.yaml');
      const { code, stdout, stderr } = await sallyport(['check-config', file]);
      expect({ code, stdout }).to.deep.equal({ code: 0, stdout: `${file}: good, 1 warning\n` });
      expect(stderr).to.match(/^\S+: warning: tct\.CRYPT1: its weakest part has 80 bits of strength/);
    });

    it('exits with 2 and shows each error with its line and a caret', async () => {
      const file = fixture('config', 'unknown-entry-point', 'config.yaml');
      const { code, stderr } = await sallyport(['check-config', file]);
      expect(code).to.equal(2);
      expect(stderr.split('\n')).to.deep.equal([
        `${file}:3:50: error: lines.C-HTTP.entryPoint: expected an entry point of this file, found "CLIHOST" (did you mean "CLIWHOST"?)`,
        '    C-HTTP: { listen: 127.0.0.1:41002, entryPoint: CLIHOST }',
        `  ${' '.repeat(49)}^`,
        `${file}: 1 error`,
        '',
      ]);
    });

    it('takes ./sallyport.yaml where no file is named', async () => {
      await writeFile(join(folder, 'sallyport.yaml'), 'nonsense\n');
      const { code, stderr } = await sallyport(['check-config'], folder);
      expect(stderr).to.match(/^sallyport.yaml:1:1: error: expected a mapping/);
      expect(code).to.equal(2);
    });

    it('says in words that the file is not there', async () => {
      const { code, stderr } = await sallyportProcess(['check-config', 'absent.yaml'], folder);
      expect(stderr).to.contain('absent.yaml:1:1: error: the configuration cannot be read: no such file\n');
      expect(code).to.equal(2);
    });

    it('exits with 1 for a file or an outbound line that a scenario names and that is not there', async () => {
      const pages = await mkdtemp(join(folder, 'pages-'));
      const scenarios = await mkdtemp(join(folder, 'scenarios-'));
      await writeFile(join(pages, 'there.xml'), '<a/>\n');
      const source = [
        'ASKS     SCREENS APPL=ASKS,EXEC=NO',
        '         SCENARIO INITIAL',
        "         COPY$ OUTPUT-FILE-TO-VARIABLE,FILE='THERE.XML',VAR='V'",
        "         COPY$ OUTPUT-FILE-TO-VARIABLE,FILE='NOPE.XML',VAR='V'",
        "         COPY$ OUTPUT-FILE-TO-VARIABLE,FILE='*NAME',VAR='V'",
        "         SEND$ TO-LINE,LINE='OUT',PARMS='P'",
        "         SEND$ TO-LINE,LINE='NOWHERE',PARMS='P'",
        '         SCENARIO END',
        '',
      ];
      await writeFile(join(scenarios, 'ASKS.scn'), source.join('\n'));
      const file = join(folder, 'uses.yaml');
      await writeFile(
        file,
        `directories: { CLI: ${pages} }\nscenarios: ${scenarios}\n` +
          "lines: { C: { listen: :0, entryPoint: E }, OUT: { outbound: true, site: '127.0.0.1:9' } }\n" +
          'entryPoints: { E: { directory: CLI } }\n',
      );
      const { code, stderr } = await sallyport(['check-config', file]);
      const errors = stderr.split('\n').filter((line) => line.includes(': error: '));
      const at = (line: number) => `${join(scenarios, 'ASKS.scn')}:${line}:10: error: `;
      expect(errors).to.deep.equal([
        `${at(4)}no directory of the configuration has the file NOPE.XML`,
        `${at(7)}the configuration has no outbound line NOWHERE`,
      ]);
      expect(code).to.equal(1);
    });

    it('exits with 1 for a template or a scenario that does not compile', async () => {
      const pages = await mkdtemp(join(folder, 'pages-'));
      const scenarios = await mkdtemp(join(folder, 'scenarios-'));
      await writeFile(join(pages, 'BAD.HTML'), '<!--SVC start="{{{" end="}}}" -->\n{{{NO-SUCH-TAG}}}\n');
      await writeFile(join(scenarios, 'BAD.scn'), 'BAD      SCREENS APPL=BAD,EXEC=NO\n         NOSUCH$ 1\n');
      const file = join(folder, 'content.yaml');
      await writeFile(
        file,
        `directories: { CLI: ${pages} }\nscenarios: ${scenarios}\n` +
          'lines: { C: { listen: :0, entryPoint: E } }\nentryPoints: { E: { directory: CLI } }\n',
      );
      const { code, stderr } = await sallyport(['check-config', file]);
      expect(stderr).to.contain(`${join(pages, 'BAD.HTML')}:2:`);
      expect(stderr).to.contain(`${join(scenarios, 'BAD.scn')}:2:`);
      expect(stderr).to.match(/the configuration is good; its content has \d+ errors\n$/);
      expect(code).to.equal(1);
    });
  });

  describe('assemble and check-template', () => {
    it('assemble exits with 1 where one of the files does not assemble, and goes on to the others', async () => {
      const good = fixture('config', 'scenarios', 'known.scn');
      await writeFile(join(folder, 'BROKEN.scn'), 'BROKEN   SCREENS APPL=BROKEN,EXEC=NO\n         NOSUCH$ 1\n');
      const { code, stdout, stderr } = await sallyportProcess(['assemble', 'BROKEN.scn', 'absent.scn', good], folder);
      expect(stderr).to.match(/^BROKEN\.scn:2:10: error: /m);
      expect(stderr).to.match(/^BROKEN\.scn: not assembled: \d+ errors?$/m);
      expect(stderr).to.contain('absent.scn: cannot be read: no such file\n');
      expect(stdout).to.equal(`${good}: assembled\n`);
      expect(code).to.equal(1);
    });

    it('check-template lists the tags and exits with 1 for a tag that is unknown', async () => {
      await writeFile(join(folder, 'GOOD.HTML'), '<!--SVC start="{{{" end="}}}" -->\n{{{CURRENT-VALUE-OF "A"}}}\n');
      const good = await sallyport(['check-template', 'GOOD.HTML'], folder);
      expect(good.stdout).to.contain('CURRENT-VALUE-OF').and.contain('GOOD.HTML: good, 1 tag\n');
      expect(good.code).to.equal(0);
      await writeFile(join(folder, 'RAW.HTML'), '<p>\n{{{CURRENT-VALUE-OF "A"}}}\n');
      const raw = await sallyport(['check-template', 'RAW.HTML'], folder);
      expect(raw.stderr).to.match(/^RAW\.HTML:2:1: warning: \{\{\{CURRENT-VALUE-OF looks like a tag/m);
      expect({ stdout: raw.stdout, code: raw.code }).to.deep.equal({
        stdout: 'RAW.HTML: good, 0 tags, 1 warning\n',
        code: 0,
      });
      await writeFile(join(folder, 'WRONG.HTML'), '<!--SVC start="{{{" end="}}}" -->\n{{{CURRENT-VALUE "A"}}}\n');
      const wrong = await sallyportProcess(['check-template', 'WRONG.HTML', 'absent.html'], folder);
      expect(wrong.stderr).to.match(/^WRONG\.HTML:2:\d+: error: /m);
      expect(wrong.stderr).to.contain('absent.html: cannot be read: no such file\n');
      expect(wrong.code).to.equal(1);
    });
  });
});

/** Of a script that was loaded: the package that it is of, or those that were bundled into it, as the bundler writes above each module. */
function packagesIn(url: string): readonly string[] {
  if (!url.startsWith('file:')) return [];
  const modules = [
    fileURLToPath(url),
    ...(readFileSync(fileURLToPath(url), 'utf8').match(/^ *\/\/ node_modules.*$/gm) ?? []),
  ];
  return modules.flatMap((module) => /.*node_modules\/([^/]+)/.exec(module)?.slice(1) ?? []);
}
