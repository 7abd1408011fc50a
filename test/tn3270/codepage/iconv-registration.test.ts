import { expect } from 'chai';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import {
  codePageAliases,
  codePageNumbers,
  isAmbiguousCodePageName,
} from '../../../src/tn3270/codepage/code-page-names.js';
import { codePageNames, findCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { registerCodePages } from '../../../src/tn3270/codepage/iconv-registration.js';

const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

/** iconv-lite's types list only the names it has by itself. */
const known = (name: string) => {
  if (!iconv.encodingExists(name)) throw new Error(`iconv-lite does not know ${name}`);
  return name;
};

describe('code pages in iconv-lite', () => {
  let namesBefore: string[];

  before(() => {
    iconv.encodingExists('utf8');
    namesBefore = Object.keys(iconv.encodings ?? {});
    registerCodePages();
  });

  it('are known under every name', () => {
    for (const number of codePageNumbers) {
      for (const alias of codePageAliases(number)) {
        expect(iconv.decode(everyByte, known(alias)), alias).to.equal(findCodePage(alias)?.decode(everyByte));
      }
    }
  });

  it('encode and decode what the charts say', () => {
    expect(iconv.encode('0.7236 €', known('ibm1147')).toString('hex')).to.equal('f04bf7f2f3f6409f');
    expect(iconv.decode(Buffer.from('c8859393964f', 'hex'), known('cp037'))).to.equal('Hello|');
    expect(iconv.decode(Uint8Array.of(0xad, 0xbd), known('IBM-1047'))).to.equal('[]');
  });

  it('have the one without a number, too', () => {
    for (const name of ['bracket', 'oldibm', 'bracket437']) {
      expect(iconv.decode(Uint8Array.of(0xad, 0xbd), known(name)), name).to.equal('[]');
    }
  });

  it('encode and decode pairs', () => {
    expect(iconv.encode('A日本B', known('ibm939')).toString('hex')).to.equal('c10e456245660fc2');
    expect(iconv.decode(Buffer.from('c10e456245660fc2', 'hex'), known('cp939'))).to.equal('A日本B');
  });

  it('give Buffers', () => {
    expect(Buffer.isBuffer(iconv.encode('A', known('IBM037')))).to.equal(true);
    expect(iconv.encode('', known('IBM037'))).to.have.length(0);
  });

  it('substitute with SUB, not with a question mark', () => {
    expect(iconv.encode('a\u4e2d\u{1f600}?\ud83d', known('IBM037')).toString('hex')).to.equal('813f3f6f3f');
  });

  it('can be registered again and leave every other encoding alone', () => {
    const names = Object.keys(iconv.encodings ?? {});
    const page = iconv.getCodec(known('IBM037'));
    registerCodePages();
    expect(Object.keys(iconv.encodings ?? {})).to.deep.equal(names);
    expect(iconv.getCodec(known('IBM037'))).to.equal(page);
    expect(names).to.include.members(namesBefore);
    expect(iconv.encode('é', 'latin1').toString('hex')).to.equal('e9');
    expect(iconv.encode('é', 'cp437').toString('hex')).to.equal('82');
    expect(iconv.encode('é', 'utf8').toString('hex')).to.equal('c3a9');
  });

  it('leave the names that are other character sets to those', () => {
    for (const name of ['us', 'hebrew', 'greek', 'turkish', 'thai']) {
      expect(namesBefore, name).to.include(name);
      expect(isAmbiguousCodePageName(name.toUpperCase()), name).to.equal(true);
      expect(findCodePage(name), name).not.to.equal(undefined);
      expect(iconv.encode('A', known(name)).toString('hex'), name).to.equal('41');
    }
    expect(isAmbiguousCodePageName('UK')).to.equal(true); // BS 4730 to IANA
    expect(iconv.encodingExists('uk')).to.equal(false);
    expect(isAmbiguousCodePageName('us-intl')).to.equal(false);
    expect(isAmbiguousCodePageName('toString')).to.equal(false);
  });

  it('do not let their codec be asked for as an encoding', () => {
    for (const name of ['_codepage', 'codepage', 'CODE-PAGE']) expect(iconv.encodingExists(name), name).to.equal(false);
  });

  it('encode in pieces cut anywhere, within a surrogate pair too, as in one', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...codePageNames()),
        fc.array(fc.constantFrom('a', 'é', '€', '\u4e2d', 'か', '\u309a', '\u{1f600}', '\ud83d', '\ude00', ''), {
          maxLength: 30,
        }),
        fc.array(fc.nat({ max: 60 }), { maxLength: 6 }),
        (name, characters, cuts) => {
          const text = characters.join('');
          const encoder = iconv.getEncoder(known(name));
          const pieces = cutAt(text, cuts).map((piece) => encoder.write(piece));
          const whole = Buffer.concat([...pieces, encoder.end() ?? Buffer.alloc(0)]);
          expect(whole.toString('hex')).to.equal(Buffer.from(findCodePage(name)?.encode(text) ?? []).toString('hex'));
          expect(encoder.end()).to.equal(undefined);
        },
      ),
    );
  });

  it('stream', async () => {
    const encoded: Buffer[] = [];
    const encoder = iconv.encodeStream(known('IBM1147'));
    encoder.on('data', (piece: Buffer) => encoded.push(piece));
    for (const piece of ['0.72', '36', ' €\ud83d', '\ude00\ud83d']) encoder.write(piece);
    await ended(encoder);
    expect(Buffer.concat(encoded).toString('hex')).to.equal('f04bf7f2f3f6409f3f3f');

    let decoded = '';
    const decoder = iconv.decodeStream(known('IBM1147'));
    decoder.on('data', (piece: string) => {
      decoded += piece;
    });
    for (const piece of ['f04bf7', 'f2f3', 'f6409f']) decoder.write(Buffer.from(piece, 'hex'));
    await ended(decoder);
    expect(decoded).to.equal('0.7236 €');
  });
});

function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
  return places.slice(1).map((place, at) => text.slice(places[at], place));
}

function ended(stream: NodeJS.ReadWriteStream): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.on('error', reject);
    stream.on('end', () => resolve());
    stream.end();
  });
}
