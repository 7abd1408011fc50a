import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { compileTemplate } from '../../src/templates/compile.js';
import { contextOf, renderAtOnce } from './context-of.js';

const declaration = '<!--SVC start="{{{" end="}}}" -->';
/** Characters that XML can carry as they are; it turns CR into LF, so there is none. */
const markupText = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[^\u0020-\ud7ff\n\t]/g, ''));
const hostile = fc.oneof(markupText, fc.string({ unit: fc.constantFrom(...'<>&"\'\\;/ ab\n') }));

describe('escapes', () => {
  for (const option of ['XML-ESCAPES', 'HTML-ESCAPES']) {
    it(`${option}: an XML parser reads the value back, from text and from an attribute`, () => {
      fc.assert(
        fc.property(hostile, (value) => {
          const page = rendered(option, '<a>{{{CURRENT-VALUE-OF "V"}}}</a>', value);
          expect(readXml(page).text).to.equal(value);
          const flat = value.replace(/\s/g, ' ');
          const attribute = rendered(option, '<a v="{{{CURRENT-VALUE-OF "V"}}}"/>', flat);
          expect(readXml(attribute).attribute).to.equal(flat);
        }),
      );
    });
  }

  it('JSON-ESCAPES: a JSON parser reads the value back', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), hostile), (value) => {
        expect(JSON.parse(rendered('JSON-ESCAPES', '"{{{CURRENT-VALUE-OF "V"}}}"', value))).to.equal(value);
      }),
    );
  });

  it('JAVASCRIPT-ESCAPES: a script engine reads a value of one line back, in either quotes', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const value = text.replaceAll('\n', ' ');
        for (const quote of ['"', "'"]) {
          const script = rendered('JAVASCRIPT-ESCAPES', `${quote}{{{CURRENT-VALUE-OF "V"}}}${quote}`, value);
          expect(runInNewContext(script)).to.equal(value);
        }
      }),
    );
  });

  it('follow the options that every page begins with', () => {
    const page = `${declaration}{{{CURRENT-VALUE-OF "V"}}}`;
    const template = compileTemplate(page, { file: 'a.html', defaultOptions: ['XML-ESCAPES'] });
    expect(renderAtOnce(template, contextOf({ variables: { V: ['<'] } })).text).to.equal('&#60;');
  });

  it('warn of places in HTML that the escape in force does not make safe', () => {
    const warnings = (page: string) =>
      compileTemplate(declaration + page, { file: 'a.html' }).warnings.map(({ column }) => column - declaration.length);
    expect(warnings(`<a b="{{{CURRENT-VALUE-OF "V"}}}">it's {{{CURRENT-VALUE-OF "V"}}}`)).to.deep.equal([]);
    expect(warnings(`<a b='{{{CURRENT-VALUE-OF "V"}}}'>`)).to.deep.equal([7]);
    expect(warnings(`<script>a("{{{CURRENT-VALUE-OF "V"}}}")</script>{{{CURRENT-VALUE-OF "V"}}}`)).to.deep.equal([12]);
    expect(
      warnings(`{{{SET-LOCAL-OPTIONS (JAVASCRIPT-ESCAPES)}}}<script>a("{{{CURRENT-VALUE-OF "V"}}}")</script>`),
    ).to.deep.equal([]);
  });
});

function rendered(option: string, page: string, value: string): string {
  const template = compileTemplate(`${declaration}{{{SET-LOCAL-OPTIONS (${option})}}}${page}`, { file: 'a.txt' });
  return renderAtOnce(template, contextOf({ variables: { V: [value] } })).text;
}

function readXml(source: string): { text: string; attribute: string | undefined } {
  let text = '';
  let attribute: string | undefined;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('text', (piece) => {
    text += piece;
  });
  parser.on('opentag', ({ attributes }) => {
    attribute = attributes.v;
  });
  parser.write(source).close();
  return { text, attribute };
}
