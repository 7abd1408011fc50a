/** Word processors create most of these characters from plain ones. */
const replacements: ReadonlyMap<string, string> = new Map(
  [
    ['"', '“”„‟«»″'],
    ["'", '‘’‚‛‹›′´`'],
    ['-', '–—‒―−‐‑•·'],
    ['...', '…'],
    [' ', '\u00a0\u2002\u2003\u2007\u2009\u202f'],
    ['', '\u200b\u200c\u200d\ufeff\u00ad\u2060'],
    ['EUR', '€'],
    ['(TM)', '™'],
    ['(C)', '©'],
    ['(R)', '®'],
    ['x', '×'],
    ['1/2', '½'],
    ['1/4', '¼'],
    ['3/4', '¾'],
  ].flatMap(([plain = '', others = '']) => [...others].map((other): [string, string] => [other, plain])),
);

export function usualReplacement(character: string): string | undefined {
  return replacements.get(character);
}
