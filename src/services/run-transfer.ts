import type { WalkedSession } from '../tn3270/conversation/conversation.js';
import type { FileTransferEnd } from '../tn3270/conversation/file-transfer.js';
import { recognise, type ScreenDefinition } from '../tn3270/conversation/screen-definition.js';
import type { Expectation, UndoneStep } from '../tn3270/conversation/step.js';
import { filledIn } from '../tn3270/keyboard/text-pieces.js';
import type { ServiceTransfer } from './service-definition.js';

export type TransferReason = Extract<FileTransferEnd, { kind: 'failed' }>['reason'];

type TransferRun =
  /** @property contents of a file that was received, as the answer has them */
  | { readonly kind: 'done'; readonly contents: string | undefined }
  | { readonly kind: 'failed'; readonly failure: UndoneStep }
  | { readonly kind: 'notTransferred'; readonly reason: TransferReason; readonly words: string };

interface TransferGround {
  readonly session: WalkedSession;
  readonly at: readonly ScreenDefinition[];
  readonly values: ReadonlyMap<string, string>;
}

/**
 * Transfers one file of a service: its command is typed in the same turn as the screen is recognised.
 * @throws what the signal was aborted with, where nothing was typed yet
 */
export async function runTransfer(
  { session, at, values }: TransferGround,
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
      // the host has written since the screen was recognised
      if (end.obstacle === 'otherScreen') continue;
      // who has gone away, or taken too long, is told so
      if (end.reason === 'cancelled' && expectation.signal?.aborted === true) throw expectation.signal.reason;
      return { kind: 'notTransferred', reason: end.reason, words: end.words };
    }
    const received = options.direction === 'receive' ? Buffer.from(end.file ?? []) : undefined;
    return { kind: 'done', contents: received?.toString(encodingHere) };
  }
}
