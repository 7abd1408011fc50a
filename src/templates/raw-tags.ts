import type { SourceDiagnostic } from '../lib/documents/source-diagnostic.js';
import type { RestingWork } from '../lib/turns/work-in-turns.js';
import { findDeclaration } from './delimiters.js';
import type { SourceLines } from './source-lines.js';
import { tags } from './tags.js';

/** The start delimiter of the specification (2.5). */
const USUAL_START = '{{{';

/** Before the work may rest. */
const STARTS_AT_A_STRETCH = 10_000;

/** The name of a tag after a start delimiter, up to a character that can follow it. */
const head = /[ \t\r\n]{0,64}([A-Za-z][A-Za-z0-9_-]{0,63})(?=[ \t\r\n("=}]|$)/y;
/** Every tag has a name in upper case; nearly all have a hyphen. A misspelt name looks like one, too. */
const misspelt = /^[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+$/;

/**
 * Warnings about a file whose tags would be sent as text: a declaration that does not count, or tags of the usual
 * delimiters in a file that declares none. One warning per file, at the first of them.
 */
export function* rawTagsOfStaticFile(
  file: string,
  source: string,
  lines: SourceLines,
): RestingWork<SourceDiagnostic[]> {
  const misplaced = misplacedDeclaration(source);
  if (misplaced !== undefined) {
    return [{ file, ...lines.place(misplaced.offset), message: misplaced.message, severity: 'warning' }];
  }
  return yield* rawTags(file, source, lines, 'the file has no declaration of delimiters, so it is sent unchanged');
}

/** Warnings about text of a file that looks like tags of the usual delimiters. */
export function* rawTags(
  file: string,
  source: string,
  lines: SourceLines,
  reason: string,
): RestingWork<SourceDiagnostic[]> {
  let first: { readonly offset: number; readonly name: string } | undefined;
  let count = 0;
  let starts = 0;
  for (let at = source.indexOf(USUAL_START); at >= 0; at = source.indexOf(USUAL_START, at + 1)) {
    starts += 1;
    if (starts % STARTS_AT_A_STRETCH === 0) yield;
    head.lastIndex = at + USUAL_START.length;
    const name = head.exec(source)?.[1];
    if (name === undefined || !(tags.has(name.toUpperCase()) || misspelt.test(name))) continue;
    first ??= { offset: at, name };
    count += 1;
  }
  if (first === undefined) return [];
  const others = count === 1 ? '' : ` (and ${count - 1} more)`;
  const message = `${USUAL_START}${first.name} looks like a tag${others}, but ${reason}`;
  return [{ file, ...lines.place(first.offset), message, severity: 'warning' }];
}

function misplacedDeclaration(source: string): { readonly offset: number; readonly message: string } | undefined {
  const offset = source.search(/<!--[ \t\r\n]{0,64}svc[ \t\r\n]{1,64}(?:start|end)[ \t\r\n]{0,64}=/i);
  if (offset < 0) return undefined;
  const reason =
    findDeclaration(source.slice(offset)) === undefined
      ? 'does not write SVC in upper case'
      : 'is not the first comment';
  return { offset, message: `the declaration of the delimiters ${reason}: the file is static` };
}
