import { type ErrorCode, errorCatalogue } from '../../lib/errors.js';
import { characterNumber, isVisible } from '../../lib/text/typed-characters.js';
import { reasonPhrase } from '../../lines/listener/refusal.js';
import type { PageLanguage } from './page-words.js';
import { endingWords } from './session-words.js';

interface ErrorWords {
  readonly firstPage: string;
  readonly requestId: string;
  /** By status. */
  readonly titles: Readonly<Record<number, string>>;
  /** Of errors that users of pages meet; all others are met by programs, and are English. */
  readonly messages: Readonly<Partial<Record<ErrorCode, string>>>;
}

const german: ErrorWords = {
  firstPage: 'Startseite',
  requestId: 'Kennung der Anfrage',
  titles: {
    400: 'Fehlerhafte Anfrage',
    401: 'Anmeldung nötig',
    403: 'Nicht erlaubt',
    404: 'Nicht gefunden',
    405: 'Methode nicht erlaubt',
    406: 'Nicht möglich',
    408: 'Zu langsam',
    409: 'Konflikt',
    412: 'Inzwischen geändert',
    413: 'Zu groß',
    414: 'Adresse zu lang',
    415: 'Falscher Typ',
    421: 'Falsche Adresse',
    422: 'Zu komplex',
    429: 'Zu viele Versuche',
    431: 'Kopfzeilen zu groß',
    500: 'Fehler des Servers',
    502: 'Fehler des Hosts',
    503: 'Zurzeit nicht möglich',
    504: 'Keine Antwort',
  },
  messages: {
    SVC_ERR_REQUEST_CONNECTION: 'Der Header Connection nennt einen Header, der den Server erreichen muss.',
    SVC_ERR_REQUEST_PATH: 'Die Adresse ist fehlerhaft.',
    SVC_ERR_REQUEST_ENCODING: 'Die Adresse ist fehlerhaft kodiert.',
    SVC_ERR_REQUEST_METHOD: 'Diese Methode ist hier nicht erlaubt.',
    SVC_ERR_REQUEST_ORIGIN: 'Die Anfrage kommt von einer fremden Website.',
    SVC_ERR_REQUEST_HOST: 'Unter diesem Namen wird hier nichts angeboten.',
    SVC_ERR_REQUEST_SLOW: 'Die Anfrage kam nicht rechtzeitig an.',
    SVC_ERR_REQUEST_BODY_SIZE: 'Was gesendet wurde, ist zu groß.',
    SVC_ERR_TEMPLATE_UNKNOWN: 'Diese Seite gibt es nicht.',
    SVC_ERR_TEMPLATE_BROKEN: 'Der Server konnte das nicht ausführen.',
    SVC_ERR_TEMPLATE_RENDERING: 'Der Server konnte das nicht ausführen.',
    SVC_ERR_TRANSACTION_UNKNOWN: 'Diese Transaktion gibt es nicht.',
    SVC_ERR_TRANSACTION_SECURED: 'Diese Transaktion verlangt eine Anmeldung.',
    SVC_ERR_TRANSACTION_UNAVAILABLE: 'Diese Transaktion wird hier nicht angeboten.',
    SVC_ERR_SESSION_UNKNOWN: 'Diese Sitzung gibt es nicht, oder sie ist beendet.',
    SVC_ERR_NODE_GONE:
      'Den Server, der diese Sitzung hatte, gibt es nicht mehr, und die Sitzung mit ihm. Bitte beginnen Sie eine neue.',
    SVC_ERR_NODE_UNREACHABLE:
      'Der zuständige Server ist im Moment nicht erreichbar. Bitte versuchen Sie es noch einmal.',
    SVC_ERR_NODE_LATE: 'Der zuständige Server hat nicht rechtzeitig geantwortet. Bitte versuchen Sie es noch einmal.',
    SVC_ERR_SESSION_LIMIT: 'Im Moment kann keine weitere Sitzung beginnen. Bitte versuchen Sie es noch einmal.',
    SVC_ERR_LINE_DRAINED: 'Hier beginnt im Moment keine weitere Sitzung. Bitte versuchen Sie es später noch einmal.',
    SVC_ERR_SUBMIT_SCREEN:
      'Es war ein anderer Bildschirm da als der, für den die Taste war. Zum Host wurde nichts gesendet.',
    SVC_ERR_SUBMIT_REVISION: 'X-Svc-Revision muss die Revision eines Bildschirms dieser Sitzung sein.',
    SVC_ERR_SUBMIT_FIELD: 'Ein Feld kann nicht aufnehmen, was gesendet wurde.',
    SVC_ERR_SUBMIT_KEY: 'Diese Taste nimmt die Seite nicht an.',
    SVC_ERR_SUBMIT_NUMBER: 'Die Nummer der Anfrage ist fehlerhaft oder nicht an der Reihe.',
    SVC_ERR_CRYPTO_REFUSED:
      'Die verschlüsselten Felder konnten nicht gelesen werden. Bitte geben Sie sie noch einmal ein.',
    SVC_ERR_HOST_DEVICE: 'Die logische Einheit wird schon benutzt oder ist nicht verfügbar.',
    SVC_ERR_HOST_PROTOCOL:
      'Nur eine Seite verwendet TLS, der Server oder der Host. Bitte sagen Sie es Ihrem Administrator.',
    SVC_ERR_HOST_REFUSED: 'Der Host war nicht erreichbar, oder er hat die Sitzung beendet.',
    SVC_ERR_TRANSFER_OFF: 'In dieser Sitzung werden keine Dateien übertragen.',
    SVC_ERR_TRANSFER_BUSY: 'Es werden gerade zu viele Dateien übertragen. Bitte versuchen Sie es noch einmal.',
    SVC_ERR_TRANSFER_CANCELLED: 'Die Übertragung wurde abgebrochen.',
    SVC_ERR_TRANSFER_FAILED: 'Die Datei wurde nicht übertragen.',
    SVC_ERR_HOST_SILENT: 'Der Host hat noch nicht geantwortet.',
    SVC_ERR_HOST_FAULTY:
      'Der Host hat etwas gesendet, das nicht angezeigt werden kann. Was für den Bildschirm dahinter gesendet wurde, ist nicht eingegeben worden.',
    SVC_ERR_HOST_GONE: 'Der Host hat die Sitzung beendet.',
    SVC_ERR_HOST_UNREACHABLE: 'Der Host ist nicht erreichbar.',
    SVC_ERR_SIGNON_NEEDED: 'Melden Sie sich mit Benutzerkennung und Passwort an.',
    SVC_ERR_SIGNON_REFUSED:
      'Die Benutzerkennung oder das Passwort ist falsch, oder der Benutzer darf sich nicht anmelden.',
    SVC_ERR_FILE_BUSY: 'Im Moment werden zu viele Änderungen vorgenommen. Bitte versuchen Sie es noch einmal.',
    SVC_ERR_SIGNON_LIMIT: 'Zu viele Anmeldungen sind gescheitert. Bitte versuchen Sie es später noch einmal.',
    SVC_ERR_SIGNON_REPLACED:
      'Ihre Anmeldung ist beendet: Zu viele waren offen, und eine neuere hat sie ersetzt. Melden Sie sich noch einmal an.',
    SVC_ERR_SIGNON_ROLE: 'Dieser Benutzer darf das nicht.',
    SVC_ERR_SECURITY_UNAVAILABLE: 'Benutzer können im Moment nicht geprüft werden. Bitte versuchen Sie es noch einmal.',
    SVC_ERR_AUDIT_PACE:
      'Innerhalb einer Minute wurden zu viele Änderungen verlangt. Bitte versuchen Sie es später noch einmal.',
    SVC_ERR_STORE_UNAVAILABLE:
      'Was gespeichert ist, kann im Moment nicht gelesen oder geändert werden. Bitte versuchen Sie es noch einmal.',
    SVC_ERR_MACRO_CONTENT: 'Diese Makrodatei ist fehlerhaft.',
    SVC_ERR_MACRO_SIZE: 'Die Makrodatei ist zu groß.',
    SVC_ERR_MACRO_CHANGED: 'Die Makros wurden inzwischen geändert. Lesen Sie sie zuerst neu.',
    SVC_ERR_SETTINGS_CONTENT: 'Diese Einstellungen sind fehlerhaft.',
    SVC_ERR_SETTINGS_CHANGED: 'Die Einstellungen wurden inzwischen geändert. Lesen Sie sie zuerst neu.',
    SVC_ERR_CHECK_COMPLEX: 'Dieser Text ist zu komplex, um geprüft zu werden. Vereinfachen oder kürzen Sie ihn.',
    SVC_ERR_CHECK_BUSY: 'Zu viele Texte warten auf ihre Prüfung. Bitte versuchen Sie es noch einmal.',
    SVC_ERR_DRAFTS_FULL:
      'Zu viele Services warten auf die Veröffentlichung. Bitten Sie einen Administrator, sie durchzusehen.',
    SVC_ERR_SESSION_BUSY: 'Eine andere Anfrage benutzt diese Sitzung noch.',
    SVC_ERR_SERVICE_BUSY: 'Der Server ist ausgelastet. Bitte versuchen Sie es noch einmal.',
    SVC_ERR_SERVICE_FAILED: 'Der Server konnte das nicht ausführen.',
  },
};

const french: ErrorWords = {
  firstPage: 'Page d’accueil',
  requestId: 'Identifiant de la requête\u00a0',
  titles: {
    400: 'Requête incorrecte',
    401: 'Connexion nécessaire',
    403: 'Non autorisé',
    404: 'Introuvable',
    405: 'Méthode non autorisée',
    406: 'Impossible',
    408: 'Trop lent',
    409: 'Conflit',
    412: 'Modifié entre-temps',
    413: 'Trop volumineux',
    414: 'Adresse trop longue',
    415: 'Type incorrect',
    421: 'Adresse incorrecte',
    422: 'Trop complexe',
    429: 'Trop de tentatives',
    431: 'En-têtes trop volumineux',
    500: 'Erreur du serveur',
    502: 'Erreur de l’hôte',
    503: 'Impossible pour le moment',
    504: 'Pas de réponse',
  },
  messages: {
    SVC_ERR_REQUEST_CONNECTION: 'L’en-tête Connection nomme un en-tête qui doit parvenir au serveur.',
    SVC_ERR_REQUEST_PATH: 'L’adresse est incorrecte.',
    SVC_ERR_REQUEST_ENCODING: 'Le codage de l’adresse est incorrect.',
    SVC_ERR_REQUEST_METHOD: 'Cette méthode n’est pas autorisée ici.',
    SVC_ERR_REQUEST_ORIGIN: 'La requête vient de la page d’un autre site.',
    SVC_ERR_REQUEST_HOST: 'Rien n’est proposé ici sous ce nom.',
    SVC_ERR_REQUEST_SLOW: 'La requête n’est pas arrivée à temps.',
    SVC_ERR_REQUEST_BODY_SIZE: 'Ce qui a été envoyé est trop volumineux.',
    SVC_ERR_TEMPLATE_UNKNOWN: 'Cette page n’existe pas.',
    SVC_ERR_TEMPLATE_BROKEN: 'Le serveur n’a pas pu le faire.',
    SVC_ERR_TEMPLATE_RENDERING: 'Le serveur n’a pas pu le faire.',
    SVC_ERR_TRANSACTION_UNKNOWN: 'Cette transaction n’existe pas.',
    SVC_ERR_TRANSACTION_SECURED: 'Cette transaction demande une connexion.',
    SVC_ERR_TRANSACTION_UNAVAILABLE: 'Cette transaction n’est pas proposée ici.',
    SVC_ERR_SESSION_UNKNOWN: 'Cette session n’existe pas, ou elle est terminée.',
    SVC_ERR_NODE_GONE:
      'Le serveur qui avait cette session n’existe plus, et la session non plus. Veuillez en commencer une autre.',
    SVC_ERR_NODE_UNREACHABLE: 'Le serveur concerné n’est pas joignable pour le moment. Veuillez réessayer.',
    SVC_ERR_NODE_LATE: 'Le serveur concerné n’a pas répondu à temps. Veuillez réessayer.',
    SVC_ERR_SESSION_LIMIT: 'Aucune autre session ne peut commencer pour le moment. Veuillez réessayer.',
    SVC_ERR_LINE_DRAINED: 'Aucune autre session ne commence ici pour le moment. Veuillez réessayer plus tard.',
    SVC_ERR_SUBMIT_SCREEN: 'L’écran n’était plus celui auquel la touche était destinée. Rien n’a été envoyé à l’hôte.',
    SVC_ERR_SUBMIT_REVISION: 'X-Svc-Revision doit être la révision d’un écran de cette session.',
    SVC_ERR_SUBMIT_FIELD: 'Une zone ne peut pas recevoir ce qui a été envoyé.',
    SVC_ERR_SUBMIT_KEY: 'Cette touche n’est pas acceptée par la page.',
    SVC_ERR_SUBMIT_NUMBER: 'Le numéro de la requête est incorrect ou n’est pas attendu.',
    SVC_ERR_CRYPTO_REFUSED: 'Les zones chiffrées n’ont pas pu être lues. Veuillez les saisir à nouveau.',
    SVC_ERR_HOST_DEVICE: 'L’unité logique est déjà utilisée ou n’est pas disponible.',
    SVC_ERR_HOST_PROTOCOL:
      'Soit le serveur, soit l’hôte utilise TLS, mais pas les deux. Veuillez prévenir votre administrateur.',
    SVC_ERR_HOST_REFUSED: 'L’hôte n’a pas pu être joint, ou il a mis fin à la session.',
    SVC_ERR_TRANSFER_OFF: 'Aucun fichier n’est transféré dans cette session.',
    SVC_ERR_TRANSFER_BUSY: 'Trop de fichiers sont en cours de transfert. Veuillez réessayer.',
    SVC_ERR_TRANSFER_CANCELLED: 'Le transfert a été annulé.',
    SVC_ERR_TRANSFER_FAILED: 'Le fichier n’a pas été transféré.',
    SVC_ERR_HOST_SILENT: 'L’hôte n’a pas encore répondu.',
    SVC_ERR_HOST_FAULTY:
      'L’hôte a envoyé quelque chose qui ne peut pas être affiché. Ce qui était destiné à l’écran suivant n’a pas été saisi.',
    SVC_ERR_HOST_GONE: 'L’hôte a mis fin à la session.',
    SVC_ERR_HOST_UNREACHABLE: 'L’hôte ne peut pas être joint.',
    SVC_ERR_SIGNON_NEEDED: 'Connectez-vous avec votre identifiant et votre mot de passe.',
    SVC_ERR_SIGNON_REFUSED:
      'L’identifiant ou le mot de passe est incorrect, ou l’utilisateur n’a pas le droit de se connecter.',
    SVC_ERR_FILE_BUSY: 'Trop de modifications sont en cours. Veuillez réessayer.',
    SVC_ERR_SIGNON_LIMIT: 'Trop de connexions ont échoué. Veuillez réessayer plus tard.',
    SVC_ERR_SIGNON_REPLACED:
      'Votre connexion a pris fin\u00a0: il y en avait trop, et une plus récente l’a remplacée. Veuillez vous reconnecter.',
    SVC_ERR_SIGNON_ROLE: 'Cet utilisateur n’en a pas le droit.',
    SVC_ERR_SECURITY_UNAVAILABLE: 'Les utilisateurs ne peuvent pas être vérifiés pour le moment. Veuillez réessayer.',
    SVC_ERR_AUDIT_PACE: 'Trop de modifications ont été demandées en une minute. Veuillez réessayer plus tard.',
    SVC_ERR_STORE_UNAVAILABLE:
      'Ce qui est enregistré ne peut être ni lu ni modifié pour le moment. Veuillez réessayer.',
    SVC_ERR_MACRO_CONTENT: 'Ce fichier de macros est incorrect.',
    SVC_ERR_MACRO_SIZE: 'Le fichier de macros est trop volumineux.',
    SVC_ERR_MACRO_CHANGED: 'Les macros ont été modifiées entre-temps. Relisez-les d’abord.',
    SVC_ERR_SETTINGS_CONTENT: 'Ces paramètres sont incorrects.',
    SVC_ERR_SETTINGS_CHANGED: 'Les paramètres ont été modifiés entre-temps. Relisez-les d’abord.',
    SVC_ERR_CHECK_COMPLEX: 'Ce texte est trop complexe pour être vérifié. Simplifiez-le ou raccourcissez-le.',
    SVC_ERR_CHECK_BUSY: 'Trop de textes attendent d’être vérifiés. Veuillez réessayer.',
    SVC_ERR_DRAFTS_FULL: 'Trop de services attendent d’être publiés. Demandez à un administrateur de les examiner.',
    SVC_ERR_SESSION_BUSY: 'Une autre requête utilise encore cette session.',
    SVC_ERR_SERVICE_BUSY: 'Le serveur est très occupé. Veuillez réessayer.',
    SVC_ERR_SERVICE_FAILED: 'Le serveur n’a pas pu le faire.',
  },
};

const english: ErrorWords = { firstPage: 'Home page', requestId: 'Request id', titles: {}, messages: {} };
const catalogues: Readonly<Record<PageLanguage, ErrorWords>> = { en: english, de: german, fr: french };

/** What an error page says, in the language of who reads it; what there are no words for there is English. */
export function errorPageWords(code: ErrorCode, language: PageLanguage) {
  const { firstPage, requestId, titles, messages } = catalogues[language];
  const { status, message } = errorCatalogue[code];
  return {
    title: titles[status] ?? reasonPhrase(status),
    message: messages[code] ?? message,
    isMessageEnglish: language === 'en' || messages[code] === undefined,
    firstPage,
    requestId,
  };
}

/** The message of an error in another language than English; undefined: there is none. */
export function translatedMessage(code: ErrorCode, language: PageLanguage): string | undefined {
  return catalogues[language].messages[code];
}

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
