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
