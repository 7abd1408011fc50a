import { detailText, type PublicDetail, type Reason } from '../../lib/locale.js';
import type { StopSignal } from '../../lib/stop-signal.js';
import { TerminalTransfer } from '../file-transfer/terminal-transfer.js';
import { type TransferOptions, transferCommand } from '../file-transfer/transfer-options.js';
import type { Screen } from '../screen/screen.js';
import type { ScreenImage } from '../screen/screen-image.js';
import type { Act, ActRefusal } from './act.js';
import { inputFields, rowAndColumnOf, rowTexts } from './displayed-text.js';
import type { Wait, WaitEnd } from './waiters.js';

export interface FileTransfer extends TransferOptions {
  /** File to send; undefined to receive one. */
  readonly file?: Uint8Array | undefined;
  /** Translates between UTF-8 and the code page of the host; false: only IND$FILE translates. */
  readonly remap?: boolean | undefined;
  readonly mostBytes: number;
  /** Size of a record to the host. Limit and default: the size reported to the host. */
  readonly bufferBytes?: number | undefined;
  /** Time for the host to start the transfer. */
  readonly beginMilliseconds?: number | undefined;
  /** Time for each further step of the host. */
  readonly stepMilliseconds?: number | undefined;
  /** Called in the same turn as the command is typed; false if the screen has changed. */
  readonly isThere?: (() => boolean) | undefined;
  readonly signal?: StopSignal | undefined;
  readonly progress?: ((bytes: number) => void) | undefined;
}

type UndoneReason =
  /**
   * The command was not typed: its options are not valid, the keyboard is locked, or the screen has no field for it.
   */
  | 'notStarted'
  /** The host did not answer the command, or did not start a transfer. */
  | 'notBegun'
  | 'refusedByHost'
  /** The terminal cancelled: the file is too large or not text, or the host sent malformed data. */
  | 'refusedHere'
  | 'cancelled'
  | 'timedOut'
  | 'hostGone';

export type TransferObstacle = 'noField' | 'smallField' | 'locked' | 'otherScreen';

export type FileTransferEnd =
  | {
      readonly kind: 'done';
      readonly mode: 'DFT' | 'CUT';
      readonly bytes: number;
      readonly file: Uint8Array | undefined;
      readonly words: string;
    }
  | {
      readonly kind: 'failed';
      readonly reason: UndoneReason;
      /** In English. */
      readonly words: string;
      readonly detail: PublicDetail;
      readonly obstacle?: TransferObstacle;
    };

interface TransferContext {
  readonly screen: Screen;
  readonly image: ScreenImage;
  act(act: Act): ActRefusal | undefined;
  waitUntil(holds: () => boolean, wait?: Wait): Promise<WaitEnd>;
  settled(wait: Wait): Promise<WaitEnd>;
}

const BEGIN_MILLISECONDS = 30_000;
const STEP_MILLISECONDS = 60_000;
/** Time to start a transfer for a host that has already unlocked the keyboard. */
const LATE_MILLISECONDS = 3_000;
/** Time for a host to confirm the cancellation. */
const CANCEL_MILLISECONDS = 10_000;
const SETTLE_MILLISECONDS = 5_000;
const MOST_WORDS = 300;
const cancellation = { code: 'transfer.cancelled' } as const;

/**
 * Types the command and transfers the file in the mode that the host chooses. The keyboard stays locked until the end.
 */
export async function transferFile(context: TransferContext, transfer: FileTransfer): Promise<FileTransferEnd> {
  const before = rowTexts(context.image);
  const notStarted = start(context, transfer);
  if (notStarted !== undefined) return transferFailed('notStarted', notStarted.reason, notStarted.obstacle);
  const { screen } = context;
  const { file, text, lines, remap, mostBytes, bufferBytes = Number.POSITIVE_INFINITY } = transfer;
  const { codePage, transferBufferBytes } = screen.state;
  const run = new TerminalTransfer({
    file,
    rules: { text, lines, codePage: remap === false ? undefined : codePage },
    mostBytes,
    bufferBytes: Math.min(bufferBytes, transferBufferBytes),
    codePage,
  });
  screen.transfer = run;
  try {
    const end = await followed(context, run, transfer, before);
    // a host that did not start a transfer and has unlocked the keyboard sends no further screen
    const isBack = run.mode === undefined && run.end === undefined && !screen.state.operator.waitingForHost;
    if (!isBack && (end.kind === 'done' || end.reason !== 'hostGone'))
      await context.settled({ withinMilliseconds: SETTLE_MILLISECONDS });
    return end;
  } finally {
    screen.transfer = undefined;
  }
}

function start(
  context: TransferContext,
  transfer: FileTransfer,
): { readonly reason: Reason; readonly obstacle?: TransferObstacle } | undefined {
  const command = transferCommand(transfer);
  if (command.kind === 'fault') return { reason: command.reason };
  if (transfer.isThere?.() === false) return { reason: { code: 'transfer.otherScreen' }, obstacle: 'otherScreen' };
  const { image, screen } = context;
  if (screen.partner !== 'application') return { reason: { code: 'transfer.no3270' } };
  if (screen.state.operator.transferring) return { reason: { code: 'transfer.busy' } };
  const field = commandField(image);
  if (image.formatted && field === undefined) return { reason: { code: 'transfer.noField' }, obstacle: 'noField' };
  if (field !== undefined && field.length < command.value.length) {
    const values = { room: field.length, length: command.value.length };
    return { reason: { code: 'transfer.smallField', values }, obstacle: 'smallField' };
  }
  const at = field === undefined ? undefined : rowAndColumnOf(image, (field.address + 1) % image.text.length);
  const place: Act = at === undefined ? {} : { fill: [{ at, text: '' }], cursor: at };
  // the cursor must be after the typed text, because its position is sent to the host
  const refusal = context.act({ ...place, type: [{ text: command.value }], press: 'Enter' });
  if (refusal === undefined) return undefined;
  return refusal.kind === 'operatorError'
    ? { reason: { code: 'transfer.notTyped', values: { reason: refusal.code } } }
    : { reason: { code: 'transfer.locked' }, obstacle: 'locked' };
}

function commandField(image: ScreenImage) {
  const fields = inputFields(image);
  const { cursor, text } = image;
  const holds = ({ address, length }: { address: number; length: number }) => {
    const offset = (cursor - address - 1 + text.length) % text.length;
    return offset < length;
  };
  return fields.find(holds) ?? fields[0];
}

async function followed(
  context: TransferContext,
  run: TerminalTransfer,
  transfer: FileTransfer,
  before: readonly string[],
): Promise<FileTransferEnd> {
  const { progress } = transfer;
  let told = 0;
  const tell = () => {
    if (run.bytes !== told) progress?.(run.bytes);
    told = run.bytes;
  };
  let end: WaitEnd = 'holds';
  while (end === 'holds' && run.end === undefined) {
    end = await (run.mode === undefined ? begun(context, run, transfer) : stepped(context, run, transfer, tell));
    tell();
  }
  if (run.end !== undefined) return endOf(run, transfer);
  if (end === 'aborted') return cancelled(context, run, transfer);
  if (end === 'hostGone') return transferFailed('hostGone', { code: 'transfer.hostGone' });
  return late(context, run, before);
}

/** Waits for the first step. If the host unlocks the keyboard without one, a shorter time limit applies. */
async function begun(
  context: TransferContext,
  run: TerminalTransfer,
  { signal, beginMilliseconds = BEGIN_MILLISECONDS }: FileTransfer,
): Promise<WaitEnd> {
  const { operator } = context.screen.state;
  const seen = run.steps;
  const hasMoved = () => run.end !== undefined || run.steps !== seen;
  const end = await context.waitUntil(() => hasMoved() || !operator.waitingForHost, {
    signal,
    withinMilliseconds: beginMilliseconds,
  });
  if (end !== 'holds' || hasMoved()) return end;
  return context.waitUntil(hasMoved, { signal, withinMilliseconds: Math.min(LATE_MILLISECONDS, beginMilliseconds) });
}

/**
 * Waits for the end, with a time limit for each step. One wait covers all steps, because a large file has thousands.
 */
async function stepped(
  context: TransferContext,
  run: TerminalTransfer,
  { signal, stepMilliseconds = STEP_MILLISECONDS }: FileTransfer,
  tell: () => void,
): Promise<WaitEnd> {
  let seen = run.steps;
  let moved = performance.now();
  const isOver = () => {
    if (run.steps !== seen) moved = performance.now();
    seen = run.steps;
    tell();
    return run.end !== undefined;
  };
  for (;;) {
    const left = moved + stepMilliseconds - performance.now();
    if (left <= 0) return 'timedOut';
    const end = await context.waitUntil(isOver, { signal, withinMilliseconds: left });
    if (end !== 'timedOut') return end;
  }
}

function endOf(run: TerminalTransfer, { file }: FileTransfer): FileTransferEnd {
  const { end, mode = 'DFT', bytes } = run;
  if (end?.kind !== 'done') {
    const { by, detail } = end ?? { by: 'terminal', detail: cancellation };
    const isCancelled = 'code' in detail && detail.code === cancellation.code;
    return transferFailed(by === 'host' ? 'refusedByHost' : isCancelled ? 'cancelled' : 'refusedHere', detail);
  }
  const received = file === undefined ? run.received() : undefined;
  return { kind: 'done', mode, bytes: received?.length ?? bytes, file: received, words: end.words };
}

async function cancelled(
  context: TransferContext,
  run: TerminalTransfer,
  transfer: FileTransfer,
): Promise<FileTransferEnd> {
  run.refuse(cancellation);
  await context.waitUntil(() => run.end !== undefined, { withinMilliseconds: CANCEL_MILLISECONDS });
  return run.end === undefined ? transferFailed('cancelled', cancellation) : endOf(run, transfer);
}

function late({ image, screen }: TransferContext, run: TerminalTransfer, before: readonly string[]): FileTransferEnd {
  if (run.mode !== undefined) return transferFailed('timedOut', { code: 'transfer.stopped' });
  if (screen.state.operator.waitingForHost) {
    return transferFailed('notBegun', { code: 'transfer.unanswered' });
  }
  const shown = rowTexts(image).filter((row, at) => row.trim() !== '' && row !== before[at]);
  const text = shown.map((row) => row.trim().replaceAll(/\s+/g, ' ')).join(' / ');
  return transferFailed('notBegun', { code: 'transfer.notBegun', values: { text: text.slice(0, MOST_WORDS) } });
}

export function transferFailed(
  reason: UndoneReason,
  detail: PublicDetail,
  obstacle?: TransferObstacle,
): FileTransferEnd {
  const end = { kind: 'failed', reason, words: detailText(detail, 'en'), detail } as const;
  return obstacle === undefined ? end : { ...end, obstacle };
}
