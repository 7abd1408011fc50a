import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse, stringify } from 'yaml';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { isPasswordHash } from './password-hash.js';
import { type Role, roles } from './security-database.js';
import { foldedName, isSecurityName } from './security-name.js';

/** How many users and groups a store takes. */
export interface UserBounds {
  readonly users: number;
  readonly groups: number;
}

/** Of the file: every change reads and writes all of it. */
export const fileUserBounds: UserBounds = { users: 5_000, groups: 1_000 };
export const MOST_GROUPS_OF_USER = 64;

/** A user as the file writes it. */
export interface UserEntry {
  /** Random, made with the entry: a user of the same name who is added later has another one. */
  readonly id?: string;
  readonly role: Role;
  /** The default group first. */
  readonly groups: readonly string[];
  /** A scrypt hash; without one the user cannot sign on. */
  readonly password?: string;
  readonly passwordSet?: string;
  /** The last day, as YYYY-MM-DD in UTC. */
  readonly expires?: string;
  /** Since when, after too many wrong passwords. */
  readonly locked?: string;
}

/** The file of users and groups. */
export interface SecurityDocument {
  readonly version: 1;
  readonly groups: readonly string[];
  /** As the `id` of a user, by the names in `groups`. Groups added by hand have none. */
  readonly groupIds?: Readonly<Record<string, string>>;
  readonly users: Readonly<Record<string, UserEntry>>;
}

const HEADER = `# Users and groups of Sallyport. The commands \`sallyport user\` and \`sallyport group\` and the portal rewrite this file:
# remarks of yours are not kept. Changes by hand count at once; a file with faults is not taken, and the log says why.
`;

const INSTANT = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,3})?Z$';
const ID = '^[A-Za-z0-9_-]{1,64}$';
const entrySchema = {
  type: 'object',
  required: ['role'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', pattern: ID },
    role: { enum: roles },
    groups: { type: 'array', maxItems: MOST_GROUPS_OF_USER, uniqueItems: true, items: { type: 'string' }, default: [] },
    password: { type: 'string' },
    passwordSet: { type: 'string', pattern: INSTANT },
    expires: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' },
    locked: { type: 'string', pattern: INSTANT },
  },
};
const schema = {
  type: 'object',
  required: ['version'],
  additionalProperties: false,
  properties: {
    version: { const: 1 },
    groups: { type: 'array', maxItems: fileUserBounds.groups, items: { type: 'string' }, default: [] },
    groupIds: {
      type: 'object',
      maxProperties: fileUserBounds.groups,
      additionalProperties: { type: 'string', pattern: ID },
    },
    users: { type: 'object', maxProperties: fileUserBounds.users, additionalProperties: entrySchema, default: {} },
  },
};

let compiled: ValidateFunction | undefined;

export const emptyDocument: SecurityDocument = { version: 1, groups: [], users: {} };

/** @returns the document, or the first fault of it in words; nothing of a password is in them */
export function readSecurityDocument(text: string): ReadOutcome<SecurityDocument> {
  let value: unknown;
  try {
    value = parse(text, { schema: 'core', uniqueKeys: true, stringKeys: true, maxAliasCount: 0, prettyErrors: false });
  } catch (error) {
    // the library's words may show the line
    const position = (error as { pos?: readonly number[] }).pos?.[0];
    return readFault(
      `it is no YAML${position === undefined ? '' : `, line ${text.slice(0, position).split('\n').length}`}`,
    );
  }
  compiled ??= new Ajv2020({ useDefaults: true, allErrors: false, meta: false, validateSchema: false }).compile(schema);
  if (!compiled(value)) {
    const [error] = compiled.errors ?? [];
    const key = error?.params.additionalProperty;
    return readFault(
      `${error?.instancePath || '/'}: ${error?.message ?? 'not as it must be'}${key === undefined ? '' : `: "${String(key)}"`}`,
    );
  }
  const document = value as SecurityDocument;
  const fault = faultOfNames(document);
  return fault === undefined ? readAs(document) : readFault(fault);
}

export function writeSecurityDocument(document: SecurityDocument): string {
  return HEADER + stringify(document, { lineWidth: 0 });
}

function faultOfNames({ groups, users }: SecurityDocument): string | undefined {
  const known = new Map<string, string>();
  for (const group of groups) {
    if (!isSecurityName(group)) return `/groups: "${group.slice(0, 70)}" is no name of a group`;
    if (known.has(foldedName(group))) return `/groups: "${group}" stands there twice`;
    known.set(foldedName(group), group);
  }
  const names = new Set<string>();
  for (const [name, { groups: its, password }] of Object.entries(users)) {
    if (!isSecurityName(name)) return `/users: "${name.slice(0, 70)}" is no user id`;
    if (names.has(foldedName(name))) return `/users: "${name}" stands there twice`;
    names.add(foldedName(name));
    const missing = its.find((group) => known.get(foldedName(group)) !== group);
    if (missing !== undefined) return `/users/${name}/groups: there is no group "${missing.slice(0, 70)}"`;
    if (password !== undefined && !isPasswordHash(password)) return `/users/${name}/password: it is no scrypt hash`;
  }
  return undefined;
}

/** Users and groups as one document, which several processes may change. */
export interface SecurityDocumentStore {
  readonly bounds: UserBounds;
  /**
   * As it is now; where it can be read no more, as it was. The same object as long as nothing has changed.
   * @throws ServiceError SVC_ERR_SECURITY_UNAVAILABLE
   */
  read(): Promise<SecurityDocument>;
  /** One change at a time, of this process and of others, each on what the last one wrote; `write` puts all in its place at once. */
  change<T>(
    work: (document: SecurityDocument, write: (after: SecurityDocument) => Promise<void>) => Promise<T>,
  ): Promise<T>;
}
