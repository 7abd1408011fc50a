import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { XMLValidator } from 'fast-xml-parser';
import type { ElementNode } from '../../../src/scenarios/map/element-tree.js';
import { readXml, XmlError, type XmlLimits } from '../../../src/scenarios/map/xml-document.js';
import { needCommand } from '../../support/need.js';
import { fixture } from '../../support/project.js';
import { rounds } from '../../support/rounds.js';

interface PlainElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly PlainElement[];
}

/** Entries, not members: an attribute may be called `__proto__`. */
function attributePairs(element: PlainElement): unknown {
  const { name, attributes, text, children } = element;
  return { name, attributes: Object.entries(attributes), text, children: children.map(attributePairs) };
}

function plain({ name, attributes, text, children }: ElementNode): unknown {
  return { name, attributes: [...attributes], text, children: children.map(plain) };
}

function faultOf(text: string, limits?: Partial<XmlLimits>): XmlError {
  try {
    readXml(text, limits);
  } catch (error) {
    expect(error).to.be.instanceOf(XmlError);
    if (error instanceof XmlError) return error;
  }
  throw new Error('the document was accepted');
}

function filesOf(folder: string): string[] {
  const files = readdirSync(fixture('soap', folder)).filter((name) => name.endsWith('.xml'));
  if (files.length < 5) throw new Error(`hardly any fixtures in ${folder}`);
  return files.map((name) => name.slice(0, -'.xml'.length));
}

function textOf(folder: string, name: string): string {
  return readFileSync(fixture('soap', folder, `${name}.xml`), 'utf8');
}

describe('readXml', () => {
  describe('reads what is well-formed', () => {
    for (const name of filesOf('well-formed')) {
      it(name, () => {
        const expected: PlainElement = JSON.parse(readFileSync(fixture('soap', 'well-formed', `${name}.json`), 'utf8'));
        expect(plain(readXml(textOf('well-formed', name)))).to.deep.equal(attributePairs(expected));
      });
    }
  });

  describe('refuses what is not', () => {
    for (const name of filesOf('malformed')) {
      it(name, () => {
        const fault = faultOf(textOf('malformed', name));
        expect(fault.message).to.match(/^\d+:\d+: [ -~]+$/);
      });
    }
  });

  it('is of one opinion with xmllint, document type declarations apart', function () {
    needCommand(this, 'xmllint');
    const accepts = (folder: string, name: string) =>
      spawnSync('xmllint', ['--noout', '--nonet', fixture('soap', folder, `${name}.xml`)]).status === 0;
    expect(filesOf('well-formed').filter((name) => !accepts('well-formed', name))).to.deep.equal([]);
    const refused = filesOf('malformed').filter((name) => !name.startsWith('doctype'));
    expect(refused.filter((name) => accepts('malformed', name))).to.deep.equal([]);
  });

  it('says where: line and column count from 1', () => {
    expect(faultOf('<a>\n  <b></c>\n</a>')).to.include({ line: 2 });
    expect(faultOf('<?xml version="1.0"?>\n <!DOCTYPE a><a/>')).to.include({ line: 2, column: 2 });
    expect(faultOf('<a></b>')).to.include({ line: 1, column: 8 });
  });

  it('takes the name without its prefix as local name', () => {
    const root = readXml('<soap:Envelope><Body/></soap:Envelope>');
    expect(root.localName).to.equal('Envelope');
    expect(root.children[0]?.localName).to.equal('Body');
  });

  it('stops at the first fault, however much follows', () => {
    const fault = faultOf(`<a><b></a>${'<c></d>'.repeat(200_000)}`);
    expect(fault.line).to.equal(1);
    expect(fault.column).to.be.at.most(11);
  });

  it('counts the elements of each document for itself', () => {
    const document = '<r><a/><b/></r>';
    for (let times = 0; times < 3; times++) expect(readXml(document, { elements: 3 }).children).to.have.length(2);
    expect(faultOf('<r><a/><b/><c/></r>', { elements: 3 }).reason).to.contain('more than 3 elements');
    expect(readXml(document, { elements: 3 }).children).to.have.length(2);
  });

  it('refuses the entity bomb and finds the declaration before it reads on', () => {
    const entities = Array.from({ length: 10 }, (_, level) => `<!ENTITY e${level} "${`&e${level - 1};`.repeat(10)}">`);
    const fault = faultOf(`<?xml version="1.0"?><!DOCTYPE lolz [${entities.join('')}]><a>&e9;</a>`);
    expect(fault).to.include({ line: 1, column: 22 });
    expect(fault.reason).to.contain('document type declaration');
  });

  it('finds the declaration behind a byte order mark, too', () => {
    for (const before of ['', '<?xml version="1.0"?>', '<!-- -->\n']) {
      expect(faultOf(`\ufeff${before}<!DOCTYPE a><a/>`).reason).to.contain('document type declaration');
    }
  });

  it('never shows control characters of the document in a message', () => {
    const { message } = faultOf('<a></b\u0085\u009b31m\u00a0x>');
    expect(
      [...message].filter((character) => character < ' ' || (character > '~' && character < '\u00a1')),
    ).to.deep.equal([]);
  });

  describe('bounds', () => {
    const nested = (levels: number) => '<a>'.repeat(levels) + '</a>'.repeat(levels);
    const siblings = (count: number) => `<r>${'<e/>'.repeat(count - 1)}</r>`;
    const attributes = (count: number) => `<a ${Array.from({ length: count }, (_, at) => `b${at}="1"`).join(' ')}/>`;

    const bounds: readonly {
      readonly what: keyof XmlLimits;
      readonly most: number;
      readonly atBound: string;
      readonly onePast: string;
      readonly limits?: Partial<XmlLimits>;
    }[] = [
      { what: 'depth', most: 64, atBound: nested(64), onePast: nested(65) },
      { what: 'elements', most: 100_000, atBound: siblings(100_000), onePast: siblings(100_001) },
      { what: 'attributes', most: 256, atBound: attributes(256), onePast: attributes(257) },
      {
        what: 'bytes',
        most: 100,
        atBound: `<a>${'x'.repeat(93)}</a>`,
        onePast: `<a>${'x'.repeat(94)}</a>`,
        limits: { bytes: 100 },
      },
      // two bytes each in UTF-8
      {
        what: 'bytes',
        most: 101,
        atBound: `<a>é${'é'.repeat(46)}</a>`,
        onePast: `<a>é${'é'.repeat(46)}x</a>`,
        limits: { bytes: 101 },
      },
    ];
    for (const { what, most, atBound, onePast, limits } of bounds) {
      it(what, () => {
        expect(readXml(atBound, limits)).to.be.an('object');
        expect(faultOf(onePast, limits).reason).to.contain(` ${most} `);
      });
    }

    it('the default of bytes is 2 MiB', () => {
      const filled = (bytes: number) => `<a>${'x'.repeat(bytes - 7)}</a>`;
      expect(readXml(filled(2_097_152)).text).to.have.length(2_097_145);
      expect(faultOf(filled(2_097_153)).reason).to.contain('2097152');
    });

    it('10,000 levels are refused at the 65th', () => {
      expect(faultOf(nested(10_000)).column).to.be.at.most(65 * 3 + 1);
    });

    it('attributes count anew for every element', () => {
      expect(readXml(`<r>${attributes(256)}${attributes(256)}</r>`).children).to.have.length(2);
    });
  });

  describe('for any text', () => {
    const markup = fc.constantFrom(
      '<a>',
      '</a>',
      '<b c="d"/>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '&amp;',
      '&#65;',
      '<?p',
      '?>',
      'x',
      ' ',
      '<',
    );

    it('gives a tree or an XmlError, and no tree for what fast-xml-parser refuses', () => {
      fc.assert(
        fc.property(fc.array(fc.oneof(markup, fc.string({ unit: 'binary' })), { maxLength: 12 }), (pieces) => {
          const text = pieces.join('');
          try {
            readXml(text);
          } catch (error) {
            expect(error).to.be.instanceOf(XmlError);
            return;
          }
          expect(XMLValidator.validate(text)).to.equal(true);
        }),
        { numRuns: rounds(500, 150) },
      );
    });

    it('reads back character data that was escaped', () => {
      const characters = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[^\t\n\u0020-\ud7ff]/g, ''));
      const escaped = (text: string) => text.replace(/[&<>"\t\n]/g, (character) => `&#${character.charCodeAt(0)};`);
      fc.assert(
        fc.property(characters, characters, (text, value) => {
          const root = readXml(`<a b="${escaped(value)}">${escaped(text)}</a>`);
          expect(root.text).to.equal(text);
          expect(root.attributes.get('b')).to.equal(value);
        }),
      );
    });
  });
});
