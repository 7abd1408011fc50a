import { LONGEST_MACRO_NAME, type Macro, MOST_MACROS } from '../../../../src/macros/macro-set.js';
import { words } from '../../words/words.js';

/** Change of a macro: without `before` it is new, without `after` it is deleted. */
export interface MacroChange {
  readonly before?: Macro;
  readonly after?: Macro;
}

export interface Collision {
  readonly name: string;
  /** Another macro has the name, or this one has changed since the edit began. */
  readonly because: 'nameTaken' | 'changedMeanwhile';
  readonly isDeletion: boolean;
}

export type Decision = 'replace' | 'keepBoth' | 'leave';
export type Decide = (collision: Collision) => Promise<Decision>;

export class TooManyMacrosError extends Error {
  constructor() {
    super(words('macros.room', { most: MOST_MACROS }));
  }
}

/**
 * Applies changes to macros that may have changed since.
 * @returns undefined if nothing was changed
 * @throws TooManyMacrosError
 */
export async function changedMacros(
  macros: readonly Macro[],
  changes: readonly MacroChange[],
  decide: Decide,
): Promise<readonly Macro[] | undefined> {
  let now = macros;
  for (const change of changes) now = await changedBy(now, change, decide);
  if (now.length > MOST_MACROS) throw new TooManyMacrosError();
  return now === macros ? undefined : now;
}

async function changedBy(
  macros: readonly Macro[],
  { before, after }: MacroChange,
  decide: Decide,
): Promise<readonly Macro[]> {
  let at = before === undefined ? -1 : placeOf(macros, before);
  if (before !== undefined && at < 0) {
    const other = macros.findIndex(({ name }) => name === before.name);
    const isDeletion = after === undefined;
    if (other >= 0) {
      const decision = await decide({ name: before.name, because: 'changedMeanwhile', isDeletion });
      if (decision === 'leave') return macros;
      if (decision === 'replace') at = other;
    }
  }
  if (after === undefined) return at < 0 ? macros : macros.toSpliced(at, 1);
  let added = after;
  const taken = macros.findIndex(({ name }, place) => name === after.name && place !== at);
  let kept = macros.map((macro, place) => (place === at ? undefined : macro));
  if (taken >= 0) {
    const isDecided = before !== undefined && at < 0 && after.name === before.name;
    const decision = isDecided
      ? 'keepBoth'
      : await decide({ name: after.name, because: 'nameTaken', isDeletion: false });
    if (decision === 'leave') return macros;
    if (decision === 'keepBoth') added = { ...after, name: freeName(macros, after.name) };
    else if (at >= 0) kept = kept.toSpliced(taken, 1, undefined);
    else at = taken;
  }
  if (at < 0) return [...macros, added];
  return kept.flatMap((macro, place) => (place === at ? [added] : macro === undefined ? [] : [macro]));
}

/** Imported macros without exact duplicates of existing ones. */
export function importedChanges(macros: readonly Macro[], imported: readonly Macro[]): MacroChange[] {
  return imported.filter((macro) => placeOf(macros, macro) < 0).map((after) => ({ after }));
}

/** `NAME (2)`, or the first unused number. */
export function freeName(macros: readonly Macro[], name: string): string {
  const names = new Set(macros.map((macro) => macro.name));
  let number = 2;
  const numbered = () => {
    const end = ` (${number})`;
    return name.slice(0, LONGEST_MACRO_NAME - end.length) + end;
  };
  while (names.has(numbered())) number++;
  return numbered();
}

function placeOf(macros: readonly Macro[], macro: Macro): number {
  const text = orderedText(macro);
  return macros.findIndex((one) => orderedText(one) === text);
}

/** JSON with sorted members, for comparison. */
function orderedText(macro: Macro): string {
  return JSON.stringify(macro, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
}
