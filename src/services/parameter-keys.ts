import { type DocumentFault, errorAt, type KeyPath } from '../lib/documents/source-diagnostic.js';
import { fieldTextFault } from './parameter.js';
import type { ParameterDocument, StepDocument } from './service-document.js';

/** Keys of parameters that only these types have. */
const only: Readonly<Record<string, readonly ParameterDocument['type'][]>> = {
  pattern: ['string'],
  minLength: ['string'],
  maxLength: ['string', 'integer', 'decimal'],
  maxBytes: ['file'],
  minimum: ['integer', 'decimal'],
  maximum: ['integer', 'decimal'],
  enum: ['string', 'integer', 'decimal'],
  format: ['date'],
  encoding: ['file'],
};

const CONTROLS = /\p{Cc}/gu;
/** DUP and FIELD MARK, which fields hold: a recording may have them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const FIELD_CONTROLS = /[\u001c\u001e]/g;

/** Keys that a parameter of its type does not have. */
export function* keyFaults(document: ParameterDocument, path: KeyPath): Generator<DocumentFault> {
  for (const [key, types] of Object.entries(only)) {
    if (Object.hasOwn(document, key) && !types.includes(document.type)) {
      yield errorAt([...path, key], `a parameter of type ${document.type} has no ${key}`);
    }
  }
  if (document.type === 'file') {
    if (document.default !== undefined) yield errorAt([...path, 'default'], 'a file has no default');
    if (document.secret) {
      yield errorAt(
        [...path, 'secret'],
        'files are in no log and no picture: leave it out, and let no screen display them',
      );
    }
  }
}

/** Keys that a step with a transfer does not have: the command is typed where the cursor stands, and Enter pressed. */
export function* besideTransfer(document: StepDocument, path: KeyPath): Generator<DocumentFault> {
  if (document.transfer === undefined) return;
  for (const key of ['fill', 'cursor', 'type', 'press', 'expect'] as const) {
    if (document[key] !== undefined) yield errorAt([...path, key], 'a step that transfers a file types nothing else');
  }
}

/** Texts of a step that no terminal takes. */
export function* untypableTexts({ fill = [], type = '' }: StepDocument, path: KeyPath): Generator<DocumentFault> {
  for (const [at, { text }] of fill.entries()) {
    const fault = fieldTextFault(text.replaceAll(FIELD_CONTROLS, ''));
    if (fault !== undefined) yield errorAt([...path, 'fill', String(at), 'text'], `expected ${fault}`);
  }
  // a line terminal has control characters, but for NUL
  const fault = type.includes('\0') ? 'text without NUL' : fieldTextFault(type.replaceAll(CONTROLS, ''));
  if (fault !== undefined) yield errorAt([...path, 'type'], `expected ${fault}`);
}
