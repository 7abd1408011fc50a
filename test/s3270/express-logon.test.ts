import { expect } from 'chai';
import { commandScript } from '../support/project.js';
import { runWithHost } from './raw-host.js';

const hexOf = (text: string) => Buffer.from(text).toString('hex');
const variable = (name: string, value: string) => `03${hexOf(name)}01${hexOf(value)}`;
const ask = (names: readonly string[]) => `fffa2701${names.map((name) => `03${hexOf(name)}`).join('')}fff0`;

/** Variables of NEW-ENVIRON (RFC 1572) that a host asks for before it puts a passticket in place of a macro's words. */
describe('express logon of s3270', () => {
  for (const [name, environment, applicationId] of [
    ['the application that the environment names', { IBMAPPLID: 'TSO1' }, 'TSO1'],
    ['None where it names none', { IBMAPPLID: undefined }, 'None'],
  ] as const) {
    it(`tells a host that asks for it ${name}`, async () => {
      const { sent } = await runWithHost(
        [process.execPath, commandScript, 's3270', '-user', 'fred', '-set', 'devName=dev'],
        ['-nvt', '127.0.0.1:PORT'],
        {
          // by name; then everything, and all of a kind: where nothing is named it is not told
          says: `fffd27 ${ask(['IBMELF', 'IBMAPPLID'])} fffa2701fff0 fffa270103fff0 6162`,
          actions: ['Expect(ab,60)'],
          environment,
        },
      );
      const device = variable('DEVNAME', 'dev');
      expect(sent).to.equal(
        [
          'fffb27',
          `fffa2700${variable('IBMELF', 'YES')}${variable('IBMAPPLID', applicationId)}fff0`,
          `fffa270000${hexOf('USER')}01${hexOf('fred')}${device}fff0`,
          `fffa2700${device}fff0`,
        ].join(''),
      );
    });
  }
});
