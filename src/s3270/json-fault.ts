/** Where and why a text is no JSON. */
interface JsonFault {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly what: string;
  /** More text may make JSON of it. */
  readonly isIncomplete: boolean;
}

const blanks = /[ \t\r\n]*/y;
/** RFC 8259, section 7. */
const string = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w)/y;

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | 'separator' | 'end';

const words: Readonly<Record<Exclude<Expected, 'separator'>, string>> = {
  value: 'a value expected',
  'value or ]': 'a value or "]" expected',
  name: 'the name of a member expected',
  'name or }': 'the name of a member or "}" expected',
  ':': '":" expected',
  end: 'nothing more expected',
};

/** The first fault of a text; undefined where it is JSON. However deep its arrays are, it is read without recursion. */
export function findJsonFault(text: string): JsonFault | undefined {
  const closers: string[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const past = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.test(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const afterValue = (): Expected => (closers.length === 0 ? 'end' : 'separator');
  for (;;) {
    past(blanks);
    const character = text.charAt(at);
    if (character === '') break;
    const closer = closers.at(-1);
    const mayEnd = expected === 'separator' || expected === 'value or ]' || expected === 'name or }';
    if (mayEnd && character === closer) {
      closers.pop();
      at += 1;
      expected = afterValue();
    } else if (expected === 'separator' && character === ',') {
      at += 1;
      expected = closer === '}' ? 'name' : 'value';
    } else if (expected === ':' && character === ':') {
      at += 1;
      expected = 'value';
    } else if (expected === 'name' || expected === 'name or }') {
      if (!past(string)) return faultAt(text, at, expectedWords(expected, character, closer), false);
      expected = ':';
    } else if (expected === 'value' || expected === 'value or ]') {
      if (character === '{' || character === '[') {
        at += 1;
        closers.push(character === '{' ? '}' : ']');
        expected = character === '{' ? 'name or }' : 'value or ]';
      } else if (past(string) || past(scalar)) expected = afterValue();
      else return faultAt(text, at, expectedWords(expected, character, closer), false);
    } else return faultAt(text, at, expectedWords(expected, character, closer), false);
  }
  return expected === 'end' ? undefined : faultAt(text, at, 'unexpected end', true);
}

function expectedWords(expected: Expected, character: string, closer: string | undefined): string {
  if (character === '"' && expected !== 'separator' && expected !== ':' && expected !== 'end') return 'invalid string';
  return expected === 'separator' ? `"," or "${closer}" expected` : words[expected];
}

function faultAt(text: string, at: number, what: string, isIncomplete: boolean): JsonFault {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, what, isIncomplete };
}
