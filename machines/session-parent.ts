import { type AnyActorRef, createActor, fromCallback } from 'xstate';

/**
 * Actors that share a system. One of its own costs an actor 2 KiB; with all in one, each that ends looks through the timers of all
 * others.
 */
const SHARED_BY = 32;

const nothing = fromCallback(() => undefined);
let parent: AnyActorRef | undefined;
let children = 0;

/** The parent of the next session's actor: it starts nothing and hears nothing, and goes with the last of its children. */
export function sessionParent(): AnyActorRef {
  if (parent === undefined || children === SHARED_BY) {
    parent = createActor(nothing).start();
    children = 0;
  }
  children++;
  return parent;
}
