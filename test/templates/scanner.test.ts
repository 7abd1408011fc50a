import { expect } from 'chai';
import fc from 'fast-check';
import { SourceError } from '../../src/lib/documents/source-diagnostic.js';
import { compilation, compileTemplate } from '../../src/templates/compile.js';
import { scan, type Token } from '../../src/templates/scanner.js';
import { tags } from '../../src/templates/tags.js';
import { contextOf, renderAtOnce } from './context-of.js';

const declaration = '<!--SVC start="{{{" end="}}}" -->\n';
/** Pieces that templates are made of, well and badly put together. */
const piece = fc.oneof(
  fc.constantFrom('{{{', '}}}', '"', '""', '(', ')', ',', '=', ' ', '\n', '\r\n', '<!--', '-->', '\0', '\ud800'),
  fc.constantFrom(...tags.keys()),
  fc.string({ maxLength: 8 }),
);

describe('scanner', () => {
  it('makes of any text a template or a SourceError, nothing else', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        try {
          renderAtOnce(compileTemplate(declaration + pieces.join(''), { file: 'a.html' }), contextOf({}));
        } catch (error) {
          if (!(error instanceof SourceError)) throw error;
          for (const { line, column } of error.diagnostics) expect(line >= 1 && column >= 1).to.equal(true);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('lets text without a start delimiter through as it is', () => {
    const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('').replaceAll('{{{', ''));
    fc.assert(
      fc.property(text, (page) => {
        const result = renderAtOnce(compileTemplate(declaration + page, { file: 'a.html' }), contextOf({}));
        expect(result.text).to.equal(page);
      }),
    );
  });

  it('lets a file without a declaration through as it is', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const page = pieces.join('').replaceAll('<!--', '');
        const template = compileTemplate(page, { file: 'a.html' });
        expect(template.isStatic).to.equal(true);
        expect(template.segments.join('')).to.equal(page);
      }),
    );
  });

  it('looks at every character a bounded number of times', () => {
    for (const unit of [
      '{{{',
      '{{{A "',
      '{{{IF-PRINT-IS-READY ',
      '{{{PUBLIC-KEY (',
      '{{{CURRENT-VALUE-OF "x" ',
      '"{{{',
      '{{{ ',
    ]) {
      const [short, long] = [2_000, 16_000].map((times) => looksAt(unit.repeat(times)));
      expect((long ?? 0) / (short ?? 1), unit).to.be.lessThan(8 * 1.2);
    }
  });

  it('reports at most 100 errors', () => {
    const compile = () => compileTemplate(declaration + '{{{NO-SUCH}}}'.repeat(1000), { file: 'a.html' });
    expect(compile).to.throw(SourceError).with.property('diagnostics').with.lengthOf(100);
  });

  it('takes 50,000 tags and refuses one more', () => {
    const page = (count: number) => declaration + '{{{VIRPLEX-CODE}}}'.repeat(count);
    const work = compilation(page(50_000), { file: 'a.html' });
    let rests = 0;
    let next = work.next();
    for (; !next.done; next = work.next()) rests++;
    expect(next.value.tags).to.have.lengthOf(50_000);
    expect(rests, 'others get their turn').to.be.above(500);
    expect(() => compileTemplate(page(50_001), { file: 'a.html' })).to.throw(SourceError, 'at most 50000 tags');
  });

  it('knows no tag by the name of a property of objects', () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(() => compileTemplate(`${declaration}{{{${name}}}}`, { file: 'a.html' })).to.throw('unknown tag');
    }
  });
});

/** How many characters the scanner asks about: a count of work that no clock disturbs. */
function looksAt(page: string): number {
  let looks = 0;
  const counting = new Proxy(new String(page), {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') {
        looks += 1;
        return value;
      }
      return (...parameters: unknown[]) => {
        const result: unknown = Reflect.apply(value, page, parameters);
        if (key === 'indexOf') looks += (result === -1 ? page.length : Number(result)) - Number(parameters[1] ?? 0);
        else looks += 1;
        return result;
      };
    },
  });
  const tokens: Token[] = [
    ...scan(
      counting as unknown as string,
      { start: '{{{', end: '}}}' },
      {
        shapeOf: (name) => tags.get(name),
        describeUnknown: (name) => name,
      },
    ),
  ];
  expect(tokens.length).to.be.greaterThan(0);
  return looks;
}
