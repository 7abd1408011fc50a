import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadConfiguration } from '../../src/config/load-configuration.js';
import { startServer } from '../../src/server/server.js';
import { recordingLog } from '../lines/listener/recording-log.js';

/** Defaults of reference 3.1: NONE, NONE, NO-ENCRYPTION, HEX, CBC, PKCS7. */
const nullTuple = (name: string) => [name, 'NONE', 'NONE', 'NO-ENCRYPTION', 'HEX', 'CBC', 'PKCS7'];

describe('CRYPTn keywords', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-crypt-'));
  });

  after(() => rmSync(folder, { recursive: true }));

  function load(...tuples: readonly string[]) {
    const file = join(folder, 'sallyport.yaml');
    const keywords = tuples.map((tuple, at) => `  CRYPT${at + 1}:${tuple === '' ? '' : ` ${tuple}`}\n`);
    writeFileSync(
      file,
      `data: ./data
directories: { CLI-DIR: . }
lines: { C-HTTP: { listen: '127.0.0.1:0', entryPoint: CLI } }
entryPoints: { CLI: { directory: CLI-DIR } }
sessions: { keysReady: 0 }
tct:
${keywords.join('')}`,
    );
    return loadConfiguration(file);
  }

  for (const [tuple, name] of [
    ['(CRYPT3270)', 'CRYPT3270'],
    ['(CRYPT3270,,,,)', 'CRYPT3270'],
    ['(CRYPT3270,NONE,NONE,NO-ENCRYPTION,HEX)', 'CRYPT3270'],
    ['(OTHER, , , , , , )', 'OTHER'],
    ['', 'CRYPT3270'],
    ["''", 'CRYPT3270'],
  ] as const) {
    it(`mean the null tuple if they are ${tuple === '' ? 'empty' : tuple}, with a warning about its strength`, async () => {
      const { configuration, diagnostics } = await load(tuple);
      expect(configuration.tct.crypts.map(({ kind, members }) => ({ kind, members }))).to.deep.equal([
        { kind: 'null', members: nullTuple(name) },
      ]);
      expect(diagnostics.map(({ severity, message }) => `${severity}: ${message}`)).to.have.length(1);
      expect(diagnostics[0]?.message).to.match(
        /^tct\.CRYPT1: .*null tuple.* 0 bits of strength, fewer than 112: .*AES-256,RSA-OAEP-2048,NODE,HEX,GCM,NONE/,
      );
    });
  }

  for (const [tuple, expected] of [
    ['(CRYPT3270,3TDEA)', /expected 5 to 7 members .*, found 2/],
    ['(CRYPT3270,3TDEA,,,)', /expected cipher NONE, key algorithm NONE and provider NO-ENCRYPTION together/],
    ['(CRYPT3270,3TDEA,RSA-1024,,HEX)', /expected cipher NONE, key algorithm NONE and provider NO-ENCRYPTION together/],
    ['()', /expected a crypt name of letters and digits/],
    ['(,NONE,NONE,NO-ENCRYPTION,HEX)', /expected a crypt name of letters and digits/],
    ['7', /expected text/],
  ] as const) {
    it(`do not mean the null tuple if they are ${tuple}: an incomplete tuple is an error`, async () => {
      const error = await load(tuple).catch((thrown: Error) => thrown);
      expect(error).to.be.instanceOf(Error);
      expect((error as Error).message).to.match(expected);
    });
  }

  it('are logged at start, one line each, with all members', async () => {
    const { configuration } = await load(
      '(CRYPT3270,3TDEA,RSA-1024,ICSF,HEX)',
      '(CRYPTGCM,AES-256,RSA-OAEP-2048,NODE,HEX,GCM)',
      '(CRYPTNULL)',
    );
    const { log, texts } = recordingLog();
    const server = await startServer(configuration, log);
    await server.stop();
    const lines = texts.map((text) => JSON.parse(text) as { msg: string }).filter(({ msg }) => msg.includes('CRYPT'));
    expect(lines.map(({ msg }) => msg.replace(/^[^(]*/, ''))).to.deep.equal([
      '(CRYPT3270,3TDEA,RSA-1024,ICSF,HEX,CBC,PKCS7), 80 bits of strength',
      '(CRYPTGCM,AES-256,RSA-OAEP-2048,NODE,HEX,GCM,NONE), 112 bits of strength',
      '(CRYPTNULL,NONE,NONE,NO-ENCRYPTION,HEX,CBC,PKCS7), 0 bits of strength',
    ]);
    expect(lines[0]).to.include({
      crypt: 'CRYPT3270',
      provider: 'ICSF',
      chaining: 'CBC',
      padding: 'PKCS7',
      strength: 80,
    });
  });
});
