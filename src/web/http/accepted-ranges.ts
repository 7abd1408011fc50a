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
