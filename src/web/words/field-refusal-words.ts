import { characterNumber, isVisible } from '../../lib/text/typed-characters.js';
import type { PageLanguage } from './page-language.js';
import { endingWords } from './session-words.js';

type Words = Readonly<Record<PageLanguage, string>>;

/** What is said behind the name of a field, by the reason. */
const refusals: Readonly<Record<string, Words>> = {
  unknownField: {
    en: 'is not a field on this screen.',
    de: 'ist kein Feld dieses Bildschirms.',
    fr: 'n’est pas une zone de cet écran.',
  },
  cursorOutside: {
    en: 'is not a valid position for the cursor.',
    de: 'ist keine gültige Position für den Cursor.',
    fr: 'n’est pas une position valide pour le curseur.',
  },
  goElsewhere: { en: 'is protected.', de: 'ist geschützt.', fr: 'est une zone protégée.' },
  tooLong: {
    en: 'is too short for the text.',
    de: 'hat nicht genug Platz für den Text.',
    fr: 'n’a pas assez de place pour le texte.',
  },
  untypable: {
    en: 'contains a character that the host does not support.',
    de: 'enthält ein Zeichen, das der Host nicht kennt.',
    fr: 'contient un caractère que l’hôte ne connaît pas.',
  },
  numericField: {
    en: 'accepts only digits, minus and full stop.',
    de: 'nimmt nur Ziffern, Minus und Punkt an.',
    fr: 'n’accepte que des chiffres, le signe moins et le point.',
  },
  doubleByteCharacter: {
    en: 'does not accept characters of this kind.',
    de: 'nimmt Zeichen dieser Art nicht an.',
    fr: 'n’accepte pas les caractères de ce type.',
  },
  mandatoryFill: {
    en: 'must be filled.',
    de: 'muss ganz ausgefüllt werden.',
    fr: 'est à remplir entièrement.',
  },
  mandatoryEntry: { en: 'must be entered.', de: 'braucht eine Eingabe.', fr: 'est à renseigner.' },
  choice: {
    en: 'takes one of its choices.',
    de: 'nimmt nur eine der angebotenen Möglichkeiten an.',
    fr: 'n’accepte que l’un des choix proposés.',
  },
  otherwise: { en: 'cannot take this.', de: 'kann das nicht aufnehmen.', fr: 'ne peut pas recevoir cela.' },
};

/** For a character that may be named. */
const lacking: Words = {
  en: 'contains {character}, which the host’s code page lacks.',
  de: 'enthält {character}: Dieses Zeichen fehlt der Codepage des Hosts.',
  fr: 'contient {character}, qui manque à la page de code de l’hôte.',
};
const saysLacking = / contains (?<character>.+ \(U\+.+\)|U\+[0-9A-F]+), which the host’s code page lacks\.$/u;

/** A field is short for what was typed into it and for what was sent. */
const sameWords: Readonly<Record<string, string>> = { tooMuchEntered: 'tooLong' };

/** Why a field was refused, in words for its user. */
export function fieldRefusal(reason: string, character?: string): string {
  if (character !== undefined) return lacking.en.replace('{character}', () => namedCharacter(character));
  return (refusals[sameWords[reason] ?? reason] ?? refusals.otherwise)?.en ?? '';
}

/** With its number: characters that look alike have others. */
function namedCharacter(character: string): string {
  const number = characterNumber(character);
  return isVisible(character) ? `${character} (${number})` : number;
}

/** The same in another language. @param said the field and `fieldRefusal`; undefined: it says something else */
export function fieldRefusalWords(said: string, language: PageLanguage): string | undefined {
  const { 0: end = '', groups } = saysLacking.exec(said) ?? {};
  if (groups !== undefined) {
    const words = lacking[language].replace('{character}', () => groups.character ?? '');
    return `${said.slice(0, -end.length)} ${words}`;
  }
  for (const words of Object.values(refusals)) {
    if (said.endsWith(` ${words.en}`)) return said.slice(0, -words.en.length) + words[language];
  }
  return undefined;
}

/** What an error says beside its message; what a network or a program says stays as it is. */
export function detailWords(detail: string, language: PageLanguage): string {
  return fieldRefusalWords(detail, language) ?? endingWords(detail, language);
}
