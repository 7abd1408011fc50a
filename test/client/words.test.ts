import { expect } from 'chai';
import de from '../../locales/de.json' with { type: 'json' };
import en from '../../locales/en.json' with { type: 'json' };
import fr from '../../locales/fr.json' with { type: 'json' };
import { edgesOf, sourcesBelow } from '../support/sources.js';

type Words = Readonly<Record<string, string>>;

const sections = Object.keys(en) as (keyof typeof en)[];
const translations = [
  ['de', de],
  ['fr', fr],
] as const;
const beginning: Words = en.terminal;
const englishDialogs: Words = en.dialogs;
const PLURAL = /\.(?:zero|one|two|few|many|other)$/;

const placeholders = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();
const stem = (key: string): string => key.replace(PLURAL, '');
/** The keys of a catalogue; the forms of a plural count as one. */
const subjects = (words: Words): string[] => [...new Set(Object.keys(words).map(stem))].sort();

describe('catalogues of words', () => {
  for (const [language, locale] of translations) {
    it(`have the same sections in ${language}`, () => {
      expect(Object.keys(locale)).to.deep.equal(sections);
    });

    for (const section of sections) {
      const words: Words = locale[section];
      const original: Words = en[section];

      it(`have everything for ${section} in ${language}, and nothing else`, () => {
        expect(subjects(words)).to.deep.equal(subjects(original));
        expect(Object.entries(words).filter(([, text]) => text.trim() === '')).to.deep.equal([]);
      });

      it(`have the placeholders of the English words, for ${section} in ${language}`, () => {
        const other = Object.entries(words).filter(([key, text]) => {
          const like = original[key] ?? original[`${stem(key)}.other`] ?? '';
          return placeholders(text).join() !== placeholders(like).join();
        });
        expect(other).to.deep.equal([]);
      });
    }
  }

  for (const [language, locale] of [['en', en] as const, ...translations]) {
    it(`have the forms of a plural that ${language} has, wherever there is one`, () => {
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      const keys = sections.flatMap((section) => Object.keys(locale[section]).map((key) => `${section}/${key}`));
      const plurals = [...new Set(keys.filter((key) => PLURAL.test(key)).map(stem))];
      const missing = plurals.flatMap((key) =>
        forms.map((form) => `${key}.${form}`).filter((form) => !keys.includes(form)),
      );
      expect(missing).to.deep.equal([]);
      expect(plurals).to.not.be.empty;
    });
  }

  it('have a word once, and from the beginning where the page needs it from the beginning', () => {
    const sources = sourcesBelow('client');
    const edges = edgesOf(sources).filter(({ typesOnly }) => !typesOnly);
    const reached = new Set(['client/terminal/main.ts', 'client/sessions/main.ts']);
    for (const file of reached) for (const edge of edges) if (edge.file === file) reached.add(edge.target);
    const text = [...reached]
      .filter((file) => !file.includes('/words/'))
      .map((file) => sources.get(file) ?? '')
      .join();
    const late = Object.keys(englishDialogs).filter(
      (key) => text.includes(`'${key}'`) || text.includes(`'${stem(key)}'`),
    );
    expect(late).to.deep.equal([]);
    expect(Object.keys(englishDialogs).filter((key) => key in beginning)).to.deep.equal([]);
  });

  it('are where the words of the terminal come from: its code has none of its own', () => {
    const shown =
      /\b(?:textContent|title|ariaLabel|placeholder|ariaDescription)\s*[=:]\s*(['"`])(.*?)\1|\b(?:say|announce)\((['"`])(.*?)\3/g;
    // of keys, and of names in lower case, which things are called by, there may be any
    const isWords = (text: string) =>
      /\p{L}/u.test(text.replaceAll(/\$\{[^}]*\}|Sallyport/g, '')) &&
      !/^(?:[a-z]\w*|(?:Ctrl|Alt|Shift)\+.*)$/.test(text);
    const found = [
      ...sourcesBelow(
        'client/terminal',
        'client/sessions',
        'client/portal',
        'client/embedding',
        'client/form',
        'client/home',
        'client/console',
        'client/watch',
      ),
    ]
      .filter(([file]) => !file.includes('/words/'))
      .flatMap(([file, source]) =>
        [...source.matchAll(shown)]
          .filter(([, , one, , other]) => isWords(one ?? other ?? ''))
          .map(([text]) => `${file}: ${text}`),
      );
    expect(found).to.deep.equal([]);
  });

  it('break no line before a sign that French sets a space before', () => {
    const breaking = sections.flatMap((section) =>
      Object.entries(fr[section]).filter(([, text]) => / [:;?!»]|« /.test(text)),
    );
    expect(breaking).to.deep.equal([]);
  });
});
