const GROUPS = 8;
/** A subnet has a 64-bit prefix (RFC 4291, section 2.5.4), and its owner can use all its addresses. */
const NETWORK_GROUPS = 4;

/** Client key: an IPv4 address, or the /64 prefix of an IPv6 address. */
export function addressGroupOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, GROUPS - first.length - last.length);
  const groups = [...first, ...new Array<string>(zeros).fill('0'), ...last];
  return `${groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

/** A site usually has a /48 prefix (RFC 6177). */
const GROUPS_OF_NETWORK = 3;

/**
 * Network of an address: the first 24 bits of an IPv4 address or 48 bits of an IPv6 address. An owner of one address
 * can often use others in it.
 * @param address without leading zeros, and with the first three groups written out
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address.split('.').slice(0, -1).join('.') || address;
  return address.split(':').slice(0, GROUPS_OF_NETWORK).join(':');
}

/** Characters not allowed in a URL (RFC 3986), and `%` without two hexadecimal digits. */
const NOT_IN_ADDRESSES = /%(?![0-9A-Fa-f]{2})|[^\w!$%&'()*+,./:;=?@[\]~-]+/g;

/** Percent-encodes characters that a URL cannot contain. Existing encodings stay. */
export function addressText(text: string, encode: (text: string) => Buffer = Buffer.from): string {
  return text.replace(NOT_IN_ADDRESSES, (found) => encode(found).toString('hex').toUpperCase().replace(/../g, '%$&'));
}
