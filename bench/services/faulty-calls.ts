import type { Application, Terminal } from '../../src/demo/simulated-host/application.js';
import { signOn } from '../../src/demo/simulated-host/applications/sign-on.js';
import type { FaultName } from '../../src/demo/simulated-host/fault-switches.js';
import type { CallOutcome } from '../../src/services/service-calls.js';
import { HostedServices, watchedApplications } from '../../test/services/hosted-services.js';
import { randomFrom } from '../../test/support/random.js';

const holders: Readonly<Record<string, string>> = {
  '10000001': 'ADA LOVELACE',
  '10000002': 'GRACE HOPPER',
  '10000003': 'KONRAD ZUSE',
  '10000004': 'EDSGER DIJKSTRA',
  '10000005': 'BARBARA LISKOV',
};
const faults: readonly FaultName[] = ['disconnect', 'delay', 'locked', 'garbage'];
const AT_ONCE = 64;
const POOL = 16;
const SEED = 13;

export interface FaultFigures {
  readonly kinds: ReadonlyMap<string, number>;
  readonly crossed: number;
  /** Walks that did not start on the home screen. */
  readonly lentElsewhere: number;
  /** Largest number of concurrent terminals of one user, as counted by the host. */
  readonly mostOfUser: number;
  readonly seconds: number;
}

export async function callsWithFaults(calls: number, faultShare: number): Promise<FaultFigures> {
  const random = randomFrom(SEED);
  const users = new UserCounts();
  const watched = watchedApplications((_, host) => {
    host.faults.delete('locked');
    host.faults.delete('delay');
    const fault = random() < faultShare ? faults[Math.floor(random() * faults.length)] : undefined;
    if (fault !== undefined) host.faults.add(fault);
  });
  const applications = Object.fromEntries(
    Object.entries({ ...watched, SIGNON: signOn }).map(([name, application]) => [name, users.counting(application)]),
  );
  const names = Array.from({ length: POOL }, (_, at) => `USER${at}`);
  const hosted = await HostedServices.start({
    host: { applications, users: Object.fromEntries(names.map((name) => [name, 'pass'])) },
    pool: {
      ready: POOL,
      most: POOL,
      users: names.map((user) => ({ user, password: Buffer.from('pass') })),
      sessionsPerUser: 1,
      waitMilliseconds: 600_000,
    },
    stepMilliseconds: 3_000,
    isInProcess: true,
    isListening: false,
  });
  const kinds = new Map<string, number>();
  let [left, crossed, lentElsewhere] = [calls, 0, 0];
  const begin = performance.now();
  const caller = async (name: string) => {
    while (left-- > 0) {
      const account = `1000000${1 + Math.floor(random() * 6)}`;
      const isList = random() < 0.1;
      const outcome = isList
        ? await hosted.call('member-list', {}, { caller: name })
        : await hosted.call('account-inquiry', { account }, { caller: name });
      const kind = nameOf(outcome);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      if (!isRight(outcome, account, isList)) crossed++;
      if (isElsewhere(outcome)) lentElsewhere++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => caller(`caller ${at % 8}`)));
  const seconds = (performance.now() - begin) / 1_000;
  await hosted.stop(1_000);
  return { kinds, crossed, lentElsewhere, mostOfUser: users.most, seconds };
}

function nameOf(outcome: CallOutcome): string {
  return outcome.kind === 'failed' ? outcome.failure.kind : outcome.kind;
}

function isRight(outcome: CallOutcome, account: string, isList: boolean): boolean {
  if (outcome.kind === 'answered') return account === '10000006' && outcome.message.includes(account);
  if (outcome.kind !== 'done') return true;
  const { name, members } = outcome.extracts;
  return isList ? Array.isArray(members) && members.length === 60 : name === holders[account];
}

function isElsewhere(outcome: CallOutcome): boolean {
  return outcome.kind === 'failed' && outcome.step === 1 && !outcome.pressed && outcome.failure.kind !== 'hostGone';
}

class UserCounts {
  most = 0;
  readonly #terminals = new Map<string, Set<Terminal>>();

  counting(application: Application): Application {
    return async (terminal, host) => {
      let goesOn = false;
      try {
        const next = await application(terminal, host);
        goesOn = next !== undefined;
        if (goesOn) this.#count(terminal);
        return next;
      } finally {
        if (!goesOn) this.#forget(terminal);
      }
    };
  }

  #count(terminal: Terminal): void {
    const terminals = this.#of(terminal.user);
    if (![...terminals].some((one) => isSame(one, terminal))) terminals.add(terminal);
    this.most = Math.max(this.most, terminals.size);
  }

  #forget(terminal: Terminal): void {
    const terminals = this.#of(terminal.user);
    for (const one of terminals) if (isSame(one, terminal)) terminals.delete(one);
  }

  #of(user = ''): Set<Terminal> {
    const found = this.#terminals.get(user) ?? new Set();
    this.#terminals.set(user, found);
    return found;
  }
}

/** A device belongs to one terminal at a time. */
function isSame(one: Terminal, other: Terminal): boolean {
  return one.deviceName === other.deviceName;
}
