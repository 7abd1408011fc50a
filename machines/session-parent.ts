import { type AnyActorRef, createActor, fromCallback } from 'xstate';

/**
 * Actors per system. A system for each actor costs 2 KiB; in a common system, each actor that ends searches the timers
 * of all others.
 */
const SHARED_BY = 32;

const nothing = fromCallback(() => undefined);
let parent: AnyActorRef | undefined;
let children = 0;

/** Parent for the actor of the next session. It has no behavior and is released with its last child. */
export function sessionParent(): AnyActorRef {
  if (parent === undefined || children === SHARED_BY) {
    parent = createActor(nothing).start();
    children = 0;
  }
  children++;
  return parent;
}
