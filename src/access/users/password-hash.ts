import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ServiceError } from '../../lib/errors.js';
import { networkOf } from '../../lib/network/addresses.js';
import { FairQueue } from '../../lib/turns/fair-queue.js';
import { ADDRESS_RANKS, AddressHistory } from '../sign-on/address-history.js';

const derive = promisify<Buffer, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

/** OWASP's second choice of parameters: 32 MiB and a tenth of a second a hash. */
const COST = 2 ** 15;
const BLOCK_SIZE = 8;
const PARALLELISM = 3;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** What a file may ask for: a hash must not take the machine. */
const LARGEST_COST = 2 ** 17;
const LARGEST_PRODUCT = 64;
/** The threads of Node's pool also read files: hashes leave some to others. */
const MOST_AT_ONCE = 2;
/** That may wait, each with a connection of its line. */
const MOST_WAITING_HASHES = { known: 200, ofOtherRanks: 60 } as const;
const MOST_WAITING_HASHES_OF_ADDRESS = 50;

export const SHORTEST_PASSWORD = 8;
export const LONGEST_PASSWORD = 256;

/** `scrypt$N$r$p$salt$hash`, the last two in base64url. */
const STORED = /^scrypt\$(\d{1,7})\$(\d{1,2})\$(\d{1,2})\$([A-Za-z0-9_-]{16,86})\$([A-Za-z0-9_-]{43,86})$/;

/** Whether a text has the form of a stored hash, with parameters that may be asked for. */
export function isPasswordHash(text: string): boolean {
  return readStored(text) !== undefined;
}

/**
 * The hash of a password with a salt of its own, parameters beside it.
 * @param cost N of scrypt, a power of two; less than that of the product is for tests
 * @throws ServiceError SVC_ERR_SERVICE_BUSY where too many wait for theirs
 */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derived(password, { cost, blockSize: BLOCK_SIZE, parallelism: PARALLELISM, salt }, HASH_BYTES);
  const encoded = [salt, hash].map((bytes) => bytes.toString('base64url'));
  return ['scrypt', cost, BLOCK_SIZE, PARALLELISM, ...encoded].join('$');
}

/**
 * Whether a password is the one of a hash.
 * @param stored undefined where there is no such user: false then, after the same time
 * @param address what counts as one client: clients are served in turn
 * @param cost what the passwords of users who are there cost
 * @param device whose turn it is instead: browsers with which a user has signed on before
 * @throws ServiceError SVC_ERR_SERVICE_BUSY where too many wait for theirs
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
 * A queue for each rank of addresses, in which networks are served in turn: who guesses from a thousand addresses keeps nobody
 * waiting whose address or browser has had a right password nor, after the first guess of each network, anybody in another network.
 * Where guesses come from everywhere, networks come first that have tried least, and of these who was turned away before.
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
  // what is known of an address says more than what is known of its network
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
  // RFC 8265: composed characters, so that the same password from another keyboard is the same
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
