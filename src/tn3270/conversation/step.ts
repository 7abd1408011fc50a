import type { HostSessionEnd } from '../../../machines/host-session.machine.js';
import type { StopSignal } from '../../lib/stop-signal.js';
import type { ProgramCheck } from '../datastream/data-stream-handler.js';
import type { OperatorError } from '../keyboard/operator-errors.js';
import type { RowAndColumn } from '../screen/screen-condition.js';
import type { ScreenImage } from '../screen/screen-image.js';
import type { Act, ActRefusal } from './act.js';
import { differences, recognise, type ScreenDefinition } from './screen-definition.js';
import type { WaitEnd } from './waiters.js';

interface Difference {
  readonly screen: string;
  readonly differs: readonly string[];
}

/** End of a step. Typed text appears in none of them, except as displayed by the host in `image`. */
export type StepEnd =
  /** `screen`: name of the recognised definition; undefined if none was expected. */
  | { readonly kind: 'done'; readonly screen: string | undefined; readonly image: ScreenImage }
  /** The host answered with a screen that was not expected. */
  | {
      readonly kind: 'guardFailed';
      readonly image: ScreenImage;
      readonly expected: readonly string[];
      readonly differs: readonly Difference[];
    }
  /** The host did not answer in time, or did not unlock the keyboard. */
  | { readonly kind: 'timedOut'; readonly image: ScreenImage; readonly expected: readonly string[] }
  /** The terminal rejected the input, and nothing was typed. */
  | {
      readonly kind: 'operatorError';
      readonly code: OperatorError;
      readonly at: RowAndColumn;
      readonly image: ScreenImage;
    }
  /** A scenario of the session did not pass the key to the host. */
  | { readonly kind: 'withheld'; readonly image: ScreenImage }
  | { readonly kind: 'hostGone'; readonly end: HostSessionEnd }
  /** The host sent a malformed record (X PROG). */
  | { readonly kind: 'screenFault'; readonly programCheck: ProgramCheck; readonly image: ScreenImage };

export type UndoneStep = Exclude<StepEnd, { kind: 'done' }>;

export interface Expectation {
  readonly withinMilliseconds: number;
  /** Time without a write of the host after which its answer is complete. */
  readonly quietMilliseconds?: number | undefined;
  readonly signal?: StopSignal | undefined;
}

export interface Step extends Expectation {
  /** Screens on which the act is allowed; undefined: any. The time limit for them to appear is separate. */
  readonly at: readonly ScreenDefinition[] | undefined;
  /** Undefined: the step only waits. */
  readonly act?: Act | undefined;
  readonly expect?: readonly ScreenDefinition[] | undefined;
}

export type StepRefusal = ActRefusal | { readonly kind: 'withheld' };

export interface StepContext {
  readonly image: ScreenImage;
  readonly end: HostSessionEnd | undefined;
  readonly isSettled: boolean;
  readonly programCheck: ProgramCheck | undefined;
  act(act: Act): StepRefusal | undefined | Promise<StepRefusal | undefined>;
  /** Resolves also after a program check. */
  waitUntilSettled(holds: () => boolean, wait: Expectation): Promise<WaitEnd>;
}

/**
 * Waits until one of several screens is displayed and the host has settled.
 * @throws the reason of an aborted signal
 */
export async function expectScreens(
  context: StepContext,
  definitions: readonly ScreenDefinition[] | undefined,
  expectation: Expectation,
): Promise<StepEnd> {
  const isThere = () => definitions === undefined || recognise(definitions, context.image) !== undefined;
  const begin = performance.now();
  for (;;) {
    const withinMilliseconds = Math.max(0, expectation.withinMilliseconds - (performance.now() - begin));
    const how = await context.waitUntilSettled(isThere, { ...expectation, withinMilliseconds });
    const isFaulty = context.programCheck !== undefined || context.end !== undefined;
    // the host may have written between the end of the wait and this turn
    if (how !== 'holds' || isFaulty || (context.isSettled && isThere())) {
      return endOf(context, how, definitions, expectation.signal);
    }
  }
}

/**
 * Waits for one of the screens in `at`, acts, and waits for one of the screens in `expect`. The screen is checked in
 * the same turn as the act: no input goes to an unrecognised screen.
 * @throws the reason of an aborted signal
 */
export async function takeStep(context: StepContext, { at, act, expect, ...expectation }: Step): Promise<StepEnd> {
  const begin = performance.now();
  for (;;) {
    const withinMilliseconds = Math.max(0, expectation.withinMilliseconds - (performance.now() - begin));
    const arrived = await expectScreens(context, at, { ...expectation, withinMilliseconds });
    if (arrived.kind !== 'done' || act === undefined) return arrived;
    if (!context.isSettled || (at !== undefined && recognise(at, context.image) === undefined)) continue;
    const refusal = await context.act(act);
    return refusal === undefined
      ? expectScreens(context, expect, expectation)
      : endOfRefusal(refusal, context.image, at ?? []);
  }
}

export function endOfRefusal(refusal: StepRefusal, image: ScreenImage, at: readonly ScreenDefinition[]): UndoneStep {
  if (refusal.kind === 'locked') return { kind: 'timedOut', image, expected: at.map(({ name }) => name) };
  if (refusal.kind === 'withheld') return { kind: 'withheld', image };
  if (refusal.kind === 'operatorError') return { kind: 'operatorError', code: refusal.code, at: refusal.at, image };
  const screen = recognise(at, image)?.name ?? '';
  return { kind: 'guardFailed', image, expected: [screen], differs: [{ screen, differs: [refusal.differs] }] };
}

function endOf(
  context: StepContext,
  how: WaitEnd,
  definitions: readonly ScreenDefinition[] | undefined,
  signal: StopSignal | undefined,
): StepEnd {
  if (how === 'aborted') throw signal?.reason;
  const { image, end, programCheck } = context;
  if (end !== undefined) return { kind: 'hostGone', end };
  if (programCheck !== undefined) return { kind: 'screenFault', programCheck, image };
  const expected = definitions?.map(({ name }) => name) ?? [];
  const screen = definitions === undefined ? undefined : recognise(definitions, image);
  // the expected screen is also late if the host did not stay quiet
  if (how === 'timedOut' && (!context.isSettled || definitions === undefined || screen !== undefined))
    return { kind: 'timedOut', image, expected };
  if (how === 'holds' && (definitions === undefined || screen !== undefined))
    return { kind: 'done', screen: screen?.name, image };
  const differs = (definitions ?? []).map((definition) => ({
    screen: definition.name,
    differs: differences(definition, image),
  }));
  return { kind: 'guardFailed', image, expected, differs };
}
