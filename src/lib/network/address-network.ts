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
