import { isObject } from '../lib/documents/json-checks.js';
import { yamlText } from '../lib/documents/yaml-text.js';
import { isSecretName } from '../lib/secrets/secret-names.js';
import type { ReadConfiguration } from '../operation/configuration-operations.js';

const MASK = '(masked)';

/** Keys that look like those of secrets, with paths of files, names of services and addresses as values. */
const harmless: ReadonlySet<string> = new Set([
  'bindPasswordFile',
  'key',
  'keysReady',
  'keysWaiting',
  'signOn',
  'signOff',
  'signOnsPerUser',
  'passTicket',
]);
/** Below these stand names that people chose: SIGNON is a good one for a transaction. */
const named: ReadonlySet<string> = new Set([
  'hosts',
  'lines',
  'entryPoints',
  'transactions',
  'pools',
  'printers',
  'directories',
]);
/** Connection scripts: what they type may be a password. */
const scripts: ReadonlySet<string> = new Set(['tioaAtLogon', 'tioaAtLogoff']);
const order = /(&&|&\/.|&\(|&\)|&>|&\*[0-9A-Fa-f]{6}|&=[^=]{1,64}=|&8[2-9A-F]|&[^'#])|&'[^']*'?|&#..|[^&]+|&/gs;

/** A configuration that was read now, fit to be shown: without comments, secrets masked. Whatever is a secret by its name is one. */
export class ShownConfiguration implements ReadConfiguration {
  readonly readAt = Date.now();
  readonly #masked: unknown;
  #text: string | undefined;

  constructor(
    readonly tag: string,
    document: unknown,
  ) {
    this.#masked = shown(document, []);
  }

  /** Written when somebody looks at it: that takes as long as reading the file. */
  get text(): string {
    this.#text ??= yamlText(this.#masked);
    return this.#text;
  }
}

function shown(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => shown(item, path));
  if (isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shown(item, [...path, name])]));
  }
  if (typeof value === 'boolean' || value === null) return value;
  if (scripts.has(path.at(-1) ?? ''))
    return String(value).replace(order, (text, kept) => (kept === undefined ? MASK : text));
  return isSecret(path) ? MASK : value;
}

/** @param path names of keys, positions in lists left out */
function isSecret(path: readonly string[]): boolean {
  const users = path.indexOf('users');
  if (users >= 0) {
    const place = path.slice(users + 1).join('.');
    return path[0] !== 'pools' || !['user', 'password.env', 'password.file'].includes(place);
  }
  return path.some((name, at) => isSecretName(name) && !harmless.has(name) && !named.has(path[at - 1] ?? ''));
}
