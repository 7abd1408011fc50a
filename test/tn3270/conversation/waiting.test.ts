import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import type { Conversation } from '../../../src/tn3270/conversation/conversation.js';
import { ebcdic, HostedConversations, record } from './hosted-conversation.js';

const MOST_WAITERS = 1_000;

/** Write, the keyboard restored or not; a protected text and an input field behind it. */
const writes = (text: string, control = 'c3') => record(`f5${control} 1d60 ${ebcdic(text)} 1d40 13 1d60`);
const RESTORE_ALONE = record('f1c3');
const LOCKED = 'c1';

describe('waiting for a host', () => {
  const hosted = new HostedConversations();
  afterEach(() => hosted.end());

  const shows = (conversation: Conversation, text: string) => conversation.image.cells.join('').includes(text);
  const seen = (conversation: Conversation, text: string) =>
    conversation.waitUntil(() => shows(conversation, text), { withinMilliseconds: 10_000 });

  it('ends when the host has written and gives the keyboard', async () => {
    const { host, conversation } = await hosted.scripted();
    expect(conversation.isSettled).to.equal(false);
    const settled = conversation.settled();
    await host.send(writes('FIRST', LOCKED));
    await seen(conversation, 'FIRST');
    // a terminal that has pressed no key has its keyboard
    expect([await settled, conversation.isSettled]).to.deep.equal(['holds', true]);
  });

  it('takes nothing for an answer that was written before the key', async () => {
    const { host, conversation } = await hosted.scripted();
    await host.send(writes('FIRST'));
    await conversation.settled();
    expect(conversation.act({ press: 'Enter' })).to.equal(undefined);
    expect(conversation.isSettled).to.equal(false);
    await host.send(writes('ON THE WAY', LOCKED));
    await seen(conversation, 'ON THE WAY');
    expect([conversation.isSettled, conversation.awaitsAnswer]).to.deep.equal([false, true]);
    await host.send(writes('ANSWER'));
    expect([await conversation.settled(), shows(conversation, 'ANSWER')]).to.deep.equal(['holds', true]);
  });

  it('takes a keyboard restore for an answer, and a screen that is blank', async () => {
    const { host, conversation } = await hosted.scripted();
    await host.send(writes('FIRST'));
    await conversation.settled();
    for (const answer of [RESTORE_ALONE, record('f5c3')]) {
      conversation.act({ press: 'PF3' });
      const settled = conversation.settled();
      await host.send(answer);
      expect(await settled).to.equal('holds');
    }
    expect(conversation.image.cells.join('').trim()).to.equal('');
  });

  it('takes no blank screen of a host that was asked nothing for ready', async () => {
    const { host, conversation } = await hosted.scripted();
    await host.send(record('f5c3'));
    expect(await conversation.settled({ withinMilliseconds: 200 })).to.equal('timedOut');
    await host.send(writes('READY'));
    expect(await conversation.settled()).to.equal('holds');
  });

  it('ends with a record that cannot be carried out: no answer will come', async () => {
    const { host, conversation } = await hosted.scripted();
    const settled = conversation.settled();
    // an address past the end of the screen
    await host.send(record('f5c3 11 7f7f'));
    expect([await settled, conversation.isSettled]).to.deep.equal(['holds', false]);
    expect(conversation.programCheck).not.to.equal(undefined);
  });

  it('waits for quiet where that is asked for', async () => {
    const { host, conversation } = await hosted.scripted();
    await host.send(writes('ONE'));
    await conversation.settled();
    const begin = performance.now();
    const quiet = conversation.settled({ quietMilliseconds: 300 });
    const soon = conversation.settled({ quietMilliseconds: 60_000, withinMilliseconds: 50 });
    await host.send(writes('TWO'));
    await seen(conversation, 'TWO');
    const second = performance.now();
    expect([await quiet, await soon]).to.deep.equal(['holds', 'timedOut']);
    expect(performance.now() - begin).to.be.at.least(second - begin + 290);
  });

  it('ends by time, by a signal, and with the host, and leaves nothing behind', async () => {
    const { host, conversation } = await hosted.scripted();
    const { signal, ...stop } = listened();
    const never = () => false;
    expect(await conversation.waitUntil(never, { withinMilliseconds: 20, signal })).to.equal('timedOut');
    expect(await conversation.waitUntil(never, { withinMilliseconds: 0, signal })).to.equal('timedOut');
    const aborted = conversation.waitUntil(never, { signal });
    stop.abort();
    expect([await aborted, await conversation.waitUntil(() => true, { signal })]).to.deep.equal(['aborted', 'aborted']);
    expect(stop.listeners()).to.equal(0);
    const gone = conversation.settled();
    await host.close();
    expect([await gone, await conversation.settled(), conversation.end?.kind]).to.deep.equal([
      'hostGone',
      'hostGone',
      'hostEnded',
    ]);
    expect(await conversation.waitUntil(() => true)).to.equal('holds');
    expect(await conversation.waitUntil(() => conversation.end !== undefined)).to.equal('holds');
  });

  it('fails alone where what it waits for fails', async () => {
    const { host, conversation } = await hosted.scripted();
    const wait = conversation.waitUntil(() => {
      if (shows(conversation, 'FIRST')) throw new Error('a defect');
      return false;
    });
    const other = seen(conversation, 'FIRST');
    await host.send(writes('FIRST'));
    expect(await wait.catch((error: Error) => error.message)).to.equal('a defect');
    expect(await other).to.equal('holds');
  });

  it(`is done by ${MOST_WAITERS} at most`, async () => {
    const { host, conversation } = await hosted.scripted();
    const waits = Array.from({ length: MOST_WAITERS }, () => conversation.settled());
    const refusal = await conversation.settled().catch((error: Error) => error);
    expect(refusal).to.include({
      code: 'SVC_ERR_SERVICE_BUSY',
      detail: `${MOST_WAITERS} requests are already waiting for this host session`,
    });
    await host.send(writes('FIRST'));
    expect(new Set(await Promise.all(waits))).to.deep.equal(new Set(['holds']));
    expect(await conversation.settled()).to.equal('holds');
  });
});

/** A signal that tells how many listen to it. */
function listened() {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = () => getEventListeners(signal, 'abort').length;
  return { signal, abort: () => controller.abort(), listeners };
}
