import { terminal as english } from '../../../locales/en.json';
import type { Catalogue } from './catalogue.js';
import { addWords, useCatalogue } from './words.js';

/** Other languages than English: a script of its own for each, which the build makes of the file of that language. */
const languages: readonly string[] = ['de', 'fr'];
let dialogWords: Promise<void> | undefined;

/** Has the page speak the language that the server has made it in. Where that cannot be had, it is English. */
export async function speakLanguageOfPage(): Promise<void> {
  useCatalogue({ language: 'en', words: english });
  const { lang } = document.documentElement;
  if (!languages.includes(lang)) return;
  try {
    const { words } = await catalogueOf(lang);
    useCatalogue({ language: lang, words: { ...english, ...words } });
    // a catalogue of another language is whole
    dialogWords = Promise.resolve();
  } catch {
    // the page works in English, too
  }
}

/** Loads a script that is not there from the beginning, and the words that it has need of. */
export async function loadScript<Module>(script: string): Promise<Module> {
  dialogWords ??= catalogueOf('en').then(({ words }) => addWords(words));
  try {
    const [module] = await Promise.all([import(script) as Promise<Module>, dialogWords]);
    return module;
  } catch (thrown) {
    dialogWords = undefined;
    throw thrown;
  }
}

async function catalogueOf(language: string): Promise<Catalogue> {
  const script = `./words-${language}.js`;
  return ((await import(script)) as { readonly catalogue: Catalogue }).catalogue;
}
