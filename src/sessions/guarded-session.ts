import { ServiceError } from '../lib/errors.js';
import type { StopSignal } from '../lib/stop-signal.js';
import { type Act, splitAct } from '../tn3270/conversation/act.js';
import type { WalkedSession } from '../tn3270/conversation/conversation.js';
import { rowAndColumnOf } from '../tn3270/conversation/displayed-text.js';
import { readTable } from '../tn3270/conversation/extract.js';
import { type FileTransfer, type FileTransferEnd, transferFailed } from '../tn3270/conversation/file-transfer.js';
import { type HostLook, type HostQuestion, lookAtHost } from '../tn3270/conversation/look.js';
import { expectScreens, type StepContext, type StepRefusal, takeStep } from '../tn3270/conversation/step.js';
import type { ScreenImage } from '../tn3270/screen/screen-image.js';
import type { ActedSession, ActingPart } from './acted-session.js';
import type { TransferRule } from './session-facts.js';
import type { SessionTransfer } from './session-transfers.js';
import { enter, type Submission, type SubmitOutcome } from './submit.js';

interface WantedTransfer extends Omit<FileTransfer, 'mostBytes' | 'file' | 'progress'> {
  readonly from: string;
  readonly mostBytes?: number | undefined;
  /** Called after the transfer has been reserved. `signal` cancels the transfer. */
  readonly content?: ((mostBytes: number, signal: StopSignal) => Promise<Uint8Array>) | undefined;
}

/**
 * The only interface that acts on a session's host: form, WebSocket, JSON, steps of programs, trial of a service and
 * macro all use it. It enforces INPUT and OUTPUT scenarios, file transfer rules, limits and the audit trail. Only the
 * session's own scenarios and connection scripts, written by the administrator, use the conversation directly.
 */
export class GuardedSession {
  readonly #session: ActedSession;
  readonly #acting: ActingPart;

  constructor(session: ActedSession, acting: ActingPart) {
    this.#session = session;
    this.#acting = acting;
  }

  /** Returns the screen for the user as soon as the host has answered. @throws the abort reason */
  look(question: HostQuestion): Promise<HostLook> {
    return lookAtHost(this.#context, question);
  }

  /** Resolves when it is the browser's turn. @throws the error of the INPUT scenario (ERROR$) */
  async submit(submission: Submission): Promise<SubmitOutcome> {
    const outcome = await this.enter(submission);
    if (outcome.kind === 'done') await this.#session.settled();
    return outcome;
  }

  /** Like `submit`, but does not wait for the answer of the host. */
  enter(submission: Submission): Promise<SubmitOutcome> {
    return enter(this.#session, this.#acting, submission);
  }

  /** @returns undefined if the transaction, or this user, may not transfer files */
  transferRule(): Promise<TransferRule | undefined> {
    return this.#session.options.rules.transfer();
  }

  /**
   * Transfers a file by the rules of the transaction. The audit entry is written before the host receives the command.
   * @throws ServiceError SVC_ERR_TRANSFER_OFF, SVC_ERR_TRANSFER_BUSY, SVC_ERR_TRANSFER_FAILED (another transfer is
   * running), SVC_ERR_AUDIT_UNAVAILABLE, and errors of `content`
   */
  async transfer({ from, content, mostBytes: wanted, signal, ...options }: WantedTransfer): Promise<FileTransferEnd> {
    const rule = await this.transferRule();
    if (rule === undefined) throw new ServiceError('SVC_ERR_TRANSFER_OFF');
    const mostBytes = Math.min(rule.mostBytes, wanted ?? rule.mostBytes);
    const { rules, transfers } = this.#session.options;
    return transfers.during(this.#session, options, async (transfer) => {
      const cancel = () => transfer.stop.abort();
      if (signal?.aborted) cancel();
      signal?.addEventListener('abort', cancel);
      try {
        const file = await content?.(mostBytes, transfer.stop);
        transfer.total = file?.length;
        let end: FileTransferEnd | undefined;
        const run = async () => {
          end = await this.#transferred({ ...options, file, mostBytes }, transfer);
          if (end.kind === 'failed') throw transferRefusal(end);
          return end;
        };
        const { direction, hostFile } = options;
        return await rules.record({ direction, hostFile, bytes: file?.length, from }, run).catch((error: unknown) => {
          if (end?.kind === 'failed') return end;
          throw error;
        });
      } finally {
        signal?.removeEventListener('abort', cancel);
      }
    });
  }

  walk(from: string): WalkedSession {
    const context = this.#context;
    return {
      get image() {
        return context.image;
      },
      get isSettled() {
        return context.isSettled;
      },
      settled: ({ quietMilliseconds, withinMilliseconds = Number.POSITIVE_INFINITY, signal } = {}) =>
        context.waitUntilSettled(() => true, { quietMilliseconds, withinMilliseconds, signal }),
      expect: (definitions, expectation) => expectScreens(context, definitions, expectation),
      step: (step) => takeStep(context, step),
      readTable: (reading) => readTable(context, reading),
      transferFile: ({ file, progress: _, ...wanted }) =>
        this.transfer({ ...wanted, from, ...(file === undefined ? {} : { content: bounded(file) }) }),
    };
  }

  async #transferred(wanted: FileTransfer, transfer: SessionTransfer): Promise<FileTransferEnd> {
    if (transfer.stop.aborted) return transferFailed('cancelled', { code: 'transfer.cancelled' });
    const done = this.#acting.beginTransfer();
    if (done === undefined) return transferFailed('notStarted', { code: 'transfer.locked' });
    try {
      const end = await this.#acting.conversation.transferFile({
        ...wanted,
        signal: transfer.stop,
        progress: (bytes) => {
          transfer.bytes = bytes;
          this.#session.seen();
        },
      });
      if (end.kind === 'done') transfer.bytes = end.bytes;
      return end;
    } finally {
      done();
    }
  }

  /** The conversation; blank while the screen is hidden. */
  get #context(): StepContext {
    const session = this.#session;
    const { conversation } = this.#acting;
    const isOurs = () => session.isSettled && !session.isHidden;
    return {
      get image() {
        return session.isHidden ? blank(conversation.image) : conversation.image;
      },
      get end() {
        return conversation.end;
      },
      get isSettled() {
        return conversation.isSettled && isOurs();
      },
      get programCheck() {
        return conversation.programCheck;
      },
      act: (act) => (isOurs() ? this.#act(act) : { kind: 'locked' }),
      waitUntilSettled: (isThere, wait) => conversation.waitUntilSettled(() => isOurs() && isThere(), wait),
    };
  }

  /** Types in the current turn of the event loop, and presses the key after the INPUT scenario. */
  #act(act: Act): StepRefusal | undefined | Promise<StepRefusal | undefined> {
    const session = this.#session;
    const { conversation } = this.#acting;
    session.seen();
    session.supervision.pageAnswered();
    const { input, key } = splitAct(act);
    const isInspected = session.options.scenarios.has('INPUT');
    const isLine = session.screen.partner === 'line';
    // a line host receives each character immediately, so that the INPUT scenario could not inspect it
    if (key === undefined && isInspected && isLine && act.type?.some((stroke) => 'text' in stroke)) {
      return { kind: 'withheld' };
    }
    if (key === undefined) return conversation.act(act);
    if (!isInspected) {
      const refusal = conversation.act(act);
      if (refusal === undefined) this.#acting.noteSent();
      return refusal;
    }
    const refusal = isLine ? undefined : conversation.act(input);
    return (
      refusal ??
      this.#inspected(key, () => {
        if (isLine) conversation.act(input);
      })
    );
  }

  async #inspected(key: string, type: () => void): Promise<StepRefusal | undefined> {
    const { fate, outcome } = await this.#acting.pressAfterScenario(key, type);
    // without an outcome the scenario has ended the session before the key was pressed
    if (fate === 'withheld' || (fate === 'goesOn' && outcome === undefined)) return { kind: 'withheld' };
    if (outcome === undefined || outcome === 'done' || outcome === 'typedAhead') return undefined;
    const { image } = this.#acting.conversation;
    return outcome === 'dropped'
      ? { kind: 'locked' }
      : { kind: 'operatorError', code: outcome, at: rowAndColumnOf(image, image.cursor) };
  }
}

function blank(image: ScreenImage): ScreenImage {
  return { ...image, cursor: 0, locked: true, cells: image.cells.map(() => ' '), fields: [], runs: [] };
}

function bounded(file: Uint8Array): (mostBytes: number) => Promise<Uint8Array> {
  return async (mostBytes) => {
    if (file.length <= mostBytes) return file;
    throw new ServiceError('SVC_ERR_REQUEST_BODY_SIZE', {
      detail: { code: 'session.mostTransferBytes', values: { most: mostBytes } },
    });
  };
}

export function transferRefusal({ reason, detail }: Extract<FileTransferEnd, { kind: 'failed' }>): ServiceError {
  if (reason === 'cancelled') return new ServiceError('SVC_ERR_TRANSFER_CANCELLED');
  return new ServiceError('SVC_ERR_TRANSFER_FAILED', { detail });
}
