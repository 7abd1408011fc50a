import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ClusterOfTwo, type Node } from '../../test/cluster/postgresql/cluster-of-two.js';
import { CookieClient } from '../../test/support/cookie-client.js';
import { PostgresqlServer } from '../../test/support/postgresql.js';
import { WatchedServer } from '../../test/support/watched-server.js';

/** Longer than the heartbeat interval of servers. */
const LONGEST_PAUSE_MILLISECONDS = 1_500;

interface Vanished {
  readonly seconds: number;
  /** True if the page reports the lost server and links to the menu. */
  readonly leadsOn: boolean;
}

/** Stops a server like a vanished machine, while a user of its session sends a request to another server. */
export async function vanished(tries: number, told: (words: string) => void): Promise<readonly Vanished[]> {
  const database = await PostgresqlServer.start();
  const cluster = new ClusterOfTwo(database);
  const found: Vanished[] = [];
  try {
    const asked = await cluster.begin('a');
    for (let at = 1; at <= tries; at++) {
      await cluster.configuration('v');
      const server = new WatchedServer(cluster.folder, join(cluster.folder, 'v.yaml'));
      try {
        found.push(await askedFor(server, asked));
      } finally {
        await server.kill('SIGKILL');
      }
      told(`${at} of ${tries}: ${found.at(-1)?.seconds.toFixed(1)} s`);
    }
    return found;
  } finally {
    await cluster.remove();
    await database.remove();
  }
}

async function askedFor(server: WatchedServer, asked: Node): Promise<Vanished> {
  const browser = new CookieClient(await server.urlOf('C-HTTP'));
  const path = await browser.open('/TERMINAL.HTML+TSO');
  const elsewhere = new CookieClient(asked.client, 'text/html');
  for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
  const { status } = await elsewhere.get(path);
  if (status !== 200) throw new Error(`the session is not there: ${status}`);
  await pause(Math.random() * LONGEST_PAUSE_MILLISECONDS);
  server.signal('SIGSTOP');
  const began = performance.now();
  const page = await elsewhere.get(path);
  const seconds = (performance.now() - began) / 1_000;
  const saysSo = page.text.includes('The server that had this session is gone');
  return { seconds, leadsOn: page.status === 404 && saysSo && page.text.includes('href="/"') };
}
