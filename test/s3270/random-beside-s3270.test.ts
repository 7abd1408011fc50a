import { spawn } from 'node:child_process';
import { expect } from 'chai';
import { SimulatedHost } from '../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { commandScript } from '../support/project.js';
import { rounds } from '../support/rounds.js';
import { needS3270 } from '../support/s3270.js';
import { answersTo, randomActions } from './random-actions.js';

describe('random actions beside s3270', () => {
  for (let seed = 1; seed <= rounds(50, 1); seed++) {
    it(`are answered as s3270 answers them (seed ${seed})`, async function () {
      needS3270(this);
      const actions = randomActions(seed);
      const [real, own] = await Promise.all([
        transcript(['s3270', '-utf8'], actions),
        transcript([process.execPath, commandScript, 's3270', '-set', 'contentionResolution=false'], actions),
      ]);
      expect(real).to.have.lengthOf(actions.length);
      const differs = real.findIndex((answer, at) => answer !== own[at]);
      const before = actions.slice(Math.max(0, differs - 8), differs + 1).join(' ');
      expect(own[differs], `action ${differs}: ${before}`).to.equal(real[differs]);
    });
  }
});

/** @returns the answer to each action, without times */
async function transcript([program = '', ...words]: readonly string[], actions: readonly string[]): Promise<string[]> {
  const codePage = findCodePage('IBM037');
  if (codePage === undefined) throw new Error('no code page 37');
  const host = new SimulatedHost({ codePage, users: { DEMO: 'demo' }, start: 'MENU' });
  const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
  const child = spawn(program, [...words, '-model', '2', '-codepage', 'cp037', `127.0.0.1:${port}`]);
  child.stderr.resume();
  try {
    return await answersTo(child, actions);
  } finally {
    await host.close();
  }
}
