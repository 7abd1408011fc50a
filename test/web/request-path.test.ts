import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { ServiceError } from '../../src/lib/errors.js';
import { parseRequestPath, splitRequestTarget } from '../../src/web/http/request-path.js';
import { fixture } from '../support/project.js';

interface PathCase {
  readonly path: string;
  readonly expected?: Readonly<Record<string, unknown>>;
  readonly error?: string;
}

function codeOf(action: () => unknown): unknown {
  try {
    action();
    return 'nothing thrown';
  } catch (error) {
    return error instanceof ServiceError ? error.code : error;
  }
}

describe('parseRequestPath', () => {
  const cases: PathCase[] = JSON.parse(readFileSync(fixture('web', 'request-paths.json'), 'utf8'));
  for (const { path, expected, error } of cases) {
    it(`${path} → ${error ?? JSON.stringify(expected)}`, () => {
      if (error !== undefined) {
        expect(codeOf(() => parseRequestPath(path))).to.equal(error);
        return;
      }
      // JSON has no undefined: null stands for it in the fixture
      const parsed = JSON.parse(JSON.stringify(parseRequestPath(path), (_key, value) => value ?? null));
      expect(parsed).to.deep.equal(expected);
    });
  }

  it('throws nothing but ServiceErrors, whatever comes', () => {
    const piece = fc.oneof(
      fc.constantFrom('/', '+', '++', '%', '%2', '%2f', '%00', '..', '.', '\\', '%C3%A9', '=', '$', '%ED%A0%80'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const code = codeOf(() => parseRequestPath(splitRequestTarget(`/${pieces.join('')}`).path));
        return code === 'nothing thrown' || typeof code === 'string';
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives back any names that were percent-encoded', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1 })
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what the parser refuses is left out
      .filter((text) => !/[\ud800-\udfff]/u.test(text) && !/[\u0000-\u001f\u007f-\u009f\\/]|^\.\.?$/.test(text));
    fc.assert(
      fc.property(name, name, name, name, (directory, page, transaction, userData) => {
        const encoded = [page, transaction, userData].map(encodeURIComponent).join('+');
        const path = parseRequestPath(splitRequestTarget(`/${encodeURIComponent(directory)}/${encoded}?x=y`).path);
        expect(path).to.deep.equal({ kind: 'transaction', directories: [directory], page, transaction, userData });
      }),
    );
  });
});

describe('splitRequestTarget', () => {
  const table: readonly [target: string, path: string, query: string][] = [
    ['/', '/', ''],
    ['/a?', '/a', ''],
    ['/a?b=c', '/a', 'b=c'],
    ['/a?b=c?d', '/a', 'b=c?d'],
    ['/a?b=/../c', '/a', 'b=/../c'],
    ['http://host.test/a+b?c=d', '/a+b', 'c=d'],
    ['HTTP://host.test:8080/a', '/a', ''],
    ['https://host.test', '/', ''],
    ['http://host.test?c=d', '/', 'c=d'],
  ];
  for (const [target, path, query] of table) {
    it(`${target} → ${path} and ${query || 'no query'}`, () => {
      expect(splitRequestTarget(target)).to.deep.equal({ path, query });
    });
  }

  for (const target of [
    '',
    '*',
    'host.test:443',
    'a/b',
    'http:///a',
    'ftp://host.test/a',
    '/a#b',
    '/a b',
    '/é',
    '/a\\b',
  ]) {
    it(`refuses ${JSON.stringify(target)}`, () => {
      expect(codeOf(() => splitRequestTarget(target))).to.equal('SVC_ERR_REQUEST_PATH');
    });
  }
});
