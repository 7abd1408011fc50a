import { templateLimits } from './template-limits.js';

export interface Delimiters {
  readonly start: string;
  readonly end: string;
}

/** The comment that declares the delimiters; `[from, to)` is removed from the page. */
type Declaration =
  | { readonly kind: 'declared'; readonly delimiters: Delimiters; readonly from: number; readonly to: number }
  | { readonly kind: 'faulty'; readonly offset: number; readonly message: string };

const opening = /<!--[ \t\r\n]*SVC(?=[ \t\r\n]|-->)/y;
const attribute = /[ \t\r\n]*([A-Za-z]+)[ \t\r\n]*=[ \t\r\n]*(?:"([^"\r\n]*)"|'([^'\r\n]*)')/y;
const attributeName = /[ \t\r\n]*(?:start|end)\b/iy;
const closing = /[ \t\r\n]*-->/y;

/**
 * Finds the declaration `<!--SVC start="{{{" end="}}}" -->` (specification 2.5), which must be the first comment of the
 * file. Accepts blanks and line breaks between the parts, single quotes, and `end` before `start`. `SVC`, `start` and
 * `end` are case-sensitive. Undefined if the first comment is a different one: the file is then static.
 */
export function findDeclaration(source: string): Declaration | undefined {
  const from = source.indexOf('<!--');
  if (from < 0) return undefined;
  let at = matchAt(opening, source, from)?.end;
  if (at === undefined) return undefined;
  const values = new Map<string, string>();
  for (;;) {
    const found = matchAt(attribute, source, at);
    if (found === undefined) break;
    const name = found.groups[1] ?? '';
    if (name !== 'start' && name !== 'end') {
      return faulty(from, `the declaration has start="…" and end="…"; ${name}="…" is not known`);
    }
    if (values.has(name)) return faulty(from, `the declaration gives ${name}="…" twice`);
    values.set(name, found.groups[2] ?? found.groups[3] ?? '');
    at = found.end;
  }
  const to = matchAt(closing, source, at)?.end;
  if (to === undefined) {
    const isAttempt = values.size > 0 || matchAt(attributeName, source, at) !== undefined;
    return isAttempt ? faulty(from, 'the declaration is malformed: <!--SVC start="{{{" end="}}}" -->') : undefined;
  }
  const start = values.get('start');
  const end = values.get('end');
  if (start === undefined || end === undefined) {
    return faulty(from, `the declaration has no ${start === undefined ? 'start' : 'end'}="…"`);
  }
  const message = faultOf(start, end);
  if (message !== undefined) return faulty(from, message);
  return { kind: 'declared', delimiters: { start, end }, ...wholeLine(source, from, to) };
}

function faultOf(start: string, end: string): string | undefined {
  if (start === '' || end === '') return 'a delimiter must not be empty';
  if (start === end) return 'the start and the end delimiter must differ';
  if (start.includes(end) || end.includes(start)) return 'one delimiter must not contain the other';
  const longest = templateLimits.delimiterLength;
  if (start.length > longest || end.length > longest) return `a delimiter has at most ${longest} characters`;
  return undefined;
}

/** Includes the line of a declaration that is alone on it, so that a text file has no empty first line. */
function wholeLine(source: string, from: number, to: number): { from: number; to: number } {
  let first = from;
  while (first > 0 && isBlank(source[first - 1])) first -= 1;
  let last = to;
  while (isBlank(source[last])) last += 1;
  const opensLine = first === 0 || source[first - 1] === '\n' || source[first - 1] === '\r';
  const lineBreak = source.startsWith('\r\n', last) ? 2 : source[last] === '\n' || source[last] === '\r' ? 1 : 0;
  return opensLine && (lineBreak > 0 || last === source.length) ? { from: first, to: last + lineBreak } : { from, to };
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

function faulty(offset: number, message: string): Declaration {
  return { kind: 'faulty', offset, message };
}

function matchAt(pattern: RegExp, source: string, at: number): { groups: RegExpExecArray; end: number } | undefined {
  pattern.lastIndex = at;
  const groups = pattern.exec(source);
  return groups === null ? undefined : { groups, end: pattern.lastIndex };
}
