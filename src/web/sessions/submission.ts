import { ServiceError } from '../../lib/errors.js';
import type { Reason } from '../../lib/locale.js';
import {
  addressOfField,
  addressOfPosition,
  type Submission,
  type SubmittedKey,
  type SubmittedValue,
} from '../../sessions/submit.js';
import { attentionKeyName } from '../../templates/attention-key-name.js';
import type { TemplateUses } from '../../templates/compiled-template.js';
import { areaKeyField } from '../../templates/page-declarations.js';
import { fieldReason, shortName } from '../words/error-words.js';
import type { ShownPage } from './shown-page.js';

/** What a submit asks for, its fields still as they came. */
interface ReadSubmission {
  readonly key: RequestedKey;
  readonly submission: Omit<Submission, 'key' | 'sessionCode' | 'requestNumber' | 'base'>;
}

type Parameters = ReadonlyMap<string, readonly string[]>;

/** Names of the fields of a form where its page declares none (specification 4.2). */
const defaultNames = { key: 'pf', cursor: 'cursorField', focus: 'focusField', sessionKey: 'SESSKEY' } as const;

/**
 * Reads a form (specification 4.2) as the page understands it that it came from.
 * @param revision of the screen now: what a page did not send back is emptied only where it is the one that the page showed
 * @param target the page that the submit goes to: its declarations count where the page before has none
 * @throws ServiceError SVC_ERR_SUBMIT_KEY, SVC_ERR_SUBMIT_FIELD
 */
export function readSubmission(
  parameters: Parameters,
  page: ShownPage,
  target: TemplateUses | undefined,
  revision: number,
): ReadSubmission {
  const named = (declared: (uses: TemplateUses) => string | undefined, usual: string) => {
    const ofPage = page.uses && declared(page.uses);
    // on a page that declares the field, another field may have the usual name
    for (const name of ofPage === undefined ? [target && declared(target), usual] : [ofPage]) {
      // a button of the same name comes behind the hidden field, and is what was meant
      const value = name === undefined ? undefined : parameters.get(name)?.at(-1);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const uses = page.uses ?? target;
  const key = readKey(
    named((of) => of.attentionKeyField, defaultNames.key),
    uses,
  );
  const cursor = named((of) => of.cursorField, defaultNames.cursor);
  const focus = named((of) => of.focusField, defaultNames.focus);
  return {
    key,
    submission: {
      cursor: readPosition(cursor, page, 'cursor') ?? readPosition(focus, page, 'focus'),
      values: [...readValues(parameters, page, uses), ...untickedValues(parameters, page, revision)],
      wrappedKey: named((of) => of.sessionKeyField, defaultNames.sessionKey) || undefined,
      modifiesReceived: uses?.hostOptions.get('MDT-IF-RECEIVED') === true,
      offered: page.offeredFields,
    },
  };
}

function readKey(written: string | undefined, uses: TemplateUses | undefined): RequestedKey {
  const found = written === undefined ? undefined : requestedKey(written);
  const { validKeys, invalidKeys } = uses ?? {};
  const refused =
    found === undefined ||
    (found.key.kind === 'attention' &&
      ((validKeys !== undefined && !validKeys.includes(found.name)) || invalidKeys?.includes(found.name) === true));
  if (!refused) return found.key;
  throw new ServiceError('SVC_ERR_SUBMIT_KEY', {
    detail: written === undefined ? 'The form contains no key.' : `It is "${written.slice(0, 20)}".`,
  });
}

function readPosition(written: string | undefined, page: ShownPage, what: string): number | undefined {
  if (written === undefined || written === '') return undefined;
  const position = page.fieldNames.get(written) ?? addressOfPosition(written);
  if (position !== undefined) return position;
  throw refusedField({ code: 'field.notAPosition', values: { field: shortName(written), purpose: what } });
}

function readValues(parameters: Parameters, page: ShownPage, uses: TemplateUses | undefined): SubmittedValue[] {
  const values: SubmittedValue[] = [];
  const encrypted = encryptedFields(uses, page.fieldNames);
  for (const [name, given] of parameters) {
    const address = page.fieldNames.get(name) ?? addressOfField(name);
    const wire = given.at(-1);
    if (address === undefined || wire === undefined) continue;
    const attributes = uses?.declaredFields.find(({ field }) => field === name)?.attributes ?? [];
    if (page.offeredChoices.get(address)?.values.has(wire.trimEnd()) === false) {
      throw refusedField(fieldReason(name, 'choice'));
    }
    const isEncrypted = encrypted.has(address);
    values.push({ address, fieldId: name, wire: isEncrypted ? wire : decoded(name, wire, attributes), isEncrypted });
  }
  return values;
}

/** A check box that was ticked and does not come back is so no more. */
function untickedValues(parameters: Parameters, page: ShownPage, revision: number): SubmittedValue[] {
  if (page.offeredChoices.size === 0 || page.revision !== revision) return [];
  const came = new Set([...parameters.keys()].map((name) => page.fieldNames.get(name) ?? addressOfField(name)));
  return [...page.offeredChoices].flatMap(([address, { name, whenMissing }]) =>
    whenMissing === undefined || came.has(address)
      ? []
      : [{ address, fieldId: name, wire: whenMissing, isEncrypted: false }],
  );
}

/**
 * The form with the key that an area was clicked for where its own key is.
 * @returns the same where no such area was
 */
export function withAreaKey(parameters: Parameters, page: ShownPage, target: TemplateUses | undefined): Parameters {
  const key = parameters.get(areaKeyField);
  if (key === undefined) return parameters;
  const named = page.uses?.attentionKeyField ?? target?.attentionKeyField ?? defaultNames.key;
  const changed = new Map(parameters);
  changed.delete(areaKeyField);
  return changed.set(named, key);
}

/** DECLARE-FIELD-AS (HEX) and (BASE64): how a page's own script has written a value. */
function decoded(name: string, wire: string, attributes: readonly string[]): string {
  const encoding = attributes.includes('HEX') ? 'hex' : attributes.includes('BASE64') ? 'base64' : undefined;
  if (encoding === undefined) return wire;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(wire, encoding));
  } catch {
    throw refusedField({ code: 'field.encoding', values: { field: shortName(name), encoding } });
  }
}

export function refusedField(reason: Reason): ServiceError {
  return new ServiceError('SVC_ERR_SUBMIT_FIELD', { detail: reason });
}

/** What a client asks for by its attention key field (reference 2.3). */
type RequestedKey = SubmittedKey | { readonly kind: 'disconnect' } | { readonly kind: 'pageClosed' };

/** Our own: a page tells, as it is closed, that nobody looks at it any more. */
const PAGE_CLOSED = 'PAGE-CLOSED';

/** @returns the key, and its name as VALID-PFKEYS lists it; undefined where there is none of that name */
export function requestedKey(written: string): { readonly key: RequestedKey; readonly name: string } | undefined {
  const text = written.trim().toUpperCase();
  if (text === PAGE_CLOSED) return { key: { kind: 'pageClosed' }, name: text };
  if (text === 'SYSREQ') return { key: { kind: 'systemRequest' }, name: text };
  const name = attentionKeyName(text);
  if (name === undefined) return undefined;
  return { key: keyOf(name), name };
}

function keyOf(name: string): RequestedKey {
  if (name === 'DISCONNECT') return { kind: 'disconnect' };
  if (name === 'ATTN') return { kind: 'attn' };
  // the INPUT scenario alone would have it, and the host nothing
  if (name === 'NULL-PF' || name.startsWith('SCENARIO')) return { kind: 'none' };
  if (name.startsWith('PF')) return { kind: 'attention', name: `PF${Number(name.slice(2))}` };
  if (name.startsWith('PA')) return { kind: 'attention', name };
  return { kind: 'attention', name: `${name[0]}${name.slice(1).toLowerCase()}` };
}

/**
 * Addresses of the fields that a page declares ENCRYPTED (specification 2.5): they travel as passwords do, also where they are
 * displayed, and under whatever name of theirs.
 * @param names that the page has given to fields of the host
 */
export function encryptedFields(uses: TemplateUses | undefined, names: ReadonlyMap<string, number>): Set<number> {
  const addresses = new Set<number>();
  for (const { field, attributes } of uses?.declaredFields ?? []) {
    const address = names.get(field) ?? addressOfField(field);
    if (attributes.includes('ENCRYPTED') && address !== undefined) addresses.add(address);
  }
  return addresses;
}
