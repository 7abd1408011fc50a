// Process of the attacker: floods the server as instructed over IPC. All connections come from one address.
import { ATTACKER, FloodConnection, repeatConnection } from '../flood-connection.js';
import { type BegunSession, beginSession, floodKinds, helloFrame, upgradeRequest } from '../flood-kinds.js';
import type { FloodResult, FloodTask } from '../flood-task.js';

/**
 * Sessions whose WebSockets are flooded. An address may start 120 in a minute, and each session takes several pages.
 */
const MOST_SESSIONS = 20;

async function flood({ kind, seconds, port, tlsPort, mostConnections }: FloodTask): Promise<FloodResult> {
  const { connections, manner, line, bytes } = floodKinds[kind] ?? {
    connections: 0,
    manner: 'pipelined',
    bytes: () => '',
  };
  const result = { sent: 0, receivedBytes: 0 };
  let isOver = false;
  const repeated = await bytes({ port });
  const count = Math.min(connections, mostConnections);
  const sessions: BegunSession[] = [];
  if (manner === 'frames') {
    for (let at = 0; at < Math.min(count, MOST_SESSIONS); at++) sessions.push(await beginSession(port, ATTACKER));
  }
  const end = performance.now() + seconds * 1_000;
  const open = Array.from({ length: count }, (_, at) => {
    const session = sessions[at % sessions.length];
    const options = {
      port: line === 'tls' ? tlsPort : port,
      repeated,
      ...(session === undefined ? {} : { begin: Buffer.concat([Buffer.from(upgradeRequest(session)), helloFrame()]) }),
      sent: (more: number) => {
        result.sent += more;
      },
      received: (more: number) => {
        result.receivedBytes += more;
      },
      isOver: () => isOver,
    };
    if (manner !== 'reconnecting') return new FloodConnection(options);
    repeatConnection(options);
    return undefined;
  });
  await new Promise((resolve) => setTimeout(resolve, end - performance.now()));
  isOver = true;
  for (const connection of open) connection?.end();
  return result;
}

process.on('message', (task: FloodTask) => {
  flood(task).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
