import { expect } from 'chai';
import { joinedMetrics } from '../../../src/server/workers/supervisor.js';
import { readExposition } from '../../operation/metrics/exposition.js';

describe('metrics of a machine', () => {
  it('have a metric written once where two versions of workers describe it in other words', () => {
    const text = (worker: string, words: string) =>
      ['requests_total', 'sessions']
        .map((name) => `# HELP ${name} ${words}\n# TYPE ${name} counter\n${name}{worker="${worker}"} 1\n`)
        .join('\n');
    const { samples } = readExposition(joinedMetrics([text('a1', 'Requests'), text('a2', 'Requests, answered')]));
    expect(samples.map(({ name, labels }) => `${name} ${labels.worker}`)).to.deep.equal([
      'requests_total a1',
      'requests_total a2',
      'sessions a1',
      'sessions a2',
    ]);
  });
});
