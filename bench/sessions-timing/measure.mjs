// node bench/sessions-timing/measure.mjs [TIMES]: compares decryption times of session keys with valid and invalid
// padding.
// Prints the median of each kind and its ratio to the valid one. Nothing fails, because load on the machine moves
// medians.
import { constants, createPublicKey, generateKeyPairSync, publicEncrypt, randomBytes } from 'node:crypto';
import { ensureBuilt, ensureInstalled } from '../../scripts/build.mjs';

ensureInstalled();
ensureBuilt();
const { readCryptDefinition } = await import('../../dist/src/crypto/crypt-definition.js');
const { KeyPair } = await import('../../dist/src/crypto/key-pair.js');
const { soundValue } = await import('../../dist/src/lib/read-outcome.js');
const { SessionCrypto } = await import('../../dist/src/crypto/session-crypto.js');

const times = Number(process.argv[2] ?? 2000);
const warmUp = Math.min(200, times);
/** Ciphertexts of each kind, so that no single one dominates the result. */
const VARIANTS = 50;

/** 00 02 PS 00 M (RFC 8017, section 7.2.1), with one fault. */
function block(length, message, change = () => undefined) {
  const padding = randomBytes(length - message.length - 3).map((byte) => byte || 1);
  const whole = Buffer.concat([Buffer.of(0, 2), padding, Buffer.of(0), message]);
  change(whole);
  return whole;
}

const pkcs1 = {
  'right, key': (length) => block(length, randomBytes(24)),
  'right, key and IV': (length) => block(length, randomBytes(32)),
  'right, 23 bytes': (length) => block(length, randomBytes(23)),
  'right, 80 bytes': (length) => block(length, randomBytes(80)),
  'block type 1': (length) => block(length, randomBytes(24), (whole) => whole.writeUInt8(1, 1)),
  'first byte not 0': (length) => block(length, randomBytes(24), (whole) => whole.writeUInt8(1, 0)),
  'separator not 0': (length) => block(length, randomBytes(24), (whole) => whole.writeUInt8(7, length - 25)),
  'zero within padding': (length) => block(length, randomBytes(24), (whole) => whole.writeUInt8(0, 20)),
  'zero at once': (length) => block(length, randomBytes(24), (whole) => whole.writeUInt8(0, 2)),
  'no zero anywhere': (length) => Buffer.concat([Buffer.of(0, 2), randomBytes(length - 2).map((byte) => byte || 1)]),
  noise: (length) => Buffer.concat([Buffer.of(0), randomBytes(length - 1)]),
};

measure(['CRYPT3270', '3TDEA', 'RSA-1024', 'NODE', 'HEX'], 1024, pkcs1, constants.RSA_NO_PADDING);
measure(['CRYPTAES', 'AES-256', 'RSA-2048', 'NODE', 'HEX'], 2048, forAes(pkcs1), constants.RSA_NO_PADDING);
measureOaep();

function forAes(kinds) {
  return {
    ...kinds,
    'right, key': (length) => block(length, randomBytes(32)),
    'right, key and IV': (length) => block(length, randomBytes(48)),
  };
}

function measure(members, bits, kinds, padding) {
  const { crypto, publicKey } = sessionCrypto(members, bits);
  const wires = Object.entries(kinds).map(([kind, make]) => [
    kind,
    Array.from({ length: VARIANTS }, () => publicEncrypt({ key: publicKey, padding }, make(bits / 8)).toString('hex')),
  ]);
  print(members.join(','), crypto, wires);
}

/** Manger's attack distinguishes a first byte other than 0 from other failures. */
function measureOaep() {
  const members = ['CRYPTGCM', 'AES-256', 'RSA-OAEP-2048', 'NODE', 'HEX', 'GCM', 'NONE'];
  const { crypto, publicKey } = sessionCrypto(members, 2048);
  const oaep = (message) =>
    publicEncrypt({ key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, message);
  const plain = (whole) => publicEncrypt({ key: publicKey, padding: constants.RSA_NO_PADDING }, whole);
  const kinds = {
    right: () => oaep(randomBytes(32)),
    'wrong length': () => oaep(randomBytes(31)),
    'first byte 0': () => plain(Buffer.concat([Buffer.of(0), randomBytes(255)])),
    'first byte 1': () => plain(Buffer.concat([Buffer.of(1), randomBytes(255)])),
  };
  const wires = Object.entries(kinds).map(([kind, make]) => [
    kind,
    Array.from({ length: VARIANTS }, () => make().toString('hex')),
  ]);
  print(members.join(','), crypto, wires);
}

function sessionCrypto(members, bits) {
  const definition = soundValue(readCryptDefinition(members));
  // a block that begins with 1 must still be below the modulus, which is true for any modulus of full length
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const publicKey = createPublicKey(privateKey);
  const { n, e } = publicKey.export({ format: 'jwk' });
  const hex = (text) => Buffer.from(text, 'base64url').toString('hex');
  const crypto = new SessionCrypto(definition);
  crypto.adopt(new KeyPair(privateKey, hex(n), hex(e)));
  return { crypto, publicKey };
}

/** Alternates the kinds, so that other load on the machine affects all. */
function print(title, crypto, wires) {
  const taken = wires.map(() => []);
  for (let round = -warmUp; round < times; round++) {
    const shift = Math.floor(Math.random() * wires.length);
    for (let turn = 0; turn < wires.length; turn++) {
      const at = (turn + shift) % wires.length;
      const wire = wires[at][1][(round + warmUp) % VARIANTS];
      const begin = process.hrtime.bigint();
      crypto.takeSessionKey(wire);
      const end = process.hrtime.bigint();
      if (round >= 0) taken[at].push(Number(end - begin) / 1_000);
    }
  }
  const medians = taken.map(median);
  process.stdout.write(`\n${title}, ${times} of each\n`);
  for (const [at, [kind]] of wires.entries()) {
    const ratio = (medians[at] / medians[0]).toFixed(3);
    process.stdout.write(`  ${kind.padEnd(22)} ${medians[at].toFixed(1).padStart(8)} us  ${ratio}\n`);
  }
}

function median(values) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}
