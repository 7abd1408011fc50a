import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { expectedConstants, exportedConstants, importedNumbers, parsed } from '../support/expected-constants.js';
import { projectFolder } from '../support/project.js';
import { sourcesBelow } from '../support/sources.js';

const product = ['src', 'machines', 'client'].map((folder) => join(projectFolder, 'dist', folder, '/'));

type Constants = ReturnType<typeof exportedConstants>;

const none: Constants = new Map();
const read = new Map<string, Constants>();

/** Constants of a compiled file. A file that is not part of the product has none. */
function constantsOf(path: string): Constants {
  const known = read.get(path);
  if (known !== undefined) return known;
  const isOfProduct = product.some((folder) => path.startsWith(folder)) && existsSync(path);
  const constants = isOfProduct ? exportedConstants(parsed(readFileSync(path, 'utf8'))) : none;
  read.set(path, constants);
  return constants;
}

describe('expected values', () => {
  const expected: string[] = [];
  const numbers: string[] = [];
  const imported = new Set<string>();

  before(() => {
    for (const source of sourcesBelow('test').keys()) {
      const file = join('dist', source.replace(/\.ts$/, '.js'));
      const path = join(projectFolder, file);
      const constantOf = (specifier: string, name: string) => {
        const constant = constantsOf(join(dirname(path), specifier)).get(name);
        if (constant !== undefined) imported.add(name);
        return constant;
      };
      const program = parsed(readFileSync(path, 'utf8'));
      for (const { name, line } of expectedConstants(program, (...of) => constantOf(...of) !== undefined))
        expected.push(`${file}:${line} ${name}`);
      for (const { name, line } of importedNumbers(program, (...of) => constantOf(...of)?.isNumber === true))
        numbers.push(`${file}:${line} ${name}`);
    }
  });

  it('are no constants of the product', () => {
    expect(expected, 'write the value that the documentation names').to.deep.equal([]);
  });

  it('are reached by numbers of the test: no test imports a number of the product', () => {
    expect(numbers, 'write the number that the documentation names').to.deep.equal([]);
  });

  it('are compared with imports that lead to constants', () => {
    expect([...imported]).to.include.members(['aids', 'attentionKeys', 'standardSettings']);
  });
});

describe('the search for constants in expected values', () => {
  const imports = "import { MOST, LIMITS as bounds, work } from '../../src/a.js';\nimport { OWN } from './own.js';\n";
  const isConstant = (specifier: string, name: string) => specifier === '../../src/a.js' && name !== 'work';
  const found = (source: string) =>
    expectedConstants(parsed(imports + source), isConstant).map(({ name, line }) => `${line} ${name}`);

  for (const [title, source, names] of [
    ['the argument of an assertion', 'expect(count).to.equal(MOST);', ['3 MOST']],
    ['an argument after words and other assertions', 'expect(a).to.be.an("array").and.have.length(MOST);', ['3 MOST']],
    ['a part of an argument', 'expect(a).to.deep.equal([1, { a: -MOST }]);', ['3 MOST']],
    ['a part of a text', `expect(a).to.equal(\`at most \${MOST}\`);`, ['3 MOST']],
    ['an argument of a call in an argument', "expect(a).to.equal('1'.repeat(MOST));", ['3 MOST']],
    ['a member under a name of the test', 'expect(a).to.be.below(bounds.depth);', ['3 LIMITS']],
    ['the receiver of a call', 'expect(a).to.equal(bounds.join());', ['3 LIMITS']],
    ['a fault', 'expect(work).to.throw(RangeError, String(MOST));', ['3 MOST']],
    ['a comparison before the assertion', 'expect(a.every((one) => one <= MOST)).to.equal(true);', ['3 MOST']],
    ['a variable', 'const most = MOST + 1;\nexpect(a).to.equal(most);', ['4 MOST']],
    ['a variable of a variable', 'const a = b + 1, b = bounds.depth ?? 2;\nexpect(x).to.equal(a);', ['4 LIMITS']],
    ['a part of a variable', 'const { depth } = bounds;\nexpect(a).to.equal(depth);', ['4 LIMITS']],
    ['several', 'expect(a).to.be.within(MOST, bounds.most);', ['3 MOST', '3 LIMITS']],
  ] as const) {
    it(`finds ${title}`, () => {
      expect(found(source)).to.deep.equal(names);
    });
  }

  for (const [title, source] of [
    ['a literal', 'expect(a).to.equal(3);'],
    ['an input', 'expect(work(MOST)).to.equal(3);'],
    ['the constant itself, compared with a literal', 'expect(MOST).to.equal(3);'],
    ['a function of the product', 'expect(a).to.deep.equal(work(3));'],
    ['a constant of the tests', 'expect(a).to.equal(OWN);'],
    ['a call that is no assertion', 'other(a).to.equal(MOST);'],
    ['a member and a key of that name', 'expect(a).to.deep.equal({ MOST: a.MOST });'],
    ['what a call makes of an input', 'const made = work(MOST);\nexpect(a).to.equal(made);'],
  ] as const) {
    it(`passes over ${title}`, () => {
      expect(found(source)).to.deep.equal([]);
    });
  }

  it('finds numbers that are imported', () => {
    expect(importedNumbers(parsed(imports), (_, name) => name === 'LIMITS')).to.deep.equal([
      { name: 'LIMITS', line: 1 },
    ]);
  });

  it('knows the constants of a file, and the numbers among them', () => {
    const source =
      'const Z = 1;\nexport const A = 1_000, B = 4 * 1024 << -2, C = [1], D = "1", E = Z + A, F = C[0];\n' +
      'export const f = () => 1, g = class {};\nexport function h() {}\nexport class K {}\nconst L = 1;\nexport let m;\n';
    const constants = exportedConstants(parsed(source));
    expect([...constants.keys()]).to.deep.equal(['A', 'B', 'C', 'D', 'E', 'F']);
    expect([...constants].filter(([, { isNumber }]) => isNumber).map(([name]) => name)).to.deep.equal(['A', 'B', 'E']);
  });
});
