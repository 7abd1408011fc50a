import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below those that the system gives to whoever wants any port, for a server or to connect from (32768 to 60999 on Linux): of those,
 * another test gets one before the program that it was found for listens there.
 */
const FIRST_PORT = 12_000;
const PORTS = 20_000;
/** Each process of tests begins elsewhere. */
let tried = Math.floor(Math.random() * PORTS);

/** Ports of 127.0.0.1 that nothing listens on, each given once by this process. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = FIRST_PORT + (tried++ % PORTS);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}
