import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { serialize } from 'node:v8';
import { expect } from 'chai';
import { ServiceError } from '../../../src/lib/errors.js';
import { WorkThreads } from '../../../src/lib/turns/work-threads.js';
import { eventually } from '../../support/eventually.js';
import { holdThread } from '../../support/held-threads.js';
import { triedWork } from '../../support/tried-work.js';

const busy = new Error('busy');
const anna = { address: '192.0.2.1' };
const bert = { address: '192.0.2.2' };

describe('threads for work that would hold the event loop', () => {
  const made = (options: Partial<ConstructorParameters<typeof WorkThreads>[0]> = {}) =>
    new WorkThreads({
      threads: 2,
      threadsOfAddress: 1,
      waiting: 4,
      waitingOfAddress: 2,
      refusal: () => busy,
      ...options,
    });
  const echoed = (threads: WorkThreads, value: unknown, orderer = anna) =>
    threads.run(triedWork, { kind: 'echo', value }, orderer);
  const errorOf = (work: Promise<unknown>) =>
    work.then(
      () => expect.fail('it did not fail'),
      (error: unknown) => error as Error,
    );

  it('hand over plain data, and errors of the catalogue with their details', async () => {
    const threads = made();
    const value = new Map([['a', { b: [1, undefined, 'ü'] }]]);
    expect(await echoed(threads, value)).to.deep.equal(value);
    const refused = await errorOf(threads.run(triedWork, { kind: 'refuse' }, anna));
    expect(refused).to.be.instanceOf(ServiceError);
    expect(refused).to.include({ code: 'SVC_ERR_MACRO_CONTENT', detail: 'line 7' });
  });

  it('hand over no message of another error, which may quote a text', async () => {
    const failed = await errorOf(made().run(triedWork, { kind: 'throw', secret: 'hushX7' }, anna));
    expect(failed.message).to.equal('work on a thread failed: Error');
    expect(failed.stack).to.include('tried-work-worker').and.not.include('hushX7');
  });

  for (const [what, kind, options] of [
    ['takes too long', 'loop', { milliseconds: 50 }],
    ['needs too much memory', 'grow', { megabytes: 20 }],
  ] as const) {
    it(`end work that ${what}, and go on with other work`, async () => {
      const threads = made({ ...options, threads: 1 });
      const [failed, value] = await Promise.all([
        errorOf(threads.run(triedWork, { kind }, anna)),
        echoed(threads, 'next', bert),
      ]);
      expect(failed).to.include({ code: 'SVC_ERR_CHECK_COMPLEX' });
      expect(value).to.equal('next');
    });
  }

  it('count the processor time of work, as other programs may keep a thread from running', async () => {
    const threads = made({ milliseconds: 200 });
    expect(await threads.run(triedWork, { kind: 'wait', milliseconds: 600 }, anna)).to.equal('waited');
  });

  it('end work that takes ten times its limit by the clock', async () => {
    const threads = made({ milliseconds: 20 });
    const failed = await errorOf(threads.run(triedWork, { kind: 'wait', milliseconds: undefined }, anna));
    expect(failed).to.include({ code: 'SVC_ERR_CHECK_COMPLEX' });
  });

  it('use a thread again, and let the process end, after an order that cannot be copied', async () => {
    const ofModule = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
    const script = `
      const { WorkThreads } = await import(${ofModule('../../../src/lib/turns/work-threads.js')});
      const { triedWork } = await import(${ofModule('../../support/tried-work.js')});
      const threads = new WorkThreads({ threads: 1, threadsOfAddress: 1, waiting: 1, waitingOfAddress: 1 });
      const said = (value) =>
        threads.run(triedWork, { kind: 'echo', value }, { address: 'a' }).catch(({ message }) => message);
      console.log(await said(() => 'hushX7'));
      console.log(await said('next'));`;
    const folder = mkdtempSync(join(tmpdir(), 'work-threads-'));
    const file = join(folder, 'script.mjs');
    writeFileSync(file, script);
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
    const over = once(child, 'close');
    expect(await text(child.stdout)).to.equal(
      'work on a thread failed: the order cannot be copied to a thread\nnext\n',
    );
    expect(await over).to.deep.equal([0, null]);
    rmSync(folder, { recursive: true });
  });

  it('fail only the work of a thread that ends, and replace it', async () => {
    const threads = made({ threads: 1 });
    const [failed, value] = await Promise.all([
      errorOf(threads.run(triedWork, { kind: 'end' }, anna)),
      echoed(threads, 'next', bert),
    ]);
    expect(failed.message).to.include('the thread ended');
    expect(value).to.equal('next');
  });

  it('take results as large as they may be, and none a byte larger', async () => {
    const largest = 'x'.repeat(100);
    const threads = made({ resultBytes: serialize(largest).length });
    expect(await echoed(threads, largest)).to.equal(largest);
    expect(await errorOf(echoed(threads, `${largest}x`))).to.include({ code: 'SVC_ERR_CHECK_COMPLEX' });
  });

  it('give one address one thread, so that another address does not wait for it', async () => {
    const threads = made();
    const held = holdThread(threads, anna.address);
    await eventually(async () => (held.hasBegun() ? true : undefined));
    const answered: string[] = [];
    const second = echoed(threads, 'second').then(() => answered.push('anna'));
    await echoed(threads, 'first', bert).then(() => answered.push('bert'));
    expect([answered, threads.waiting]).to.deep.equal([['bert'], 1]);
    held.letGo();
    await Promise.all([held.end, second]);
    expect(answered).to.deep.equal(['bert', 'anna']);
  });

  it('let as many wait as may, of one address and in all, and refuse one more', async () => {
    const threads = made({ threads: 1 });
    const held = holdThread(threads, anna.address);
    await eventually(async () => (held.hasBegun() ? true : undefined));
    const waiting = [anna, anna, bert, bert].map((orderer) => echoed(threads, 'waited', orderer));
    expect(threads.waiting).to.equal(4);
    expect(await errorOf(echoed(threads, 'one more', anna))).to.equal(busy);
    expect(await errorOf(echoed(threads, 'one more', bert))).to.equal(busy);
    held.letGo();
    expect(await Promise.all(waiting)).to.deep.equal(new Array(4).fill('waited'));
    await held.end;
  });

  it('take work out of the queue when its client goes away', async () => {
    const threads = made({ threads: 1 });
    const held = holdThread(threads, anna.address);
    const client = new AbortController();
    const left = errorOf(threads.run(triedWork, { kind: 'echo', value: 1 }, { ...bert, signal: client.signal }));
    expect(threads.waiting).to.equal(1);
    client.abort(new Error('gone'));
    expect((await left).message).to.equal('gone');
    expect(threads.waiting).to.equal(0);
    held.letGo();
    await held.end;
  });
});
