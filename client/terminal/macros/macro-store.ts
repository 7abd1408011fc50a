import type { Macro } from '../../../src/macros/macro-set.js';
import type { Decide, MacroChange } from './model/macro-change.js';

/** Macros of one owner. */
export interface MacroGroup {
  readonly title: string;
  readonly macros: readonly Macro[];
  /** They can be changed here. */
  readonly isOwn: boolean;
}

/** `''`: the user has decided against it. */
export type ReasonNotSaved = string;

/** Where macros of others can be put. */
export interface MacroPublishing {
  /** There is one at least. */
  readonly groups: readonly string[];
  /** The group of the user; empty where there is none. */
  readonly own: string;
  /** @returns why it could not */
  publish(group: string, macro: Macro, decide: Decide): Promise<ReasonNotSaved | undefined>;
}

/** Where macros are kept. */
export interface MacroStore {
  readonly isCentralized: boolean;
  /** The user's own first. */
  readonly groups: readonly MacroGroup[];
  /** What a user should know of the list. */
  readonly notice: string;
  /** Called when the list has become another. */
  changed: () => void;
  /** Changes the user's own. @returns why it could not */
  change(changes: readonly MacroChange[], decide: Decide): Promise<ReasonNotSaved | undefined>;
  /** Undefined where the user may not. */
  readonly publishing: MacroPublishing | undefined;
  /** Reads again; undefined where there is nothing to read from. */
  readonly refresh: (() => Promise<void>) | undefined;
}

export function allMacros(store: MacroStore): Macro[] {
  return store.groups.flatMap(({ macros }) => macros);
}
