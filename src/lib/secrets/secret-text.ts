import { isSecretName } from './secret-names.js';

/** In place of a value that nobody is to see. */
export const MASK = '***';

const SESSION_CODE = /((?:Svc|Ajax)Session(?:=|%3D))[^\s"'&<>;+?]+/gi;
const TOKEN = /\bsallyport_[\w-]+/g;
const CREDENTIALS = /\b(Bearer|Basic|Negotiate|Digest)\s{1,8}[^\s"',<]+/gi;
/** Hidden fields of our pages carry codes and keys. */
const INPUT_TAG = /<input\b[^<>]*>?/gi;
const SECRET_INPUT = /\btype\s*=\s*["']?(?:hidden|password)\b/i;
const INPUT_NAME = /\bname\s*=\s*["']?([^"'\s>]+)/i;
const INPUT_VALUE = /\bvalue\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi;
const ELEMENT = /<([\p{L}\p{M}\w:.-]+)((?:\s[^<>]*)?)>([^<]+)/gu;
/** Also as panels of hosts have it: `Password . . . : `, `Password ===> `, `Password . . . `. */
const PAIR =
  /(?<![\p{L}\p{M}\w.$-])([\p{L}\p{M}\w.$-]+)(["']?(?:\s{0,8}\.){0,40}\s{0,8}(?:(?::|={1,8}>?)\s{0,8}|(?<=\.\s{0,8}\.\s{1,8})))("(?:[^"\\]|\\.)*"?|'[^']*'?|[^\s&,;<>}"']+)/gu;
/** What machines make up: codes, keys, digests. */
const OPAQUE = /[\w-]{20,}/g;

/** A text without what is a secret by its form: codes of sessions, tokens, credentials, hidden fields, and values under names of secrets. */
export function withoutSecrets(text: string): string {
  return text
    .replace(SESSION_CODE, `$1${MASK}`)
    .replace(TOKEN, MASK)
    .replace(CREDENTIALS, `$1 ${MASK}`)
    .replace(INPUT_TAG, (tag) => {
      const isSecret = SECRET_INPUT.test(tag) || isSecretName(INPUT_NAME.exec(tag)?.[1] ?? '');
      return isSecret ? tag.replace(INPUT_VALUE, `value="${MASK}"`) : tag;
    })
    .replace(ELEMENT, (element, name: string, rest: string) =>
      isSecretName(name) ? `<${name}${rest}>${MASK}` : element,
    )
    .replace(PAIR, (pair, name: string, sign: string) => (isSecretName(name) ? `${name}${sign}${MASK}` : pair))
    .replace(OPAQUE, (run) => (/[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run) ? MASK : run));
}

/** JSON in which no value can be read that stands under a name of a secret, however deep it is. */
export function withoutSecretMembers(value: unknown, isSecret = isSecretName): unknown {
  if (typeof value === 'string') return withoutSecrets(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => withoutSecretMembers(one, isSecret));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isSecret(name) ? MASK : withoutSecretMembers(member, isSecret),
    ]),
  );
}
