import { ActionError } from '../action-error.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';
import type { PortName } from '../toggles.js';
import { openHttpPort } from './http-port.js';
import { type OpenPort, openScriptPort, readScriptAddress, type ScriptAddress } from './script-port.js';
import { systemErrorWords } from './system-error-words.js';

interface NamedPort extends OpenPort {
  readonly address: ScriptAddress;
}

interface ScriptPortsOptions {
  readonly cookie: () => string | undefined;
  /** The terminal ends with the first script. */
  readonly isOnce: boolean;
}

const toldAs: Readonly<Record<PortName, string>> = { httpd: 'httpd', scriptPort: 'script socket' };

export class ScriptPorts {
  readonly #options: ScriptPortsOptions;
  readonly #open = new Map<PortName, NamedPort>();
  /** Closed ports with connected clients. */
  readonly #left = new Set<OpenPort>();
  #socket: OpenPort | undefined;

  constructor(options: ScriptPortsOptions) {
    this.#options = options;
  }

  /**
   * Replaces a port; an empty text closes it. If the new port cannot be opened, the previous one is opened again.
   * @returns the address as displayed by settings
   */
  async set(terminal: ScriptedTerminal, name: PortName, text: string): Promise<string> {
    const address = text === '' ? undefined : readScriptAddress(text);
    if (address === undefined && text !== '') throw new ActionError(`Invalid ${name}: ${text}`);
    const before = this.#open.get(name);
    // the new address may have the same port
    if (before !== undefined) this.#leave(name, before);
    if (address === undefined) return '';
    try {
      await this.#listen(terminal, name, address);
    } catch (error) {
      if (before !== undefined) await this.#listen(terminal, name, before.address);
      throw new ActionError(`${toldAs[name]} bind: ${systemErrorWords(error)}`);
    }
    return `[${address.host}]:${address.port}`;
  }

  async listenOnSocket(terminal: ScriptedTerminal, path: string): Promise<void> {
    try {
      this.#socket = await this.#openScripts(terminal, { path });
    } catch (error) {
      throw new ActionError(`${toldAs.scriptPort} bind: ${systemErrorWords(error)}`);
    }
  }

  async close(): Promise<void> {
    const ports = [...this.#open.values(), ...this.#left, ...(this.#socket === undefined ? [] : [this.#socket])];
    this.#open.clear();
    await Promise.all(ports.map((port) => port.close()));
  }

  async #listen(terminal: ScriptedTerminal, name: PortName, address: ScriptAddress): Promise<void> {
    const opened = await (name === 'httpd'
      ? openHttpPort(terminal, address, this.#options.cookie())
      : this.#openScripts(terminal, address));
    this.#open.set(name, { ...opened, address });
  }

  async #openScripts(
    terminal: ScriptedTerminal,
    address: ScriptAddress | { readonly path: string },
  ): Promise<OpenPort> {
    const { cookie, isOnce } = this.#options;
    const opened = await openScriptPort(terminal, address, { cookie: cookie(), isOnce });
    if (isOnce) opened.once.then(() => terminal.quit());
    return opened;
  }

  #leave(name: PortName, port: OpenPort): void {
    this.#open.delete(name);
    this.#left.add(port);
    port.leave().then(() => this.#left.delete(port));
  }
}
