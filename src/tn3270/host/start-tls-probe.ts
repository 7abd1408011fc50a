import { telnetOptions } from '../telnet/telnet-codes.js';
import { TelnetDecoder } from '../telnet/telnet-decoder.js';
import { encodeNegotiation, encodeSubnegotiation } from '../telnet/telnet-encoder.js';
import type { HostConnection, HostConnectionHandler } from './host-connection.js';
import { StartTls } from './start-tls.js';

interface ProbeOptions {
  readonly connect: (handler: HostConnectionHandler) => Promise<HostConnection>;
  readonly startTls: (connection: HostConnection, signal: AbortSignal) => Promise<void>;
  readonly milliseconds: number;
}

/**
 * Begins TLS with a host as a session that requires STARTTLS does, and closes the connection.
 * @returns protocol and cipher
 * @throws Error with the reason why a session would end
 */
export async function probeStartTls({ connect, startTls, milliseconds }: ProbeOptions): Promise<string> {
  let connection: HostConnection | undefined;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<string>((resolve, reject) => {
      const starting = new StartTls(
        { startTls, requiresStartTls: true },
        {
          drop: () => decoder.drop(),
          secured: ({ secured = '' }) => resolve(secured),
          failed: (detail) => reject(new Error(detail)),
        },
      );
      const ignored = () => undefined;
      const decoder = new TelnetDecoder(
        starting.guard({
          record: ignored,
          data: ignored,
          command: ignored,
          tooLong: ignored,
          negotiation: () => {
            const follows = encodeSubnegotiation(Uint8Array.of(telnetOptions.startTls, FOLLOWS));
            connection?.write(Buffer.concat([encodeNegotiation('will', telnetOptions.startTls), follows]));
          },
          subnegotiation: () => starting.begin(connection),
        }),
      );
      timer = setTimeout(() => starting.missing('it did not in time'), milliseconds);
      connect({
        take: (chunk, mayGoOn) => decoder.feed(chunk, mayGoOn),
        goOn: (mayGoOn) => decoder.goOn(mayGoOn),
        ended: () => starting.missing('it closed the connection'),
        failed: reject,
      }).then((opened) => {
        connection = opened;
        opened.start();
      }, reject);
    });
  } finally {
    clearTimeout(timer);
    connection?.destroy();
  }
}
