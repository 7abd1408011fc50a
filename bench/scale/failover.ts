import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../test/support/eventually.js';
import { SignOnClient } from '../../test/support/sign-on-client.js';
import { rateAnswers } from '../scenario/known-answers.js';
import { ADMINISTRATOR, ClusterBed, PASSWORD } from './cluster-bed.js';
import { ClusterLoad, type LoadFigures } from './cluster-load.js';
import { type RegisterFigures, Registers } from './registers.js';

export interface FailoverOptions {
  readonly nodes: number;
  readonly writers: number;
  readonly sessions: number;
  readonly rate: number;
  readonly thinkMilliseconds: number;
  readonly quietMilliseconds: number;
  /** A checkout of an older version that the servers run until their restart. */
  readonly from?: string | undefined;
  readonly told: (words: string) => void;
}

export interface FailoverFigures {
  readonly load: LoadFigures;
  readonly writes: RegisterFigures;
  readonly exitCodes: readonly (number | null | undefined)[];
  readonly signOnsKept: number;
  readonly signOns: number;
  readonly auditEntries: number;
}

const SIGN_ONS = 4;

/** Under load: kills and restarts a server, closes connections to PostgreSQL, drains and restarts all servers. */
export async function failover(options: FailoverOptions): Promise<FailoverFigures> {
  const { nodes, sessions, writers: count, rate, thinkMilliseconds, quietMilliseconds, from, told } = options;
  const bed = await ClusterBed.start({ nodes: Array.from({ length: nodes }, () => 1), users: count, from });
  try {
    const answers = await rateAnswers(bed.demo);
    const load = new ClusterLoad(bed.front, { sessions, thinkMilliseconds, rate, answers });
    const writers = new Registers(bed.nodes, count);
    const signOns = await Promise.all(Array.from({ length: SIGN_ONS }, (_, at) => signOn(bed, at)));
    load.begin();
    writers.begin();
    await eventually(() => (load.open === sessions ? true : undefined));
    told(`${sessions} sessions are open`);
    await pause(quietMilliseconds);
    const [first] = bed.nodes;
    if (first === undefined) throw new Error('there is no server');
    await bed.allSeen();
    load.willKill(first.code);
    await bed.kill(first);
    told(`server ${first.code} was killed`);
    await pause(quietMilliseconds);
    await bed.begin(first);
    told(`server ${first.code} is there again`);
    await bed.cutDatabase();
    told('connections with PostgreSQL were cut');
    await bed.allSeen();
    const exitCodes: (number | null | undefined)[] = [];
    for (const node of bed.nodes) {
      exitCodes.push(await bed.drain(node));
      told(`server ${node.code} was drained`);
      await bed.begin(node);
      await bed.allSeen();
    }
    await load.end();
    await writers.end();
    await writers.readAll();
    const kept = await Promise.all(signOns.map((client) => isKnown(bed, client)));
    return {
      load: load.figures,
      writes: writers.figures,
      exitCodes,
      signOns: SIGN_ONS,
      signOnsKept: kept.filter(Boolean).length,
      auditEntries: await bed.auditEntries(),
    };
  } finally {
    await bed.stop();
  }
}

async function signOn({ nodes }: ClusterBed, at: number): Promise<SignOnClient> {
  const client = new SignOnClient(nodes[at % nodes.length]?.portal ?? '');
  const { status } = await client.signOn('/', ADMINISTRATOR, PASSWORD);
  if (status !== 303) throw new Error(`the sign-on was answered with ${status}`);
  return client;
}

async function isKnown({ nodes }: ClusterBed, { cookies }: SignOnClient): Promise<boolean> {
  const statuses = await Promise.all(
    nodes.map(async ({ portal }) => {
      const client = new SignOnClient(portal);
      for (const [name, value] of cookies) client.cookies.set(name, value);
      return (await client.request('/users')).status;
    }),
  );
  return statuses.every((status) => status === 200);
}
