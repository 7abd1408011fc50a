import { expect } from 'chai';
import { openHostConnection } from '../../../src/tn3270/host/host-connection.js';
import { HostSession } from '../../../src/tn3270/host/host-session.js';
import { eventually } from '../../support/eventually.js';
import { hostSessionOptions } from '../../support/host-session-options.js';
import { needS3270, S3270 } from '../../support/s3270.js';
import { AGREEMENT, BIND, ScriptedHost } from '../../support/scripted-host.js';

const hex = (text: string) => Buffer.from(text).toString('hex');
const TEXT = 'one\ntwo\r\nthree\n\nfour\rF end';

/** Line ends of a host for line terminals, as s3270 shows them. */
describe('line mode', () => {
  const hosts: ScriptedHost[] = [];
  const sessions: HostSession[] = [];
  const terminals: S3270[] = [];

  afterEach(async () => {
    for (const session of sessions.splice(0)) session.stop();
    for (const terminal of terminals.splice(0)) terminal.stop();
    for (const host of hosts.splice(0)) await host.close();
  });

  async function listening() {
    const host = new ScriptedHost();
    hosts.push(host);
    return { host, port: await host.listen() };
  }

  function connect(port: number): HostSession {
    const address = { host: '127.0.0.1', port };
    const session = new HostSession(
      hostSessionOptions({
        connect: (handler, signal) => openHostConnection({ address, connectMilliseconds: 5_000, signal }, handler),
      }),
      { changed: () => undefined, fault: () => undefined, ended: () => undefined },
    );
    sessions.push(session);
    session.connect();
    return session;
  }

  function rowsOf({ screen }: HostSession): string[] {
    const { text, rows, columns } = screen.image;
    return Array.from({ length: rows }, (_, row) => text.slice(row * columns, (row + 1) * columns));
  }

  const whole = (session: HostSession) =>
    eventually(() => (rowsOf(session).some((row) => row.includes('end')) ? rowsOf(session) : undefined));

  for (const [who, echo] of [
    ['the terminal', ''],
    ['the host', 'fffb01'],
  ] as const) {
    it(`shows what s3270 shows where ${who} echoes`, async function () {
      needS3270(this);
      const theirs = await listening();
      const s3270 = new S3270();
      terminals.push(s3270);
      const connecting = s3270.connect(`127.0.0.1:${theirs.port}`);
      await theirs.host.send(echo + hex(TEXT));
      await connecting;
      const expected = await s3270.waitFor('end');
      const ours = await listening();
      const session = connect(ours.port);
      await ours.host.send(echo + hex(TEXT));
      expect(await whole(session)).to.deep.equal(expected.map((row) => row.padEnd(80)));
    });
  }

  it('takes NVT-DATA of TN3270E as it is', async () => {
    const { host, port } = await listening();
    const session = connect(port);
    await host.send(`${AGREEMENT} ${BIND} 0500020003 ${hex(TEXT)} ffef`);
    const rows = await whole(session);
    expect(rows.slice(0, 4).map((row) => row.trimEnd())).to.deep.equal(['one', '   two', 'three', '']);
    expect(rows[4]?.trimEnd(), 'CR goes back over the indentation').to.equal('F endfour');
    // its flag means nothing here: a response is for 3270 data (RFC 2355, section 8.1.3)
    await host.send('0000020004 f1c3 ffef');
    await host.hears('02 00 00 0004 00 ffef');
    expect(host.received.toString('hex')).not.to.include('0200000003');
  });
});
