/** Words for what nobody is to see, as programs and panels of hosts abbreviate them, and as hosts of other countries name it; without accents. */
const SECRET_WORDS = [
  'pass|pwd|psw|paswd|(?:^|[^a-z])pw|pw\\d*$|(?:^|[^a-z])pin|pin\\d*$|(?:^|[^a-z])otp|otp\\d*$',
  'key|secret|token|credential|sesskey|svcsession|ajaxsession|signon',
  'kennw|codewo|kodewo|losungsw|geheim|mdp|mot.?de.?pas|contrasen|clave|senha|parol|parool',
  'wachtw|wagwoord|losenord|adgangsk|kodeord|salasana|tunnusl|has[lł]o|heslo|geslo|lozink|jelszo|sifre|slaptaz|zaporka',
  'парол|лозинк|κωδικ|סיסמ|密码|密碼|パスワード|暗証|비밀번호|암호',
];
const SECRET_NAME = new RegExp(SECRET_WORDS.join('|'), 'iu');
const NOT_ASCII = /[^\t -~]/;

/** Whether values under this name (a parameter's, a variable's) are kept out of logs and traces. */
export function isSecretName(name: string): boolean {
  if (SECRET_NAME.test(name)) return true;
  return NOT_ASCII.test(name) && SECRET_NAME.test(name.normalize('NFD').replace(/\p{M}/gu, ''));
}
