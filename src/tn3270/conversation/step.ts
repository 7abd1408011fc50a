import type { HostSessionEnd } from '../../../machines/host-session.machine.js';
import type { StopSignal } from '../../lib/stop-signal.js';
import type { ProgramCheck } from '../datastream/data-stream-handler.js';
import type { OperatorError } from '../keyboard/operator-errors.js';
import type { RowAndColumn } from '../screen/screen-condition.js';
import type { ScreenImage } from '../screen/screen-image.js';
import type { Act, ActRefusal } from './act.js';
import { differences, recognise, type ScreenDefinition } from './screen-definition.js';
import type { WaitEnd } from './waiters.js';

/** What one screen lacked to be the one that was expected. */
interface Difference {
  readonly screen: string;
  readonly differs: readonly string[];
}

/** How a step ends. What was filled in is in none of them, but for what the host displays of it in the picture. */
export type StepEnd =
  /** `screen`: the definition that holds now; undefined where none was asked for. */
  | { readonly kind: 'done'; readonly screen: string | undefined; readonly image: ScreenImage }
  /** The host has answered, and with none of the screens that were expected. */
  | {
      readonly kind: 'guardFailed';
      readonly image: ScreenImage;
      readonly expected: readonly string[];
      readonly differs: readonly Difference[];
    }
  /** The host has not answered, or has kept the keyboard. */
  | { readonly kind: 'timedOut'; readonly image: ScreenImage; readonly expected: readonly string[] }
  /** The terminal did not take what was to be typed, and nothing of it was done. */
  | {
      readonly kind: 'operatorError';
      readonly code: OperatorError;
      readonly at: RowAndColumn;
      readonly image: ScreenImage;
    }
  /** A scenario of the session has kept the key from the host. */
  | { readonly kind: 'withheld'; readonly image: ScreenImage }
  | { readonly kind: 'hostGone'; readonly end: HostSessionEnd }
  /** The host sent a record that cannot be carried out (X PROG). */
  | { readonly kind: 'screenFault'; readonly programCheck: ProgramCheck; readonly image: ScreenImage };

export type UndoneStep = Exclude<StepEnd, { kind: 'done' }>;

export interface Expectation {
  /** For the host to answer with one of the screens. */
  readonly withinMilliseconds: number;
  /** How long the host must not have written for its answer to be complete. */
  readonly quietMilliseconds?: number | undefined;
  readonly signal?: StopSignal | undefined;
}

export interface Step extends Expectation {
  /** The screens that it may act on, undefined: any; the time for one of them to come is counted by itself. */
  readonly at: readonly ScreenDefinition[] | undefined;
  /** Undefined: it only looks. */
  readonly act?: Act | undefined;
  /** The screens that may follow; undefined: whatever the host answers. */
  readonly expect?: readonly ScreenDefinition[] | undefined;
}

/** Why a step did nothing; `withheld`: a scenario of the session keeps the key from the host. */
export type StepRefusal = ActRefusal | { readonly kind: 'withheld' };

/** What steps need of the conversation that they are taken in. */
export interface StepGround {
  readonly image: ScreenImage;
  readonly end: HostSessionEnd | undefined;
  readonly isSettled: boolean;
  readonly programCheck: ProgramCheck | undefined;
  act(act: Act): StepRefusal | undefined | Promise<StepRefusal | undefined>;
  /** Ends with a program check, too. */
  waitUntilSettled(holds: () => boolean, wait: Expectation): Promise<WaitEnd>;
}

/**
 * Waits until one of several screens is there and the host has settled on it.
 * @throws what the signal was aborted with
 */
export async function expectScreens(
  ground: StepGround,
  definitions: readonly ScreenDefinition[] | undefined,
  expectation: Expectation,
): Promise<StepEnd> {
  const isThere = () => definitions === undefined || recognise(definitions, ground.image) !== undefined;
  const begin = performance.now();
  for (;;) {
    const withinMilliseconds = Math.max(0, expectation.withinMilliseconds - (performance.now() - begin));
    const how = await ground.waitUntilSettled(isThere, { ...expectation, withinMilliseconds });
    const isFaulty = ground.programCheck !== undefined || ground.end !== undefined;
    // the host may have written between the end of the wait and this turn
    if (how !== 'holds' || isFaulty || (ground.isSettled && isThere())) {
      return endOf(ground, how, definitions, expectation.signal);
    }
  }
}

/**
 * Waits for a screen that may be acted on, acts, and waits for one that may follow. The screen is looked at in the same turn as the
 * act is done: nothing is ever typed on, and no key pressed on, a screen that was not recognised.
 * @throws what the signal was aborted with
 */
export async function takeStep(ground: StepGround, { at, act, expect, ...expectation }: Step): Promise<StepEnd> {
  const begin = performance.now();
  for (;;) {
    const withinMilliseconds = Math.max(0, expectation.withinMilliseconds - (performance.now() - begin));
    const arrived = await expectScreens(ground, at, { ...expectation, withinMilliseconds });
    if (arrived.kind !== 'done' || act === undefined) return arrived;
    if (!ground.isSettled || (at !== undefined && recognise(at, ground.image) === undefined)) continue;
    const refusal = await ground.act(act);
    return refusal === undefined
      ? expectScreens(ground, expect, expectation)
      : endOfRefusal(refusal, ground.image, at ?? []);
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
  ground: StepGround,
  how: WaitEnd,
  definitions: readonly ScreenDefinition[] | undefined,
  signal: StopSignal | undefined,
): StepEnd {
  if (how === 'aborted') throw signal?.reason;
  const { image, end, programCheck } = ground;
  if (end !== undefined) return { kind: 'hostGone', end };
  if (programCheck !== undefined) return { kind: 'screenFault', programCheck, image };
  const expected = definitions?.map(({ name }) => name) ?? [];
  const screen = definitions === undefined ? undefined : recognise(definitions, image);
  // the right screen, too, is late where the host has not been quiet on it
  if (how === 'timedOut' && (!ground.isSettled || definitions === undefined || screen !== undefined))
    return { kind: 'timedOut', image, expected };
  if (how === 'holds' && (definitions === undefined || screen !== undefined))
    return { kind: 'done', screen: screen?.name, image };
  const differs = (definitions ?? []).map((definition) => ({
    screen: definition.name,
    differs: differences(definition, image),
  }));
  return { kind: 'guardFailed', image, expected, differs };
}
