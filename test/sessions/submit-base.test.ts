import { expect } from 'chai';
import type { BrowserSession } from '../../src/sessions/browser-session.js';
import type { Submission } from '../../src/sessions/submit.js';
import { becomes, HostedSessions, submission } from './hosted-session.js';

/**
 * Three fields: 1 to 5 with abc and the cursor, 7 to 11 with def, 13 to 17 that is not displayed; protected text from 19 on. Orders:
 * 1d Start Field, 13 Insert Cursor (GA23-0059).
 */
const FIELDS = '1d40 13 8182830000 1d40 8485860000 1d4c 8788890000 1d60 e3c9d4c5';
const SCREEN = `f5c3 ${FIELDS}`;
/** What the user types, in the first field. */
const TYPED = [{ address: 1, wire: 'y' }];
const PF3 = { kind: 'attention', name: 'PF3' } as const;
const PA1 = { kind: 'attention', name: 'PA1' } as const;
const CLEAR = { kind: 'attention', name: 'Clear' } as const;

/** Set Buffer Address, for the first 64 positions (GA23-0059, "12-bit addressing"). */
const CODES =
  '40c1c2c3c4c5c6c7c8c94a4b4c4d4e4f50d1d2d3d4d5d6d7d8d95a5b5c5d5e5f6061e2e3e4e5e6e7e8e96a6b6c6d6e6ff0f1f2f3f4f5f6f7f8f97a7b7c7d7e7f';
const at = (position: number) => `1140${CODES.slice(position * 2, position * 2 + 2)}`;

/** Every second position from 64 on. */
const farFrom = (place: number) => {
  const position = 64 + 2 * place;
  const code = (value: number) => CODES.slice(value * 2, value * 2 + 2);
  return `11${code(position >> 6)}${code(position & 63)}`;
};

interface Case {
  readonly host: readonly string[];
  readonly values?: typeof TYPED;
  readonly further?: Partial<Submission>;
}

/** The host has changed what the key was pressed for. */
const refused: Readonly<Record<string, Case>> = {
  'Erase/Write of another screen': { host: ['f5c3 1d40 13 0000 1d60 c4c5d3'] },
  'Erase/Write of the same screen': { host: [SCREEN] },
  'Erase/Write Alternate': { host: [`7ec3 ${FIELDS}`] },
  'the structured field Erase/Reset': { host: ['f3 00040300', `f1c3 ${FIELDS}`] },
  'a 3270DS structured field with Erase/Write': { host: [`f3 0000 40 00 ${SCREEN}`] },
  'Erase All Unprotected': { host: ['6f'] },
  'Erase/Write, then any number of changes elsewhere': {
    host: [SCREEN, ...Array.from({ length: 100 }, (_, second) => `f1c3 ${at(20 + (second % 20))} f${second % 10}`)],
  },
  'other text in the field': { host: [`f1c3 ${at(2)} c1`] },
  'the last position of the field': { host: [`f1c3 ${at(5)} c1`] },
  'the field protected': { host: [`f1c3 ${at(0)} 1d60`] },
  'the field not displayed': { host: [`f1c3 ${at(0)} 1d4c`] },
  'another colour of the field': { host: [`f1c3 ${at(0)} 2c0142f2`] },
  'the field cut in two': { host: [`f1c3 ${at(3)} 1d40`] },
  'the field made longer': { host: [`f1c3 ${at(6)} c1`] },
  'the beginning of the field written over': { host: [`f1c3 ${at(0)} c1`] },
  'all fields written over with blanks': { host: [`f1c3 ${at(0)} 3c404040`] },
  'the field changed by one of several records': {
    host: [`f1c3 ${at(20)} f1`, `f1c3 ${at(1)} f1`, `f1c3 ${at(21)} f2`],
  },
  'the field of the cursor, for a key without typing': {
    host: [`f1c3 ${at(4)} c1`],
    values: [],
    further: { key: PF3 },
  },
  'the field to which the user moved the cursor': { host: [`f1c3 ${at(8)} c1`], values: [], further: { cursor: 9 } },
  'Erase/Write, for a PA key': { host: [SCREEN], values: [], further: { key: PA1 } },
  'Erase/Write, for Clear': { host: [SCREEN], values: [], further: { key: CLEAR } },
  'more changes elsewhere than are remembered': {
    host: Array.from({ length: 65 }, (_, place) => `f1c3 ${farFrom(place)} f1`),
  },
};

/** The key means the same as before. */
const taken: Readonly<Record<string, Case>> = {
  nothing: { host: [] },
  'a clock': { host: Array.from({ length: 200 }, (_, second) => `f1c3 ${at(19)} f${second % 10}f${second % 7}`) },
  'text in another field': { host: [`f1c3 ${at(8)} c1`] },
  'the next field, which is now protected': { host: [`f1c3 ${at(6)} 1d60`] },
  'the same text in the field once more': { host: [`f1c3 ${at(1)} 818283`] },
  'the keyboard, which it unlocks': { host: ['f1c2'] },
  'the marks of modified fields': { host: ['f1c3'] },
  'the field, for a PA key, which sends none': { host: [`f1c3 ${at(2)} c1`], values: [], further: { key: PA1 } },
  'an alarm': { host: ['f1c7'] },
};

describe('the screen for which a key was pressed', () => {
  let sessions: HostedSessions;

  before(async () => {
    sessions = await HostedSessions.start();
  });

  after(() => sessions.stop());

  const heard = () => sessions.host.received.length;

  async function drawn(session: BrowserSession, data: string): Promise<void> {
    const { state } = session.screen;
    const before = state.revision;
    await sessions.draws(data);
    await becomes(() => state.revision > before);
  }

  for (const [what, { host, values = TYPED, further }] of Object.entries(refused)) {
    it(`is another one after the host has written: ${what}`, async () => {
      const session = await sessions.beginWith(SCREEN);
      const base = session.screen.state.revision;
      for (const data of host) await drawn(session, data);
      const before = heard();
      const outcome = await session.guarded.enter(submission(values, { base, ...further }));
      expect(outcome).to.deep.equal({ kind: 'otherScreen' });
      expect(heard(), 'nothing is sent').to.equal(before);
      // what the user sees now is what the next key is for
      const now = { base: session.screen.state.revision, key: PA1 };
      expect(await session.guarded.enter(submission([], now))).to.deep.equal({ kind: 'done' });
      await becomes(() => heard() > before);
    });
  }

  for (const [what, { host, values = TYPED, further }] of Object.entries(taken)) {
    it(`is the same one after the host has written: ${what}`, async () => {
      const session = await sessions.beginWith(SCREEN);
      const base = session.screen.state.revision;
      for (const data of host) await drawn(session, data);
      const before = heard();
      const outcome = await session.guarded.enter(submission(values, { base, ...further }));
      expect(outcome).to.deep.equal({ kind: 'done' });
      await becomes(() => heard() > before);
    });
  }
});
