import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ServiceError } from '../../lib/errors.js';
import { networkOf } from '../../lib/network/addresses.js';
import { FairQueue } from '../../lib/turns/fair-queue.js';
import { ADDRESS_RANKS, AddressHistory } from '../sign-on/address-history.js';

const derive = promisify<Buffer, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

/** OWASP's second choice of parameters: 32 MiB and about 0.1 seconds per hash. */
const COST = 2 ** 15;
const BLOCK_SIZE = 8;
const PARALLELISM = 3;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Limits for stored parameters, so that one hash cannot exhaust the machine. */
const LARGEST_COST = 2 ** 17;
const LARGEST_PRODUCT = 64;
/** Hashes run in the thread pool of Node.js, which also reads files, so they leave some threads free. */
const MOST_AT_ONCE = 2;
/** Maximum number of waiting hashes. Each keeps a connection open. */
const MOST_WAITING_HASHES = { known: 200, ofOtherRanks: 60 } as const;
const MOST_WAITING_HASHES_OF_ADDRESS = 50;

export const SHORTEST_PASSWORD = 8;
export const LONGEST_PASSWORD = 256;

/** `scrypt$N$r$p$salt$hash`, with salt and hash in base64url. */
const STORED = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([A-Za-z0-9_-]{16,86})\$([A-Za-z0-9_-]{43,86})$/;

/** Also checks that the parameters are within the limits. */
export function isPasswordHash(text: string): boolean {
  return readStored(text) !== undefined;
}

/**
 * Hashes with a random salt.
 * @param cost scrypt N, a power of two. Lower values are for tests.
 * @throws ServiceError SVC_ERR_SERVICE_BUSY if too many hashes are waiting
 */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derived(password, { cost, blockSize: BLOCK_SIZE, parallelism: PARALLELISM, salt }, HASH_BYTES);
  const encoded = [salt, hash].map((bytes) => bytes.toString('base64url'));
  return ['scrypt', cost, BLOCK_SIZE, PARALLELISM, ...encoded].join('$');
}

/**
 * @param stored undefined for an unknown user: returns false after the same time
 * @param address client key. Clients are served in turn.
 * @param cost scrypt N of existing users
 * @param device replaces the address as client key for browsers in which the user has signed on before
 * @throws ServiceError SVC_ERR_SERVICE_BUSY if too many hashes are waiting
 */
export async function passwordMatches(
  password: string,
  stored: string | undefined,
  address = '',
  cost = COST,
  device?: string,
): Promise<boolean> {
  const read = readStored(stored ?? '') ?? { ...nobody, cost };
  const hash = await derived(password, read, read.hash.length, { address, device });
  const isRight = timingSafeEqual(hash, read.hash) && stored !== undefined;
  history.note(address, isRight);
  return isRight;
}

interface Parameters {
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelism: number;
  readonly salt: Buffer;
}

const nobody: Parameters & { readonly hash: Buffer } = {
  cost: COST,
  blockSize: BLOCK_SIZE,
  parallelism: PARALLELISM,
  salt: randomBytes(SALT_BYTES),
  hash: randomBytes(HASH_BYTES),
};

function readStored(text: string): (Parameters & { readonly hash: Buffer }) | undefined {
  const [, cost, blockSize, parallelism, salt = '', hash = ''] = STORED.exec(text) ?? [];
  if (cost === undefined) return undefined;
  const read = { cost: Number(cost), blockSize: Number(blockSize), parallelism: Number(parallelism) };
  const isPower = Number.isInteger(Math.log2(read.cost)) && read.cost > 1;
  const product = read.blockSize * read.parallelism;
  if (!isPower || read.cost > LARGEST_COST || product < 1 || product > LARGEST_PRODUCT) return undefined;
  return { ...read, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

/**
 * One queue for each rank of addresses, with networks served in turn. An attacker who guesses from a thousand addresses
 * does not delay addresses or browsers with an earlier correct password. Other networks wait for at most one guess of
 * each attacking network. If guesses come from many networks, the networks with the fewest attempts come first, and
 * among these the addresses that were refused before.
 */
const queues = new Map(
  ADDRESS_RANKS.map((rank) => {
    const { known, ofOtherRanks } = MOST_WAITING_HASHES;
    const bounds =
      rank === 'known'
        ? { most: known, mostOfAddress: MOST_WAITING_HASHES_OF_ADDRESS }
        : { most: ofOtherRanks, mostOfAddress: ofOtherRanks };
    const refusal = () =>
      new ServiceError('SVC_ERR_SERVICE_BUSY', { detail: 'too many passwords are waiting to be checked' });
    return [rank, new FairQueue<void>({ ...bounds, refusal })];
  }),
);
const history = new AddressHistory();
let atWork = 0;

interface Client {
  readonly address: string;
  readonly device: string | undefined;
}

async function turnOf({ address, device }: Client): Promise<void> {
  if (device !== undefined) {
    await queues.get('known')?.wait(device);
    return;
  }
  history.noteTry(address);
  const rank = history.rankOf(address);
  // The history of an address is better evidence than that of its network.
  const inTurn = rank === 'known' ? address : networkOf(address);
  try {
    await queues.get(rank)?.wait(inTurn);
  } catch (error) {
    history.noteTurnedAway(address);
    throw error;
  }
}

async function derived(
  password: string,
  { cost, blockSize, parallelism, salt }: Parameters,
  bytes: number,
  client: Client = { address: '', device: undefined },
): Promise<Buffer> {
  if (atWork < MOST_AT_ONCE) atWork++;
  else await turnOf(client);
  // RFC 8265: NFC makes the same password typed on different keyboards equal.
  const clear = Buffer.from(password.normalize('NFC'));
  try {
    return await derive(clear, salt, bytes, {
      N: cost,
      r: blockSize,
      p: parallelism,
      maxmem: 256 * (cost + parallelism) * blockSize,
    });
  } finally {
    clear.fill(0);
    if (![...queues.values()].some((queue) => queue.serve())) atWork--;
  }
}
