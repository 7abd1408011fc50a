import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { readDriveSettings, settingsConversation } from '../../../src/cli/drive/drive-settings.js';
import { soundValue } from '../../../src/lib/read-outcome.js';
import { eventually } from '../../support/eventually.js';
import { holdLongTimers } from '../../support/hold-long-timers.js';

/** What a session waits at most for a host to close its side. */
const CLOSING_MILLISECONDS = 2_000;
const DO_TERMINAL_TYPE = 'fffd18';
const SEND_TERMINAL_TYPE = 'fffa1801fff0';
const DO_AND_WILL_BOTH = 'fffb19fffd19fffb00fffd00';
/** An unprotected field to type into. */
const SCREEN = 'f5c3 114040 1d40 c1c2 13 ffef'.replaceAll(' ', '');

describe('the end of a session with a host that never closes', () => {
  const settings = soundValue(readDriveSettings('{"tn3270e":false}'));
  let server: Server;
  let socket: Socket | undefined;
  let received = '';
  let isHalfClosed = false;
  let letGo = () => {};

  beforeEach(async () => {
    socket = undefined;
    received = '';
    isHalfClosed = false;
    server = createServer({ allowHalfOpen: true }, (connected) => {
      socket = connected;
      connected.on('error', () => {});
      connected.on('data', (chunk) => {
        received += chunk.toString('hex');
      });
      connected.on('end', () => {
        isHalfClosed = true;
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    letGo = holdLongTimers(CLOSING_MILLISECONDS);
  });
  afterEach(async () => {
    letGo();
    socket?.destroy();
    await once(server.close(), 'close');
  });

  const says = (hex: string) => socket?.write(Buffer.from(hex, 'hex'));
  const heard = (hex: string) => eventually(() => (received.includes(hex) ? true : undefined));
  const over = (conversation: ReturnType<typeof begin>) => eventually(() => conversation.end);
  function begin(leavesAtOnce?: boolean) {
    return settingsConversation(
      { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
      settings,
      undefined,
      leavesAtOnce,
    );
  }

  async function begunWithScreen(leavesAtOnce?: boolean) {
    const conversation = begin(leavesAtOnce);
    await eventually(() => socket);
    says(DO_TERMINAL_TYPE);
    await heard('fffb18');
    says(SEND_TERMINAL_TYPE);
    await heard('fffa1800');
    says(DO_AND_WILL_BOTH + SCREEN);
    await eventually(() => (conversation.image.text.cells.join('').includes('AB') ? true : undefined));
    return conversation;
  }

  it('does not wait for it where the host has said nothing yet', async () => {
    const conversation = begin();
    await eventually(() => socket);
    conversation.stop();
    expect(await over(conversation)).to.deep.equal({ kind: 'stopped' });
  });

  it('does not wait for it where the host has answered all that was sent', async () => {
    const conversation = await begunWithScreen();
    conversation.stop();
    expect(await over(conversation)).to.deep.equal({ kind: 'stopped' });
    await eventually(() => isHalfClosed || undefined);
  });

  it('waits where the host may not have read what was sent last, until it closes', async () => {
    const conversation = await begunWithScreen();
    expect(conversation.act({ press: 'Enter' })).to.equal(undefined);
    conversation.stop();
    await eventually(() => isHalfClosed || undefined);
    // the record of ENTER has come in whole
    expect(received).to.match(/7d[0-9a-f]{4}.*ffef$/);
    expect(conversation.end).to.equal(undefined);
    socket?.end();
    expect(await over(conversation)).to.deep.equal({ kind: 'stopped' });
  });

  it('waits for nothing where it is left at once, and the host gets what was sent', async () => {
    const conversation = await begunWithScreen(true);
    expect(conversation.act({ press: 'Enter' })).to.equal(undefined);
    conversation.stop();
    expect(await over(conversation)).to.deep.equal({ kind: 'stopped' });
    await eventually(() => isHalfClosed || undefined);
    expect(received).to.match(/7d[0-9a-f]{4}.*ffef$/);
  });
});
