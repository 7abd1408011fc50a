import type { NoticeWords } from '../../sessions/session-notice.js';
import type { PageLanguage } from './page-words.js';

/** What is said to the user of a session; undefined: as the session says it, in English. */
export const noticeWords: Readonly<Record<PageLanguage, NoticeWords | undefined>> = {
  en: undefined,
  de: {
    faulty:
      'Der Host hat etwas gesendet, das dieses Terminal nicht anzeigen kann (X PROG {check}). Was Sie zuletzt gesendet haben, kann ihn erreicht haben.',
    otherScreen:
      'Der Bildschirm hat sich geändert, seit Sie die Taste gedrückt haben. An den Host wurde nichts gesendet.',
    message: 'Nachricht von {name}: {message}',
    silent:
      'Der Host sendet nichts, denn sein Port spricht TLS und der Server verbindet sich ohne TLS. Bitte sagen Sie es Ihrem Administrator.',
    watched: 'Diese Sitzung wird von {names} beobachtet.',
    traced: 'Was diese Sitzung mit ihrem Host austauscht, wird von {names} aufgezeichnet.',
  },
  fr: {
    faulty:
      'L’hôte a envoyé quelque chose que ce terminal ne peut pas afficher (X PROG {check}). Votre dernier envoi lui est peut-être parvenu.',
    otherScreen: 'L’écran a changé depuis que vous avez appuyé sur la touche. Rien n’a été envoyé à l’hôte.',
    message: 'Message de {name}\u00a0: {message}',
    silent:
      'L’hôte n’envoie rien, car son port utilise TLS et le serveur s’y connecte sans TLS. Veuillez prévenir votre administrateur.',
    watched: 'Cette session est observée par {names}.',
    traced: 'Ce que cette session échange avec son hôte est enregistré par {names}.',
  },
};

/** Why a session has ended, by what it says in English. */
const endings: Readonly<Record<string, Readonly<Partial<Record<PageLanguage, string>>>>> = {
  'the host does not answer': { de: 'der Host antwortet nicht', fr: 'l’hôte ne répond pas' },
  'the connection was cut in the middle of a record': {
    de: 'die Verbindung wurde mitten in einer Nachricht unterbrochen',
    fr: 'la connexion a été coupée au milieu d’un message',
  },
  'It is in use.': { de: 'Sie wird schon benutzt.', fr: 'Elle est déjà utilisée.' },
  'The host does not know its name.': { de: 'Der Host kennt ihren Namen nicht.', fr: 'L’hôte ne connaît pas son nom.' },
  'The host does not take this type of device.': {
    de: 'Der Host nimmt diese Art von Gerät nicht an.',
    fr: 'L’hôte n’accepte pas ce type d’appareil.',
  },
  'It is a device of another type.': { de: 'Sie ist ein Gerät anderer Art.', fr: 'C’est un appareil d’un autre type.' },
  'It is the printer of a display, and only that display has it.': {
    de: 'Sie ist der Drucker eines Bildschirms, und nur dieser bekommt ihn.',
    fr: 'C’est l’imprimante d’un écran, et seul cet écran l’obtient.',
  },
  'It is no display that has a printer.': {
    de: 'Sie ist kein Bildschirm, der einen Drucker hat.',
    fr: 'Ce n’est pas un écran qui a une imprimante.',
  },
  'The host cannot give what was asked for.': {
    de: 'Der Host kann nicht geben, worum er gebeten wurde.',
    fr: 'L’hôte ne peut pas fournir ce qui a été demandé.',
  },
  'The host gives no reason.': { de: 'Der Host nennt keinen Grund.', fr: 'L’hôte ne donne pas de raison.' },
  'The session failed.': { de: 'Die Sitzung ist gescheitert.', fr: 'La session a échoué.' },
};

/** Why a session has ended, in the language of its user; what a network or a program says stays as it is. */
export function endingWords(detail: string, language: PageLanguage): string {
  return endings[detail]?.[language] ?? detail;
}
