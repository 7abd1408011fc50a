import { inLanguageOf } from '../terminal/words/small-catalogue.js';

const words = {
  en: {
    dropHere: 'Or drop a file here.',
    upload: 'Upload',
    chooseOne: 'Choose a file.',
    onlyOne: 'One file at a time is taken.',
    tooLarge: (bytes: number, most: number) =>
      `The macro file is too large. The file has ${bytes} bytes. The maximum is ${most}.`,
    notSent: 'The file could not be sent. Nothing was changed.',
    signedOff: 'Your sign-on is over. Load this page again, and sign on.',
    answered: (status: number) => `The server answered with status ${status}.`,
  },
  de: {
    dropHere: 'Oder legen Sie eine Datei hier ab.',
    upload: 'Hochladen',
    chooseOne: 'Wählen Sie eine Datei.',
    onlyOne: 'Es wird nur eine Datei auf einmal angenommen.',
    tooLarge: (bytes: number, most: number) =>
      `Die Makrodatei ist zu groß. Sie hat ${bytes} Bytes; höchstens ${most} werden angenommen.`,
    notSent: 'Die Datei konnte nicht gesendet werden. Es wurde nichts geändert.',
    signedOff: 'Ihre Anmeldung ist abgelaufen. Laden Sie diese Seite neu, und melden Sie sich an.',
    answered: (status: number) => `Der Server antwortet mit ${status}.`,
  },
  fr: {
    dropHere: 'Ou déposez un fichier ici.',
    upload: 'Envoi',
    chooseOne: 'Choisissez un fichier.',
    onlyOne: 'Un seul fichier est accepté à la fois.',
    tooLarge: (bytes: number, most: number) =>
      `Le fichier de macros est trop grand. Il a ${bytes} octets\u00a0; ${most} au plus sont acceptés.`,
    notSent: 'Le fichier n’a pas pu être envoyé. Rien n’a été modifié.',
    signedOff: 'Votre connexion a expiré. Rechargez cette page et reconnectez-vous.',
    answered: (status: number) => `Le serveur a répondu avec le statut ${status}.`,
  },
};

export const uploadWords = () => inLanguageOf(document.documentElement, words);
