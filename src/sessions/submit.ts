import { NULL_SIGN } from '../lib/text/typed-characters.js';
import { numberedScreens } from '../tn3270/conversation/look.js';
import { recognise } from '../tn3270/conversation/screen-definition.js';
import { isShortReadKey } from '../tn3270/keyboard/attention-keys.js';
import { operatorErrors } from '../tn3270/keyboard/operator-errors.js';
import { type FormEntry, type FormRefusal, isHiddenPosition, unnamedFields } from '../tn3270/screen/form-entry.js';
import { fieldIdOf } from '../tn3270/screen/form-screen.js';
import { isChangedSince } from '../tn3270/screen/host-changes.js';
import type { ScreenChoice } from '../tn3270/screen/screen-condition.js';
import type { ActedSession, ActingPart, KeyAnswer } from './acted-session.js';

export type SubmittedKey =
  | { readonly kind: 'attention'; readonly name: string }
  | { readonly kind: 'attn' }
  | { readonly kind: 'systemRequest' }
  /** No key: the client requests the current screen (NULL-PF). */
  | { readonly kind: 'none' };

export interface SubmittedValue {
  readonly address: number;
  /** Field name in the client; the encryption may be bound to it. */
  readonly fieldId: string;
  /** As received: clear, hexadecimal or encrypted (specification 2.6). */
  readonly wire: string;
  /** DECLARE-FIELD-AS (ENCRYPTED): encrypted although the field is displayed. */
  readonly isEncrypted: boolean;
}

/** Input of a client. Must not be stored in events, contexts or logs, because it contains secrets. */
export interface Submission {
  readonly key: SubmittedKey;
  readonly cursor: number | undefined;
  readonly values: readonly SubmittedValue[];
  /** Content of the field declared CRYPTO-SESSION-KEY. */
  readonly wrappedKey: string | undefined;
  /** Session code as the client used it, and number of the request. GCM values are bound to both. */
  readonly sessionCode: string;
  readonly requestNumber: string;
  /** MDT-IF-RECEIVED: received fields count as modified, other fields stay unchanged. */
  readonly modifiesReceived: boolean;
  /** Addresses of input fields of the page; those that were not received are cleared. */
  readonly offered: readonly number[];
  /** Texts contain U+0000 for positions without input; they remain nulls. */
  readonly tellsNulls?: boolean;
  /** If set, nothing is entered unless one of these screens is displayed. */
  readonly screens?: ScreenChoice | undefined;
  readonly base: SubmitBase;
}

/** Screen for which the key was pressed: its revision, or, for keys typed ahead, the answer to the last key. */
export type SubmitBase = number | AnswerBase;

interface AnswerBase {
  /** Number of that key (`ActedSession.answer`); undefined for the last key of the session. */
  readonly answerTo: number | undefined;
}

/** Base of clients that sent none: nothing is entered. */
export const NO_BASE = -1;

export type SubmitOutcome =
  | { readonly kind: 'done' }
  /** The host has changed the screen since the key was pressed, or none of `screens` is displayed. */
  | { readonly kind: 'otherScreen' }
  | {
      readonly kind: 'refused';
      readonly fieldId: string;
      readonly reason: FormRefusal['reason'] | 'cursorOutside';
      /** Character missing in the code page; only for unencrypted fields. */
      readonly character?: string | undefined;
    }
  /** An error in the encryption. Clients must not learn which one. */
  | { readonly kind: 'undecipherable' }
  | { readonly kind: 'locked' }
  /** The host sent a record with an error while the submit waited for a screen. */
  | { readonly kind: 'hostFaulty' };

/** Enters the values and presses the key. Does not wait for the answer of the host. */
export async function enter(session: ActedSession, acting: ActingPart, submission: Submission): Promise<SubmitOutcome> {
  const { key } = submission;
  session.seen();
  session.supervision.pageAnswered();
  if (key.kind !== 'attention') takeSessionKey(session, submission);
  if (key.kind === 'none') return { kind: 'done' };
  if (key.kind !== 'attention') {
    await session.visible();
    if (!session.isOpen) return { kind: 'done' };
    if (key.kind === 'attn') acting.conversation.attention();
    else acting.conversation.systemRequest();
    return { kind: 'done' };
  }
  // a key that arrives while the host is busy waits
  let hasWaited = false;
  while (session.hasScenario || (isWaiting(session) && !session.isSettled)) {
    hasWaited ||= !session.hasScenario;
    await session.settled();
  }
  if (!session.isOpen) return { kind: 'done' };
  // only now, because each submit has its own session key and an earlier one may have been waiting
  takeSessionKey(session, submission);
  if (isWaiting(session)) return { kind: 'locked' };
  // the expected screen did not arrive; do not enter its input into the previous one
  if (hasWaited && session.screen.state.operator.programCheck !== undefined) return { kind: 'hostFaulty' };
  // checked in the same turn of the event loop as the key is pressed
  if (!isForThisScreen(session, submission, key.name)) return { kind: 'otherScreen' };
  const { screens } = submission;
  if (screens !== undefined && recognise(numberedScreens(screens), acting.conversation.image) === undefined) {
    return { kind: 'otherScreen' };
  }
  const entered = enterNow(session, acting, submission, key.name);
  if (entered.kind !== 'entered') return entered;
  const type = () => {
    for (const text of entered.lineTexts) acting.conversation.type(text);
  };
  if (session.options.scenarios.has('INPUT')) await acting.pressAfterScenario(key.name, type);
  else {
    type();
    acting.press(key.name);
  }
  return { kind: 'done' };
}

function takeSessionKey({ crypto }: ActedSession, { wrappedKey }: Submission): void {
  if (wrappedKey !== undefined) crypto?.takeSessionKey(wrappedKey);
}

function isWaiting({ screen, end }: ActedSession): boolean {
  const { waitingForHost, transferring } = screen.state.operator;
  return end === undefined && (waitingForHost || transferring);
}

/** True if the key has the same meaning on the current screen as on the one for which it was pressed. */
function isForThisScreen({ screen, answer }: ActedSession, submission: Submission, key: string): boolean {
  const { cursor, values } = submission;
  const { state } = screen;
  const base = revisionOf(submission.base, answer);
  if (base > state.revision || state.hostChanges.isErasedSince(base)) return false;
  // line terminals have no positions, and these keys send no fields
  if (screen.partner === 'line' || isShortReadKey(key)) return true;
  return !isChangedSince(state, base, [
    { address: cursor ?? state.space.cursor, length: 1 },
    ...values.map(({ address, wire }) => ({ address, length: wire.length })),
  ]);
}

function revisionOf(base: SubmitBase, { key, revision }: KeyAnswer): number {
  if (typeof base === 'number') return base;
  return base.answerTo === undefined || base.answerTo === key ? (revision ?? NO_BASE) : NO_BASE;
}

interface Entered {
  readonly kind: 'entered';
  readonly lineTexts: readonly string[];
}

function enterNow(
  session: ActedSession,
  { conversation }: ActingPart,
  submission: Submission,
  key: string,
): Exclude<SubmitOutcome, { kind: 'done' }> | Entered {
  const { screen } = session;
  const sendsFields = !isShortReadKey(key);
  const form = sendsFields ? clearForm(session, submission) : nothingTyped;
  if (form === undefined) {
    session.undecipherable();
    return { kind: 'undecipherable' };
  }
  const { entries, encrypted } = form;
  if (screen.partner === 'line') {
    return { kind: 'entered', lineTexts: entries.map(({ text }) => text.replaceAll(NULL_SIGN, ' ')) };
  }
  const refusal = conversation.enterForm({
    entries,
    cursor: submission.cursor,
    sendsFields,
    ...(submission.tellsNulls && { tellsNulls: true }),
  });
  if (refusal === undefined) {
    if (encrypted.size > 0) session.deciphered();
    return { kind: 'entered', lineTexts: [] };
  }
  // reports why a decrypted value was rejected only if this reveals nothing to senders without the key
  const depends = refusal.reason !== 'unknownField' && refusal.reason !== 'goElsewhere';
  const about = lengthRefusals.has(refusal.reason) ? 'length' : 'characters';
  if (depends && encrypted.has(refusal.address) && session.crypto?.mayTellRefusal(about) === false) {
    session.undecipherable();
    return { kind: 'undecipherable' };
  }
  const named = submission.values.find(({ address }) => address === refusal.address);
  const isCursor = named === undefined && refusal.reason === 'unknownField' && refusal.address === submission.cursor;
  const reason = isCursor ? 'cursorOutside' : refusal.reason;
  const character = named?.isEncrypted === true ? undefined : refusal.character;
  const refused = { kind: 'refused', fieldId: named?.fieldId ?? fieldIdOf(refusal.address), reason } as const;
  return character === undefined ? refused : { ...refused, character };
}

const lengthRefusals: ReadonlySet<FormRefusal['reason']> = new Set([
  'tooLong',
  operatorErrors.overflow,
  operatorErrors.mandatoryFill,
  operatorErrors.mandatoryEntry,
]);

interface ClearForm {
  readonly entries: readonly FormEntry[];
  /** Addresses with an encrypted value; empty fields have none. */
  readonly encrypted: ReadonlySet<number>;
}

const nothingTyped: ClearForm = { entries: [], encrypted: new Set() };

/** Decrypts all values even after an error, so that timing reveals nothing. @returns undefined if one is invalid */
function clearForm(session: ActedSession, submission: Submission): ClearForm | undefined {
  const { screen, crypto } = session;
  const { values, modifiesReceived } = submission;
  // a field that is named repeatedly is typed once, which limits the cost of a form
  const entries = new Map<number, FormEntry>();
  const encrypted = new Set<number>();
  let wrong = false;
  for (const { address, fieldId, wire, isEncrypted } of values) {
    const isShown = !isHiddenPosition(screen.state, address);
    if (!isEncrypted && isShown) {
      entries.set(address, { address, text: wire, modifies: modifiesReceived });
      continue;
    }
    // hidden fields are sent empty if they were not touched; clear them only if received fields count as modified
    if (wire === '') {
      if (isShown || modifiesReceived) entries.set(address, { address, text: '', modifies: modifiesReceived });
      continue;
    }
    encrypted.add(address);
    const { sessionCode, requestNumber } = submission;
    const clear = crypto === undefined ? wire : crypto.clearValue(wire, sessionCode, fieldId, requestNumber);
    // without a request number, replayed values could not be detected
    if (clear === undefined || (crypto?.bindsRequests === true && requestNumber === '')) wrong = true;
    else entries.set(address, { address, text: clear, modifies: modifiesReceived || !isShown });
  }
  if (wrong) return undefined;
  if (!modifiesReceived) {
    const named = new Set(values.map(({ address }) => address));
    // if the host has written since, the addresses may now be other fields
    const inputs = submission.base === screen.state.revision ? submission.offered : [];
    for (const address of unnamedFields(screen.state, inputs, named)) entries.set(address, { address, text: '' });
  }
  return { entries: [...entries.values()], encrypted };
}

const positionId = /^[VP]0*([0-9A-F]+)$/i;
/** Names of fields without input have 7 digits, because short ones can be other names, such as `pf`. */
const fieldId = /^(?:V0*|P(?=[0-9A-F]{7})0*)([0-9A-F]+)$/i;
/** Larger than every screen. */
const LARGEST_ADDRESS = 0xffff_ffff;

/** Address in the id of a position (V or P, and hex digits); undefined if it is not such an id. */
export function addressOfPosition(id: string): number | undefined {
  return addressIn(id, positionId);
}

/** Like `addressOfPosition`, for field names of a form. */
export function addressOfField(name: string): number | undefined {
  return addressIn(name, fieldId);
}

function addressIn(text: string, form: RegExp): number | undefined {
  const digits = form.exec(text)?.[1];
  return digits === undefined ? undefined : Math.min(Number.parseInt(digits, 16), LARGEST_ADDRESS);
}
