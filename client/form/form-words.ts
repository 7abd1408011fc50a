import { inLanguageOf } from '../terminal/words/small-catalogue.js';

const words = {
  en: {
    unreachable: 'The server cannot be reached. Nothing was sent.',
    answered: (status: number) => `The server answered ${status}.`,
    notAccepted: 'The host has not accepted that.',
  },
  de: {
    unreachable: 'Der Server ist nicht erreichbar. Es wurde nichts gesendet.',
    answered: (status: number) => `Der Server antwortete ${status}.`,
    notAccepted: 'Der Host hat das nicht angenommen.',
  },
  fr: {
    unreachable: 'Le serveur est injoignable. Rien n’a été envoyé.',
    answered: (status: number) => `Le serveur a répondu ${status}.`,
    notAccepted: 'L’hôte ne l’a pas accepté.',
  },
};

/** What a form says itself. */
export const formWords = () => inLanguageOf(document.documentElement, words);
