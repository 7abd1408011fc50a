import { expect } from 'chai';
import { checkServiceTexts } from '../../src/config/load-services.js';

const LARGEST_PATTERN = 2_500;
const LARGEST_PATTERNS = 10_000;

const SCREENS = 'screens:\n  MENU: [{ text: MENU }]\n';
/** 5 are the frame of each program. */
const LARGEST = `a{1000}b{1000}c{${LARGEST_PATTERN - 2_005}}`;

describe('patterns of a service', () => {
  const check = (patterns: readonly string[], maxLength = 100) => {
    const parameters = patterns
      .map((pattern, at) => `  p${at}: { type: string, pattern: '${pattern}', maxLength: ${maxLength} }\n`)
      .join('');
    const fill = patterns.map((_, at) => `{ at: [1, 1], text: '{p${at}}' }`).join(', ');
    const service = `service: s\nparameters:\n${parameters}steps:\n  - at: MENU\n    fill: [${fill}]\n    press: Enter\n    expect: MENU\n`;
    const { reports } = checkServiceTexts({ screens: SCREENS, service });
    return reports.flatMap(({ diagnostics }) => diagnostics);
  };

  it('are as large as they may be, each and together', () => {
    expect(check(new Array(LARGEST_PATTERNS / LARGEST_PATTERN).fill(LARGEST))).to.deep.equal([]);
  });

  it('are refused at their places if one is larger', () => {
    expect(check(['a', `${LARGEST}d`])).to.deep.equal([
      {
        file: 'service.yaml',
        line: 4,
        column: 32,
        message:
          'parameters.p1.pattern: the pattern has a size of 2501, as repetitions multiply: expected at most 2500',
        severity: 'error',
      },
    ]);
  });

  it('are refused at the first place that makes them larger together', () => {
    expect(check([LARGEST, LARGEST, LARGEST, LARGEST, ''])).to.deep.equal([
      {
        file: 'service.yaml',
        line: 7,
        column: 32,
        message:
          'parameters.p4.pattern: the patterns of the service up to this one have a size of 10005: expected at most 10000',
        severity: 'error',
      },
    ]);
  });

  it('are refused if they and the longest texts make too much work for a call', () => {
    expect(check([LARGEST], 600)).to.deep.equal([]);
    expect(check([LARGEST], 601).map(({ message }) => message)).to.deep.equal([
      'parameters.p0.pattern: the sum of size times maxLength of the patterns up to this one is 1502500: expected at most 1500000 (a smaller maxLength, or a simpler pattern)',
    ]);
    expect(check([LARGEST, LARGEST], 300)).to.deep.equal([]);
    expect(check([LARGEST, LARGEST], 301)).to.have.length(1);
  });

  it('keep their words about other faults', () => {
    const [{ message } = { message: '' }] = check(['(?=a)']);
    expect(message).to.match(
      /^parameters\.p0\.pattern: expected a regular expression without look-around and back-references: /,
    );
  });
});
