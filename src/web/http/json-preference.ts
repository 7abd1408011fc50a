/**
 * Whether a client would rather have JSON than HTML (RFC 9110 section 12.5.1: the most specific range counts, `q`
 * weighs). A tie, or no Accept at all, means HTML.
 */
export function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined || !/json|application\/\*/i.test(accept)) return false;
  const ranges = accept.split(',').map(parseRange);
  return quality(ranges, 'application', 'json') > quality(ranges, 'text', 'html');
}

interface MediaRange {
  readonly name: string;
  readonly quality: number;
}

function parseRange(text: string): MediaRange {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  const quality = weight === undefined ? 1 : Number(weight.slice(2));
  return { name, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

function quality(ranges: readonly MediaRange[], type: string, subtype: string): number {
  for (const name of [`${type}/${subtype}`, `${type}/*`, '*/*']) {
    const range = ranges.find((candidate) => candidate.name === name);
    if (range !== undefined) return range.quality;
  }
  return 0;
}
