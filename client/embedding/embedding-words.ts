import { inLanguageOf } from '../terminal/words/small-catalogue.js';

const words = {
  en: {
    terminal: 'Terminal',
    noAddress: 'src is no address of a terminal.',
    noAnswer: 'The page in the frame does not answer: it is none of a terminal, or it may not be in this page.',
    notConnected: 'There is no terminal.',
    notTaken: 'A text has 10,000 characters at most, and rows and columns are counted from 1.',
    tooMany: 'As many requests wait for an answer as may.',
  },
  de: {
    terminal: 'Terminal',
    noAddress: 'src ist keine Adresse eines Terminals.',
    noAnswer: 'Die Seite im Rahmen antwortet nicht: Sie ist kein Terminal, oder sie darf nicht in dieser Seite stehen.',
    notConnected: 'Es ist kein Terminal da.',
    notTaken: 'Ein Text hat höchstens 10.000 Zeichen, und Zeilen und Spalten werden ab 1 gezählt.',
    tooMany: 'Mehr Anfragen dürfen nicht auf eine Antwort warten.',
  },
  fr: {
    terminal: 'Terminal',
    noAddress: 'src n’est pas l’adresse d’un terminal.',
    noAnswer:
      'La page du cadre ne répond pas\u00a0: ce n’est pas un terminal, ou elle n’a pas le droit d’être dans cette page.',
    notConnected: 'Il n’y a pas de terminal.',
    notTaken: 'Un texte a 10\u202f000 caractères au plus, et les lignes et les colonnes se comptent à partir de 1.',
    tooMany: 'Trop de demandes attendent déjà une réponse.',
  },
};

export const embeddingWords = (element: Element) => inLanguageOf(element, words);
