import { spawn } from 'node:child_process';
import { expect } from 'chai';
import { Hercules, hasHercules } from '../support/hercules.js';
import { skipUnless } from '../support/need.js';
import { commandScript } from '../support/project.js';
import { rounds } from '../support/rounds.js';
import { needS3270 } from '../support/s3270.js';
import { answersTo, randomActions } from './random-actions.js';

const ROUNDS = rounds(50, 1);
/** The same of both, so that their banners are the same. */
const devices = Array.from({ length: ROUNDS }, (_, at) => (0xc0 + at).toString(16).padStart(4, '0').toUpperCase());

/** Without an operating system Hercules heeds no key: what asks it for an answer is not among the actions. */
describe('random actions on Hercules beside s3270', () => {
  const hosts: Hercules[] = [];

  before(async function () {
    needS3270(this);
    skipUnless(this, hasHercules(), 'hercules is not installed');
    hosts.push(await Hercules.start(devices), await Hercules.start(devices));
  });

  after(() => {
    for (const host of hosts) host.stop();
  });

  devices.forEach((device, at) => {
    it(`are answered as s3270 answers them (seed ${at + 1})`, async () => {
      const actions = ['Query(LuName)', 'Ascii', ...randomActions(at + 1, false)];
      const programs = [
        ['s3270', '-utf8'],
        [process.execPath, commandScript, 's3270', '-set', 'contentionResolution=false'],
      ];
      const [real, own] = await Promise.all(
        programs.map(([program = '', ...words], which) => {
          const child = spawn(program, [...words, '-model', '2', '-codepage', 'cp037']);
          child.stderr.resume();
          return answersTo(child, actions, {
            // its banner has no input field: s3270 would wait for one
            once: `Connect("C:${device}@127.0.0.1:${hosts[which]?.port}")`,
            ask: 'Ascii',
            until: /Copyright/,
          });
        }),
      );
      expect(real?.join('')).to.include('Hercules');
      expect(own).to.deep.equal(real);
    });
  });
});
