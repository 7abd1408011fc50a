/** What a client would have, and how much (RFC 9110, section 12.4.2). */
interface AcceptedRange {
  /** In lower case, without parameters. */
  readonly name: string;
  /** 0 to 1; 0: not this. */
  readonly quality: number;
}

/** More are not looked at. */
const MOST_RANGES = 64;

/** The ranges of an Accept, Accept-Language or the like, in their order. */
export function acceptedRanges(header: string): AcceptedRange[] {
  return header.split(',', MOST_RANGES).map((text) => {
    const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    const quality = weight === undefined ? 1 : Number(weight.slice(2));
    return { name, quality: quality >= 0 && quality <= 1 ? quality : 0 };
  });
}

/**
 * Whether a client would rather have JSON than HTML (RFC 9110 section 12.5.1: the most specific range counts, `q`
 * weighs). Of two that weigh the same the one that is named counts more than one that a wildcard covers: HTTP libraries
 * of JavaScript ask for JSON, plain text and anything, all alike. A full tie, or no Accept at all, means HTML.
 */
export function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined || !/json|application\/\*/i.test(accept)) return false;
  const ranges = acceptedRanges(accept);
  const json = weight(ranges, 'application', 'json');
  const html = weight(ranges, 'text', 'html');
  if (json.quality === 0) return false;
  return json.quality > html.quality || (json.quality === html.quality && json.wildcards < html.wildcards);
}

/** The same for errors: whoever takes them as problem documents (RFC 9457) reads JSON. */
export function prefersJsonErrors(accept: string | undefined): boolean {
  return prefersJson(accept?.replace(/application\/problem\+json/gi, 'application/json'));
}

/** How much a client wants a type, and how many of its two parts it left open. */
function weight(ranges: ReturnType<typeof acceptedRanges>, type: string, subtype: string) {
  for (const [wildcards, name] of [`${type}/${subtype}`, `${type}/*`, '*/*'].entries()) {
    const range = ranges.find((candidate) => candidate.name === name);
    if (range !== undefined) return { quality: range.quality, wildcards };
  }
  return { quality: 0, wildcards: 0 };
}
