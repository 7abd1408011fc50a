import type { StopSignal } from '../lib/stop-signal.js';
import { countStrokes, MOST_STROKES } from '../tn3270/conversation/act.js';
import type { WalkedSession } from '../tn3270/conversation/conversation.js';
import { rowAndColumnOf } from '../tn3270/conversation/displayed-text.js';
import { type ExtractFault, extract, type TableRow } from '../tn3270/conversation/extract.js';
import type { FileTransferEnd } from '../tn3270/conversation/file-transfer.js';
import { hostEndDetail } from '../tn3270/conversation/host-end-words.js';
import { recognise, type ScreenDefinition } from '../tn3270/conversation/screen-definition.js';
import type { Expectation, UndoneStep } from '../tn3270/conversation/step.js';
import type { ExtractedValue } from '../tn3270/conversation/values.js';
import { operatorErrors } from '../tn3270/keyboard/operator-errors.js';
import { filledIn, isLeftOut } from '../tn3270/keyboard/text-pieces.js';
import type { ScreenImage } from '../tn3270/screen/screen-image.js';
import type { ExtractDefinition, ServiceStep, ServiceTransfer, TypedPiece } from './service-definition.js';

type Extracts = Readonly<Record<string, ExtractedValue | readonly TableRow[]>>;

interface FailedWalk {
  readonly kind: 'failed';
  readonly step: number;
  readonly pressed: boolean;
  readonly failure: UndoneStep;
  /** True if the host received a secret. The screen must then not be shown to the caller. */
  readonly withholdsScreen?: boolean;
}

/** Result of a walk. `step` counts from 1. */
export type WalkOutcome =
  | { readonly kind: 'done'; readonly extracts: Extracts }
  | { readonly kind: 'answered'; readonly status: number; readonly code: string; readonly message: string }
  | FailedWalk
  | { readonly kind: 'unreadable'; readonly step: number; readonly faults: readonly ExtractFault[] }
  | { readonly kind: 'tooManyRows'; readonly step: number; readonly name: string }
  | UntransferredFile;

export interface UntransferredFile {
  readonly kind: 'notTransferred';
  readonly step: number;
  readonly reason: TransferReason;
  readonly words: string;
}

/** Reasons after which the host accepts commands again, so that the session can return to the home screen. */
const answeredByHost: ReadonlySet<TransferReason> = new Set(['notStarted', 'refusedByHost', 'refusedHere']);

/** True if no answer of the host is outstanding, so that the session can return to its home screen. */
export function isComeTo(outcome: WalkOutcome): boolean {
  if (outcome.kind === 'notTransferred') return answeredByHost.has(outcome.reason);
  return (
    outcome.kind !== 'failed' || outcome.failure.kind === 'guardFailed' || outcome.failure.kind === 'operatorError'
  );
}

export type WalkNews =
  | { readonly kind: 'arrived'; readonly step: number; readonly screen: string }
  | { readonly kind: 'leftOut'; readonly step: number };

interface Walk {
  readonly session: WalkedSession;
  readonly screens: ReadonlyMap<string, ScreenDefinition>;
  readonly steps: readonly ServiceStep[];
  /** Texts to type by parameter name, without parameters that the caller omitted. */
  readonly values: ReadonlyMap<string, string>;
  readonly signal: StopSignal;
  readonly tell?: (news: WalkNews) => void;
}

/**
 * Walks the screens of a service. Each key is pressed in the same turn of the event loop in which its screen is
 * recognized.
 * @throws the abort reason of `signal`
 */
export async function runSteps(walk: Walk): Promise<WalkOutcome> {
  const { steps } = walk;
  const extracts = new Map<string, ExtractedValue | readonly TableRow[]>();
  const [first] = steps;
  if (first?.optional === true) await walk.session.settled({ ...first, signal: walk.signal });
  for (const [index, step] of steps.entries()) {
    if (step.optional && !isAt(walk, step)) {
      walk.tell?.({ kind: 'leftOut', step: index + 1 });
      continue;
    }
    const ended = await takeStep(walk, index, extracts);
    if (ended !== undefined) return ended;
  }
  return { kind: 'done', extracts: Object.fromEntries(extracts) };
}

/** True if the screen of an optional step is displayed. The previous step has waited for the host. */
function isAt({ session, screens }: Walk, { at }: ServiceStep): boolean {
  return session.isSettled && recognise(definitionsOf(screens, at), session.image) !== undefined;
}

async function takeStep(
  walk: Walk,
  index: number,
  extracts: Map<string, ExtractedValue | readonly TableRow[]>,
): Promise<WalkOutcome | undefined> {
  const { session, screens, steps, values, signal } = walk;
  const step = steps[index] as ServiceStep;
  const { withinMilliseconds, quietMilliseconds } = step;
  const expectation = { withinMilliseconds, quietMilliseconds, signal };
  const at = definitionsOf(screens, step.at);
  const undone = (failure: UndoneStep, pressed = false) =>
    ({ kind: 'failed', step: index + 1, pressed, failure }) as const;
  const arrived = await session.expect(at, expectation);
  if (arrived.kind !== 'done') return undone(arrived);
  walk.tell?.({ kind: 'arrived', step: index + 1, screen: arrived.screen ?? '' });
  for (const [name, definition] of step.extract) {
    const read = await readExtract(session, definition, arrived.image, { at, ...expectation });
    if (read.kind === 'value') extracts.set(name, read.value);
    else if (read.kind === 'tooManyRows') return { kind: 'tooManyRows', step: index + 1, name };
    else if (read.kind === 'failed') return undone(read.failure);
    else
      return {
        kind: 'unreadable',
        step: index + 1,
        faults: read.faults.map((fault) => ({ ...fault, name: faultName(name, definition, fault) })),
      };
  }
  if (step.transfer !== undefined) {
    const run = await runTransfer({ session, at, values }, step.transfer, expectation);
    if (run.kind === 'failed') return undone(run.failure);
    if (run.kind === 'notTransferred') return { ...run, step: index + 1 };
    if (run.contents !== undefined) extracts.set(step.transfer.contents, run.contents);
    return undefined;
  }
  if (step.press === undefined) return undefined;
  const type = step.type.map((piece) => strokeOf(piece, values));
  if (countStrokes(type) > MOST_STROKES) {
    const { image } = session;
    const place = rowAndColumnOf(image, image.cursor);
    return undone({ kind: 'operatorError', code: operatorErrors.overflow, at: place, image });
  }
  const outcomes = definitionsOf(screens, [...step.outcomes.keys()]);
  const expected = expectedAfter(steps, index);
  const end = await session.step({
    at,
    act: {
      fill: step.fill
        .filter(({ text }) => !isLeftOut(text, values))
        .map(({ field, text }) => ({ ...field, text: filledIn(text, values) })),
      ...(step.cursor === undefined ? {} : { cursor: step.cursor }),
      type,
      press: step.press,
    },
    expect: expected === undefined ? undefined : [...outcomes, ...definitionsOf(screens, expected)],
    ...expectation,
  });
  if (end.kind !== 'done') {
    // a host may disconnect after sign-off, so the end of the connection completes the last step
    const isOver = end.kind === 'hostGone' && index === steps.length - 1 && expected === undefined;
    return isOver ? undefined : undone(end, end.kind !== 'operatorError');
  }
  const answer = step.outcomes.get(end.screen ?? '');
  if (answer === undefined) return undefined;
  return { kind: 'answered', status: answer.status, code: answer.code, message: filledIn(answer.message, values) };
}

/** `expect`, or the screens of the next steps. @returns undefined if any screen may follow */
function expectedAfter(steps: readonly ServiceStep[], index: number): readonly string[] | undefined {
  const { expect, outcomes } = steps[index] as ServiceStep;
  if (expect !== undefined) return expect;
  const names: string[] = [];
  for (const { at, optional } of steps.slice(index + 1)) {
    names.push(...at);
    if (!optional) return names;
  }
  return outcomes.size > 0 ? names : undefined;
}

type ExtractReading =
  | { readonly kind: 'value'; readonly value: ExtractedValue | readonly TableRow[] }
  | { readonly kind: 'unreadable'; readonly faults: readonly ExtractFault[] }
  | { readonly kind: 'tooManyRows' }
  | { readonly kind: 'failed'; readonly failure: UndoneStep };

async function readExtract(
  session: WalkedSession,
  definition: ExtractDefinition,
  image: ScreenImage,
  expectation: Expectation & { readonly at: readonly ScreenDefinition[] },
): Promise<ExtractReading> {
  if (definition.kind === 'value') {
    const read = extract(image, { value: definition.extract });
    if (read.kind === 'extractFault') return { kind: 'unreadable', faults: read.faults };
    return { kind: 'value', value: read.values.value as ExtractedValue };
  }
  const end = await session.readTable({ table: definition.table, ...expectation });
  if (end.kind === 'extractFault') return { kind: 'unreadable', faults: end.faults };
  if (end.kind !== 'done') return { kind: 'failed', failure: end };
  if (!end.isComplete) return { kind: 'tooManyRows' };
  return { kind: 'value', value: withoutRepeats(end.rows, definition.key) };
}

function withoutRepeats(rows: readonly TableRow[], key: string | undefined): readonly TableRow[] {
  if (key === undefined) return rows;
  const seen = new Set<ExtractedValue | undefined>();
  return rows.filter((row) => !seen.has(row[key]) && seen.add(row[key]));
}

function faultName(name: string, definition: ExtractDefinition, fault: ExtractFault): string {
  return definition.kind === 'table' ? `${name}.${fault.name}` : name;
}

function strokeOf(piece: TypedPiece, values: ReadonlyMap<string, string>): { text: string } | { key: string } {
  if (piece.kind === 'key') return { key: piece.key };
  return { text: filledIn([piece], values) };
}

function definitionsOf(
  screens: ReadonlyMap<string, ScreenDefinition>,
  names: readonly string[],
): readonly ScreenDefinition[] {
  return names.flatMap((name) => screens.get(name) ?? []);
}

type TransferReason = Extract<FileTransferEnd, { kind: 'failed' }>['reason'];

type TransferRun =
  /** @property contents received file in the encoding of the answer */
  | { readonly kind: 'done'; readonly contents: string | undefined }
  | { readonly kind: 'failed'; readonly failure: UndoneStep }
  | { readonly kind: 'notTransferred'; readonly reason: TransferReason; readonly words: string };

interface TransferContext {
  readonly session: WalkedSession;
  readonly at: readonly ScreenDefinition[];
  readonly values: ReadonlyMap<string, string>;
}

/**
 * Transfers a file. The command is typed in the same turn of the event loop in which the screen is recognized.
 * @throws the abort reason of `signal` if nothing has been typed yet
 */
async function runTransfer(
  { session, at, values }: TransferContext,
  { options, file, contents, encoding, remap, mostBytes, milliseconds }: ServiceTransfer,
  expectation: Expectation,
): Promise<TransferRun> {
  const encodingHere = encoding === 'text' ? 'utf8' : 'base64';
  const sent = options.direction === 'send' ? Buffer.from(values.get(contents) ?? '', encodingHere) : undefined;
  for (;;) {
    const arrived = await session.expect(at, expectation);
    if (arrived.kind !== 'done') return { kind: 'failed', failure: arrived };
    const end = await session.transferFile({
      ...options,
      hostFile: filledIn(file, values),
      file: sent,
      remap,
      mostBytes,
      beginMilliseconds: milliseconds,
      stepMilliseconds: milliseconds,
      isThere: () => session.isSettled && recognise(at, session.image) !== undefined,
      signal: expectation.signal,
    });
    if (end.kind === 'failed') {
      // the host has written since the screen was recognized
      if (end.obstacle === 'otherScreen') continue;
      // report the reason of the abort: caller gone, or time limit
      if (end.reason === 'cancelled' && expectation.signal?.aborted === true) throw expectation.signal.reason;
      return { kind: 'notTransferred', reason: end.reason, words: end.words };
    }
    const received = options.direction === 'receive' ? Buffer.from(end.file ?? []) : undefined;
    return { kind: 'done', contents: received?.toString(encodingHere) };
  }
}

/** For logs. Contains displayed text only to tell screens apart, and no text that was filled in. */
export function wordsOfWalk(outcome: WalkOutcome): string {
  switch (outcome.kind) {
    case 'done':
      return 'done';
    case 'answered':
      return `${outcome.code}: ${outcome.message}`;
    case 'unreadable':
      return `step ${outcome.step}: ${outcome.faults.map(({ name }) => name).join(', ')} cannot be read`;
    case 'tooManyRows':
      return `step ${outcome.step}: ${outcome.name} has too many rows`;
    case 'notTransferred':
      return `step ${outcome.step}: the file was not transferred: ${outcome.reason}`;
    case 'failed':
      return `step ${outcome.step}: ${wordsOfFailure(outcome)}`;
  }
}

function wordsOfFailure({ failure, withholdsScreen = false }: Extract<WalkOutcome, { kind: 'failed' }>): string {
  switch (failure.kind) {
    case 'guardFailed': {
      const differs = (words: readonly string[]) => (withholdsScreen ? '' : ` (${words.join('; ')})`);
      return `an unexpected screen appeared instead of ${failure.differs.map((one) => one.screen + differs(one.differs)).join(', ')}`;
    }
    case 'timedOut':
      return 'the host has not answered in time';
    case 'operatorError':
      return `the terminal rejects input at row ${failure.at[0]}, column ${failure.at[1]}: ${failure.code}`;
    case 'withheld':
      return 'the INPUT scenario of the transaction withheld the key';
    case 'hostGone':
      return `the session has ended: ${hostEndDetail(failure.end) ?? failure.end.kind}`;
    case 'screenFault':
      return `the host sent a record that is malformed or not supported: ${failure.programCheck}`;
  }
}
