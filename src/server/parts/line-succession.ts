import { listenAddress } from '../../lines/listener/line-opening-error.js';
import type { ServedLine } from './served-line.js';

/** Lines that come into being, and lines that leave: one of the same name takes the place of the other, and has its sessions. */
export class LineSuccession {
  readonly #joining: readonly ServedLine[];
  readonly #leaving: readonly ServedLine[];
  /** Of those that join: a line that leaves has their port until then. */
  readonly #waiting: readonly ServedLine[];
  #serve: () => void = () => {};

  private constructor(joining: readonly ServedLine[], leaving: readonly ServedLine[]) {
    this.#joining = joining;
    this.#leaving = leaving;
    this.#waiting = joining.filter(({ definition: { port } }) =>
      leaving.some(({ isStopped, definition }) => !isStopped && port !== 0 && definition.port === port),
    );
    const isServed = new Promise<void>((resolve) => {
      this.#serve = resolve;
    });
    for (const line of joining) {
      line.application = async (request, response) => {
        await isServed;
        return line.application(request, response);
      };
    }
  }

  /**
   * Opens lines whose requests wait until they are served.
   * @param closed when lines that were closed before are gone: one of them may have had a port
   * @throws Error where one of them cannot be
   */
  static async prepare(
    joining: readonly ServedLine[],
    leaving: readonly ServedLine[],
    closed: Promise<unknown>,
  ): Promise<LineSuccession> {
    const succession = new LineSuccession(joining, leaving);
    try {
      for (const line of joining) line.check();
      if (joining.length > 0) await closed;
      for (const line of joining) {
        if (succession.#waiting.includes(line)) continue;
        await line.open();
        const { name, definition, isListening, trouble } = line;
        if (!isListening) throw new Error(`line ${name}: cannot listen on ${listenAddress(definition)}: ${trouble}`);
      }
    } catch (error) {
      await Promise.all(joining.map((line) => line.discard()));
      throw error;
    }
    return succession;
  }

  get lines(): readonly ServedLine[] {
    return this.#joining;
  }

  /** @returns when each line that leaves is closed */
  take(): readonly Promise<void>[] {
    const closed = this.#leaving.map((line) => {
      const successor = this.#joining.find(({ name }) => name === line.name);
      if (successor === undefined) return line.close();
      successor.succeed(line);
      return line.leave();
    });
    this.#serve();
    void Promise.all(this.#leaving.map((line) => line.released)).then(() => {
      // where it cannot listen now it goes on trying, or the log says why not
      for (const line of this.#waiting) if (!line.isStopped) line.open().catch(() => {});
    });
    return closed;
  }

  discard(): void {
    for (const line of this.#joining) void line.discard();
  }
}
