import type { OperatedPools } from '../../operation/pool-operations.js';
import type {
  HostReport,
  OutboundReport,
  PoolReport,
  PrinterReport,
  ServerFigures,
} from '../../operation/server-figures.js';
import type { HostsPart } from './hosts-part.js';
import type { OutboundPart } from './outbound-part.js';
import type { PrintersPart } from './printers-part.js';
import type { ServicesPart } from './services-part.js';
import type { SessionsPart } from './sessions-part.js';

interface FigureGround {
  readonly hosts: HostsPart;
  readonly outbound: OutboundPart;
  readonly printers: PrintersPart;
  readonly services: ServicesPart;
  readonly sessions: SessionsPart;
}

/** What the server is connected to, asked for whenever somebody looks. */
export class RunningFigures implements ServerFigures, OperatedPools {
  readonly #ground: FigureGround;

  constructor(ground: FigureGround) {
    this.#ground = ground;
  }

  get outbound(): readonly OutboundReport[] {
    return this.#ground.outbound.reports;
  }

  get hosts(): readonly HostReport[] {
    const { registry, hostStates } = this.#ground.sessions.service;
    const { pools } = this;
    const sessions = new Map<string, number>();
    for (const { facts } of registry.sessions) {
      sessions.set(facts.application, (sessions.get(facts.application) ?? 0) + 1);
    }
    return this.#ground.hosts.addresses.map(({ name, address }) => {
      const own = pools.filter(({ host }) => host === name);
      const pooled = own.reduce((sum, { free, lent, between }) => sum + free + lent + between, 0);
      return { name, address, sessions: sessions.get(name) ?? 0, pooled, state: hostStates.of(name) };
    });
  }

  get pools(): readonly PoolReport[] {
    return this.#ground.services.calls.poolStates.map(({ users, ...state }) => ({
      ...state,
      stoppedUsers: users.filter(({ isStopped }) => isStopped).map(({ user }) => user),
    }));
  }

  get printers(): readonly PrinterReport[] {
    return this.#ground.printers.reports;
  }

  drainPool(name: string): void {
    this.#ground.services.drainPool(name);
  }

  resumePool(name: string): void {
    this.#ground.services.resumePool(name);
  }
}
