import { RECOMMENDED_MEMBERS, readCryptDefinition, SUFFICIENT_STRENGTH } from '../crypto/crypt-definition.js';
import { type DocumentFault, errorAt, type KeyPath, warningAt } from '../lib/documents/source-diagnostic.js';
import { type ReadOutcome, readAs, readFault } from '../lib/read-outcome.js';
import { applicationTypes } from '../lines/entry-point/transaction.js';
import { readConnectionScript } from '../sessions/connection-script.js';
import type { TransactionDocument } from './configuration-document.js';
import { type DefinedNames, nameFault, type SoundPart } from './sound-part.js';

/** Orders that a connection script may contain without a host (application type 2). */
const ordersWithoutHost = {
  '&/S': 'runs the INITIAL scenario',
  '&/T': 'sends the preceding text to the terminal',
  '&/K': 'ends',
} as const;

/** True if the script contains `&/S` (specification 2.2). */
export function runsInitialScenario(script: string): boolean {
  return ordersOf(script).includes('&/S');
}

/**
 * Checks the connection script of a transaction without a host. It may contain text, `&/S`, `&/T`, `&/K`, and `&&` for
 * an ampersand.
 */
function faultOfScriptWithoutHost(script: string): string | undefined {
  for (const order of ordersOf(script)) {
    if (order === '&&' || order in ordersWithoutHost) continue;
    const guess = order.toUpperCase() in ordersWithoutHost ? ` (did you mean "${order.toUpperCase()}"?)` : '';
    const known = Object.entries(ordersWithoutHost).map(([name, effect]) => `${name} (${effect})`);
    return `unknown order "${order}"${guess}: expected text, && or one of ${known.join(', ')}`;
  }
  return undefined;
}

function ordersOf(script: string): string[] {
  return script.match(/&(&|\/.|.)?/gs) ?? [];
}

/** A CRYPTn keyword of the TCT (specification 2.6). Field encryption interprets its members. */
interface CryptKeyword {
  readonly keyword: string;
  /** First member; templates and transactions refer to it. */
  readonly name: string;
  /**
   * In order: name, cipher, key algorithm, provider, encoding[, chaining[, padding]]. Only the name, or 5 to 7 members;
   * an empty one is unspecified.
   */
  readonly members: readonly string[];
}

const FEWEST_MEMBERS = 5;
const MOST_MEMBERS = 7;
/** Requested by the standard terminal (reference 3.1). A keyword without a tuple means the null tuple of this name. */
const USUAL_NAME = 'CRYPT3270';

/**
 * Reads `(name,cipher,key algorithm,provider,encoding[,chaining[,padding]])`, ignoring blanks around members. `(name)`
 * and a keyword without a value mean a null tuple (specification 2.6).
 */
export function readCryptKeyword(keyword: string, tuple: string | null): ReadOutcome<CryptKeyword> {
  if (tuple === null || tuple.trim() === '') return readAs({ keyword, name: USUAL_NAME, members: [USUAL_NAME] });
  const inner = /^\s*\(([^()]*)\)\s*$/.exec(tuple)?.[1];
  if (inner === undefined) return readFault('expected (name,cipher,key algorithm,provider,encoding) in parentheses');
  const members = inner.split(',').map((member) => member.trim());
  if (members.length !== 1 && (members.length < FEWEST_MEMBERS || members.length > MOST_MEMBERS)) {
    return readFault(
      `expected ${FEWEST_MEMBERS} to ${MOST_MEMBERS} members (name,cipher,key algorithm,provider,encoding,chaining,padding), found ${members.length}`,
    );
  }
  const [name = ''] = members;
  if (!/^[A-Za-z0-9]{1,32}$/.test(name))
    return readFault(`expected a crypt name of letters and digits, found "${name}"`);
  return readAs({ keyword, name, members });
}

/** In place of an application (reference 1.1). */
export const NO_APPLICATION = '$NONE$';

export const scenarioKeys = ['initialScenario', 'finalScenario', 'inputScenario', 'outputScenario'] as const;

const applicationKinds: Readonly<
  Record<number, { kind: string; section: Exclude<keyof DefinedNames, 'guesses'> } | undefined>
> = {
  [applicationTypes.hostApplication]: { kind: 'a host', section: 'hosts' },
  [applicationTypes.pageDirectory]: { kind: 'a directory', section: 'directories' },
  [applicationTypes.line]: { kind: 'a line', section: 'lines' },
};

const NO_SCENARIOS = 'expected the key "scenarios" at the top of the file, found none';

export function* checkEntryPoints({ document, names }: SoundPart): Generator<DocumentFault> {
  const cryptNames = new Set<string>();
  for (const [keyword, tuple] of Object.entries(document.tct)) {
    if (keyword === 'DEFUTF8') continue;
    const read = readCryptKeyword(keyword, tuple);
    if (read.kind === 'fault') {
      yield errorAt(['tct', keyword], read.fault);
      continue;
    }
    const crypt = read.value;
    if (cryptNames.has(crypt.name)) {
      yield errorAt(['tct', keyword], `expected a unique crypt name, found "${crypt.name}" a second time`);
    } else {
      cryptNames.add(crypt.name);
      yield* checkCrypt(keyword, crypt);
    }
  }
  for (const [name, entryPoint] of Object.entries(document.entryPoints)) {
    const path = ['entryPoints', name];
    if (!names.directories.includes(entryPoint.directory)) {
      const { directory } = entryPoint;
      const what = 'one of the directories of this file';
      yield nameFault([...path, 'directory'], what, directory, names.directories, names);
    }
    if (entryPoint.identificationScenario !== undefined && document.scenarios === undefined) {
      yield errorAt([...path, 'identificationScenario'], NO_SCENARIOS);
    }
    const pathsByExternalName = new Map<string, KeyPath>();
    for (const [key, transaction] of Object.entries(entryPoint.transactions)) {
      const transactionPath = [...path, 'transactions', key];
      const externalName = (transaction.name ?? key).toUpperCase();
      const other = pathsByExternalName.get(externalName);
      if (other) {
        const found = `found "${transaction.name ?? key}", the name of ${other.join('.')}`;
        yield { ...errorAt(transactionPath, `expected a unique external name, ${found}`), at: 'key' };
      } else pathsByExternalName.set(externalName, transactionPath);
      yield* checkTransaction(transaction, transactionPath, names);
      yield* checkScenarios(transaction, transactionPath, names, document.scenarios !== undefined);
      if (transaction.crypt !== undefined && !cryptNames.has(transaction.crypt)) {
        const what = 'the name of a CRYPTn tuple of tct';
        yield nameFault([...transactionPath, 'crypt'], what, transaction.crypt, cryptNames, names);
      }
    }
  }
}

function* checkCrypt(keyword: string, { members, name }: CryptKeyword): Generator<DocumentFault> {
  const read = readCryptDefinition(members);
  if (read.kind === 'fault') {
    yield errorAt(['tct', keyword], read.fault);
    return;
  }
  const definition = read.value;
  if (definition.strength < SUFFICIENT_STRENGTH) {
    const found =
      definition.kind === 'null' ? 'it is the null tuple, which does not encrypt: it has' : 'its weakest part has';
    yield warningAt(
      ['tct', keyword],
      `${found} ${definition.strength} bits of strength, fewer than ${SUFFICIENT_STRENGTH}: where clients allow it, write (${name},${RECOMMENDED_MEMBERS}), and TLS on the line in any case`,
    );
  }
}

function* checkTransaction(
  { application, applicationType }: TransactionDocument,
  path: KeyPath,
  names: DefinedNames,
): Generator<DocumentFault> {
  const expected = applicationKinds[applicationType];
  if (expected === undefined) return;
  if (application === NO_APPLICATION) {
    if (applicationType !== applicationTypes.hostApplication) {
      yield {
        ...errorAt(path, `expected the key "application" with the name of ${expected.kind}, found none`),
        at: 'key',
      };
    }
    return;
  }
  const defined = names[expected.section];
  if (defined.includes(application)) return;
  const what = `the name of ${expected.kind} of this file (application type ${applicationType})`;
  yield nameFault([...path, 'application'], what, application, defined, names);
}

function* checkScenarios(
  transaction: TransactionDocument,
  path: KeyPath,
  names: DefinedNames,
  hasScenarioFolder: boolean,
): Generator<DocumentFault> {
  const isProgram = transaction.applicationType === applicationTypes.serverProgram;
  const isHosted = isProgram && names.hosts.includes(transaction.application);
  if (isProgram) {
    for (const script of ['tioaAtLogon', 'tioaAtLogoff'] as const) {
      const fault = isHosted ? undefined : faultOfScriptWithoutHost(transaction[script]);
      if (fault !== undefined) yield errorAt([...path, script], fault);
    }
    if (runsInitialScenario(transaction.tioaAtLogon) && transaction.initialScenario === undefined) {
      yield errorAt(
        [...path, 'tioaAtLogon'],
        'expected the key "initialScenario" for the order &/S, which runs it, found none',
      );
    }
  }
  if (isHosted || transaction.applicationType === applicationTypes.hostApplication) {
    for (const script of ['tioaAtLogon', 'tioaAtLogoff'] as const) {
      const steps = readConnectionScript(transaction[script], () => '');
      if (steps.kind === 'fault') yield errorAt([...path, script], steps.fault);
      else if (steps.value.some(({ kind }) => kind === 'repeated') && !(isHosted && script === 'tioaAtLogon')) {
        yield errorAt([...path, script], 'service transactions, &( and &), require application type 2 with a host');
      }
    }
  }
  if (hasScenarioFolder) return;
  for (const key of scenarioKeys) if (transaction[key] !== undefined) yield errorAt([...path, key], NO_SCENARIOS);
}
