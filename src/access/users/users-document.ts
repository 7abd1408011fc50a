import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse, stringify } from 'yaml';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';
import { isPasswordHash } from './password-hash.js';
import { foldedName, isSecurityName } from './security-name.js';
import { type Role, roles } from './user-store.js';

export interface UserBounds {
  readonly users: number;
  readonly groups: number;
}

/** Limits for the file. Every change reads and writes all of it. */
export const fileUserBounds: UserBounds = { users: 5_000, groups: 1_000 };
export const MOST_GROUPS_OF_USER = 64;

export interface UserEntry {
  /** Random. A user added later under the same name has another ID. */
  readonly id?: string;
  readonly role: Role;
  /** Default group first. */
  readonly groups: readonly string[];
  /** scrypt hash. Without a hash, the user cannot sign on. */
  readonly password?: string;
  readonly passwordSet?: string;
  /** Last valid day, as YYYY-MM-DD in UTC. */
  readonly expires?: string;
  /** When the user was locked, after too many wrong passwords. */
  readonly locked?: string;
}

export interface UsersDocument {
  readonly version: 1;
  readonly groups: readonly string[];
  /** IDs of groups by name, like `id` of a user. Groups added by hand have no ID. */
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

export const emptyDocument: UsersDocument = { version: 1, groups: [], users: {} };

/** @returns the document, or its first fault as text without password hashes */
export function readUsersDocument(text: string): ReadOutcome<UsersDocument> {
  let value: unknown;
  try {
    value = parse(text, { schema: 'core', uniqueKeys: true, stringKeys: true, maxAliasCount: 0, prettyErrors: false });
  } catch (error) {
    // The message of the library may contain the line.
    const position = (error as { pos?: readonly number[] }).pos?.[0];
    return readFault(
      `it is not YAML${position === undefined ? '' : `, line ${text.slice(0, position).split('\n').length}`}`,
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
  const document = value as UsersDocument;
  const fault = faultOfNames(document);
  return fault === undefined ? readAs(document) : readFault(fault);
}

export function writeUsersDocument(document: UsersDocument): string {
  return HEADER + stringify(document, { lineWidth: 0 });
}

function faultOfNames({ groups, users }: UsersDocument): string | undefined {
  const known = new Map<string, string>();
  for (const group of groups) {
    if (!isSecurityName(group)) return `/groups: "${group.slice(0, 70)}" is not a valid group name`;
    if (known.has(foldedName(group))) return `/groups: "${group}" occurs twice`;
    known.set(foldedName(group), group);
  }
  const names = new Set<string>();
  for (const [name, { groups: its, password }] of Object.entries(users)) {
    if (!isSecurityName(name)) return `/users: "${name.slice(0, 70)}" is not a valid user ID`;
    if (names.has(foldedName(name))) return `/users: "${name}" occurs twice`;
    names.add(foldedName(name));
    const missing = its.find((group) => known.get(foldedName(group)) !== group);
    if (missing !== undefined) return `/users/${name}/groups: there is no group "${missing.slice(0, 70)}"`;
    if (password !== undefined && !isPasswordHash(password)) return `/users/${name}/password: it is not a scrypt hash`;
  }
  return undefined;
}

export interface UsersDocumentStore {
  readonly bounds: UserBounds;
  /**
   * Returns the same object until the document changes. If it becomes unreadable, returns the last readable version.
   * @throws ServiceError SVC_ERR_SECURITY_UNAVAILABLE
   */
  read(): Promise<UsersDocument>;
  /**
   * Runs one change at a time across all processes, each on the result of the previous one. `write` replaces the
   * document atomically.
   */
  change<T>(work: (document: UsersDocument, write: (after: UsersDocument) => Promise<void>) => Promise<T>): Promise<T>;
}
