import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { languageOf } from '../../src/web/words/page-words.js';

const asked = (headers: Readonly<Record<string, string>>) => languageOf({ headers } as unknown as IncomingMessage);

describe('the language of a page', () => {
  for (const [accepted, language] of [
    ['fr', 'fr'],
    ['fr-CA', 'fr'],
    ['de-CH,de;q=0.9,en;q=0.8', 'de'],
    // RFC 9110, 12.5.4: q weighs, and 0 is "not this"
    ['en;q=0.5, fr;q=0.7', 'fr'],
    ['de;q=0, fr;q=0', 'en'],
    ['it, es;q=0.5', 'en'],
    ['*', 'en'],
    ['frisian', 'en'],
    ['', 'en'],
    [`${'it,'.repeat(64)}fr`, 'en'],
    [`${'it,'.repeat(63)}fr`, 'fr'],
  ] as const) {
    it(`is ${language} for Accept-Language: ${accepted.slice(0, 40)} (${accepted.length} characters)`, () => {
      expect(asked({ 'accept-language': accepted })).to.equal(language);
    });
  }

  it('is English where nothing is said', () => {
    expect(asked({})).to.equal('en');
  });

  it('is what the user has chosen, whatever the browser wants', () => {
    expect(asked({ cookie: 'a=b; sallyport-language=de; c=d', 'accept-language': 'fr' })).to.equal('de');
    expect(asked({ cookie: 'sallyport-language=en', 'accept-language': 'fr' })).to.equal('en');
  });

  it('is not what a cookie says that no page speaks, or that is another', () => {
    for (const cookie of [
      'sallyport-language=xx',
      'sallyport-language=../fr',
      'not-sallyport-language=de',
      'sallyport-language=',
    ]) {
      expect(asked({ cookie, 'accept-language': 'fr' }), cookie).to.equal('fr');
    }
  });
});
