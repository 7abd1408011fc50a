import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DifferenceLine, LineComparison } from '../lib/text/line-comparison.js';
import type { Macro, MacroSet } from './macro-set.js';
import { linesOfSteps } from './step-text.js';

interface MacroDifference {
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Members other than the name, e.g. `rev: 2`, followed by the steps. */
  readonly lines: readonly DifferenceLine[];
}

export interface MacroSetDifference {
  /** Members of the set other than its macros, e.g. `desc: "..."`; empty if they are equal. */
  readonly lines: readonly DifferenceLine[];
  /** Changed macros in the order of the newer set, followed by the removed ones. */
  readonly macros: readonly MacroDifference[];
}

const TURN_MILLISECONDS = 20;

/**
 * Compares macro sets. Macros are matched by name, and macros with the same name by their order. Otherwise the order of
 * macros is ignored.
 */
export async function macroSetDifference(older: MacroSet, newer: MacroSet): Promise<MacroSetDifference> {
  const comparison = new LineComparison();
  const unmatched = macrosByName(older);
  const macros: MacroDifference[] = [];
  let turnEnds = performance.now() + TURN_MILLISECONDS;
  for (const macro of newer.macros) {
    if (performance.now() > turnEnds) {
      await nextTurn();
      turnEnds = performance.now() + TURN_MILLISECONDS;
    }
    const before = unmatched.get(macro.name)?.shift();
    const lines = comparison.compare(before === undefined ? [] : linesOfMacro(before), linesOfMacro(macro));
    if (before === undefined) macros.push({ name: macro.name, change: 'added', lines });
    else if (isDifferent(lines)) macros.push({ name: macro.name, change: 'changed', lines });
  }
  for (const macro of [...unmatched.values()].flat()) {
    macros.push({ name: macro.name, change: 'removed', lines: comparison.compare(linesOfMacro(macro), []) });
  }
  const lines = comparison.compare(linesOfMembers(older, 'macros'), linesOfMembers(newer, 'macros'));
  return { lines: isDifferent(lines) ? lines : [], macros };
}

function macrosByName(set: MacroSet): Map<string, Macro[]> {
  const byName = new Map<string, Macro[]>();
  for (const macro of set.macros) {
    const named = byName.get(macro.name);
    if (named === undefined) byName.set(macro.name, [macro]);
    else named.push(macro);
  }
  return byName;
}

function linesOfMacro(macro: Macro): string[] {
  return [...linesOfMembers(macro, 'name', 'def'), ...linesOfSteps(macro.def)];
}

function linesOfMembers(object: object, ...leftOut: readonly string[]): string[] {
  return Object.entries(object)
    .filter(([name]) => !leftOut.includes(name))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .sort();
}

function isDifferent(lines: readonly DifferenceLine[]): boolean {
  return lines.some(({ mark }) => mark !== 'same');
}
