import { setTimeout as pause } from 'node:timers/promises';
import { basic, SignOnClient } from '../../test/support/sign-on-client.js';
import { ADMINISTRATOR, PASSWORD } from './cluster-bed.js';
import type { BedNode } from './node-configuration.js';

/** A value that one client increments (1, 2, 3 …) and every client reads. */
interface Register {
  readonly name: string;
  attempted: number;
  /** Last acknowledged value; earlier ones may lack an acknowledgement. */
  acknowledged: number;
  write(node: BedNode, value: number): Promise<boolean>;
  read(node: BedNode): Promise<number | undefined>;
}

export interface RegisterFigures {
  readonly acknowledged: number;
  readonly unknown: number;
  readonly reads: number;
  readonly wrong: readonly string[];
}

const FIRST_DAY = Date.UTC(2030, 0, 1);
const DAY = 86_400_000;
const LATE_MILLISECONDS = 10_000;
const PAUSE_MILLISECONDS = 250;
/** Clients continue until this number of writes was acknowledged: on a busy machine the faults may end earlier. */
const LEAST_ACKNOWLEDGED = 2;

/**
 * Clients that save macros and change users at any server, and read the values of others. Each value has one writer,
 * which counts up. A read that begins after an acknowledged write must return that value or a later one that was sent.
 */
export class Registers {
  readonly #nodes: readonly BedNode[];
  readonly #registers: readonly Register[];
  readonly #wrong: string[] = [];
  #acknowledged = 0;
  #unknown = 0;
  #reads = 0;
  #isOver = false;
  #running: readonly Promise<void>[] = [];

  constructor(nodes: readonly BedNode[], clients: number) {
    this.#nodes = nodes;
    this.#registers = Array.from({ length: clients }, (_, at) => {
      const user = `C${at + 1}`;
      return at % 2 === 0 ? macrosOf(user) : lastDayOf(user);
    });
  }

  get figures(): RegisterFigures {
    return {
      acknowledged: this.#acknowledged,
      unknown: this.#unknown,
      reads: this.#reads,
      wrong: [...this.#wrong],
    };
  }

  begin(): void {
    this.#running = this.#registers.map((register) => this.#work(register));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  async readAll(): Promise<void> {
    for (const node of this.#nodes) {
      for (const register of this.#registers) {
        while (!(await this.#read(register, node))) await pause(PAUSE_MILLISECONDS);
      }
    }
  }

  async #work(own: Register): Promise<void> {
    let acknowledged = 0;
    while (!this.#isOver || acknowledged < LEAST_ACKNOWLEDGED) {
      const value = ++own.attempted;
      if (await own.write(this.#anyNode(), value).catch(() => false)) {
        own.acknowledged = value;
        acknowledged++;
        this.#acknowledged++;
      } else this.#unknown++;
      const other = this.#registers[Math.floor(Math.random() * this.#registers.length)] ?? own;
      for (const register of [own, other]) await this.#read(register, this.#anyNode());
      await pause(PAUSE_MILLISECONDS);
    }
  }

  async #read(register: Register, node: BedNode): Promise<boolean> {
    const least = register.acknowledged;
    const value = await register.read(node).catch(() => undefined);
    if (value === undefined) return false;
    this.#reads++;
    if (value < least || value > register.attempted) {
      this.#wrong.push(
        `${register.name} at ${node.code}: read ${value}, acknowledged ${least}, sent ${register.attempted}`,
      );
    }
    return true;
  }

  #anyNode(): BedNode {
    const node = this.#nodes[Math.floor(Math.random() * this.#nodes.length)];
    if (node === undefined) throw new Error('there is no server');
    return node;
  }
}

function macrosOf(user: string): Register {
  const headers = { ...basic(user, PASSWORD), 'Content-Type': 'application/json' };
  const urlOf = ({ client }: BedNode) => `http://${client}/w2h/user/macros.json`;
  const signal = () => AbortSignal.timeout(LATE_MILLISECONDS);
  return {
    name: `macros of ${user}`,
    attempted: 0,
    acknowledged: 0,
    write: async (node, value) => {
      const body = JSON.stringify({ macros: [{ name: 'm', rev: 1, def: [{ txt: `${value}` }] }], fmt: 2 });
      const { status } = await fetch(urlOf(node), { method: 'PUT', headers, body, signal: signal() });
      return status === 204;
    },
    read: async (node) => {
      const reply = await fetch(urlOf(node), { headers, signal: signal() });
      if (reply.status !== 200) return undefined;
      return Number(/"txt": ?"(\d+)"/.exec(await reply.text())?.[1] ?? 0);
    },
  };
}

function lastDayOf(user: string): Register {
  let portal: { readonly client: SignOnClient; readonly token: string } | undefined;
  /** a sign-on survives the loss of its server */
  const atPortal = async ({ portal: url }: BedNode) => {
    const client = new SignOnClient(url);
    for (const [name, value] of portal?.client.cookies ?? []) client.cookies.set(name, value);
    if (portal === undefined) {
      await client.signOn('/', ADMINISTRATOR, PASSWORD);
      const { text } = await client.request('/users');
      const token = /name="TOKEN" value="([^"]*)"/.exec(text)?.[1];
      if (token === undefined) throw new Error('not signed on');
      portal = { client, token };
    }
    return { client, token: portal.token };
  };
  return {
    name: `last day of ${user}`,
    attempted: 0,
    acknowledged: 0,
    write: async (node, value) => {
      const { client, token } = await atPortal(node);
      const EXPIRES = new Date(FIRST_DAY + value * DAY).toISOString().slice(0, 10);
      const { status } = await client.post(`/users/${user}`, { TOKEN: token, ROLE: 'user', GROUPS: '', EXPIRES });
      return status === 303;
    },
    read: async (node) => {
      const { client } = await atPortal(node);
      const { status, text } = await client.request(`/users/${user}`);
      if (status !== 200) return undefined;
      const day = /name="EXPIRES"[^>]* value="([^"]*)"/.exec(text)?.[1] ?? '';
      return day === '' ? 0 : Math.round((Date.parse(day) - FIRST_DAY) / DAY);
    },
  };
}
