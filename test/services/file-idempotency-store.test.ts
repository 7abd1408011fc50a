import { createHook } from 'node:async_hooks';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ServiceError } from '../../src/lib/errors.js';
import { FileIdempotencyStore } from '../../src/services/file-idempotency-store.js';
import { skipUnless } from '../support/need.js';
import { SmallDisk } from '../support/small-disk.js';
import { idempotencyStoreContract } from './contract/idempotency-store-contract.js';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const request = (id: string) => ({ id, caller: 'caller', content: 'content' });
const answer = { status: 200, contentType: 'application/json', body: '{"a":1}' };

idempotencyStoreContract('the file of first answers', async (bounds) => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-idempotency-'));
  const file = join(folder, 'data', 'idempotency.jsonl');
  const opened: FileIdempotencyStore[] = [];
  const open = () => {
    const store = new FileIdempotencyStore(file, bounds);
    opened.push(store);
    return store;
  };
  return {
    store: open(),
    again: async () => open(),
    remove: async () => {
      await Promise.all(opened.map((store) => store.close()));
      rmSync(folder, { recursive: true });
    },
  };
});

describe('the file of first answers', () => {
  let folder: string;
  let file: string;
  let opened: FileIdempotencyStore[];
  const openStore = () => {
    const store = new FileIdempotencyStore(file);
    opened.push(store);
    return store;
  };

  beforeEach(() => {
    opened = [];
    folder = mkdtempSync(join(tmpdir(), 'sallyport-idempotency-'));
    file = join(folder, 'idempotency.jsonl');
  });
  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()));
    rmSync(folder, { recursive: true });
  });

  it('is for nobody else, and is cut where a process was killed in the middle of a line', async () => {
    const store = openStore();
    await store.begin(request('a'), NOW);
    await store.answer('a', answer);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    appendFileSync(file, '{"id":"a","answer":{"status":500,');
    const later = openStore();
    expect(await later.begin(request('a'), NOW)).to.deep.equal({ kind: 'answered', answer });
    await later.begin(request('b'), NOW);
    expect(await openStore().begin(request('b'), NOW)).to.deep.equal({ kind: 'interrupted' });
  });

  it('holds nothing any more of what is over when it is read again', async () => {
    const store = openStore();
    await store.begin(request('old'), 0);
    await store.answer('old', answer);
    await openStore().begin(request('new'), NOW);
    expect(readFileSync(file, 'utf8')).to.include('"new"').and.not.include('"old"');
  });

  it('is read in parts, wherever they end', async () => {
    const store = openStore();
    const answers = ['ä', '€', '𝄞'].map((character, at) => ({ ...answer, body: character.repeat(150_000 + at) }));
    for (const [at, one] of answers.entries()) {
      await store.begin(request(`${at}`), NOW);
      await store.answer(`${at}`, one);
    }
    const later = openStore();
    for (const [at, one] of answers.entries())
      expect(await later.begin(request(`${at}`), NOW)).to.deep.equal({ kind: 'answered', answer: one });
  });

  it('is rewritten in stretches of 256 KiB, not with a turn of the event loop for each answer', async () => {
    const lines = ['x'.repeat(300_000), ...Array.from({ length: 1_000 }, () => 'x')].map((content, at) =>
      JSON.stringify({ begun: { id: `${at}`, caller: 'caller', content, at: NOW } }),
    );
    writeFileSync(file, `${lines.join('\n')}\n`);
    let turns = 0;
    const hook = createHook({
      init: (_, type) => {
        if (type === 'Immediate') turns++;
      },
    });
    hook.enable();
    try {
      expect(await openStore().begin(request('new'), NOW)).to.deep.equal({ kind: 'begun' });
    } finally {
      hook.disable();
    }
    expect(turns).to.equal(1);
  });

  it('lets a request begin again that was not carried out, also where that cannot be kept', async function () {
    const disk = SmallDisk.ifAllowed(1);
    skipUnless(this, disk !== undefined, 'no disk can be mounted');
    const store = new FileIdempotencyStore(join(disk?.folder ?? '', 'idempotency.jsonl'));
    try {
      // what is left of the last page has no room for both
      const ids = ['a', 'b'].map((id) => id.repeat(3_000));
      for (const id of ids) await store.begin(request(id), NOW);
      disk?.fill();
      const refusals = await Promise.all(ids.map((id) => store.forget(id).catch(({ code }) => code)));
      expect(refusals).to.include('SVC_ERR_STORE_UNAVAILABLE');
      disk?.empty();
      for (const id of ids) expect(await store.begin(request(id), NOW)).to.deep.equal({ kind: 'begun' });
    } finally {
      await store.close();
      disk?.remove();
    }
  });

  it('that holds something else lets no request with a key through, and stays as it is', async () => {
    for (const text of ['no json\n', '{"id":1}\n', '{"begun":{"id":"a"}}\n', '{"id":"a","answer":{}}\n']) {
      writeFileSync(file, text);
      const store = openStore();
      for (const _ of [1, 2]) {
        const error: unknown = await store.begin(request('a'), NOW).catch((thrown: unknown) => thrown);
        expect(error).to.be.instanceOf(ServiceError);
        expect((error as ServiceError).code).to.equal('SVC_ERR_STORE_UNAVAILABLE');
      }
      expect(readFileSync(file, 'utf8')).to.equal(text);
    }
  });
});
