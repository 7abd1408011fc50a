import { expect } from 'chai';
import type { HostSession } from '../../../src/tn3270/host/host-session.js';
import { eventually } from '../../support/eventually.js';
import { AGREEMENT, BIND, type ScriptedHost } from '../../support/scripted-host.js';
import { ScriptedSessions } from './scripted-sessions.js';

const AGREED = `${AGREEMENT.replace('000204', '00020405')} ${BIND}`;
/** One input field, keyboard restored by the write control character (C3), cursor in the field. */
const FORM = 'f5c3 114040 1d40 13';

/** The function 05 of TN3270E: SEND-DATA (01), KEYBOARD-RESTORE (02), SIGNAL (04), and BID (data type 09). */
describe('contention resolution', () => {
  const sessions = new ScriptedSessions();
  afterEach(() => sessions.close());

  /** Sends, and waits until the terminal has carried all of it out. */
  async function sends(host: ScriptedHost, hex: string): Promise<void> {
    const before = host.received.length;
    await host.send(`${hex} fffd06`);
    await eventually(() => (/ff(fb|fc)06$/.test(host.received.toString('hex', before)) ? true : undefined));
  }

  async function agreed(agreement = AGREED): Promise<{ host: ScriptedHost; session: HostSession }> {
    const { host, port } = await sessions.scripted();
    const { session } = sessions.connect({ port });
    await sends(host, agreement);
    return { host, session };
  }

  const lockOf = ({ screen }: HostSession) => [screen.image.locked, screen.state.operator.hostLock];

  it('keeps the keyboard locked without SEND-DATA though the write restores it, as s3270 4.6 does', async () => {
    const { host, session } = await agreed();
    await sends(host, `00 00 00 0000 ${FORM} ffef`);
    expect(lockOf(session)).to.deep.equal([true, 'bid']);
    await sends(host, '00 01 00 0000 f1c3 ffef');
    expect(lockOf(session)).to.deep.equal([false, undefined]);
  });

  it('needs both the turn and a restored keyboard after a key', async () => {
    const { host, session } = await agreed();
    await sends(host, `00 01 00 0000 ${FORM} ffef`);
    session.screen.keyboard.press('Enter');
    await sends(host, '00 01 00 0001 f1c0 ffef');
    expect(lockOf(session)).to.deep.equal([true, 'system']);
    await sends(host, '00 00 00 0002 f1c3 ffef');
    expect(lockOf(session)).to.deep.equal([true, 'bid']);
    await sends(host, '00 02 00 0003 f1c3 ffef');
    expect(lockOf(session)).to.deep.equal([true, 'bid']);
    // as IBM's server ended a session of 2021: no data, SEND-DATA and KEYBOARD-RESTORE
    await sends(host, '00 03 01 0004 ffef');
    expect(lockOf(session)).to.deep.equal([false, undefined]);
  });

  it('is locked by BID until SEND-DATA, and confirms it (bytes of a host of 2021)', async () => {
    const { host, session } = await agreed();
    await sends(host, `00 01 00 0000 ${FORM} ffef`);
    await host.send('0900020001ffef');
    await host.hears('020000000100ffef');
    expect(lockOf(session)).to.deep.equal([true, 'bid']);
    session.screen.keyboard.type('AB');
    session.screen.keyboard.press('Enter');
    expect(session.screen.keyboard.typedAhead).to.equal(3);
    await sends(host, '00 00 00 0002 f1c3 ffef');
    expect(session.screen.keyboard.typedAhead).to.equal(3);
    await host.send('00 01 00 0003 f1c3 ffef');
    // Enter, cursor at 0x003, field at 0x001 with AB
    await host.hears('7d 40c3 1140c1 c1c2 ffef');
  });

  it('returns the turn for SIGNAL with data without content, once, and only if it has the turn', async () => {
    const { host, session } = await agreed();
    const before = host.received.length;
    const returned = () => host.received.toString('hex', before).match(/000000[\da-f]{4}ffef/g)?.length ?? 0;
    await sends(host, `00 01 00 0000 ${FORM} ffef`);
    expect(returned()).to.equal(0);
    await sends(host, '00 04 00 0001 f1c3 ffef');
    expect([returned(), ...lockOf(session)]).to.deep.equal([1, true, 'bid']);
    await sends(host, '00 04 00 0002 f1c3 ffef');
    expect(returned()).to.equal(1);
    await sends(host, '00 01 00 0003 f1c3 ffef');
    session.screen.keyboard.press('Enter');
    await sends(host, '00 04 00 0004 f1c0 ffef');
    expect(returned()).to.equal(1);
  });

  it('has the services of the host typed to whoever has the turn', async () => {
    const { host, session } = await agreed();
    await sends(host, `00 00 00 0000 ${FORM} ffef`);
    session.systemRequest();
    expect(lockOf(session)).to.deep.equal([false, undefined]);
    session.systemRequest();
    expect(lockOf(session)).to.deep.equal([true, 'bid']);
  });

  it('ignores flags and BID where the function was not agreed on', async () => {
    const { host, session } = await agreed(`${AGREEMENT} ${BIND}`);
    await sends(host, `00 00 00 0000 ${FORM} ffef 0900020001ffef`);
    expect(lockOf(session)).to.deep.equal([false, undefined]);
    session.screen.keyboard.press('Enter');
    await sends(host, '00 07 00 0001 f1c0 c1 ffef');
    expect(lockOf(session)).to.deep.equal([true, 'system']);
    expect(host.received.toString('hex')).to.not.include('020000000100ffef');
  });

  it('forgets the turn of an application that is unbound, or bound anew', async () => {
    for (const end of ['0400000000 01 ffef', '']) {
      const { host, session } = await agreed();
      await sends(host, `00 00 00 0000 ${FORM} ffef ${end} ${BIND}`);
      expect(lockOf(session)).to.deep.equal([false, undefined]);
    }
  });
});
