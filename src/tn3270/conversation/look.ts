import type { Area, ScreenChoice } from '../screen/screen-condition.js';
import { extract } from './extract.js';
import { holds, type ScreenDefinition } from './screen-definition.js';
import { expectScreens, type StepEnd, type StepGround } from './step.js';

/** What somebody who acts elsewhere wants to know of the host. */
export interface HostQuestion {
  /** For the host to free the keyboard; undefined: that is not waited for by itself. */
  readonly hostMilliseconds: number | undefined;
  /** One of these is to be there, within the time from then on. */
  readonly screens: ScreenChoice | undefined;
  readonly screenMilliseconds: number;
  /** What is displayed there is wanted. */
  readonly read: Area | undefined;
  readonly signal: AbortSignal;
}

export type HostLook =
  | { readonly kind: 'done'; readonly screen?: number | undefined; readonly text?: string | undefined }
  /** Of each screen, the conditions that do not hold, from 0. */
  | { readonly kind: 'otherScreen'; readonly missing: readonly (readonly number[])[] }
  | { readonly kind: 'timedOut' }
  | { readonly kind: 'faulty' }
  | { readonly kind: 'hostGone' };

/** Screens by their numbers. */
export function numberedScreens(screens: ScreenChoice): ScreenDefinition[] {
  return screens.map((conditions, at) => ({ name: String(at), conditions }));
}

/** Says what the host shows, as soon as it has answered. @throws what the signal was aborted with */
export async function lookAtHost(ground: StepGround, question: HostQuestion): Promise<HostLook> {
  const { hostMilliseconds, screens, screenMilliseconds, read, signal } = question;
  if (hostMilliseconds !== undefined || screens === undefined) {
    const end = await expectScreens(ground, undefined, { withinMilliseconds: hostMilliseconds ?? 0, signal });
    if (end.kind !== 'done' || screens === undefined) return lookOf(end, screens, read);
  }
  const wanted = numberedScreens(screens);
  const end = await expectScreens(ground, wanted, { withinMilliseconds: screenMilliseconds, signal });
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
