/** What no address can hold (RFC 3986), and a `%` that encodes nothing. */
const NOT_IN_ADDRESSES = /%(?![0-9A-Fa-f]{2})|[^\w!$%&'()*+,./:;=?@[\]~-]+/g;

/** A text as a part of an address: what cannot stand in one is percent-encoded, what is encoded already stays as it is. */
export function addressText(text: string, encode: (text: string) => Buffer = Buffer.from): string {
  return text.replace(NOT_IN_ADDRESSES, (found) => encode(found).toString('hex').toUpperCase().replace(/../g, '%$&'));
}
