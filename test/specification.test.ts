import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { fixture, projectFolder } from './support/project.js';

/** Statements of docs/develop/specification.md that no test shows: lower it with each new test, never raise it. */
const MOST_WITHOUT_TEST = 0;

const SECTIONS = '1 2.1 2.2 2.3 2.4 2.5 2.6 2.7 3 4.1 4.2 4.3 4.4 4.5 4.6 5.1 5.2 5.3 5.4 6 7 8 9.1 9.2'.split(' ');

/** A beginning that is shorter than this would fit too many titles: such a title must be whole. */
const SHORTEST_BEGINNING = 12;

interface Row {
  readonly number: string;
  readonly statement: string;
  readonly shownBy: string;
}

function rowsOf(page: string): readonly Row[] {
  return page
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => {
      const [, number = '', statement = '', shownBy = ''] = /^\| (\S+) \| (.+?) \| (.+) \|$/.exec(line) ?? [];
      return { number, statement, shownBy };
    });
}

/** Whether a test or a group of the source has the title, or has the fixture folder of that name as one of its cases. */
function hasTest(source: string, title: string): boolean {
  const titles = [...source.matchAll(/\b(?:it|describe)\(\s*(?:'((?:[^'\\]|\\.)*)'|"([^"]*)"|`([^`]*)`)/g)].map(
    ([, single, double, template]) => (single ?? double ?? template ?? '').replaceAll("\\'", "'"),
  );
  if (titles.some((found) => found === title || (title.length >= SHORTEST_BEGINNING && found.startsWith(title)))) {
    return true;
  }
  return (
    /^[a-z0-9-]+$/.test(title) &&
    /\bit\((?:name|`\$\{name\})/.test(source) &&
    [...source.matchAll(/fixture\('([\w-]+)'/g)].some(([, folder = '']) => existsSync(fixture(folder, title)))
  );
}

/** Undefined if the test exists. */
function missingTest({ number, shownBy }: Row): string | undefined {
  const [, file = '', title = ''] = /^`([^`]+)`: "(.+)"$/.exec(shownBy) ?? [];
  const path = join(projectFolder, 'test', `${file}.test.ts`);
  if (file === '' || !existsSync(path)) return `${number}: no file for ${shownBy}`;
  return hasTest(readFileSync(path, 'utf8'), title) ? undefined : `${number}: no test for ${shownBy}`;
}

describe('docs/develop/specification.md', () => {
  const rows = rowsOf(readFileSync(join(projectFolder, 'docs', 'develop', 'specification.md'), 'utf8'));
  const shown = rows.filter(({ shownBy }) => shownBy !== 'none yet');

  it('names a test that exists for each statement', () => {
    expect(rows).to.have.length.of.at.least(200);
    expect(shown.map(missingTest).filter((fault) => fault !== undefined)).to.deep.equal([]);
  });

  it('leaves no more statements without a test than before', () => {
    expect(rows.length - shown.length).to.be.at.most(MOST_WITHOUT_TEST);
  });

  it('has every section, one number for each statement, and no statement twice', () => {
    const numbers = rows.map(({ number }) => number);
    expect(new Set(numbers).size).to.equal(numbers.length);
    expect(new Set(rows.map(({ statement }) => statement)).size).to.equal(rows.length);
    expect([...new Set(numbers.map((number) => number.replace(/[a-z]$/, '')))]).to.deep.equal(SECTIONS);
  });

  it('would be faulty with another file, another title or the name of no fixture', () => {
    const fault = (shownBy: string) => missingTest({ number: '1a', statement: '', shownBy });
    expect(fault('`server`: "renders the page with the record in it"')).to.equal(undefined);
    expect(fault('`scenarios/map/mapping`: "currency-ko"')).to.equal(undefined);
    for (const wrong of [
      '`servers`: "renders the page with the record in it"',
      '`server`: "renders the page with the records in it"',
      '`server`: "renders"',
      '`scenarios/map/mapping`: "currency-koo"',
      'server',
    ]) {
      expect(fault(wrong), wrong).to.match(/^1a: no (?:file|test) for /);
    }
  });
});
