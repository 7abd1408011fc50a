import { expect } from 'chai';
import fc from 'fast-check';
import type { DeviceRefusal } from '../../../machines/device-refusal.js';
import { ClientNegotiation, type ClientNegotiationOptions } from '../../../src/tn3270/telnet/client-negotiation.js';
import { HostNegotiation } from '../../../src/tn3270/telnet/host-negotiation.js';
import { TelnetDecoder } from '../../../src/tn3270/telnet/telnet-decoder.js';
import { rejectReasons, type Tn3270eFunction } from '../../../src/tn3270/telnet/tn3270e-words.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const ascii = (text: string) => Buffer.from(text, 'latin1').toString('hex');
const all: readonly Tn3270eFunction[] = ['bindImage', 'responses', 'sysReq', 'contentionResolution'];

const usual: ClientNegotiationOptions = {
  deviceType: 'IBM-3278-2-E',
  terminalType: 'IBM-3279-2-E',
  deviceNames: [],
  tn3270e: true,
  functions: all,
  environment: new Map([['USER', 'demo']]),
  startTls: false,
  rows: 24,
  columns: 80,
};

/** A client that is fed a host's bytes as hexadecimal, and what it answers to each. */
function client(options: Partial<ClientNegotiationOptions> = {}) {
  let answers: string[] = [];
  const refused: DeviceRefusal[] = [];
  let tls = 0;
  const negotiation: ClientNegotiation = new ClientNegotiation(
    { ...usual, ...options },
    {
      send: (bytes) => answers.push(hex(bytes)),
      changed: () => undefined,
      startTls: () => {
        tls++;
      },
      deviceRefused: (refusals) => refused.push(...refusals),
    },
  );
  const decoder = new TelnetDecoder({
    record: () => undefined,
    data: () => undefined,
    negotiation: (verb, option) => negotiation.negotiation(verb, option),
    subnegotiation: (body) => negotiation.subnegotiation(body),
    command: () => undefined,
    tooLong: () => undefined,
  });
  return {
    negotiation,
    refused,
    tlsStarts: () => tls,
    says(text: string): string {
      answers = [];
      decoder.feed(Uint8Array.from(Buffer.from(text.replaceAll(' ', ''), 'hex')));
      return answers.join(' ');
    },
  };
}

const sb = (body: string) => `fffa${body.replaceAll(' ', '')}fff0`;
const DEVICE = ascii('IBM-3278-2-E');

describe('client negotiation', () => {
  it('agrees on TN3270E as RFC 2355 section 7 shows it', () => {
    const { says, negotiation } = client();
    expect(says('fffd28')).to.equal('fffb28');
    expect(negotiation.mode).to.equal('tn3270eNegotiating');
    expect(says(sb('28 08 02'))).to.equal(sb(`28 02 07 ${DEVICE}`));
    expect(says(sb(`28 02 04 ${DEVICE} 01 ${ascii('LU0001')}`))).to.equal(sb('28 03 07 00 02 04 05'));
    expect(negotiation.deviceName).to.equal('LU0001');
    expect(says(sb('28 03 04 00 02 04'))).to.equal('');
    expect(negotiation.mode).to.equal('tn3270e');
    expect([...negotiation.functions].sort()).to.deep.equal(['bindImage', 'responses', 'sysReq']);
  });

  it('takes a counter-offer of functions, and asks for what both can where the host wants more', () => {
    const { says, negotiation } = client();
    says('fffd28');
    says(sb(`28 02 04 ${DEVICE}`));
    expect(says(sb('28 03 07 00'))).to.equal(sb('28 03 04 00'));
    expect([...negotiation.functions]).to.deep.equal(['bindImage']);
    expect(says(sb('28 03 07 00 01 03'))).to.equal(sb('28 03 07 00'));
    expect(says(sb('28 03 04 01 02 63'))).to.equal('');
    expect([...negotiation.functions], 'never what was not asked for').to.deep.equal(['responses']);
  });

  it('tries the next device where one is refused, and gives up at the last', () => {
    const { says, refused } = client({ deviceNames: ['LU1', 'LU2'] });
    says('fffd28');
    expect(says(sb('28 08 02'))).to.equal(sb(`28 02 07 ${DEVICE} 01 ${ascii('LU1')}`));
    expect(says(sb('28 02 06 05 01'))).to.equal(sb(`28 02 07 ${DEVICE} 01 ${ascii('LU2')}`));
    expect(says(sb('28 02 06 05 03'))).to.equal('');
    expect(refused).to.deep.equal([
      { device: 'logical unit LU1', reason: { code: 'device.deviceInUse' } },
      { device: 'logical unit LU2', reason: { code: 'device.invalidName' } },
    ]);
  });

  it('tells why a device is refused, for each reason of RFC 2355', () => {
    for (const reason of Object.keys(rejectReasons) as (keyof typeof rejectReasons)[]) {
      for (const [options, device] of [
        [{ deviceNames: ['LU1'] }, 'logical unit LU1'],
        [{ associate: 'DSP1' }, 'the printer of DSP1'],
      ] as const) {
        const { says, refused } = client(options);
        says('fffd28');
        says(sb(`28 02 06 05 0${rejectReasons[reason]}`));
        expect(refused).to.deep.equal([{ device, reason: { code: `device.${reason}` } }]);
      }
    }
    const { says, refused } = client({ deviceNames: ['LU1'] });
    says('fffd28');
    says(sb('28 02 06 05 08'));
    expect(refused, 'a reason that RFC 2355 has not').to.deep.equal([
      { device: 'logical unit LU1', reason: { code: 'device.unknownError' } },
    ]);
  });

  it('falls back to plain TN3270 where no device was asked for and the type is refused', () => {
    for (const code of Object.values(rejectReasons)) {
      const { says, negotiation } = client();
      says('fffd28');
      expect(says(sb(`28 02 06 05 0${code}`))).to.equal('fffc28');
      expect(negotiation.mode).to.equal('none');
    }
  });

  it('agrees on plain TN3270 (RFC 1576), with the device behind the type (RFC 1646)', () => {
    const { says, negotiation } = client({ tn3270e: false, deviceNames: ['LU1', 'LU2'] });
    expect(says('fffd28')).to.equal('fffc28');
    expect(says('fffd18')).to.equal('fffb18');
    expect(says(sb('18 01'))).to.equal(sb(`18 00 ${ascii('IBM-3279-2-E@LU1')}`));
    expect(says(sb('18 01'))).to.equal(sb(`18 00 ${ascii('IBM-3279-2-E@LU2')}`));
    expect(says(sb('18 01')), 'the last again').to.equal(sb(`18 00 ${ascii('IBM-3279-2-E@LU2')}`));
    expect(says('fffd19 fffb19 fffd00')).to.equal('fffb19 fffd19 fffb00');
    expect(negotiation.mode).to.equal('none');
    expect(says('fffb00')).to.equal('fffd00');
    expect(negotiation.mode).to.equal('tn3270');
    expect(says('fffe00')).to.equal('fffc00');
    expect(negotiation.mode).to.equal('none');
  });

  for (const [verb, word] of [
    ['fffe28', 'DONT'],
    ['fffc28', 'WONT'],
  ] as const) {
    it(`leaves TN3270E where the host says ${word} half-way, and can come back`, () => {
      const { says, negotiation } = client();
      says('fffd28');
      says(sb(`28 02 04 ${DEVICE}`));
      says(sb('28 03 04 00'));
      expect(negotiation.mode).to.equal('tn3270e');
      expect(says(verb)).to.equal('fffc28');
      expect(negotiation.mode).to.equal('none');
      expect(says('fffd18')).to.equal('fffb18');
      expect(says('fffd28')).to.equal('fffb28');
      expect(negotiation.mode).to.equal('tn3270eNegotiating');
    });
  }

  it('answers every timing mark, and everything else only where it changes something', () => {
    const { says } = client();
    expect(says('fffd06 fffd06')).to.equal('fffc06 fffc06');
    expect(says('fffd18 fffd18')).to.equal('fffb18');
    expect(says('fffb01 fffb01 fffc01 fffc01')).to.equal('fffd01 fffe01');
    expect(says('fffe19 fffc19'), 'off already').to.equal('');
    expect(says('fffd63 fffb63')).to.equal('fffc63 fffe63');
  });

  it('tells its window and its environment (RFC 1073, RFC 1572)', () => {
    const { says } = client({
      environment: new Map([
        ['USER', 'demo'],
        ['DEVNAME', 'A\x01B'],
      ]),
    });
    expect(says('fffd1f')).to.equal(`fffb1f ${sb('1f 0050 0018')}`);
    expect(says('fffd27')).to.equal('fffb27');
    const user = `00${ascii('USER')}01${ascii('demo')}`;
    const deviceName = `03${ascii('DEVNAME')}01${ascii('A')}0201${ascii('B')}`;
    expect(says(sb('27 01'))).to.equal(sb(`27 00 ${user} ${deviceName}`));
    expect(says(sb(`27 01 00 ${ascii('USER')}`))).to.equal(sb(`27 00 ${user}`));
    expect(says(sb('27 01 03'))).to.equal(sb(`27 00 ${deviceName}`));
    expect(says(sb(`27 01 03 ${ascii('NONE')}`))).to.equal(sb(`27 00 03 ${ascii('NONE')}`));
  });

  it('offers its devices in turn as DEVNAME, too (RFC 4777), and to who asks for something else not one', () => {
    const { says } = client({ deviceNames: ['LU1', 'LU2'], environment: new Map([['USER', 'demo']]) });
    says('fffd27');
    const user = `00${ascii('USER')}01${ascii('demo')}`;
    const device = (name: string) => `03${ascii('DEVNAME')}01${ascii(name)}`;
    expect(says(sb(`27 01 00 ${ascii('USER')}`))).to.equal(sb(`27 00 ${user}`));
    expect(says(sb('27 01 00 03'))).to.equal(sb(`27 00 ${user} ${device('LU1')}`));
    expect(says(sb(`27 01 03 ${ascii('DEVNAME')}`))).to.equal(sb(`27 00 ${device('LU2')}`));
    expect(says(sb('27 01')), 'the last again').to.equal(sb(`27 00 ${user} ${device('LU2')}`));
  });

  it('takes part in STARTTLS only where it may', () => {
    expect(client().says('fffd2e')).to.equal('fffc2e');
    const willing = client({ startTls: true });
    expect(willing.says('fffd2e')).to.equal(`fffb2e ${sb('2e 01')}`);
    expect(willing.tlsStarts()).to.equal(0);
    willing.says(sb('2e 01'));
    expect(willing.tlsStarts()).to.equal(1);
    willing.negotiation.restart();
    expect(willing.says('fffd28'), 'open again').to.equal('fffb28');
    expect(willing.says(`fffd2e ${sb('2e 01')}`), 'no TLS within TLS').to.equal('fffc2e');
    expect(willing.tlsStarts()).to.equal(1);
  });

  it('ignores what was not agreed to', () => {
    const { says, negotiation } = client();
    expect(says(sb('28 08 02') + sb('18 01') + sb('27 01') + sb('2e 01'))).to.equal('');
    expect(negotiation.mode).to.equal('none');
  });

  it('begins no TLS that it has not agreed to', () => {
    for (const startTls of [true, false]) {
      const unasked = client({ startTls });
      unasked.says(sb('2e 01'));
      expect(unasked.tlsStarts(), `allowed: ${startTls}`).to.equal(0);
    }
    const refusing = client({ startTls: false });
    refusing.says(`fffd2e ${sb('2e 01')}`);
    expect(refusing.tlsStarts()).to.equal(0);
  });

  it('answers at most once for each token of a hostile host', () => {
    const token = fc.oneof(
      fc
        .tuple(fc.constantFrom('fb', 'fc', 'fd', 'fe'), fc.constantFrom(0, 1, 3, 6, 24, 25, 31, 39, 40, 46, 99))
        .map(([verb, option]) => `ff${verb}${option.toString(16).padStart(2, '0')}`),
      fc.uint8Array({ maxLength: 12 }).map((body) => sb(`28${hex(body).replaceAll('ff', '01')}`)),
      fc.uint8Array({ maxLength: 6 }).map((body) => sb(`27${hex(body).replaceAll('ff', '01')}`)),
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 60 }), (tokens) => {
        const { says } = client({ startTls: true, deviceNames: ['A', 'B', 'C'] });
        for (const one of tokens) expect(says(one).split(' ').length).to.be.at.most(2);
      }),
    );
  });
});

describe('client and host negotiation', () => {
  interface Pair {
    readonly client: ClientNegotiation;
    readonly host: HostNegotiation;
    readonly refused: readonly DeviceRefusal[];
    readonly tokens: number;
  }

  /** Lets the two talk until neither has anything to say. */
  function talk(
    clientOptions: Partial<ClientNegotiationOptions>,
    hostOptions: { tn3270e: boolean; functions: readonly Tn3270eFunction[]; names?: readonly string[] },
  ): Pair {
    const queue: Array<() => void> = [];
    const refused: DeviceRefusal[] = [];
    let tokens = 0;
    const decoderFor = (side: () => ClientNegotiation | HostNegotiation) =>
      new TelnetDecoder({
        record: () => undefined,
        data: () => undefined,
        negotiation: (verb, option) => side().negotiation(verb, option),
        subnegotiation: (body) => side().subnegotiation(body),
        command: () => undefined,
        tooLong: () => undefined,
      });
    const toClient = decoderFor(() => client);
    const toHost = decoderFor(() => host);
    const deliver = (decoder: TelnetDecoder) => (bytes: Uint8Array) => {
      tokens++;
      queue.push(() => decoder.feed(bytes));
    };
    const client: ClientNegotiation = new ClientNegotiation(
      { ...usual, ...clientOptions },
      {
        send: deliver(toHost),
        changed: () => undefined,
        startTls: () => undefined,
        deviceRefused: (refusals) => refused.push(...refusals),
      },
    );
    const host: HostNegotiation = new HostNegotiation(hostOptions, {
      send: deliver(toClient),
      assign: (name) => {
        if (hostOptions.names === undefined || name === undefined) return { name: name ?? 'ANY' };
        return hostOptions.names.includes(name) ? { name } : { reject: 'deviceInUse' };
      },
      ready: () => undefined,
      unsuitable: () => undefined,
    });
    host.start();
    for (let next = queue.shift(); next !== undefined && tokens < 200; next = queue.shift()) next();
    return { client, host, refused, tokens };
  }

  it('agree, whatever either of them can', () => {
    const functions = fc.subarray([...all]);
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), functions, functions, (clientCan, hostCan, ours, theirs) => {
        const pair = talk({ tn3270e: clientCan, functions: ours }, { tn3270e: hostCan, functions: theirs });
        const mode = clientCan && hostCan ? 'tn3270e' : 'tn3270';
        expect([pair.client.mode, pair.host.mode]).to.deep.equal([mode, mode]);
        const common = mode === 'tn3270e' ? ours.filter((name) => theirs.includes(name)).sort() : [];
        expect([...pair.client.functions].sort()).to.deep.equal(common);
        expect([...pair.host.functions].sort()).to.deep.equal(common);
        expect(pair.tokens).to.be.below(30);
      }),
    );
  });

  it('agree on a device that is free', () => {
    const options = { tn3270e: true, functions: all, names: ['LU2'] };
    expect(talk({ deviceNames: ['LU1', 'LU2'] }, options).client.deviceName).to.equal('LU2');
    expect(talk({ deviceNames: ['LU1'] }, options).refused).to.deep.equal([
      { device: 'logical unit LU1', reason: { code: 'device.deviceInUse' } },
    ]);
  });
});
