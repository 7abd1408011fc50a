import type { Area, ScreenChoice } from '../screen/screen-condition.js';
import { extract } from './extract.js';
import { holds, type ScreenDefinition } from './screen-definition.js';
import { expectScreens, type StepContext, type StepEnd } from './step.js';

/** A question of a remote session about the state of the host. */
export interface HostQuestion {
  /** Time for the host to unlock the keyboard; undefined: no separate wait. */
  readonly hostMilliseconds: number | undefined;
  /** Screens of which one is expected within `screenMilliseconds` after the keyboard was unlocked. */
  readonly screens: ScreenChoice | undefined;
  readonly screenMilliseconds: number;
  readonly read: Area | undefined;
  readonly signal: AbortSignal;
}

export type HostLook =
  | { readonly kind: 'done'; readonly screen?: number | undefined; readonly text?: string | undefined }
  /** For each screen, the indexes of the conditions that do not hold. */
  | { readonly kind: 'otherScreen'; readonly missing: readonly (readonly number[])[] }
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'faulty' }
  | { readonly kind: 'hostGone' };

export function numberedScreens(screens: ScreenChoice): ScreenDefinition[] {
  return screens.map((conditions, at) => ({ name: String(at), conditions }));
}

/** @throws the reason of an aborted signal */
export async function lookAtHost(context: StepContext, question: HostQuestion): Promise<HostLook> {
  const { hostMilliseconds, screens, screenMilliseconds, read, signal } = question;
  if (hostMilliseconds !== undefined || screens === undefined) {
    const end = await expectScreens(context, undefined, { withinMilliseconds: hostMilliseconds ?? 0, signal });
    if (end.kind !== 'done' || screens === undefined) return lookOf(end, screens, read);
  }
  const wanted = numberedScreens(screens);
  const end = await expectScreens(context, wanted, { withinMilliseconds: screenMilliseconds, signal });
  return lookOf(end, screens, read);
}

function lookOf(end: StepEnd, screens: ScreenChoice | undefined, read: Area | undefined): HostLook {
  switch (end.kind) {
    case 'done': {
      const screen = end.screen === undefined ? undefined : Number(end.screen);
      if (read === undefined) return { kind: 'done', screen };
      const found = extract(end.image, { text: { area: read } });
      return { kind: 'done', screen, text: found.kind === 'done' ? String(found.values.text) : undefined };
    }
    case 'guardFailed': {
      const missing = (screens ?? []).map((conditions) =>
        conditions.flatMap((condition, at) => (holds(condition, end.image) ? [] : [at])),
      );
      return { kind: 'otherScreen', missing };
    }
    case 'screenFault':
      return { kind: 'faulty' };
    case 'hostGone':
      return { kind: 'hostGone' };
    default:
      return { kind: 'timedOut' };
  }
}
