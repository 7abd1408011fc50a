import { foldedName } from '../../access/users/security-name.js';
import { ServiceError } from '../../lib/errors.js';
import type { MacroDirectory, MacroLevel } from '../../macros/macro-directory.js';
import type { StoredMacroDirectory } from '../../macros/macro-store.js';
import type { PortalWording } from '../words/portal-wording.js';
import { soundMacroSet } from './macro-pages.js';
import { paged } from './paging.js';
import { macroPath } from './portal-paths.js';
import type { PageVariables, PortalOutcome, PortalRequest } from './portal-route.js';

const PAGE = 'MACROS.HTML';
/** Maximum number of names that the browser suggests. */
const MOST_OFFERED_NAMES = 500;

type NamedLevel = Exclude<MacroLevel, 'global'>;

/** All directories with a file, and a form that opens the others. */
export async function macroListPage(request: PortalRequest): Promise<PortalOutcome> {
  const { macros, query } = request;
  if (!macros.isConfigured) return { kind: 'page', page: PAGE, variables: {} };
  const level = query('open');
  if (level === 'group' || level === 'user') return openedDirectory(request, level, query('name').trim());
  return { kind: 'page', page: PAGE, variables: await listVariables(request) };
}

/** Redirects to the directory of a typed name, ignoring case, or reports that the name does not exist. */
async function openedDirectory(request: PortalRequest, level: NamedLevel, name: string): Promise<PortalOutcome> {
  try {
    return { kind: 'redirect', to: macroPath(await request.macros.directory(level, name)) };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'SVC_ERR_MACRO_DIRECTORY') throw error;
    const typed = { [`$TYPED-${level.toUpperCase()}$`]: [name], $ERROR$: [unknownText(level, name, request.words)] };
    return { kind: 'page', page: PAGE, variables: { ...(await listVariables(request)), ...typed }, status: 404 };
  }
}

const typeWords = { group: 'macros.typeGroup', user: 'macros.typeUser' } as const;
const unknownWords = { group: 'macros.noGroup', user: 'macros.noUser' } as const;
const leftWords = { group: 'macros.groupLeft', user: 'macros.userLeft' } as const;

function unknownText(level: NamedLevel, name: string, words: PortalWording): string {
  return name === '' ? words.text(typeWords[level]) : words.text(unknownWords[level], { name: name.slice(0, 70) });
}

async function listVariables(request: PortalRequest): Promise<PageVariables> {
  const { query } = request;
  const { groups, users, isPart } = await knownNames(request);
  const [global] = await request.macros.store.list('global');
  return {
    $CONFIGURED$: ['yes'],
    $SEARCH$: query('search') === '' ? undefined : [query('search')],
    '$GLOBAL-FACTS$': global === undefined ? undefined : [await factsOf(request, global.directory, global)],
    ...(await levelVariables(request, 'group', groups, isPart)),
    ...(await levelVariables(request, 'user', users, isPart)),
    '$GROUP-NAME$': groups.slice(0, MOST_OFFERED_NAMES),
    '$USER-NAME$': users.slice(0, MOST_OFFERED_NAMES),
  };
}

interface KnownNames {
  readonly groups: readonly string[];
  readonly users: readonly string[];
  /** True if the directory server is not available, so that directories may be missing. */
  readonly isPart: boolean;
}

async function knownNames({ portal: { users, hasDirectoryServer }, site }: PortalRequest): Promise<KnownNames> {
  const ownNames = async () => ({ groups: await users.groups(), users: await users.userNames() });
  const database = hasDirectoryServer ? site.security?.database : undefined;
  if (database === undefined) return { ...(await ownNames()), isPart: false };
  try {
    const names = (await database.users()).map(({ name }) => name);
    return { groups: await database.groups(), users: names, isPart: false };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'SVC_ERR_SECURITY_UNAVAILABLE') throw error;
    return { ...(await ownNames()), isPart: true };
  }
}

/** Of the level `group`: `$GROUP$` with a value for each directory that holds a file, `$GROUP-PATH$`, `$GROUP-MACROS$` … */
async function levelVariables(
  request: PortalRequest,
  level: NamedLevel,
  names: readonly string[],
  isPart: boolean,
): Promise<PageVariables> {
  const { query, words } = request;
  const search = query('search');
  const written = new Map(names.map((name) => [foldedName(name), name]));
  const stored = (await request.macros.store.list(level)).filter(({ directory }) =>
    nameOf(directory).includes(foldedName(search.trim())),
  );
  const prefix = level.toUpperCase();
  const parameter = `${level}s`;
  const { entries, variables } = paged(stored, query(parameter), {
    name: prefix,
    path: '/macros',
    parameter,
    others: { search, ...(level === 'group' ? { users: query('users') } : { groups: query('groups') }) },
    words,
  });
  const directories = entries.map(({ directory }) => ({
    level,
    name: written.get(nameOf(directory)) ?? nameOf(directory),
  }));
  const facts: string[] = [];
  for (const [index, entry] of entries.entries()) facts.push(await factsOf(request, directories[index], entry));
  return {
    ...variables,
    [`$${prefix}$`]: directories.map(({ name }) => name),
    [`$${prefix}-PATH$`]: directories.map(macroPath),
    [`$${prefix}-FACTS$`]: facts,
    [`$${prefix}-LEFT$`]: directories.map(({ name }) =>
      isPart || written.has(foldedName(name)) ? '' : words.text(leftWords[level]),
    ),
  };
}

function nameOf(directory: MacroDirectory): string {
  return directory.level === 'global' ? '' : directory.name;
}

/** `2 macros, 340 bytes, changed 2026-11-21 10:17:44 UTC`. */
async function factsOf(
  { macros, words }: PortalRequest,
  directory: MacroDirectory | undefined,
  { size, modified }: StoredMacroDirectory,
): Promise<string> {
  const stored = directory === undefined ? undefined : await macros.store.read(directory);
  const set = stored === undefined ? undefined : soundMacroSet(stored.bytes);
  const content = set === undefined ? words.text('macros.notAFile') : words.counted('macro', set.macros.length);
  const values = { content, size: words.counted('byte', size), changed: words.instant(modified) };
  return words.text('macros.facts', values);
}
