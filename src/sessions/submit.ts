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

/** The key of a submit. */
export type SubmittedKey =
  /** Of `attentionKeys`. */
  | { readonly kind: 'attention'; readonly name: string }
  | { readonly kind: 'attn' }
  | { readonly kind: 'systemRequest' }
  /** Nothing for the host: the current screen is wanted (NULL-PF). */
  | { readonly kind: 'none' };

export interface SubmittedValue {
  readonly address: number;
  /** As the client named the field: encryption may be bound to it. */
  readonly fieldId: string;
  /** As it came: clear, hexadecimal or encrypted (specification 2.6). */
  readonly wire: string;
  /** DECLARE-FIELD-AS (ENCRYPTED): encrypted although it is displayed. */
  readonly isEncrypted: boolean;
}

/** What a client asks for once. It is an argument and nothing else: no event, context or log ever holds it. */
export interface Submission {
  readonly key: SubmittedKey;
  readonly cursor: number | undefined;
  readonly values: readonly SubmittedValue[];
  /** Content of the field declared CRYPTO-SESSION-KEY. */
  readonly wrappedKey: string | undefined;
  /** Session code as the client used it, and number of the request: GCM values are bound to both. */
  readonly sessionCode: string;
  readonly requestNumber: string;
  /** MDT-IF-RECEIVED: what came counts as modified, what did not stays as it is. */
  readonly modifiesReceived: boolean;
  /** The inputs of the page before: those that did not come back are empty. */
  readonly offered: readonly number[];
  /** Texts have U+0000 for positions that nobody has typed into: they stay nulls. */
  readonly tellsNulls?: boolean;
  /** Nothing is done where none of these screens is there; undefined: whatever is. */
  readonly screens?: ScreenChoice | undefined;
  readonly base: SubmitBase;
}

/** The screen for which the user pressed the key: its revision, or the answer to the last key if this one was typed ahead. */
export type SubmitBase = number | AnswerBase;

interface AnswerBase {
  /** The number of that key (`ActedSession.answer`); undefined: the last one of the session. */
  readonly answerTo: number | undefined;
}

/** The base of a client that named none: nothing is entered. */
export const NO_BASE = -1;

export type SubmitOutcome =
  | { readonly kind: 'done' }
  /** The key was pressed for another screen: the host has changed it since, or none of the screens is there that the key is for. */
  | { readonly kind: 'otherScreen' }
  | {
      readonly kind: 'refused';
      readonly fieldId: string;
      readonly reason: FormRefusal['reason'] | 'cursorOutside';
      /** That the code page lacks; of fields that travel in clear only. */
      readonly character?: string | undefined;
    }
  /** Something about the encryption was wrong; what, nobody is told. */
  | { readonly kind: 'undecipherable' }
  /** The host has not given the keyboard back. */
  | { readonly kind: 'locked' }
  /** It waited for a screen, and the host sent a faulty record. */
  | { readonly kind: 'hostFaulty' };

/** Enters the values and presses the key; does not wait for the host's answer. */
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
  // a key that came while the host has the keyboard waits for its turn
  let hasWaited = false;
  while (session.hasScenario || (isWaiting(session) && !session.isSettled)) {
    hasWaited ||= !session.hasScenario;
    await session.settled();
  }
  if (!session.isOpen) return { kind: 'done' };
  // the values of one submit are under its own key, not under that of the one behind it
  takeSessionKey(session, submission);
  if (isWaiting(session)) return { kind: 'locked' };
  // what was meant for a screen that did not come is not entered into the one before
  if (hasWaited && session.screen.state.operator.programCheck !== undefined) return { kind: 'hostFaulty' };
  // looked at in the same turn as the key is pressed
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

/** Whether a key means the same on the screen that is there as on the one for which it was pressed. */
function isForThisScreen({ screen, answer }: ActedSession, submission: Submission, key: string): boolean {
  const { cursor, values } = submission;
  const { state } = screen;
  const base = revisionOf(submission.base, answer);
  if (base > state.revision || state.hostChanges.isErasedSince(base)) return false;
  // a line terminal is not written to by position, and these keys send no fields
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
  /** For a line terminal, typed just before the key: its host gets each character at once. */
  readonly lineTexts: readonly string[];
}

/** Everything but the key. */
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
  // clients learn why a decrypted value does not fit only if that reveals nothing to a sender without the key
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

/** What a submit types, in clear. */
interface ClearForm {
  readonly entries: readonly FormEntry[];
  /** Where it has something encrypted: a field that was left empty has nothing. */
  readonly encrypted: ReadonlySet<number>;
}

const nothingTyped: ClearForm = { entries: [], encrypted: new Set() };

/** @returns undefined where a value does not decrypt; every value is tried in any case, so that the time tells nothing */
function clearForm(session: ActedSession, submission: Submission): ClearForm | undefined {
  const { screen, crypto } = session;
  const { values, modifiesReceived } = submission;
  // a field named twice is typed once, or a form of many names would cost without end
  const entries = new Map<number, FormEntry>();
  const encrypted = new Set<number>();
  let wrong = false;
  for (const { address, fieldId, wire, isEncrypted } of values) {
    const isShown = !isHidden(session, address);
    if (!isEncrypted && isShown) {
      entries.set(address, { address, text: wire, modifies: modifiesReceived });
      continue;
    }
    // a page never shows what a hidden field holds: an empty one was not touched, unless what comes counts as modified
    if (wire === '') {
      if (isShown || modifiesReceived) entries.set(address, { address, text: '', modifies: modifiesReceived });
      continue;
    }
    encrypted.add(address);
    const { sessionCode, requestNumber } = submission;
    const clear = crypto === undefined ? wire : crypto.clearValue(wire, sessionCode, fieldId, requestNumber);
    // without a number nobody could tell a value that was sent before
    if (clear === undefined || (crypto?.bindsRequests === true && requestNumber === '')) wrong = true;
    else entries.set(address, { address, text: clear, modifies: modifiesReceived || !isShown });
  }
  if (wrong) return undefined;
  if (!modifiesReceived) {
    const named = new Set(values.map(({ address }) => address));
    // if the host has written since, its inputs may stand for others now
    const inputs = submission.base === screen.state.revision ? submission.offered : [];
    for (const address of unnamedFields(screen.state, inputs, named)) entries.set(address, { address, text: '' });
  }
  return { entries: [...entries.values()], encrypted };
}

function isHidden({ screen }: ActedSession, address: number): boolean {
  return isHiddenPosition(screen.state, address);
}

const positionId = /^[VP]0*([0-9A-F]+)$/i;
/** Positions nothing can be typed at have 7 digits: a short one is the name of something else, such as `pf`. */
const fieldId = /^(?:V0*|P(?=[0-9A-F]{7})0*)([0-9A-F]+)$/i;
/** Beyond every screen. */
const LARGEST_ADDRESS = 0xffff_ffff;

/** The address that a position's id names (V or P and hex digits, any number of them); undefined where it is none. */
export function addressOfPosition(id: string): number | undefined {
  return addressIn(id, positionId);
}

/** The same for the name of a field of a form. */
export function addressOfField(name: string): number | undefined {
  return addressIn(name, fieldId);
}

function addressIn(text: string, form: RegExp): number | undefined {
  const digits = form.exec(text)?.[1];
  return digits === undefined ? undefined : Math.min(Number.parseInt(digits, 16), LARGEST_ADDRESS);
}
