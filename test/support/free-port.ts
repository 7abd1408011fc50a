import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports (32768 to 60999 on Linux): another test could get one before the intended program. */
const FIRST_PORT = 12_000;
const PORTS = 20_000;
let tried = Math.floor(Math.random() * PORTS);

/** Unused ports of 127.0.0.1, each returned once by this process. */
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
