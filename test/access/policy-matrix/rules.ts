import { eventually } from '../../support/eventually.js';
import { beginJson } from './page-surfaces.js';
import { ANNA, BERT, document, type PolicySite } from './policy-site.js';
import { type Acting, type Begin, begun, type SurfaceName } from './surface.js';

const MEBIBYTE = 1 << 20;
const FILE = Uint8Array.of(1, 2, 3);
/** On screens that scenarios walk through. */
const HIDDEN = ['Option ===>', 'How many seconds'];

/** What a rule does on a surface, as literals. */
export type Trial = (site: PolicySite, begin: Begin, surface: SurfaceName) => Promise<unknown>;

/** Unlike that of any other cell, of at most 8 characters. */
let last = 0;
const unique = (first: string) => `${first}Q${++last}`.padEnd(6, 'X');

/** Types what the INPUT scenario decides on, and then whether the session goes on. */
const inputOf =
  (first: string): Trial =>
  async (site, begin) => {
    const acting = begun(await begin(site, 'INPUT'));
    const [text, next] = [unique(first), unique('P')];
    const answer = await acting.enter(text);
    const after = await acting.enter(next).catch(() => 'gone');
    if (first === 'P') await eventually(() => (site.host.heard(text) ? true : undefined));
    const heard = [site.host.heard(text), site.host.heard(next)];
    await acting.end();
    return { answer, after, heard };
  };

async function atReady(site: PolicySite, begin: Begin, transaction: string, user?: typeof ANNA | typeof BERT) {
  const acting = begun(await begin(site, transaction, { user }));
  await acting.enter('T');
  return acting;
}

const prepared = new WeakSet<PolicySite>();

async function prepareFiles(site: PolicySite): Promise<void> {
  if (prepared.has(site)) return;
  prepared.add(site);
  const acting = await atReady(site, beginJson, 'FILES');
  await acting.send('MOST.SIZE', new Uint8Array(MEBIBYTE));
  await acting.send('OVER.SIZE', new Uint8Array(MEBIBYTE));
  await acting.send('OVER.SIZE', FILE, { append: true });
  await acting.end();
}

async function withSlow(acting: Acting, work: () => Promise<unknown>): Promise<unknown> {
  const sending = await acting.page?.sendSlowly();
  try {
    return await work();
  } finally {
    await sending?.cancel();
    await acting.end();
  }
}

/** A second client on a line that has room for one. */
const limitOf =
  (line: string): Trial =>
  async (site, begin) => {
    const first = begun(await begin(site, 'OPEN', { line }));
    const second = await begin(site, 'OPEN', { line });
    await first.end();
    const third = await eventually(async () => {
      const acting = await begin(site, 'OPEN', { line });
      return typeof acting === 'string' ? undefined : acting;
    });
    await third.end();
    return second;
  };

const table = {
  /** By the level of the transaction: of nobody, of a user. */
  signOn: async (site, begin, surface) => {
    const found: Record<number, readonly string[]> = {};
    for (const level of [0, 1, 2, 3, 4, 5]) {
      const ends = [];
      for (const user of [undefined, ANNA]) {
        const acting = await begin(site, `${surface === 'scenario' ? 'T' : 'S'}${level}`, { user });
        if (typeof acting === 'string') ends.push(acting);
        else {
          ends.push(surface === 'scenario' ? await acting.enter('Q') : 'begun');
          await acting.end();
        }
      }
      found[level] = ends;
    }
    return found;
  },
  role: async () => undefined,
  /** Of a member of the group, and of another user. */
  permission: async (site, begin) => {
    const ends = [];
    for (const user of [ANNA, BERT]) {
      const acting = await atReady(site, begin, 'DEVELOPERS', user);
      ends.push(await acting.receive('NO.SUCH.FILE'));
      await acting.end();
    }
    return ends;
  },
  inputPasses: inputOf('P'),
  inputBlocks: inputOf('B'),
  inputAnswers: async (site, begin) => {
    const acting = begun(await begin(site, 'INPUT'));
    const text = unique('A');
    const answer = await acting.enter(text);
    await eventually(async () => {
      await acting.look();
      return acting.shown.some((screen) => screen.includes('Account inquiry')) ? true : undefined;
    });
    await acting.end();
    return { answer, heard: site.host.heard(text) };
  },
  inputRefuses: inputOf('R'),
  inputDisconnects: inputOf('D'),
  /** Screens that the OUTPUT scenario walks through, while the client asks for the screen all the time. */
  outputScenario: async (site, begin) => {
    const acting = begun(await begin(site, 'OUTPUT'));
    let isOver = false;
    const left = acting.leavePanel().finally(() => {
      isOver = true;
    });
    while (!isOver) await acting.look();
    await left;
    await acting.look();
    await acting.end();
    return {
      sawAnswer: acting.shown.some((screen) => screen.includes('That took 0.5 seconds')),
      sawHidden: acting.shown.some((screen) => HIDDEN.some((text) => screen.includes(text))),
    };
  },
  transferAbsent: async (site, begin) => {
    const acting = await atReady(site, begin, 'OPEN');
    const file = unique('ABSENT.');
    const answer = await acting.send(file, FILE);
    await acting.end();
    return { answer, heard: site.host.heard(file), audited: site.audited(file) };
  },
  /** Files of a mebibyte, the bound, and larger by some bytes. */
  transferSize: async (site, begin) => {
    await prepareFiles(site);
    const acting = await atReady(site, begin, 'FILES');
    const ends = [await acting.receive('MOST.SIZE'), await acting.receive('OVER.SIZE')];
    await acting.end();
    return ends;
  },
  /** What becomes of another act in a session while a file is on its way. */
  transferAlone: async (site, begin) => {
    const acting = await atReady(site, begin, 'SLOW');
    return withSlow(acting, () => acting.enter('Q'));
  },
  transferOfAddress: async (site, begin) => {
    const others = await Promise.all(Array.from({ length: 4 }, () => atReady(site, beginJson, 'SLOW')));
    const acting = await atReady(site, begin, 'FILES');
    const sending = await Promise.all(others.map(({ page }) => page?.sendSlowly()));
    const refused = await acting.send('A.FIFTH', FILE);
    for (const one of sending) await one?.cancel();
    const served = await acting.send('A.FIFTH', FILE);
    for (const one of [...others, acting]) await one.end();
    return [refused, served];
  },
  /** Of a member of the group of the printer, and of another user. */
  printing: async (site, begin) => {
    await site.printing.print('LU1', document('CANARY-OF-A-DOCUMENT'));
    const ends = [];
    for (const user of [ANNA, BERT]) {
      const acting = begun(await begin(site, 'PRINT', { user }));
      // from after the beginning of the session
      await site.printing.print('LU1', document('CANARY-OF-A-DOCUMENT'));
      if (user === ANNA)
        await eventually(async () => ((await acting.page?.documents()) === 'not told' ? undefined : true));
      ends.push(await acting.page?.documents());
      await acting.end();
    }
    return ends;
  },
  /** What was typed is with the host, and in neither log nor audit trail. */
  secrets: async (site, begin) => {
    const acting = begun(await begin(site, 'OPEN'));
    const text = unique('Z');
    await acting.enter(text);
    await eventually(() => (site.host.heard(text) ? true : undefined));
    await acting.end();
    return { kept: site.isKept(text) };
  },
  audit: async (site, begin) => {
    const acting = await atReady(site, begin, 'DEVELOPERS', ANNA);
    const file = unique('AUDIT.');
    await acting.send(file, FILE);
    await acting.receive(file);
    await acting.end();
    return site.audited(file).map((entry) => JSON.stringify(entry).replaceAll(file, 'FILE'));
  },
  auditUnavailable: async (site, begin) => {
    const acting = await atReady(site, begin, 'FILES');
    const file = unique('UNKEPT.');
    const answer = await site.withoutTrail(() => acting.send(file, FILE));
    await acting.end();
    return { answer, heard: site.host.heard(file) };
  },
  limitOfAddress: limitOf('A-HTTP'),
  limitOfLine: limitOf('L-HTTP'),
  limitOfCaller: async () => undefined,
  idle: async () => undefined,
} as const satisfies Readonly<Record<string, Trial>>;

export type RuleName = keyof typeof table;
/** By the name of the rule. */
export const trials: Readonly<Record<RuleName, Trial>> = table;
