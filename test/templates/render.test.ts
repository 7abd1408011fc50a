import { expect } from 'chai';
import { ServiceError } from '../../src/lib/errors.js';
import { compileTemplate } from '../../src/templates/compile.js';
import type { RenderedPage } from '../../src/templates/render.js';
import { type ContextInput, contextOf, renderAtOnce } from './context-of.js';

const declaration = '<!--SVC start="{{{" end="}}}" -->';

describe('render', () => {
  it('ends a page at 4 MiB of bytes', () => {
    const page = '{{{CURRENT-VALUE-OF "V"}}}';
    const bytes = 4 * 1024 * 1024;
    expect(rendered(page, { variables: { V: ['x'.repeat(bytes)] } }).body).to.have.lengthOf(bytes);
    expectFailure(page, { variables: { V: ['x'.repeat(bytes + 1)] } }, 'longer than 4194304 bytes');
    expect(rendered(page, { variables: { V: ['é'.repeat(bytes / 2)] } }).body).to.have.lengthOf(bytes);
    expectFailure(page, { variables: { V: [`${'é'.repeat(bytes / 2)}x`] } }, 'longer than 4194304 bytes');
  });

  it('ends loops at 100,000 passes, all loops together', () => {
    const page = '{{{DO-COUNT-UP-WITH "n"}}}x{{{END-DO-COUNT "n"}}}{{{DO-COUNT-UP-WITH "m"}}}{{{END-DO-COUNT "m"}}}';
    expect(rendered(page, { variables: { n: ['99999'], m: ['1'] } }).text).to.have.lengthOf(99_999);
    expectFailure(page, { variables: { n: ['99999'], m: ['2'] } }, 'more than 100000 passes');
    const forEach = '{{{FOR-EACH-VALUE-IN "L"}}}x{{{END-FOR "L"}}}';
    expect(rendered(forEach, { variables: { L: new Array(100_000).fill('') } }).text).to.have.lengthOf(100_000);
    expectFailure(forEach, { variables: { L: new Array(100_001).fill('') } }, 'more than 100000 passes');
    const whileEvent = '{{{WHILE-EVENT "A"}}}{{{END-WHILE-EVENT "A"}}}';
    expectFailure(whileEvent, { variables: { $EVENT$: new Array(100_001).fill('A') } }, 'more than 100000 passes');
  });

  it('ends a page whose loops look at too much, though they write nothing', () => {
    const page =
      '{{{FOR-EACH-VALUE-IN "long"}}}{{{DO-COUNT-UP-WITH "n"}}}{{{TRIMMED-VALUE-OF "long"}}}{{{END-DO-COUNT "n"}}}{{{END-FOR "long"}}}';
    expectFailure(
      page,
      { variables: { n: ['100000'], long: [' '.repeat(1_000_000)] } },
      'requires too many operations',
    );
  });

  it('ends a page that adds more than 64 headers', () => {
    const page = '{{{DO-COUNT-UP-WITH "n"}}}{{{SET-HEADER (AS-IS) "X: y"}}}{{{END-DO-COUNT "n"}}}';
    expect(rendered(page, { variables: { n: ['64'] } }).headers).to.have.lengthOf(64);
    expectFailure(page, { variables: { n: ['65'] } }, 'more than 64 headers');
  });

  it('takes smaller bounds from its caller', () => {
    const template = compileTemplate(`${declaration}abc`, { file: 'a.html' });
    expect(renderAtOnce(template, contextOf({}), { limits: { outputBytes: 3 } }).text).to.equal('abc');
    expect(() => renderAtOnce(template, contextOf({}), { limits: { outputBytes: 2 } })).to.throw(ServiceError);
  });

  it('leaves nothing behind for the next rendering', () => {
    const template = compileTemplate(
      `${declaration}{{{CURRENT-VALUE-OF "L"}}}{{{ADVANCE-TO-NEXT-VALUE-OF "L"}}}{{{CURRENT-VALUE-OF "L"}}}{{{DELETE-ALL-VARIABLES}}}`,
      { file: 'a.html' },
    );
    const context = contextOf({ variables: { L: ['1', '2'] } });
    expect([renderAtOnce(template, context).text, renderAtOnce(template, context).text]).to.deep.equal(['12', '12']);
  });

  it('takes a count that is no number for none', () => {
    const page = '{{{DO-COUNT-UP-WITH "n"}}}x{{{END-DO-COUNT "n"}}}';
    for (const n of ['', '-1', '1e3', '0x10', '9'.repeat(400), '3 3', '0']) {
      expect(rendered(page, { variables: { n: [n] } }).text, n).to.equal('');
    }
    expect(rendered(page, { variables: { n: [' 02 '] } }).text).to.equal('xx');
  });
});

function rendered(page: string, input: ContextInput): RenderedPage {
  return renderAtOnce(compileTemplate(declaration + page, { file: 'a.html' }), contextOf(input));
}

function expectFailure(page: string, input: ContextInput, detail: string): void {
  expect(() => rendered(page, input))
    .to.throw(ServiceError, detail)
    .with.property('code', 'SVC_ERR_TEMPLATE_RENDERING');
}
