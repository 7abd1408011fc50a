import { terminal as english } from '../../../locales/en.json';
import type { Catalogue } from './catalogue.js';
import { addWords, useCatalogue } from './words.js';

/** Languages other than English. The build creates a script for each from the file of the language. */
const languages: readonly string[] = ['de', 'fr'];
let dialogWords: Promise<void> | undefined;

/** Loads the texts in the language of the page. If loading fails, texts are in English. */
export async function speakLanguageOfPage(): Promise<void> {
  useCatalogue({ language: 'en', words: english });
  const { lang } = document.documentElement;
  if (!languages.includes(lang)) return;
  try {
    const { words } = await catalogueOf(lang);
    useCatalogue({ language: lang, words: { ...english, ...words } });
    // a catalogue of another language includes the dialogs
    dialogWords = Promise.resolve();
  } catch {
    // the page falls back to English
  }
}

/** Loads a script on demand, with the texts of the dialogs. */
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
