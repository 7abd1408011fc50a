/** A request line of any version with any method (RFC 9112, 3; RFC 9110, 9.1 and 5.6.2). */
const requestLine = /^\s*[\w!#$%&'*+.^`|~-]+ +\S+ +HTTP\/\d/i;
/** A handshake record of TLS (RFC 8446, 5.1). */
const TLS_RECORD = '\x16\x03';

/**
 * Whether a connection begins with HTTP or TLS: a browser sends it for any web page, whose text must not be taken for actions.
 * @param isWhole whether the line has its end; a line of actions is carried out only then
 */
export function isForeignLine(line: string, isWhole: boolean): boolean {
  return line.startsWith(TLS_RECORD) || (isWhole && requestLine.test(line));
}
