import { expect } from 'chai';
import { prefersJson, prefersJsonErrors } from '../../src/web/http/accepted-ranges.js';

describe('prefersJson', () => {
  const table: readonly [accept: string | undefined, expected: boolean][] = [
    [undefined, false],
    ['', false],
    ['*/*', false],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', false],
    ['application/json', true],
    ['Application/JSON', true],
    // what axios and Angular send
    ['application/json, text/plain, */*', true],
    ['*/*, application/json;q=0.9', false],
    ['application/json, text/html', false],
    ['application/json, text/*', true],
    ['text/html, application/*', false],
    ['application/*, text/*', false],
    ['application/json;q=0, */*;q=0', false],
    ['application/json, text/plain, */*;q=0.5', true],
    ['application/json;q=0.5, text/html', false],
    ['text/html;q=0.5, application/json;q=0.6', true],
    ['application/json;q=0', false],
    ['application/json;q=nonsense', false],
    ['application/*, application/json;q=0.1, text/html;q=0.2', false],
  ];
  for (const [accept, expected] of table) {
    it(`${accept ?? 'no Accept'} → ${expected}`, () => {
      expect(prefersJson(accept)).to.equal(expected);
    });
  }
});

describe('prefersJsonErrors', () => {
  const table: readonly [accept: string | undefined, expected: boolean][] = [
    [undefined, false],
    ['*/*', false],
    ['application/json', true],
    ['Application/Problem+JSON', true],
    ['text/html, application/problem+json;q=0.9', false],
    ['application/problem+json, text/html;q=0.9', true],
  ];
  for (const [accept, expected] of table) {
    it(`${accept ?? 'no Accept'} → ${expected}`, () => {
      expect(prefersJsonErrors(accept)).to.equal(expected);
    });
  }
});
