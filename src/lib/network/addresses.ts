const GROUPS = 8;
/** A network of its own has 64 bits (RFC 4291, section 2.5.4): whoever has one has all its addresses. */
const NETWORK_GROUPS = 4;

/** What counts as one client: an IPv4 address, or the network of an IPv6 address. */
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

/** Of IPv6, where a site is given as much (RFC 6177): an address of the site counts as one client by its first four groups. */
const GROUPS_OF_NETWORK = 3;

/**
 * The network that an address stands in: the first 24 bits of an IPv4 address, 48 of an IPv6 address. Whoever has one address
 * of it easily has others.
 * @param address without leading zeros in its groups, and with none of its first three groups left out
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address.split('.').slice(0, -1).join('.') || address;
  return address.split(':').slice(0, GROUPS_OF_NETWORK).join(':');
}

/** What no address can hold (RFC 3986), and a `%` that encodes nothing. */
const NOT_IN_ADDRESSES = /%(?![0-9A-Fa-f]{2})|[^\w!$%&'()*+,./:;=?@[\]~-]+/g;

/** A text as a part of an address: what cannot stand in one is percent-encoded, what is encoded already stays as it is. */
export function addressText(text: string, encode: (text: string) => Buffer = Buffer.from): string {
  return text.replace(NOT_IN_ADDRESSES, (found) => encode(found).toString('hex').toUpperCase().replace(/../g, '%$&'));
}
