import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { at, begun, type ClusterOfTwo, type Node, type RunningCluster } from './cluster-of-two.js';

/**
 * What node b answers over the internal line to a peer with that certificate; empty: nothing.
 * @param said in the header of a node; not given: the seal of a node
 */
export async function askInternal(
  cluster: ClusterOfTwo,
  certificate: string,
  path = '/',
  said?: string,
): Promise<string> {
  const where = await cluster.addressOf('b');
  const file = (name: string) => readFileSync(join(cluster.folder, name));
  const own = certificate === '' ? {} : { cert: file(`${certificate}.pem`), key: file(`${certificate}.key`) };
  const socket = connectTls({ ...where, ...own, ca: file('authority.pem'), servername: 'nodes.example' });
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const carried = { line: 'C-HTTP', client: '127.0.0.1', isOverTls: false, reached: '127.0.0.1' };
  const head = { method: 'GET', url: path, framing: 'none', isUpgrade: false } as const;
  const header = said ?? (await cluster.seal()).close(path === '/' ? 'question' : carried, head);
  const lines = ['Host: x', 'Accept: application/json', `Sallyport-Carried: ${header}`, 'Connection: close'];
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  await closed;
  return text;
}

/** Who is let in, and with which certificates. */
export function itHasAnInternalLine(running: () => RunningCluster): void {
  let cluster: ClusterOfTwo;
  let a: Node;
  let b: Node;
  before(() => {
    ({ cluster, a, b } = running());
  });

  it('that lets nobody in but whoever has a certificate of its authority with its name', async () => {
    cluster.certificate('stranger');
    cluster.signed('of-stranger', 'stranger', 'nodes.example');
    cluster.signed('other-name', 'authority', 'users.example');
    expect(await askInternal(cluster, 'node')).to.match(/^HTTP\/1\.1 204 /);
    for (const certificate of ['', 'stranger', 'of-stranger', 'other-name']) {
      expect(await askInternal(cluster, certificate), certificate).to.equal('');
    }
    expect(b.log()).to.include('the internal line rejected a connection');
    // nor does it answer a node that says nothing, or says it without a seal
    const unsealed = encodeURIComponent(JSON.stringify({ line: 'C-HTTP', client: 'x', isOverTls: true, reached: 'x' }));
    for (const said of ['', 'AQ', unsealed]) {
      for (const path of ['/', '/load/b', '/TERMINAL.HTML']) {
        const answer = await askInternal(cluster, 'node', path, said);
        expect(answer).to.match(/^HTTP\/1\.1 400 [\s\S]*\r\nSallyport-Refused: seal\r\n[\s\S]*\r\n\r\n$/);
      }
    }
    // nor does it take anybody else for a node
    const c = await cluster.begin('c', { certificate: 'other-name' });
    const { action, browser } = await begun(c);
    expect((await at(a, browser).get(action)).status).to.equal(503);
    await cluster.end(c);
    await eventually(async () => ((await at(a, browser).get(action)).status === 404 ? true : undefined));
  });

  it('that uses other certificates when the files have others, and none that other servers would refuse', async () => {
    const put = (names: Record<string, string>) => {
      for (const [to, from] of Object.entries(names)) {
        for (const end of ['pem', 'key'])
          copyFileSync(join(cluster.folder, `${from}.${end}`), join(cluster.folder, `${to}.${end}`));
      }
    };
    put({ before: 'node', 'authority-before': 'authority' });
    const health = async () =>
      (await fetch(`${b.server.listeners.find(({ name }) => name === 'management')?.url}/health`)).text();
    cluster.signed('other-name', 'authority', 'users.example');
    put({ node: 'other-name' });
    await eventually(async () => ((await health()).includes('is not for nodes.example') ? true : undefined));
    expect(await askInternal(cluster, 'before')).to.match(/^HTTP\/1\.1 204 /);
    // another authority altogether, at all servers
    cluster.certificate('next');
    cluster.signed('of-next', 'next', 'nodes.example');
    put({ authority: 'next', node: 'of-next' });
    await eventually(async () =>
      (await askInternal(cluster, 'of-next')).startsWith('HTTP/1.1 204') ? true : undefined,
    );
    expect(await askInternal(cluster, 'before')).to.equal('');
    await eventually(async () => ((await health()).includes('"DOWN"') ? undefined : true));
    const { action, browser } = await begun(b);
    // at once, so that most of them need a connection of their own
    const together = () => Promise.all(Array.from({ length: 16 }, () => at(a, browser).get(action)));
    await eventually(async () => ((await together()).every(({ status }) => status === 200) ? true : undefined));
    put({ authority: 'authority-before', node: 'before' });
    await eventually(async () => ((await askInternal(cluster, 'node')).startsWith('HTTP/1.1 204') ? true : undefined));
  });
}
