import type { Application } from '../../../src/demo/simulated-host/application.js';
import type { FaultName } from '../../../src/demo/simulated-host/fault-switches.js';
import { SimulatedHost } from '../../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { Conversation } from '../../../src/tn3270/conversation/conversation.js';
import { openHostConnection } from '../../../src/tn3270/host/host-connection.js';
import { eventually } from '../../support/eventually.js';
import { hostSessionOptions } from '../../support/host-session-options.js';
import { AGREEMENT, BIND, ScriptedHost } from '../../support/scripted-host.js';

/** 3270 data for a terminal that is bound. */
export const record = (data: string) => `00 00 00 0000 ${data} ffef`;

/** A text in the codes of the host. */
export function ebcdic(text: string): string {
  const codePage = findCodePage('IBM037');
  if (codePage === undefined) throw new Error('no code page 37');
  return Buffer.from(codePage.encode(text)).toString('hex');
}

/** Conversations with hosts over real sockets, ended together. */
export class HostedConversations {
  readonly #scripted: ScriptedHost[] = [];
  readonly #simulated: SimulatedHost[] = [];
  readonly #conversations: Conversation[] = [];
  #lastPort: number | undefined;

  /** The test says what the host sends; it is bound, and has drawn nothing. */
  async scripted(): Promise<{ host: ScriptedHost; conversation: Conversation }> {
    const host = new ScriptedHost();
    this.#scripted.push(host);
    const conversation = this.#connect(await host.listen());
    await host.send(`${AGREEMENT} ${BIND}`);
    await eventually(() => (conversation.screen.partner === 'application' ? true : undefined));
    return { host, conversation };
  }

  async simulated(options: {
    readonly faults?: readonly FaultName[];
    readonly start?: 'MENU' | 'SIGNON';
    readonly applications?: Readonly<Record<string, Application>>;
  }): Promise<Conversation> {
    const codePage = findCodePage('IBM037');
    if (codePage === undefined) throw new Error('no code page 37');
    const { start = 'MENU', ...further } = options;
    const host = new SimulatedHost({ codePage, users: { DEMO: 'DEMO' }, start, ...further });
    this.#simulated.push(host);
    const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
    this.#lastPort = port;
    return this.#connect(port);
  }

  /** Another terminal of the simulated host that was made last. */
  async again(): Promise<Conversation> {
    if (this.#lastPort === undefined) throw new Error('there is no simulated host');
    return this.#connect(this.#lastPort);
  }

  async end(): Promise<void> {
    for (const conversation of this.#conversations.splice(0)) conversation.stop();
    for (const host of this.#scripted.splice(0)) await host.close();
    for (const host of this.#simulated.splice(0)) await host.close();
  }

  #connect(port: number): Conversation {
    const conversation = new Conversation(
      hostSessionOptions({
        connect: (handler, signal) =>
          openHostConnection({ address: { host: '127.0.0.1', port }, connectMilliseconds: 5_000, signal }, handler),
      }),
    );
    this.#conversations.push(conversation);
    conversation.connect();
    return conversation;
  }
}
