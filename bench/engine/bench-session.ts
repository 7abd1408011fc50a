import { soundValue } from '../../src/lib/read-outcome.js';
import { findTerminalCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { openHostConnection } from '../../src/tn3270/host/host-connection.js';
import { HostSession } from '../../src/tn3270/host/host-session.js';
import { allFunctions } from '../../src/tn3270/host/host-session-options.js';
import { findTerminalModel } from '../../src/tn3270/screen/screen-size.js';

export class BenchSession {
  readonly session: HostSession;
  #wake: () => void = () => undefined;

  constructor(port: number) {
    const model = soundValue(findTerminalModel('3279-2-E'));
    const codePage = findTerminalCodePage('cp037');
    if (codePage === undefined) throw new Error('no code page');
    this.session = new HostSession(
      {
        model,
        codePage,
        entryRules: { numericLock: false, blankFill: false },
        deviceNames: [],
        tn3270e: true,
        functions: allFunctions,
        environment: new Map(),
        connect: (handler, signal) =>
          openHostConnection({ address: { host: '127.0.0.1', port }, connectMilliseconds: 30_000, signal }, handler),
        startTls: undefined,
        negotiationMilliseconds: 30_000,
        keepAlive: undefined,
        trace: undefined,
      },
      { changed: () => this.#wake(), fault: () => undefined, ended: () => this.#wake() },
    );
    this.session.connect();
  }

  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async ready(): Promise<void> {
    const { space, operator } = this.session.screen.state;
    await this.until(() => space.formatted && !operator.keyboardLocked);
  }

  /** Presses Enter and waits for an unlocked keyboard. @returns milliseconds */
  async enter(): Promise<number> {
    const start = performance.now();
    this.session.screen.keyboard.press('Enter');
    await this.ready();
    return performance.now() - start;
  }
}
