import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { CarriedRequest } from '../../src/cluster/nodes/carried-request.js';
import type { ClusterChange, NodeStore } from '../../src/cluster/nodes/node-store.js';
import type { ServiceError } from '../../src/lib/errors.js';
import { silentLog } from '../../src/lib/log/log.js';
import { ClusterPart } from '../../src/server/parts/cluster-part.js';
import { awaited } from '../support/awaited.js';

/** What a node store is asked, in order. A report waits while it is held. */
class WatchedStore implements NodeStore {
  readonly asked: string[] = [];
  held: Promise<void> = Promise.resolve();
  changed: (what: ClusterChange) => void = () => {};

  async report() {
    this.asked.push('report');
    await this.held;
    // what waits only for the report before goes on first
    await new Promise(setImmediate);
    return { isNew: false };
  }
  async look() {
    this.asked.push('look');
    return { nodes: [], news: [] };
  }
  async sealKey() {
    return Buffer.alloc(32);
  }
  async processes() {
    return 1;
  }
  listen(changed: (what: ClusterChange) => void) {
    this.changed = changed;
  }
  async remove() {}
  async keepSessions() {}
  async tell() {}
  async sessionsElsewhere() {
    return [];
  }
}

describe('the other servers of a cluster', () => {
  it('are read after the report that is under way, for a request that names a server nobody knows', async () => {
    const workerFolder = mkdtempSync(join(tmpdir(), 'sallyport-nodes-'));
    const store = new WatchedStore();
    const part = new ClusterPart(
      {
        node: 'a',
        internalLine: undefined,
        workerFolder,
        nodePatience: { silenceMilliseconds: 10_000, answerMilliseconds: 60_000 },
      },
      {
        store,
        log: silentLog,
        metrics: { internalLineRefused: () => {} },
        mostSessions: 1,
        sessions: () => 0,
        liveSessions: { list: () => [] } as never,
        isDraining: () => false,
        heard: () => {},
        usersChanged: () => {},
        passedOn: {} as never,
        load: () => ({}) as never,
      },
    );
    try {
      await part.start();
      expect(store.asked).to.deep.equal(['report', 'look']);
      let release = () => {};
      store.held = new Promise((resolve) => {
        release = resolve;
      });
      part.stateChanged();
      expect(store.asked).to.deep.equal(['report', 'look', 'report']);
      // something has changed, so the request below does not wait before it looks
      store.changed('nodes');
      const refusal = part.others
        ?.ask('e', '/', {} as IncomingMessage, {} as CarriedRequest)
        .catch(({ code }: ServiceError) => [code, ...store.asked]);
      release();
      const seen = await awaited('the server', 'end its look for server e', Promise.resolve(refusal));
      expect(seen).to.deep.equal(['SVC_ERR_NODE_GONE', 'report', 'look', 'report', 'report', 'look']);
    } finally {
      await part.stop(0);
      rmSync(workerFolder, { recursive: true });
    }
  });
});
