import type { PublicDetail, Reason } from '../../lib/locale.js';
import type { ReadFault } from '../../lib/read-outcome.js';
import type { CodePage } from '../codepage/code-page.js';
import {
  CutDecoder,
  CutEncoder,
  type CutFrame,
  type CutWrite,
  cutControls,
  END_OF_FILE_CODES,
  MOST_CUT_SENT,
  REQUEST_ATTRIBUTE,
  readCutFrame,
  refusal,
  sentData,
} from './cut-frame.js';
import {
  type DftReply,
  type DftRequest,
  dftReplyRecord,
  dftRequests,
  REPLY_DATA_HEAD,
  readDftRequest,
  twoBytesAt,
} from './dft-frame.js';
import { type ContentRules, IncomingContent, OutgoingContent } from './transfer-content.js';

interface TransferJob {
  /** File to send; undefined to receive one. */
  readonly file: Uint8Array | undefined;
  readonly rules: ContentRules;
  readonly mostBytes: number;
  readonly bufferBytes: number;
  readonly codePage: CodePage;
}

type TransferEnd =
  /** `words` is the message of the host; `TRANS03` in CUT. */
  | { readonly kind: 'done'; readonly words: string }
  | { readonly kind: 'refused'; readonly by: 'host' | 'terminal'; readonly detail: PublicDetail };

interface FrameAnswer {
  readonly write: CutWrite | undefined;
  /** Position of the field attribute to make non-displayable. */
  readonly hides: number | undefined;
  readonly key: 'enter' | 'pf2';
}

/** Bytes that terminals reserve in their buffer (s3270). */
const RESERVED_BYTES = 27;
const LONGEST_WORDS = 200;
/** TRANS03: complete; TRANS04: complete, but records were longer than those of the file. */
const complete = /^TRANS0[34]/;
const gaveNoReason: Reason = { code: 'transfer.noReason' };

/** Terminal side of one file transfer, in the mode that the host chooses. Never throws. */
export class TerminalTransfer {
  readonly #job: TransferJob;
  readonly #outgoing: OutgoingContent | undefined;
  readonly #incoming: IncomingContent | undefined;
  readonly #encoder = new CutEncoder();
  readonly #decoder = new CutDecoder();
  #mode: 'DFT' | 'CUT' | undefined;
  #isMessage = false;
  #recordNumber = 1;
  #standing: Uint8Array | undefined;
  #refusal: Reason | undefined;
  #end: TransferEnd | undefined;
  #steps = 0;

  constructor(job: TransferJob) {
    this.#job = job;
    if (job.file === undefined) this.#incoming = new IncomingContent(job.rules);
    else this.#outgoing = new OutgoingContent(job.file, job.rules);
  }

  get mode(): 'DFT' | 'CUT' | undefined {
    return this.#mode;
  }

  get end(): TransferEnd | undefined {
    return this.#end;
  }

  get bytes(): number {
    return this.#outgoing?.taken ?? this.#incoming?.length ?? 0;
  }

  /** Counts the frames of the host. */
  get steps(): number {
    return this.#steps;
  }

  /** Answer to a Read Modified: the last record sent, for hosts that read it instead of waiting for it. */
  get standing(): Uint8Array | undefined {
    return this.#standing;
  }

  received(): Uint8Array {
    return this.#incoming?.finish() ?? new Uint8Array(0);
  }

  /** Cancels the transfer at the next request of the host. The first reason is kept. */
  refuse(reason: Reason): void {
    this.#refusal ??= reason;
  }

  /** @returns the record that answers a structured field; undefined if the field needs no answer */
  structuredField(body: Uint8Array): Uint8Array | undefined {
    this.#steps++;
    this.#standing = undefined;
    if (this.#end !== undefined || this.#mode === 'CUT') return refusedRecord(body);
    const request = readDftRequest(body);
    if (request.kind === 'fault') this.refuse(malformed(request));
    const reply = request.kind === 'fault' ? failedReply(body) : this.#replyTo(request.value, body);
    if (reply === undefined) return undefined;
    const record = dftReplyRecord(reply);
    this.#standing = record;
    return record;
  }

  #replyTo(request: DftRequest, body: Uint8Array): DftReply | undefined {
    switch (request.kind) {
      case 'open':
        return this.#open(request.name, body);
      case 'close':
        return { kind: 'closed' };
      case 'get':
        return this.#isMessage ? failedReply(body) : this.#send(body);
      case 'data':
        return this.#isMessage ? this.#takeMessage(request.data) : this.#take(request.data, body);
      default:
        return undefined;
    }
  }

  #open(name: string, body: Uint8Array): DftReply {
    if (name !== 'FT:DATA' && name !== 'FT:MSG') {
      this.refuse({ code: 'transfer.otherFile' });
      return failedReply(body);
    }
    this.#mode = 'DFT';
    this.#isMessage = name === 'FT:MSG';
    this.#recordNumber = 1;
    return { kind: 'opened' };
  }

  #send(body: Uint8Array): DftReply {
    const outgoing = this.#outgoing;
    if (outgoing === undefined) this.refuse({ code: 'transfer.wantsFile' });
    if (this.#refusal !== undefined || outgoing === undefined) return failedReply(body);
    const most = Math.max(1, this.#job.bufferBytes - RESERVED_BYTES);
    const data = outgoing.next(most);
    if (data.kind === 'fault') {
      this.refuse(data.reason);
      return failedReply(body);
    }
    return data.value.length === 0
      ? { kind: 'endOfFile' }
      : { kind: 'data', number: this.#recordNumber++, data: data.value };
  }

  #take(data: Uint8Array, body: Uint8Array): DftReply {
    this.#keep(data);
    return this.#refusal === undefined ? { kind: 'accepted', number: this.#recordNumber++ } : failedReply(body);
  }

  #keep(data: Uint8Array): void {
    if (this.#incoming === undefined) this.refuse({ code: 'transfer.sendsFile' });
    if (this.#refusal !== undefined) return;
    this.#incoming?.take(data);
    const { mostBytes: most } = this.#job;
    if (this.bytes > most) this.refuse({ code: 'transfer.bytes', values: { most } });
  }

  #takeMessage(data: Uint8Array): DftReply {
    const text = String.fromCharCode(...data.subarray(0, LONGEST_WORDS));
    this.#over(text.split('$', 1)[0] ?? '');
    return { kind: 'accepted', number: this.#recordNumber++ };
  }

  #over(words: string): void {
    const readable = words.replace(/[^\x20-\x7e\xa0-\uffff]/g, ' ').trim();
    if (this.#refusal !== undefined) this.#end = { kind: 'refused', by: 'terminal', detail: this.#refusal };
    else if (complete.test(readable)) this.#end = { kind: 'done', words: readable };
    else this.#end = { kind: 'refused', by: 'host', detail: readable === '' ? gaveNoReason : { foreign: readable } };
  }

  /**
   * Answers the frame on a screen with an unlocked keyboard and the mark of a frame.
   * @param screen codes of all positions, 0 for field attributes
   */
  frame(screen: Uint8Array): FrameAnswer | undefined {
    if (this.#end !== undefined || this.#mode === 'DFT') return undefined;
    this.#steps++;
    const frame = readCutFrame(screen);
    if (frame.kind === 'fault') return this.#giveUp(screen, malformed(frame));
    this.#mode = 'CUT';
    return this.#answerTo(frame.value, screen);
  }

  #answerTo(frame: CutFrame, screen: Uint8Array): FrameAnswer {
    switch (frame.kind) {
      case 'acknowledge':
        return acknowledged;
      case 'complete':
        this.#over('TRANS03');
        return acknowledged;
      case 'aborted':
        this.#over(this.#job.codePage.decode(frame.message.filter((code) => code !== 0)).split('$', 1)[0] ?? '');
        return acknowledged;
      case 'dataRequest':
        return this.#fillIn(frame.sequence, screen);
      case 'data':
        return this.#takeFrame(frame.characters, screen);
      default:
        return this.#giveUp(screen, { code: 'transfer.repeated' });
    }
  }

  #fillIn(sequence: number, screen: Uint8Array): FrameAnswer {
    if (this.#outgoing === undefined) this.refuse({ code: 'transfer.wantsFile' });
    const bytes = this.#refusal === undefined ? this.#outgoing?.next(MOST_CUT_SENT) : undefined;
    if (bytes?.kind === 'fault') this.refuse(bytes.reason);
    if (bytes?.kind !== 'read') return this.#giveUp(screen);
    const { codes, taken } = this.#encoder.encode(bytes.value, MOST_CUT_SENT);
    this.#outgoing?.putBack(bytes.value.subarray(taken));
    const write = sentData(sequence, codes.length === 0 ? END_OF_FILE_CODES : codes);
    return { write, hides: REQUEST_ATTRIBUTE, key: 'enter' };
  }

  #takeFrame(characters: Uint8Array, screen: Uint8Array): FrameAnswer {
    const isEnd = characters.length === 2 && END_OF_FILE_CODES.every((code, at) => characters[at] === code);
    if (!isEnd) {
      const bytes = this.#decoder.decode(characters);
      if (bytes.kind === 'fault') this.refuse(malformed(bytes));
      else this.#keep(bytes.value);
    }
    return this.#refusal === undefined ? acknowledged : this.#giveUp(screen);
  }

  #giveUp(screen: Uint8Array, reason?: Reason): FrameAnswer {
    if (reason !== undefined) this.refuse(reason);
    return { write: refusal(screen[1] ?? 0, cutControls.abortFile), hides: undefined, key: 'pf2' };
  }
}

/** The fault is technical, and English in every language. */
function malformed({ fault }: ReadFault): Reason {
  return { code: 'transfer.malformed', values: { fault } };
}

const acknowledged: FrameAnswer = { write: undefined, hides: undefined, key: 'enter' };

function failedReply(body: Uint8Array): DftReply {
  return { kind: 'failed', request: body[0] ?? 0 };
}

/** Answer to a host that transfers a file if no transfer is active; undefined if the host expects no answer. */
export function refusedRecord(body: Uint8Array): Uint8Array | undefined {
  const type = twoBytesAt(body, 0);
  if (type === dftRequests.close) return dftReplyRecord({ kind: 'closed' });
  const wantsAnswer = type === dftRequests.open || type === dftRequests.get || type === dftRequests.data;
  return wantsAnswer ? dftReplyRecord(failedReply(body)) : undefined;
}

export function dataOfRecord(record: Uint8Array): { readonly start: number; readonly end: number }[] {
  return record.length > REPLY_DATA_HEAD ? [{ start: REPLY_DATA_HEAD, end: record.length }] : [];
}
