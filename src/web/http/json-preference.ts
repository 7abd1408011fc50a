import { acceptedRanges } from './accepted-ranges.js';

/**
 * Whether a client would rather have JSON than HTML (RFC 9110 section 12.5.1: the most specific range counts, `q`
 * weighs). A tie, or no Accept at all, means HTML.
 */
export function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined || !/json|application\/\*/i.test(accept)) return false;
  const ranges = acceptedRanges(accept);
  return quality(ranges, 'application', 'json') > quality(ranges, 'text', 'html');
}

/** The same for errors: whoever takes them as problem documents (RFC 9457) reads JSON. */
export function prefersJsonErrors(accept: string | undefined): boolean {
  return prefersJson(accept?.replace(/application\/problem\+json/gi, 'application/json'));
}

function quality(ranges: ReturnType<typeof acceptedRanges>, type: string, subtype: string): number {
  for (const name of [`${type}/${subtype}`, `${type}/*`, '*/*']) {
    const range = ranges.find((candidate) => candidate.name === name);
    if (range !== undefined) return range.quality;
  }
  return 0;
}
