import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { PostgresqlServer } from './postgresql.js';

/** The network between a server and PostgreSQL: nobody is told when it is cut, and what was under way arrives when it is whole again. */
export class DatabaseLine {
  readonly #server = createServer((near) => this.#join(near));
  readonly #sockets = new Set<Socket>();
  /** Where new connections lead: another one after a fail-over. */
  #database: PostgresqlServer;
  #isCut = false;

  private constructor(database: PostgresqlServer) {
    this.#database = database;
  }

  static async to(database: PostgresqlServer): Promise<DatabaseLine> {
    const line = new DatabaseLine(database);
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    return line;
  }

  /** For `store.postgresql`. */
  get url(): string {
    return `postgres://sallyport@127.0.0.1:${this.port}/postgres?sslmode=disable`;
  }

  /** On 127.0.0.1. */
  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  leadTo(database: PostgresqlServer): void {
    this.#database = database;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Both ends are told; what was under way is lost. */
  break(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  mend(): void {
    this.#isCut = false;
    for (const socket of this.#sockets) socket.resume();
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #join(near: Socket): void {
    const { folder, port } = this.#database;
    const far = connect(join(folder, `.s.PGSQL.${port}`));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.end();
      });
      if (this.#isCut) from.pause();
    }
  }
}
