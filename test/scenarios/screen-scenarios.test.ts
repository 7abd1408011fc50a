import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import { startServer } from '../../src/server/server.js';
import { recordingLog } from '../lines/listener/recording-log.js';
import { fixture } from '../support/project.js';

interface Input {
  readonly query?: string;
  /** The first screen of the host. */
  readonly start?: 'SIGNON' | 'MENU';
  /** Null: the transaction has no host. */
  readonly application?: null;
}

interface Expected {
  readonly status: number;
  readonly body?: string;
  /** Something that the log says of it. */
  readonly log?: string;
}

/**
 * Each folder: the `source.scn` of a transaction of type 2 with a host of its own, the `input.json` of a request, and in
 * `expected.json` the answer over HTTP.
 */
describe('scenarios with screens', () => {
  const names = readdirSync(fixture('screen-scenarios')).sort();
  const read = <Shape>(name: string, part: string) =>
    JSON.parse(readFileSync(fixture('screen-scenarios', name, part), 'utf8')) as Shape;
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-screens-'));
  const { log, texts } = recordingLog();
  let url = '';
  let stop = async () => {};

  before(async () => {
    mkdirSync(join(folder, 'scenarios'));
    mkdirSync(join(folder, 'pages'));
    writeFileSync(join(folder, 'pages', 'P.HTML'), 'the page');
    const transactions = names.map((name, at) => {
      copyFileSync(fixture('screen-scenarios', name, 'source.scn'), join(folder, 'scenarios', `S${at}.scn`));
      const { start = 'MENU', application } = read<Input>(name, 'input.json');
      const host = application === null ? '' : `, application: ${start}`;
      return `T${at}: { applicationType: 2, tioaAtLogon: '&/S', initialScenario: S${at}${host} }`;
    });
    const file = join(folder, 'sallyport.yaml');
    writeFileSync(
      file,
      `data: ./data
directories: { CLI-DIR: ./pages }
scenarios: ./scenarios
hosts:
  SIGNON: { simulated: true, users: { DEMO: demo } }
  MENU: { simulated: true, users: { DEMO: demo }, start: MENU }
lines: { C-HTTP: { listen: '127.0.0.1:0', entryPoint: CLI } }
entryPoints:
  CLI:
    directory: CLI-DIR
    transactions:
      ${transactions.join('\n      ')}
`,
    );
    const { configuration } = await loadConfiguration(file);
    const server = await startServer(configuration, log);
    url = server.listeners.find(({ name }) => name === 'C-HTTP')?.url ?? '';
    stop = () => server.stop();
  });

  after(async () => {
    await stop();
    rmSync(folder, { recursive: true });
  });

  for (const [at, name] of names.entries()) {
    it(name, async () => {
      const { query } = read<Input>(name, 'input.json');
      const expected = read<Expected>(name, 'expected.json');
      const before = texts.length;
      const answer = await fetch(`${url}/P.HTML+T${at}${query === undefined ? '' : `?${query}`}`);
      const body = await answer.text();
      const logged = texts.slice(before).join('\n');
      expect(answer.status, logged).to.equal(expected.status);
      if (expected.body !== undefined) expect(body).to.equal(expected.body);
      if (expected.log !== undefined) expect(logged).to.include(expected.log);
    });
  }
});
