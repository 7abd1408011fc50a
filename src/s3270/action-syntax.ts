import { type ReadOutcome, readAs, readFault } from '../lib/read-outcome.js';

/** An action as written in a line: `MoveCursor(1,2)`, `PF 3`. */
export interface WrittenAction {
  readonly name: string;
  readonly parameters: readonly string[];
}

interface ReadAction extends WrittenAction {
  readonly rest: string;
}

/** Only blanks or a comment. */
export const nothingMore = /^\s*(?:[#!]|$)/;

const blank = /\s/;
const nameStart = /[A-Za-z0-9]/;
const nameCharacter = /[\w-]/;

const backslashes = /\\+/y;

/**
 * Reads the first action of a line: `Name`, `Name(parameter,parameter)` or `Name parameter parameter`. Without
 * parentheses, parameters extend to the end of the line. A quoted parameter may contain any character; `\"` is a
 * quotation mark. Of two or more backslashes before the closing mark, one is removed. Columns of faults count from 1 at
 * the beginning of the action.
 *
 * Source: reference 10.3 and s3270 4.1, verified.
 */
export function readAction(written: string): ReadOutcome<ReadAction> {
  const text = written.trimStart();
  const cursor = new Cursor(text);
  if (!nameStart.test(cursor.character)) {
    return readFault(`Action name must begin with an alphanumeric character at column 1`);
  }
  while (nameCharacter.test(cursor.character)) cursor.at += 1;
  const name = text.slice(0, cursor.at);
  if (cursor.character !== '' && cursor.character !== '(' && !blank.test(cursor.character)) {
    return readFault(`Syntax error: Illegal character '${cursor.character}' in action name at column ${cursor.at + 1}`);
  }
  cursor.skipBlanks();
  const parameters = cursor.character === '(' ? readEnclosed(cursor) : readOpen(cursor);
  if (parameters.kind === 'fault') return parameters;
  return readAs({ name, parameters: parameters.value, rest: text.slice(cursor.at) });
}

function readEnclosed(cursor: Cursor): ReadOutcome<string[]> {
  const parameters: string[] = [];
  cursor.at += 1;
  cursor.skipBlanks();
  if (cursor.character === ')') {
    cursor.at += 1;
    return readAs(parameters);
  }
  for (;;) {
    cursor.skipBlanks();
    const parameter = readParameter(cursor, /[\s,)]/);
    if (parameter.kind === 'fault') return parameter;
    parameters.push(parameter.value);
    cursor.skipBlanks();
    const { character } = cursor;
    if (character === '') return readFault(`Syntax error: ")" expected at column ${cursor.at + 1}`);
    if (character !== ',' && character !== ')') {
      return readFault(`Syntax error: ")" or "," expected at column ${cursor.at + 1}`);
    }
    cursor.at += 1;
    if (character === ')') return readAs(parameters);
  }
}

function readOpen(cursor: Cursor): ReadOutcome<string[]> {
  const parameters: string[] = [];
  for (;;) {
    cursor.skipBlanks();
    if (cursor.character === '') return readAs(parameters);
    const parameter = readParameter(cursor, blank);
    if (parameter.kind === 'fault') return parameter;
    parameters.push(parameter.value);
  }
}

function readParameter(cursor: Cursor, end: RegExp): ReadOutcome<string> {
  const start = cursor.at;
  if (cursor.character !== '"') {
    while (cursor.character !== '' && !end.test(cursor.character)) cursor.at += 1;
    return readAs(cursor.text.slice(start, cursor.at));
  }
  let value = '';
  cursor.at += 1;
  while (cursor.character !== '"') {
    if (cursor.character === '') return readFault(`Syntax error: unclosed " at column ${cursor.at + 1}`);
    backslashes.lastIndex = cursor.at;
    const run = backslashes.exec(cursor.text)?.[0] ?? '';
    cursor.at += run.length;
    if (run !== '' && cursor.character !== '"') {
      // escapes of the action itself
      value += run;
      continue;
    }
    if (run.length > 1) {
      value += run.slice(1);
      break;
    }
    value += cursor.character;
    cursor.at += 1;
  }
  cursor.at += 1;
  return readAs(value);
}

class Cursor {
  at = 0;

  constructor(readonly text: string) {}

  get character(): string {
    return this.text.charAt(this.at);
  }

  skipBlanks(): void {
    while (this.character !== '' && blank.test(this.character)) this.at += 1;
  }
}
