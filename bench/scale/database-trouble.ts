import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../test/support/eventually.js';
import { basic, SignOnClient } from '../../test/support/sign-on-client.js';
import { SmallDisk } from '../../test/support/small-disk.js';
import { rateAnswers } from '../scenario/known-answers.js';
import { ADMINISTRATOR, ClusterBed, PASSWORD } from './cluster-bed.js';
import { ClusterLoad, type LoadFigures } from './cluster-load.js';
import { type RegisterFigures, Registers } from './registers.js';

export type DatabaseTrouble = 'gone' | 'full';

interface DatabaseTroubleOptions {
  readonly trouble: DatabaseTrouble;
  readonly nodes: number;
  readonly sessions: number;
  readonly rate: number;
  readonly thinkMilliseconds: number;
  readonly seconds: number;
  readonly told: (words: string) => void;
}

export interface DatabaseTroubleFigures {
  readonly load: LoadFigures;
  readonly writes: RegisterFigures;
  readonly answers: Readonly<Record<string, number>>;
  /** Rejections other than 503 with Retry-After and a message of the server. */
  readonly wrongRefusals: readonly string[];
  /** From the end of the fault until macros can be saved and a user can sign on at each server. */
  readonly secondsUntilWell: number;
  readonly auditEntries: number;
}

const WRITERS = 4;
/** No other client writes these macros. They are long, so that a full disk causes errors. */
const PROBE = `C${WRITERS + 1}`;
const PROBE_CHARACTERS = 100_000;
const PROBE_PAUSE_MILLISECONDS = 500;
const DISK_MEBIBYTES = 192;
const QUIET_MILLISECONDS = 3_000;

/** Stops PostgreSQL or fills its disk under load. A full disk requires permission to mount one. */
export async function databaseTrouble(options: DatabaseTroubleOptions): Promise<DatabaseTroubleFigures> {
  const { trouble, nodes, sessions, rate, thinkMilliseconds, seconds, told } = options;
  const disk = trouble === 'full' ? new SmallDisk(DISK_MEBIBYTES) : undefined;
  try {
    const bed = await ClusterBed.start({
      nodes: Array.from({ length: nodes }, () => 1),
      users: WRITERS + 1,
      ...(disk === undefined ? {} : { databaseBelow: disk.folder }),
    });
    try {
      const load = new ClusterLoad(bed.front, {
        sessions,
        thinkMilliseconds,
        rate,
        answers: await rateAnswers(bed.demo),
      });
      const writers = new Registers(bed.nodes, WRITERS);
      load.begin();
      writers.begin();
      await eventually(() => (load.open === sessions ? true : undefined));
      await pause(QUIET_MILLISECONDS);
      if (disk === undefined) await bed.endDatabase();
      else disk.fill();
      told(`PostgreSQL is ${trouble}`);
      const asked = new Asked(bed);
      const end = performance.now() + seconds * 1_000;
      while (performance.now() < end) {
        await asked.once();
        await pause(PROBE_PAUSE_MILLISECONDS);
      }
      disk?.empty();
      await bed.beginDatabase();
      const mended = performance.now();
      told('PostgreSQL is well again');
      await eventually(async () => ((await asked.isAllWell()) ? true : undefined));
      const secondsUntilWell = (performance.now() - mended) / 1_000;
      await load.end();
      await writers.end();
      await writers.readAll();
      return {
        load: load.figures,
        writes: writers.figures,
        answers: asked.answers,
        wrongRefusals: asked.wrongRefusals,
        secondsUntilWell,
        auditEntries: await bed.auditEntries(),
      };
    } finally {
      await bed.stop();
    }
  } finally {
    disk?.remove();
  }
}

class Asked {
  readonly answers: Record<string, number> = {};
  readonly wrongRefusals: string[] = [];
  readonly #bed: ClusterBed;

  constructor(bed: ClusterBed) {
    this.#bed = bed;
  }

  async once(): Promise<void> {
    this.#count('macros', await this.#save());
    for (const { portal } of this.#bed.nodes) {
      const { status, headers, text } = await new SignOnClient(portal).signOn('/', ADMINISTRATOR, PASSWORD);
      this.#count('sign-on', { status, retryAfter: headers.get('retry-after'), text });
    }
  }

  async isAllWell(): Promise<boolean> {
    const statuses = [(await this.#save()).status];
    for (const { portal } of this.#bed.nodes) {
      statuses.push((await new SignOnClient(portal).signOn('/', ADMINISTRATOR, PASSWORD)).status);
    }
    return statuses.every((status) => status < 400);
  }

  async #save() {
    const headers = { ...basic(PROBE, PASSWORD), 'Content-Type': 'application/json' };
    const letters = Array.from({ length: PROBE_CHARACTERS }, () => Math.random().toString(36).slice(2, 3)).join('');
    const pieces = letters.match(/.{1,500}/g) ?? [];
    const macros = [{ name: 'm', rev: 1, def: pieces.map((txt) => ({ txt })) }];
    const body = JSON.stringify({ macros, fmt: 2 });
    const reply = await fetch(`${this.#bed.front}/w2h/user/macros.json`, { method: 'PUT', headers, body });
    return { status: reply.status, retryAfter: reply.headers.get('retry-after'), text: await reply.text() };
  }

  #count(
    what: string,
    {
      status,
      retryAfter,
      text,
    }: { readonly status: number; readonly retryAfter: string | null; readonly text: string },
  ): void {
    const key = `${what} ${status}`;
    this.answers[key] = (this.answers[key] ?? 0) + 1;
    if (status < 400) return;
    // HAProxy's own error page has no Retry-After
    if (status !== 503 || retryAfter === null) this.wrongRefusals.push(`${key}: ${text.slice(0, 200)}`);
  }
}
