import { type Actor, type AnyActorRef, createActor, fromPromise } from 'xstate';
import { hostSessionMachine } from '../../../machines/host-session.machine.js';
import { sessionParent } from '../../../machines/session-parent.js';

/** The longest time of a timer, about 25 days. */
export const FOR_EVER = 0x7fff_ffff;

export interface HostSessionPort {
  readonly negotiationMilliseconds: number;
  connect(signal: AbortSignal): Promise<void>;
  endConnection(): void;
  release(): void;
}

export type HostSessionActor = Actor<typeof machine>;

const ports = new WeakMap<AnyActorRef, HostSessionPort>();

/** All sessions share one machine: a machine for each session would use a third of the session's memory. */
const machine = hostSessionMachine.provide({
  actors: {
    connect: fromPromise<void, AnyActorRef>(async ({ input, signal }) => ports.get(input)?.connect(signal)),
  },
  actions: {
    endConnection: ({ self }) => ports.get(self)?.endConnection(),
    release: ({ self }) => ports.get(self)?.release(),
  },
  delays: { negotiation: ({ self }) => ports.get(self)?.negotiationMilliseconds ?? FOR_EVER },
});

export function createHostSessionActor(port: HostSessionPort): HostSessionActor {
  const actor = createActor(machine, { parent: sessionParent() });
  ports.set(actor, port);
  return actor;
}
