import type { JsonFault } from '../lib/documents/json-checks.js';
import { ServiceError } from '../lib/errors.js';
import type { Reason } from '../lib/locale.js';
import { macroFault } from './macro-fault.js';
import { type MacroSet, MOST_MACRO_FILE_BYTES } from './macro-set.js';

/**
 * Reads the macros of a file.
 * @param isStored see `macroFault`
 * @throws ServiceError SVC_ERR_MACRO_SIZE, or SVC_ERR_MACRO_CONTENT with the path of the first error
 */
export function readMacroSet(bytes: Uint8Array, isStored = false): MacroSet {
  if (bytes.length > MOST_MACRO_FILE_BYTES) {
    throw new ServiceError('SVC_ERR_MACRO_SIZE', {
      detail: { code: 'macro.bytes', values: { bytes: bytes.length, most: MOST_MACRO_FILE_BYTES } },
    });
  }
  const text = decoded(bytes);
  if (text === undefined) throw unacceptable({ path: '$', problem: { code: 'value.utf8' } });
  const faultOfText = firstJsonFault(text);
  if (faultOfText !== undefined) throw unacceptable(faultOfText);
  const document: unknown = JSON.parse(text);
  const fault = macroFault(document, isStored);
  if (fault !== undefined) throw unacceptable(fault);
  return document as MacroSet;
}

function unacceptable({ path, problem }: JsonFault): ServiceError {
  return new ServiceError('SVC_ERR_MACRO_CONTENT', { detail: { code: 'macro.fault', values: { path, problem } } });
}

/** Undefined if the bytes are not UTF-8. Removes a byte order mark. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Nested arrays and objects; macro files need a depth of 5. */
const MOST_JSON_DEPTH = 32;
const MOST_JSON_MEMBERS = 100;
const LONGEST_SHOWN_NAME = 40;

/** JSON path of member names and array indexes; characters outside plain ASCII are escaped. */
function jsonPath(steps: readonly (string | number)[]): string {
  return steps.reduce<string>((path, step) => `${path}${stepOfPath(step)}`, '$');
}

function stepOfPath(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  if (step.length <= LONGEST_SHOWN_NAME && /^[A-Za-z_$][\w$]*$/.test(step)) return `.${step}`;
  const shown = step.length > LONGEST_SHOWN_NAME ? `${step.slice(0, LONGEST_SHOWN_NAME)}...` : step;
  return `[${asciiText(shown)}]`;
}

/**
 * First error of a JSON text, or first exceeded limit; undefined if JSON.parse accepts the text. JSON.parse reports no
 * path and not always a position, quotes the text (which may contain passwords), and is slow for deep nesting.
 */
export function firstJsonFault(text: string): JsonFault | undefined {
  const walk = new JsonWalk(text);
  try {
    walk.document();
    return undefined;
  } catch (error) {
    if (error instanceof DepartureError) return { path: jsonPath(walk.path), problem: error.reason };
    throw error;
  }
}

class DepartureError extends Error {
  constructor(readonly reason: Reason) {
    super(reason.code);
  }
}

const NUMBER_OR_WORD = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const UNICODE_ESCAPE = /[0-9A-Fa-f]{4}/y;

/** Parses RFC 8259 and throws DepartureError at the first error. */
class JsonWalk {
  readonly path: (string | number)[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    this.#value(0);
    this.#skipBlanks();
    if (this.#at < this.#text.length) this.#departs({ code: 'json.endOfText' });
  }

  #value(depth: number): void {
    this.#skipBlanks();
    const first = this.#text[this.#at];
    if ((first === '{' || first === '[') && depth >= MOST_JSON_DEPTH) {
      throw new DepartureError({ code: 'json.deep', values: { most: MOST_JSON_DEPTH, ...this.#place() } });
    }
    if (first === '{') this.#object(depth + 1);
    else if (first === '[') this.#array(depth + 1);
    else if (first === '"') this.#string();
    else {
      NUMBER_OR_WORD.lastIndex = this.#at;
      if (!NUMBER_OR_WORD.test(this.#text)) this.#departs({ code: 'json.value' });
      this.#at = NUMBER_OR_WORD.lastIndex;
    }
  }

  #object(depth: number): void {
    this.#at += 1;
    if (this.#takes('}')) return;
    let members = 0;
    do {
      members += 1;
      if (members > MOST_JSON_MEMBERS) {
        throw new DepartureError({ code: 'json.members', values: { most: MOST_JSON_MEMBERS } });
      }
      this.#skipBlanks();
      if (this.#text[this.#at] !== '"') this.#departs({ code: 'json.memberName' });
      const start = this.#at;
      this.#string();
      const name: unknown = JSON.parse(this.#text.slice(start, this.#at));
      this.path.push(String(name));
      if (!this.#takes(':')) this.#departs('":"');
      this.#value(depth);
      this.path.pop();
    } while (this.#takes(','));
    if (!this.#takes('}')) this.#departs({ code: 'json.comma.object' });
  }

  #array(depth: number): void {
    this.#at += 1;
    if (this.#takes(']')) return;
    let index = 0;
    do {
      this.path.push(index);
      this.#value(depth);
      this.path.pop();
      index += 1;
    } while (this.#takes(','));
    if (!this.#takes(']')) this.#departs({ code: 'json.comma.array' });
  }

  #string(): void {
    this.#at += 1;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      // a control character, or NaN at the end of the text
      if (!(code >= 0x20)) this.#departs({ code: 'json.restOfString' });
      this.#at += 1;
      if (code === 0x22) return;
      if (code === 0x5c) this.#escape();
    }
  }

  #escape(): void {
    const character = this.#text[this.#at] ?? '';
    if (character === 'u') {
      UNICODE_ESCAPE.lastIndex = this.#at + 1;
      if (!UNICODE_ESCAPE.test(this.#text)) this.#departs({ code: 'json.escape' });
      this.#at += 5;
    } else if (character !== '' && '"\\/bfnrt'.includes(character)) this.#at += 1;
    else this.#departs({ code: 'json.escape' });
  }

  #takes(character: string): boolean {
    this.#skipBlanks();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #skipBlanks(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  #departs(expected: Reason | '":"'): never {
    const code = this.#text.codePointAt(this.#at);
    const found: Reason | string =
      code === undefined ? { code: 'json.endOfText' } : asciiText(String.fromCodePoint(code));
    throw new DepartureError({ code: 'json.expected', values: { expected, found, ...this.#place() } });
  }

  #place(): { readonly line: number; readonly column: number } {
    const before = this.#text.slice(0, this.#at);
    const line = before.split('\n').length;
    return { line, column: this.#at - before.lastIndexOf('\n') };
  }
}

/** Quoted text, with escapes for everything except printable ASCII. */
function asciiText(text: string): string {
  return JSON.stringify(text).replace(
    /[^ -~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
