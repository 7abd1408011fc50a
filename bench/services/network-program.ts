// A network with a delay in its own process, which reports its port over IPC.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

const [hostPort = 0, toHostMilliseconds = 0, fromHostMilliseconds = 0] = process.argv.slice(2).map(Number);

const server = createServer({ noDelay: true }, (terminal) => {
  const host = connect({ port: hostPort, host: '127.0.0.1', noDelay: true });
  delayed(terminal, host, toHostMilliseconds);
  delayed(host, terminal, fromHostMilliseconds);
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit(0));

/** Timers of equal length fire in the order in which they were set. */
function delayed(from: Socket, to: Socket, milliseconds: number): void {
  from.on('data', (chunk) => setTimeout(() => to.write(chunk), milliseconds));
  from.once('close', () => setTimeout(() => to.end(), milliseconds));
  from.on('error', () => undefined);
}
