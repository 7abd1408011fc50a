import { expect } from 'chai';
import { SourceError } from '../../src/lib/documents/source-diagnostic.js';
import { compileTemplate } from '../../src/templates/compile.js';

/** What frames a message or is of one connection (RFC 9110, 7.6 and 8; RFC 9112, 6), and what the server says of itself. */
const headers = [
  'Connection',
  'Content-Encoding',
  'Content-Length',
  'Content-Type',
  'Date',
  'Keep-Alive',
  'Server',
  'TE',
  'Trailer',
  'Transfer-Encoding',
  'Upgrade',
];

function compiled(header: string): unknown {
  const source = `<!--SVC start="{{{" end="}}}" -->{{{SET-HEADER (AS-IS) "${header}: x"}}}`;
  try {
    return compileTemplate(source, { file: 'source.html' });
  } catch (error) {
    return error;
  }
}

describe('headers that a page cannot set', () => {
  for (const header of headers) {
    it(header, () => {
      for (const written of [header, header.toLowerCase(), header.toUpperCase()]) {
        const error = compiled(written);
        expect(error).to.be.instanceOf(SourceError);
        expect((error as SourceError).message).to.contain(`SET-HEADER cannot set ${written}: `);
      }
    });
  }

  it('are these alone: another of a similar name is set', () => {
    expect(compiled('X-Transfer-Encoding')).to.not.be.instanceOf(Error);
  });
});
