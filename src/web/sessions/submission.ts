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

interface ReadSubmission {
  readonly key: RequestedKey;
  readonly submission: Omit<Submission, 'key' | 'sessionCode' | 'requestNumber' | 'base'>;
}

type Parameters = ReadonlyMap<string, readonly string[]>;

/** Default field names of a form (specification 4.2). */
const defaultNames = { key: 'pf', cursor: 'cursorField', focus: 'focusField', sessionKey: 'SESSKEY' } as const;

/**
 * Reads a form (specification 4.2) according to the page that it came from.
 * @param target page that the submit goes to; its declarations apply if the previous page has none
 * @param revision revision of the current screen; missing fields are emptied only if the page showed this revision
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
    // a page that declares the field may use the default name for another field
    for (const name of ofPage === undefined ? [target && declared(target), usual] : [ofPage]) {
      // a button follows the hidden field of the same name and has precedence
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
    detail:
      written === undefined ? { code: 'submit.noKey' } : { code: 'submit.key', values: { key: written.slice(0, 20) } },
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

/** Values of check boxes that were cleared, which browsers do not send. */
function untickedValues(parameters: Parameters, page: ShownPage, revision: number): SubmittedValue[] {
  if (page.offeredChoices.size === 0 || page.revision !== revision) return [];
  const came = new Set([...parameters.keys()].map((name) => page.fieldNames.get(name) ?? addressOfField(name)));
  return [...page.offeredChoices].flatMap(([address, { name, whenMissing }]) =>
    whenMissing === undefined || came.has(address)
      ? []
      : [{ address, fieldId: name, wire: whenMissing, isEncrypted: false }],
  );
}

export function withAreaKey(parameters: Parameters, page: ShownPage, target: TemplateUses | undefined): Parameters {
  const key = parameters.get(areaKeyField);
  if (key === undefined) return parameters;
  const named = page.uses?.attentionKeyField ?? target?.attentionKeyField ?? defaultNames.key;
  const changed = new Map(parameters);
  changed.delete(areaKeyField);
  return changed.set(named, key);
}

/** DECLARE-FIELD-AS (HEX) and (BASE64): decodes a value written by the page's script. */
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

/** Action requested by the attention key field (reference 2.3). */
type RequestedKey = SubmittedKey | { readonly kind: 'disconnect' } | { readonly kind: 'pageClosed' };

/** Not a host key: a page reports that it is being closed. */
const PAGE_CLOSED = 'PAGE-CLOSED';

/** @returns the key, and its name as listed by VALID-PFKEYS */
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
  // keys only for the INPUT scenario, not sent to the host
  if (name === 'NULL-PF' || name.startsWith('SCENARIO')) return { kind: 'none' };
  if (name.startsWith('PF')) return { kind: 'attention', name: `PF${Number(name.slice(2))}` };
  if (name.startsWith('PA')) return { kind: 'attention', name };
  return { kind: 'attention', name: `${name[0]}${name.slice(1).toLowerCase()}` };
}

/**
 * Addresses of fields that a page declares ENCRYPTED (specification 2.5). They are encrypted like passwords, even if
 * they are displayed, and under any of their names.
 * @param names addresses by the page's field names
 */
export function encryptedFields(uses: TemplateUses | undefined, names: ReadonlyMap<string, number>): Set<number> {
  const addresses = new Set<number>();
  for (const { field, attributes } of uses?.declaredFields ?? []) {
    const address = names.get(field) ?? addressOfField(field);
    if (attributes.includes('ENCRYPTED') && address !== undefined) addresses.add(address);
  }
  return addresses;
}
