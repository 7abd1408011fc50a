import { BlockList, isIP } from 'node:net';
import { type ReadOutcome, readAs, readFault } from '../../lib/read-outcome.js';

interface Network {
  readonly address: string;
  /** Prefix length in bits. */
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

const NETWORK = /^([0-9A-Fa-f:.]{2,45})(?:\/(\d{1,3}))?$/;
const BITS = { ipv4: 32, ipv6: 128 } as const;

/** Reads an address, or a network in CIDR notation (RFC 4632). */
export function readNetwork(text: string): ReadOutcome<Network> {
  const [, address = '', bits] = NETWORK.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return readFault('an address or a network, such as 10.0.0.0/8 or ::1');
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const prefix = bits === undefined ? BITS[family] : Number(bits);
  return prefix <= BITS[family] ? readAs({ address, prefix, family }) : readFault(`0 to ${BITS[family]} bits`);
}

export class TrustedProxies {
  readonly #list = new BlockList();
  readonly isEmpty: boolean;

  constructor(networks: readonly string[]) {
    this.isEmpty = networks.length === 0;
    for (const text of networks) {
      const read = readNetwork(text);
      if (read.kind === 'fault') throw new Error(`${text}: expected ${read.fault}`);
      const { address, prefix, family } = read.value;
      this.#list.addSubnet(address, prefix, family);
    }
  }

  /** @param address IPv4, also as IPv6 (`::ffff:192.0.2.1`), or IPv6 */
  has(address: string): boolean {
    if (this.isEmpty) return false;
    const version = isIP(address);
    return version !== 0 && this.#list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }
}
