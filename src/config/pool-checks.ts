import { type DocumentFault, errorAt, formatPlace, type KeyPath } from '../lib/documents/source-diagnostic.js';
import type { NameGuesses } from '../lib/text/nearest-name.js';
import type { ServiceDefinition, ServiceScenario } from '../services/service-definition.js';
import { attentionKeyNamed, attentionKeys } from '../tn3270/keyboard/attention-keys.js';
import type { PoolDocument } from './configuration-document.js';
import type { LoadedServices } from './load-services.js';
import { type DefinedNames, nameFault, type SoundPart } from './sound-part.js';

export function* checkPools(sound: SoundPart, loaded: LoadedServices | undefined): Generator<DocumentFault> {
  const { document, names } = sound;
  const errors = (loaded?.reports ?? []).flatMap(({ diagnostics }) =>
    diagnostics.filter(({ severity }) => severity === 'error'),
  );
  const [first] = errors;
  if (first !== undefined) {
    const others = errors.length > 1 ? ` (and ${errors.length - 1} more: sallyport check-services)` : '';
    yield errorAt(['services'], `${formatPlace(first)}${others}`);
  }
  for (const { name, pool } of loaded?.services.values() ?? []) {
    if (pool === undefined || names.pools.includes(pool)) continue;
    const guess = names.guesses.didYouMean(pool, names.pools);
    yield errorAt(['services'], `the service "${name}" names the pool "${pool}", which is not in "pools"${guess}`);
  }
  for (const { name, work } of loaded?.services.values() ?? []) {
    if (work.kind === 'scenario') yield* checkScenario(sound, name, work);
  }
  // a services folder with errors is incomplete, so a name missing there is not an error of the pool
  const known = first === undefined ? loaded : undefined;
  for (const [name, pool] of Object.entries(document.pools)) {
    const path = ['pools', name];
    if (!names.hosts.includes(pool.host)) {
      yield nameFault([...path, 'host'], 'a host of this file', pool.host, names.hosts, names);
    }
    yield* checkSizes(path, pool);
    yield* checkKeys(path, pool, names);
    if (loaded === undefined) yield errorAt(path, 'a pool is for services: expected the key "services"');
    if (known !== undefined) yield* checkNames(path, pool, known, names.guesses);
  }
  yield* checkUsers(Object.entries(document.pools));
}

function* checkScenario(
  { document, names }: SoundPart,
  name: string,
  { host }: ServiceScenario,
): Generator<DocumentFault> {
  if (document.scenarios === undefined) {
    yield errorAt(['services'], `the service "${name}" is made of a scenario: expected the key "scenarios"`);
  }
  if (host === undefined || names.hosts.includes(host)) return;
  const guess = names.guesses.didYouMean(host, names.hosts);
  yield errorAt(['services'], `the service "${name}" names the host "${host}", which is not in "hosts"${guess}`);
}

function* checkSizes(path: KeyPath, { ready, most, users, sessionsPerUser }: PoolDocument): Generator<DocumentFault> {
  if (ready > most) yield errorAt([...path, 'ready'], `expected at most "most", ${most}, found ${ready}`);
  const possible = users.length * sessionsPerUser;
  if (most > possible) {
    yield errorAt([...path, 'most'], `expected at most users times "sessionsPerUser", ${possible}, found ${most}`);
  }
}

function* checkKeys(path: KeyPath, { returnHome }: PoolDocument, names: DefinedNames): Generator<DocumentFault> {
  for (const [at, key] of returnHome.entries()) {
    if (attentionKeyNamed(key) !== undefined) continue;
    yield nameFault([...path, 'returnHome', String(at)], 'an attention key', key, attentionKeys.keys(), names);
  }
}

function* checkNames(
  path: KeyPath,
  { home, signOn, signOff }: PoolDocument,
  { screens, services }: LoadedServices,
  guesses: NameGuesses,
): Generator<DocumentFault> {
  if (!screens.has(home)) {
    yield errorAt(
      [...path, 'home'],
      `there is no screen "${home}" in screens.yaml${guesses.didYouMean(home, screens.keys())}`,
    );
  }
  for (const [key, name, parameters] of [
    ['signOn', signOn, ['user', 'password']],
    ['signOff', signOff, []],
  ] as const) {
    if (name === undefined) continue;
    const service = services.get(name);
    const fault = service === undefined ? unknownService(name, services, guesses) : serviceFault(service, parameters);
    if (fault !== undefined) yield errorAt([...path, key], fault);
  }
}

function unknownService(name: string, services: LoadedServices['services'], guesses: NameGuesses): string {
  return `there is no service "${name}" in the services folder${guesses.didYouMean(name, services.keys())}`;
}

function serviceFault(
  { name, pool, work, parameters }: ServiceDefinition,
  expected: readonly string[],
): string | undefined {
  if (pool !== undefined) return `expected a service without a pool, found "${name}" with the pool "${pool}"`;
  if (work.kind !== 'steps') return `expected a service with steps, found "${name}", which is made of a scenario`;
  const found = [...parameters.keys()];
  if (found.length === expected.length && expected.every((parameter) => parameters.has(parameter))) return undefined;
  const words = expected.length === 0 ? 'no parameters' : `exactly the parameters ${expected.join(' and ')}`;
  return `expected a service with ${words}, found "${name}" with ${found.join(', ') || 'none'}`;
}

/** Hosts ignore the case of user IDs, and each pool counts only its own sessions. */
function* checkUsers(pools: readonly (readonly [name: string, PoolDocument])[]): Generator<DocumentFault> {
  const seen = new Map<string, string>();
  for (const [name, { host, users, sessionsPerUser }] of pools) {
    for (const [at, { user }] of users.entries()) {
      const key = `${host}\0${user.toUpperCase()}`;
      const other = seen.get(key);
      const path = ['pools', name, 'users', String(at), 'user'];
      if (other === name) yield errorAt(path, `"${user}" is listed twice`);
      else if (other !== undefined && sessionsPerUser === 1) {
        yield errorAt(path, `"${user}" signs on to the same host for the pool ${other}, and may have one session`);
      }
      seen.set(key, name);
    }
  }
}
