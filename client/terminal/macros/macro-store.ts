import type { Macro } from '../../../src/macros/macro-set.js';
import type { Decide, MacroChange } from './model/macro-change.js';

export interface MacroGroup {
  readonly title: string;
  readonly macros: readonly Macro[];
  /** Editable here. */
  readonly isOwn: boolean;
}

/** `''` if the user cancelled. */
export type ReasonNotSaved = string;

export interface MacroPublishing {
  readonly groups: readonly string[];
  readonly own: string;
  /** @returns the reason if it failed */
  publish(group: string, macro: Macro, decide: Decide): Promise<ReasonNotSaved | undefined>;
}

export interface MacroStore {
  readonly isCentralized: boolean;
  /** The user's own first. */
  readonly groups: readonly MacroGroup[];
  readonly notice: string;
  changed: () => void;
  /** Changes the user's own macros. @returns the reason if it failed */
  change(changes: readonly MacroChange[], decide: Decide): Promise<ReasonNotSaved | undefined>;
  /** Undefined if the user has no permission. */
  readonly publishing: MacroPublishing | undefined;
  /** Reads the list again; undefined for local macros. */
  readonly refresh: (() => Promise<void>) | undefined;
}

export function allMacros(store: MacroStore): Macro[] {
  return store.groups.flatMap(({ macros }) => macros);
}
