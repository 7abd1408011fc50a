import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { PostgresqlServer } from './postgresql.js';

/** While the line is cut, neither side gets an error, and data in transit arrives after it is restored. */
export class DatabaseLine {
  readonly #server = createServer((near) => this.#join(near));
  readonly #sockets = new Set<Socket>();
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

  get url(): string {
    return `postgres://sallyport@127.0.0.1:${this.port}/postgres?sslmode=disable`;
  }

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

  /** Closes the connections at both ends; data in transit is lost. */
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
