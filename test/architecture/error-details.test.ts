import { expect } from 'chai';
import en from '../../locales/en.json' with { type: 'json' };
import { type ErrorCode, errorCatalogue } from '../../src/lib/errors.js';
import { sourcesBelow } from '../support/sources.js';

const sources = sourcesBelow('src', 'machines', 'client');
/** A construction of an error with its options, up to the end of the statement. */
const CONSTRUCTION = /new (?:ServiceError|ProblemError)\(\s*'(SVC_ERR_\w+)',([^;]*);/g;
const LITERAL_DETAIL = /\bdetail: *(?:['"`]|[^,{}]*\? *['"`])/;
const FOREIGN_LITERAL = /\bforeign: *['"]/;
const SENTENCE = /(?:[!=]== *|(?:endsWith|startsWith|includes)\()(['"`])(?:[A-Z]?[a-z’]+ ){2,}[a-z’]+\.?\1/;
/** Names that are not texts of the catalogue. */
const isDynamic = (key: string) => /^(?:device|connection|trace|type)\./.test(key) || key === 'field.choice';

const violations = (source: string) =>
  [...source.matchAll(CONSTRUCTION)].filter(
    ([, code = '', options = '']) =>
      errorCatalogue[code as ErrorCode].exposed && (LITERAL_DETAIL.test(options) || FOREIGN_LITERAL.test(options)),
  );

/** Clients read the details of exposed errors in their language. */
describe('details of errors', () => {
  it('are no sentence in the source if clients can read them', () => {
    for (const wrong of [
      "throw new ServiceError('SVC_ERR_LINE_UNKNOWN', { detail: 'No such line.' });",
      "throw new ServiceError('SVC_ERR_LINE_UNKNOWN', {\n  detail: `No such line.`,\n});",
      "throw new ServiceError('SVC_ERR_LINE_UNKNOWN', { detail: name === '' ? 'It is empty.' : undefined });",
      "throw new ServiceError('SVC_ERR_LINE_UNKNOWN', { detail: { foreign: 'No such line.' } });",
    ]) {
      expect(violations(wrong), wrong).to.have.length(1);
    }
    // only logged
    expect(violations("new ServiceError('SVC_ERR_SERVICE_BUSY', { detail: 'too many wait' });")).to.have.length(0);
    const constructed = [...sources.values()].flatMap((source) => [...source.matchAll(CONSTRUCTION)]);
    expect(constructed).to.have.length.above(50);
    expect([...sources].flatMap(([file, source]) => violations(source).map(([text]) => `${file}: ${text}`))).to.be
      .empty;
  });

  it('are compared by code, never by their sentence', () => {
    for (const wrong of ["detail !== 'the host ended the session'", "message.endsWith('is not valid here')"]) {
      expect(SENTENCE.test(wrong), wrong).to.equal(true);
    }
    const comparing = [...sources].flatMap(([file, source]) =>
      source.split('\n').flatMap((line) => (SENTENCE.test(line) ? [`${file}: ${line.trim()}`] : [])),
    );
    expect(comparing).to.deep.equal([]);
  });

  it('have only reasons that the source uses', () => {
    const text = [...sources.values()].join('\n');
    const unused = Object.keys(en.reasons).filter((key) => !isDynamic(key) && !text.includes(`'${key}'`));
    expect(unused).to.deep.equal([]);
  });
});
