import { expect } from 'chai';
import iconv from 'iconv-lite';
import { documentEncoding } from '../../../src/scenarios/map/document.js';

/** Big-endian UTF-16. */
function utf16be(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

const bytes = (...values: number[]) => Buffer.from(values);
const around = (begin: string, inside: Buffer) => Buffer.concat([Buffer.from(begin), inside, Buffer.from('</a>')]);

describe('documentEncoding', () => {
  // ISO 8859-1: é is E9; ISO 8859-15: the euro is A4; windows-1252: the euro is 80 (the tables of unicode.org)
  const cases: readonly { what: string; body: Buffer; contentType?: string; text: string }[] = [
    { what: 'UTF-8 where nothing is said', body: Buffer.from('<a>é€😀</a>'), text: 'é€😀' },
    { what: 'UTF-8 by content type', body: Buffer.from('<a>é</a>'), contentType: 'text/xml; charset=utf-8', text: 'é' },
    {
      what: 'a quoted charset',
      body: around('<a>', bytes(0xe9)),
      contentType: 'text/xml; CHARSET="iso-8859-1"',
      text: 'é',
    },
    {
      what: 'ISO-8859-15 by content type',
      body: around('<a>', bytes(0xa4)),
      contentType: 'text/xml;charset=ISO-8859-15',
      text: '€',
    },
    {
      what: 'windows-1252 by content type',
      body: around('<a>', bytes(0x80)),
      contentType: 'text/xml; charset=windows-1252; x=y',
      text: '€',
    },
    { what: 'the declaration', body: around('<?xml version="1.0" encoding="ISO-8859-1"?><a>', bytes(0xe9)), text: 'é' },
    {
      what: 'the declaration in apostrophes',
      body: around("<?xml version='1.0' encoding='windows-1252' ?><a>", bytes(0x80)),
      text: '€',
    },
    {
      what: 'the charset before the declaration',
      body: Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>'),
      contentType: 'text/xml; charset=UTF-8',
      text: 'é',
    },
    {
      what: 'the byte order mark before the charset',
      body: Buffer.concat([bytes(0xef, 0xbb, 0xbf), Buffer.from('<a>é</a>')]),
      contentType: 'text/xml; charset=ISO-8859-1',
      text: 'é',
    },
    {
      what: 'UTF-16, little end first',
      body: Buffer.concat([bytes(0xff, 0xfe), Buffer.from('<a>é€</a>', 'utf16le')]),
      text: 'é€',
    },
    { what: 'UTF-16, big end first', body: Buffer.concat([bytes(0xfe, 0xff), utf16be('<a>é€</a>')]), text: 'é€' },
    {
      what: 'UTF-16 without a mark',
      body: Buffer.from('<?xml version="1.0" encoding="UTF-16"?><a>é</a>', 'utf16le'),
      text: 'é',
    },
    {
      what: 'UTF-16 without a mark, big end first',
      body: utf16be('<?xml version="1.0" encoding="UTF-16"?><a>é</a>'),
      text: 'é',
    },
    {
      what: 'a content type without charset',
      body: Buffer.from('<a>é</a>'),
      contentType: 'application/soap+xml; action="x"',
      text: 'é',
    },
  ];
  for (const { what, body, contentType, text } of cases) {
    it(what, () => {
      expect(iconv.decode(body, documentEncoding(body, contentType))).to.match(new RegExp(`<a>${text}</a>$`));
    });
  }

  it('reads a view into a larger buffer', () => {
    const large = Buffer.from([0xff, 0xfe, 0x3c, 0x61]);
    expect(documentEncoding(new Uint8Array(large.buffer, large.byteOffset + 2, 2), undefined)).to.equal('utf-8');
  });

  for (const contentType of ['text/xml; charset=klingon', 'text/xml; charset=hex', 'text/xml; charset=', 'charset']) {
    it(`takes ${contentType} for UTF-8`, () => {
      expect(documentEncoding(Buffer.from('<a/>'), contentType)).to.equal('utf-8');
    });
  }

  it('looks for a declaration in the first 256 bytes only', () => {
    const declared = (blanks: number) =>
      Buffer.from(`<?xml version="1.0"${' '.repeat(blanks)}encoding="ISO-8859-1"?><a/>`);
    expect(documentEncoding(declared(256 - 40), undefined)).to.equal('iso-8859-1');
    expect(documentEncoding(declared(256), undefined)).to.equal('utf-8');
  });
});
