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
          // by name; then everything, and all of a kind
          says: `fffd27 ${ask(['IBMELF', 'IBMAPPLID'])} fffa2701fff0 fffa270103fff0 6162`,
          actions: ['Expect(ab,60)'],
          environment,
        },
      );
      const device = variable('DEVNAME', 'dev');
      const logon = `${variable('IBMELF', 'YES')}${variable('IBMAPPLID', applicationId)}`;
      expect(sent).to.equal(
        [
          'fffb27',
          `fffa2700${logon}fff0`,
          `fffa270000${hexOf('USER')}01${hexOf('fred')}${device}${logon}fff0`,
          `fffa2700${device}${logon}fff0`,
        ].join(''),
      );
    });
  }
});

/** RFC 4777. */
describe('devices and code pages of s3270 in NEW-ENVIRON', () => {
  const run = async (words: readonly string[], says: string) => {
    const play = { says: `fffd27 ${says} 6162`, actions: ['Expect(ab,60)'], environment: {} };
    const { sent } = await runWithHost(
      [process.execPath, commandScript, 's3270'],
      [...words, '-nvt', '127.0.0.1:PORT'],
      play,
    );
    return sent;
  };
  const answered = (answers: readonly string[]) => `fffb27${answers.map((told) => `fffa2700${told}fff0`).join('')}`;

  it('have numbers in place of equals signs, the next one each time that the host asks again', async () => {
    const asked = ask(['DEVNAME']);
    expect(await run(['-devname', 'a==b'], `${asked} ${ask(['IBMELF'])} ${asked}`)).to.equal(
      answered([variable('DEVNAME', 'a01b'), variable('IBMELF', 'YES'), variable('DEVNAME', 'a02b')]),
    );
    // nine names, and nothing behind the last one
    expect(await run(['-devname', 'd='], asked.repeat(10))).to.equal(
      answered([1, 2, 3, 4, 5, 6, 7, 8, 9, 9].map((number) => variable('DEVNAME', `d${number}`))),
    );
  });

  for (const [codePage, page, keyboard] of [
    ['bracket', '37', 'USB'],
    ['german', '273', 'AGB'],
  ] as const) {
    it(`are those of ${codePage} for a host that asks for them by name`, async () => {
      expect(await run(['-codepage', codePage], ask(['CODEPAGE', 'CHARSET', 'KBDTYPE']))).to.equal(
        answered([variable('CODEPAGE', page) + variable('CHARSET', '697') + variable('KBDTYPE', keyboard)]),
      );
    });
  }
});
