import dns from 'node:dns/promises';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { openHostConnection } from '../../../src/tn3270/host/host-connection.js';

const LONGEST = 255;
const FAULT = 'SOCKS5 Proxy: names and passwords have at most 255 bytes';

/** A proxy that agrees to whatever it is asked (RFC 1928, RFC 1929), and keeps it. */
class AgreeingProxy {
  readonly #server: Server;
  readonly requests: Buffer[] = [];

  private constructor(method: number) {
    const answers = [[5, method], ...(method === 2 ? [[1, 0]] : []), [5, 0, 0, 1, 127, 0, 0, 1, 0, 23]];
    this.#server = createServer((socket: Socket) => {
      const left = [...answers];
      socket
        .on('error', () => undefined)
        .on('data', (chunk) => {
          this.requests.push(chunk);
          socket.write(Uint8Array.from(left.shift() ?? []));
        });
    });
  }

  static async listen(method: number): Promise<AgreeingProxy> {
    const proxy = new AgreeingProxy(method);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
  }
}

describe('SOCKS5', () => {
  /** What the proxy was asked, and why there is no connection. */
  async function asked(host: string, user?: string) {
    const proxy = await AgreeingProxy.listen(user === undefined ? 0 : 2);
    const handler = { take: () => true, goOn: () => true, ended: () => undefined, failed: () => undefined };
    const options = {
      address: { host, port: 23 },
      connectMilliseconds: 10_000,
      signal: new AbortController().signal,
      proxy: { type: 'socks5d', host: '127.0.0.1', port: proxy.port, user } as const,
    };
    const fault = await openHostConnection(options, handler).then(
      (connection) => connection.destroy(),
      (error: Error) => error.message,
    );
    proxy.close();
    return { fault, requests: proxy.requests };
  }

  it('is given up in time where the name of the host is looked up for longer than that', async () => {
    const { lookup } = dns;
    const milliseconds = 50;
    // begun behind the timer of the connection, and as long
    const slow = () => new Promise((resolve) => setTimeout(() => resolve({ address: '127.0.0.1' }), milliseconds));
    dns.lookup = Object.assign(slow, lookup) as unknown as typeof lookup;
    syncBuiltinESMExports();
    const silent = createServer((socket: Socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write(Uint8Array.of(5, 0)));
    });
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const handler = { take: () => true, goOn: () => true, ended: () => undefined, failed: () => undefined };
    try {
      const connecting = openHostConnection(
        {
          address: { host: 'host.example', port: 23 },
          connectMilliseconds: milliseconds,
          signal: new AbortController().signal,
          proxy: { type: 'socks5', host: '127.0.0.1', port, user: undefined },
        },
        handler,
      );
      expect(await connecting.catch((error: Error) => error.message)).to.equal('socks5 proxy timed out');
    } finally {
      silent.close();
      dns.lookup = lookup;
      syncBuiltinESMExports();
    }
  });

  it('asks for a host by a name of 255 bytes, and for no longer one', async () => {
    const longest = await asked('h'.repeat(LONGEST));
    expect(longest.fault).to.equal(undefined);
    expect(longest.requests[1]).to.deep.equal(
      Buffer.concat([Buffer.of(5, 1, 0, 3, LONGEST), Buffer.alloc(LONGEST, 'h'), Buffer.of(0, 23)]),
    );
    for (const host of ['h'.repeat(LONGEST + 1), 'é'.repeat(LONGEST / 2 + 1)]) {
      const { fault, requests } = await asked(host);
      expect(fault).to.equal(FAULT);
      expect(requests).to.have.lengthOf(1);
    }
  });

  it('signs on with names and passwords of 255 bytes, and with no longer ones', async () => {
    const [user, password] = ['u'.repeat(LONGEST), 'p'.repeat(LONGEST)];
    const longest = await asked('host', `${user}:${password}`);
    expect(longest.fault).to.equal(undefined);
    const [, credentials] = longest.requests;
    expect(credentials).to.deep.equal(Buffer.from(`\x01\xff${user}\xff${password}`, 'latin1'));
    for (const tooLong of [`${user}u:${password}`, `${user}:${password}p`]) {
      const { fault, requests } = await asked('host', tooLong);
      expect(fault).to.equal(FAULT);
      expect(requests).to.have.lengthOf(1);
    }
  });
});
