/** A request line of any version with any method (RFC 9112, 3; RFC 9110, 9.1 and 5.6.2). */
const requestLine = /^\s*[\w!#$%&'*+.^`|~-]+ +\S+ +HTTP\/\d/i;
/**
 * A control character that begins no text: TLS (RFC 8446, 5.1) and STUN over TCP (RFC 8489, RFC 4571), which WebRTC sends to any
 * port that a page names, begin with one.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BINARY_START = /^[\0-\x08\x0e-\x1f]/;

/**
 * Whether a connection begins with HTTP or a binary protocol: a browser sends it for any web page, whose text must not be taken for actions.
 * @param isWhole whether the line has its end; a line of actions is carried out only then
 */
export function isForeignLine(line: string, isWhole: boolean): boolean {
  return BINARY_START.test(line) || (isWhole && requestLine.test(line));
}
