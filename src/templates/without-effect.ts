import type { TagInvocation } from './tag-invocation.js';

/** Why a tag has no effect in this version; undefined if it has one. */
type ReasonOf = (tag: TagInvocation) => string | undefined;

const always =
  (reason: string): ReasonOf =>
  () =>
    reason;

/** The parameters of a tag that have no effect. */
const parameters =
  (idle: ReadonlySet<string>, reason: string): ReasonOf =>
  (tag) => {
    const found = tag.parameters?.filter((parameter) => idle.has(parameter)) ?? [];
    return found.length === 0 ? undefined : `${found.join(', ')} ${reason}`;
  };

const idleOptions: ReadonlySet<string> = new Set([
  'DO-NOT-IGNORE-BINARY-ZEROES',
  'ENCRYPT-PASSWORD-FIELDS',
  'TRACE-LINE',
  'TRACE-RELAY',
  'OPTION-DEFAULT-COMPATIBILITY',
]);
const options = parameters(idleOptions, 'changes nothing in this version');
/** The purpose of a field, which is not used. */
const fieldRoles: ReadonlySet<string> = new Set(['USERNAME', 'PASSWORD', 'NEW-PASSWORD']);
const SYSTEM_SYMBOL = /-SYMBOL$/;

/** What is accepted for compatibility but has no effect, by tag. */
const reasons: Readonly<Record<string, ReasonOf>> = {
  'SET-LOCAL-OPTIONS': options,
  'UNSET-LOCAL-OPTIONS': options,
  'NAME-OF': ({ parameters: [item = ''] = [] }) =>
    item === 'PASSWORD' || SYSTEM_SYMBOL.test(item) ? `${item} never has a value in this version` : undefined,
  'DECLARE-FIELD-AS': ({ parameters: words = [] }) =>
    words.every((word) => fieldRoles.has(word))
      ? `${words.join(', ')} alone changes nothing in this version: ENCRYPTED, HEX or BASE64 says how the field travels`
      : undefined,
  'USER-SIGNON-CODE': always('it never inserts anything: whoever has signed on is known by a cookie'),
  'SET-HEADER': ({ parameters: [type] = [], strings: [line = ''] }) => {
    if (type === 'TO-ALLOW-READ-OF-SCENARIO-TRACE') return `${type} never adds its header in this version`;
    const isSniffing = /^x-content-type-options:/i.test(line) && !/^[^:]*:\s*nosniff\s*$/i.test(line);
    return isSniffing ? 'every answer has X-Content-Type-Options: nosniff, and nothing else' : undefined;
  },
  'SET-OUTPUT-ENCODING-UTF-8': ({ strings: [codePage = ''] }) =>
    codePage === '' ? undefined : `the code page ${codePage} changes nothing: the page is sent in UTF-8 as it stands`,
};

/** The warning about a tag, or a part of it, that is accepted without effect; undefined if there is none. */
export function withoutEffect(tag: TagInvocation): string | undefined {
  const reason = Object.hasOwn(reasons, tag.name) ? reasons[tag.name]?.(tag) : undefined;
  return reason === undefined ? undefined : `${tag.name}: ${reason}`;
}
