import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy before a server: what passes it is late, and its connections can be cut at any moment. */
export class SlowProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Of each direction. */
  milliseconds = 0;
  /** As a proxy that knows no WebSockets. */
  refusesUpgrades = false;
  /** What waits while nothing passes. */
  #held: Array<() => void> | undefined;

  private constructor(target: URL) {
    this.#server = createServer((incoming) => {
      const outgoing = connect(Number(target.port), target.hostname);
      this.#join(incoming, outgoing);
      this.#join(outgoing, incoming);
    });
  }

  static async before(target: string): Promise<SlowProxy> {
    const proxy = new SlowProxy(new URL(target));
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Cuts what is connected now. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Nothing passes any more, and nobody is told. */
  freeze(): void {
    this.#held = [];
  }

  /** What was held passes now, in its order. */
  thaw(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const action of held) action();
  }

  /** What was held is lost, and so are its connections. */
  drop(): void {
    if (this.#held !== undefined) this.#held = [];
    this.cut();
  }

  async stop(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.setNoDelay(true);
    from.on('data', (data) => {
      if (this.refusesUpgrades && /^upgrade: websocket/im.test(data.toString('latin1'))) from.destroy();
      else this.#later(() => to.write(data));
    });
    from.on('end', () => this.#later(() => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }

  /** Timers of one length keep their order. */
  #later(action: () => void): void {
    if (this.#held !== undefined) this.#held.push(action);
    else if (this.milliseconds === 0) action();
    else setTimeout(action, this.milliseconds);
  }
}
