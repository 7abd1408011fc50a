import { expect } from 'chai';
import fc from 'fast-check';
import { TelnetDecoder, type TelnetHandler } from '../../../src/tn3270/telnet/telnet-decoder.js';
import {
  encodeCommand,
  encodeNegotiation,
  encodeRecord,
  encodeSubnegotiation,
} from '../../../src/tn3270/telnet/telnet-encoder.js';

const MOST_RECORD_BYTES = 1 << 20;
const MOST_SUBNEGOTIATION_BYTES = 4_096;

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

function recorder() {
  const tokens: string[] = [];
  const handler: TelnetHandler = {
    record: (bytes) => tokens.push(`record ${hex(bytes)}`),
    data: (bytes) => tokens.push(`data ${hex(bytes)}`),
    negotiation: (verb, option) => tokens.push(`${verb} ${option}`),
    subnegotiation: (body) => tokens.push(`sb ${hex(body)}`),
    command: (code) => tokens.push(`command ${code}`),
    tooLong: (what) => tokens.push(`${what} too long`),
  };
  return { tokens, handler };
}

/** Feeds a stream cut at the given places. */
function decode(stream: Uint8Array, cuts: readonly number[], gathersRecords = true): string[] {
  const { tokens, handler } = recorder();
  const decoder = new TelnetDecoder(handler);
  decoder.gathersRecords = gathersRecords;
  let at = 0;
  for (const cut of [...cuts].sort((left, right) => left - right)) {
    decoder.feed(stream.subarray(at, cut));
    at = cut;
  }
  decoder.feed(stream.subarray(at));
  return tokens;
}

const bytes = (text: string) => Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex'));

describe('telnet decoder', () => {
  it('takes a stream apart as RFC 854, 855 and 885 write it', () => {
    const stream = bytes('fffd18 fffa1801fff0 c1ffffc2 ffef fff1 fffb19 fff5 ffef');
    expect(decode(stream, [])).to.deep.equal([
      'do 24',
      'sb 1801',
      'record c1ffc2',
      'command 241',
      'will 25',
      'command 245',
      'record ',
    ]);
  });

  it('does so wherever the stream is cut', () => {
    const stream = bytes('fffd18 fffa1801fffffff0 c1ffffc2 ffef fff1 ffffffef fffb19');
    const whole = decode(stream, []);
    for (let cut = 0; cut <= stream.length; cut++) expect(decode(stream, [cut]), `cut at ${cut}`).to.deep.equal(whole);
    const everywhere = Array.from(stream, (_, at) => at);
    expect(decode(stream, everywhere)).to.deep.equal(whole);
  });

  it('gives back what was encoded, under any cuts', () => {
    const token = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((body) => [encodeRecord(body), `record ${hex(body)}`] as const),
      fc
        .uint8Array({ minLength: 1, maxLength: 40 })
        .map((body) => [encodeSubnegotiation(body), `sb ${hex(body)}`] as const),
      fc
        .tuple(fc.constantFrom('do', 'dont', 'will', 'wont'), fc.integer({ min: 0, max: 255 }))
        .map(([verb, option]) => [encodeNegotiation(verb as 'do', option), `${verb} ${option}`] as const),
      fc.constantFrom(241, 243, 244, 245, 246).map((code) => [encodeCommand(code), `command ${code}`] as const),
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 8 }), fc.array(fc.nat(300), { maxLength: 6 }), (tokens, cuts) => {
        const stream = Uint8Array.from(tokens.flatMap(([encoded]) => [...encoded]));
        const inside = cuts.map((cut) => Math.min(cut, stream.length));
        expect(decode(stream, inside)).to.deep.equal(tokens.map(([, expected]) => expected));
      }),
    );
  });

  it('hands on bytes outside of records at once where records are not gathered', () => {
    expect(decode(bytes('6869ffff0dfff121'), [3], false)).to.deep.equal([
      'data 6869',
      'data ff',
      'data 0d',
      'command 241',
      'data 21',
    ]);
  });

  it('drops a record past its bound, says so once, and goes on', () => {
    const within = encodeRecord(new Uint8Array(MOST_RECORD_BYTES).fill(0xc1));
    const past = encodeRecord(new Uint8Array(MOST_RECORD_BYTES + 1).fill(0xc1));
    const after = encodeRecord(Uint8Array.of(0xc2));
    for (const cuts of [[], [10, 20_000]]) {
      expect(decode(Uint8Array.from([...within, ...after]), cuts).map((token) => token.length)).to.deep.equal([
        'record '.length + 2 * MOST_RECORD_BYTES,
        'record c2'.length,
      ]);
      expect(decode(Uint8Array.from([...past, ...after]), cuts)).to.deep.equal(['record too long', 'record c2']);
    }
  });

  it('drops a subnegotiation past its bound', () => {
    const within = new Uint8Array(MOST_SUBNEGOTIATION_BYTES).fill(0x28);
    expect(decode(encodeSubnegotiation(within), [7])).to.deep.equal([`sb ${hex(within)}`]);
    const past = encodeSubnegotiation(new Uint8Array(MOST_SUBNEGOTIATION_BYTES + 1).fill(0x28));
    expect(decode(Uint8Array.from([...past, 0xff, 0xf1]), [7])).to.deep.equal([
      'subnegotiation too long',
      'command 241',
    ]);
  });

  it('takes any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.boolean(), (stream, gathers) => {
        decode(stream, [stream.length >> 1], gathers);
      }),
    );
  });
});
