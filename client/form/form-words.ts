import { inLanguageOf } from '../terminal/words/small-catalogue.js';

const words = {
  en: {
    unreachable: 'The server cannot be reached. Nothing was sent.',
    answered: (status: number) => `The server answered ${status}.`,
    notAccepted: 'The host has not accepted that.',
    noCookies: 'Signing on needs a cookie, which this browser does not allow here.',
  },
  de: {
    unreachable: 'Der Server ist nicht erreichbar. Es wurde nichts gesendet.',
    answered: (status: number) => `Der Server antwortete mit ${status}.`,
    notAccepted: 'Der Host hat das nicht angenommen.',
    noCookies: 'Die Anmeldung braucht ein Cookie, und dieser Browser lässt hier keines zu.',
  },
  fr: {
    unreachable: 'Le serveur est injoignable. Rien n’a été envoyé.',
    answered: (status: number) => `Le serveur a répondu ${status}.`,
    notAccepted: 'L’hôte ne l’a pas accepté.',
    noCookies: 'La connexion a besoin d’un cookie, que ce navigateur n’autorise pas ici.',
  },
};

export const formWords = () => inLanguageOf(document.documentElement, words);
