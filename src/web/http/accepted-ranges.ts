interface AcceptedRange {
  readonly name: string;
  /** 0 to 1; 0 means not acceptable (RFC 9110, section 12.4.2). */
  readonly quality: number;
}

const MOST_RANGES = 64;

export function acceptedRanges(header: string): AcceptedRange[] {
  return header.split(',', MOST_RANGES).map((text) => {
    const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = weight === undefined ? 1 : Number(weight.slice(2));
    return { name, quality: quality >= 0 && quality <= 1 ? quality : 0 };
  });
}

/**
 * True if a client prefers JSON to HTML (RFC 9110, section 12.5.1: the most specific range counts, weighted by `q`).
 * With equal weights, a named type precedes one that only a wildcard covers, because JavaScript HTTP libraries accept
 * JSON, plain text and anything, all with equal weight. A full tie or a missing Accept header means HTML.
 */
export function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined || !/json|application\/\*/i.test(accept)) return false;
  const ranges = acceptedRanges(accept);
  const json = weight(ranges, 'application', 'json');
  const html = weight(ranges, 'text', 'html');
  if (json.quality === 0) return false;
  return json.quality > html.quality || (json.quality === html.quality && json.wildcards < html.wildcards);
}

export function prefersJsonErrors(accept: string | undefined): boolean {
  return prefersJson(accept?.replace(/application\/problem\+json/gi, 'application/json'));
}

function weight(ranges: ReturnType<typeof acceptedRanges>, type: string, subtype: string) {
  for (const [wildcards, name] of [`${type}/${subtype}`, `${type}/*`, '*/*'].entries()) {
    const range = ranges.find((candidate) => candidate.name === name);
    if (range !== undefined) return { quality: range.quality, wildcards };
  }
  return { quality: 0, wildcards: 0 };
}
