import { isDeepStrictEqual } from 'node:util';
import type { Reason } from '../lib/locale.js';
import type { ScreenDefinition } from '../tn3270/conversation/screen-definition.js';
import type { ScreenCondition } from '../tn3270/screen/screen-condition.js';
import type { ServiceDefinition } from './service-definition.js';

/** Resolution of a conflict: the drafted screen has the name of another existing screen. */
export type ScreenWish = { readonly kind: 'replace' } | { readonly kind: 'rename'; readonly to: string };

export interface MergedScreen {
  readonly name: string;
  /** `same`: a screen with this name and these conditions exists. `conflict`: it exists with other conditions. */
  readonly state: 'new' | 'same' | 'conflict';
  readonly conditions: readonly ScreenCondition[];
  /** Conditions of the existing screen; empty if `new`. */
  readonly conditionsThere: readonly ScreenCondition[];
  readonly usedBy: readonly string[];
  readonly freeName: string;
  /** Only of a conflict; undefined if the administrator has not decided yet. */
  readonly wish: ScreenWish | undefined;
}

interface MergedScreens {
  readonly screens: readonly MergedScreen[];
  /** Screens to write to `screens.yaml`, by their new name. */
  readonly set: ReadonlyMap<string, readonly ScreenCondition[]>;
  readonly renamed: ReadonlyMap<string, string>;
  readonly faults: readonly Reason[];
}

/** Length that leaves room for a numeric suffix. */
const LONGEST_STEM = 59;
const SCREEN_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

type Screens = ReadonlyMap<string, ScreenDefinition>;

export function mergeScreens(
  there: Screens,
  drafted: Screens,
  wishes: ReadonlyMap<string, ScreenWish>,
  services: Iterable<ServiceDefinition>,
): MergedScreens {
  const users = usersOfScreens(services);
  const set = new Map<string, readonly ScreenCondition[]>();
  const renamed = new Map<string, string>();
  const faults: Reason[] = [];
  const screens = [...drafted.values()].map(({ name, conditions }): MergedScreen => {
    const known = there.get(name);
    const conditionsThere = known?.conditions ?? [];
    const base = {
      name,
      conditions,
      conditionsThere,
      usedBy: users.get(name) ?? [],
      freeName: freeName(name, there, drafted),
    };
    if (known === undefined) {
      set.set(name, conditions);
      return { ...base, state: 'new', wish: undefined };
    }
    if (isDeepStrictEqual(conditionsThere, conditions)) return { ...base, state: 'same', wish: undefined };
    const wish = wishes.get(name);
    if (wish === undefined) {
      faults.push({ code: 'service.screenDiffers', values: { name } });
    } else if (wish.kind === 'replace') {
      set.set(name, conditions);
    } else {
      const fault = nameFault(wish.to, there, drafted, set);
      if (fault === undefined) {
        set.set(wish.to, conditions);
        renamed.set(name, wish.to);
      } else faults.push({ code: 'service.screenNotRenamed', values: { name, fault } });
    }
    return { ...base, state: 'conflict', wish };
  });
  return { screens, set, renamed, faults };
}

function freeName(name: string, there: Screens, drafted: Screens): string {
  const stem = name.slice(0, LONGEST_STEM);
  let number = 2;
  while (there.has(`${stem}-${number}`) || drafted.has(`${stem}-${number}`)) number += 1;
  return `${stem}-${number}`;
}

function nameFault(
  name: string,
  there: Screens,
  drafted: Screens,
  set: ReadonlyMap<string, unknown>,
): Reason | undefined {
  if (!SCREEN_NAME.test(name)) {
    return { code: 'service.screenName' };
  }
  return there.has(name) || drafted.has(name) || set.has(name)
    ? { code: 'service.screenTaken', values: { name } }
    : undefined;
}

export function screensOfService({ work }: ServiceDefinition): ReadonlySet<string> {
  if (work.kind !== 'steps') return new Set();
  return new Set(work.steps.flatMap(({ at, expect = [], outcomes }) => [...at, ...expect, ...outcomes.keys()]));
}

function usersOfScreens(services: Iterable<ServiceDefinition>): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const service of services) {
    for (const screen of screensOfService(service)) users.set(screen, [...(users.get(screen) ?? []), service.name]);
  }
  return users;
}
