import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileAuditTrail } from '../../src/access/audit/file-audit-trail.js';
import { ServiceError } from '../../src/lib/errors.js';
import { SessionOperations } from '../../src/operation/session-operations.js';
import { ServerSessions } from '../../src/server/parts/live-sessions.js';
import type { BrowserSession } from '../../src/sessions/browser-session.js';
import { becomes, HostedSessions } from '../sessions/hosted-session.js';

const actor = { who: 'OPERA', from: '192.0.2.7' };
const CANARY = 'k4narienvogel';
/** Erase/Write of `HELLO` behind a protected field at 0, and of the canary in a non-displayable one at 80. */
const hello = 'f5c3 114040 1d60 c8c5d3d3d6';
const withHidden = `f5c3 114040 1d60 c8c5d3d3d6 11c150 1d4c ${ebcdic(CANARY)}`;
const unseen = { changed: () => undefined, ended: () => undefined };

describe('what operators do with sessions', () => {
  let folder: string;
  let hosted: HostedSessions;
  let audit: FileAuditTrail;
  let operations: SessionOperations;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-operation-'));
    hosted = await HostedSessions.start();
    audit = new FileAuditTrail({ file: join(folder, 'audit.jsonl') });
    operations = operationsWith(audit);
  });
  afterEach(async () => {
    await hosted.stop();
    rmSync(folder, { recursive: true });
  });

  const operationsWith = (trail: FileAuditTrail) =>
    new SessionOperations(new ServerSessions(hosted.service, () => []), () => trail);
  const entries = async () => (await audit.latest(10)).map(({ what, stage, subject }) => [what, stage, subject]);

  it('lists whose they are, where they came from and where they lead', async () => {
    const session = await hosted.beginWith(hello);
    session.use.rename('payroll');
    const [listed, ...others] = operations.list();
    expect(others).to.deep.equal([]);
    const { id, began, lastUsed, ...facts } = listed ?? never();
    expect(facts).to.deep.equal({
      node: '',
      kind: 'browser',
      state: 'connected',
      user: '',
      address: '127.0.0.1',
      line: 'LINE',
      transaction: 'T',
      host: 'HOST',
      logicalUnit: 'TEST',
      name: 'payroll',
      watchedBy: [],
      tracedBy: [],
    });
    expect(id).to.match(/^[0-9a-f]{12}$/);
    expect(session.code).not.to.contain(id);
    expect(Math.abs(Date.now() - began)).to.be.below(60_000);
    expect(lastUsed).to.be.at.least(began);
  });

  it('end one, with an entry of whose it was', async () => {
    const session = await hosted.beginWith(hello);
    const other = await hosted.beginWith(hello);
    await operations.end(actor, idOf(session));
    await becomes(() => session.end !== undefined);
    expect(session.end).to.deep.equal({ kind: 'operator' });
    expect(other.end).to.equal(undefined);
    const [done] = await audit.latest(1);
    expect(done).to.include({ ...actor, what: 'session.ended', stage: 'done', subject: `session ${idOf(session)}` });
    expect(done?.before).to.include({ line: 'LINE', host: 'HOST', logicalUnit: 'TEST', address: '127.0.0.1' });
  });

  it('show its user a message, in one line', async () => {
    const session = await hosted.beginWith(hello);
    await operations.send(actor, idOf(session), '  Please sign off:\n  we restart at noon. ');
    expect(session.supervision.messages).to.have.length(1);
    expect(session.supervision.messages[0]).to.include({
      number: 1,
      text: 'Please sign off: we restart at noon.',
      from: 'OPERA',
    });
    const [done] = await audit.latest(1);
    expect(done).to.include({ what: 'session.messageSent', stage: 'done' });
    expect(done?.after).to.deep.equal({ text: 'Please sign off: we restart at noon.' });
  });

  it('keep the last five messages of a session', async () => {
    const session = await hosted.beginWith(hello);
    for (const text of ['1', '2', '3', '4', '5', '6']) await operations.send(actor, idOf(session), text);
    const kept = session.supervision.messages.map(({ number, text }) => `${number} ${text}`);
    expect(kept).to.deep.equal(['2 2', '3 3', '4 4', '5 5', '6 6']);
  });

  it('send messages of 300 characters, and none that are longer, empty, or cannot be shown', async () => {
    const session = await hosted.beginWith(hello);
    await operations.send(actor, idOf(session), '😀'.repeat(300));
    for (const text of ['😀'.repeat(301), ' \n ', 'a\u202eb', 'a\u0007b']) {
      const error = await refusalOf(operations.send(actor, idOf(session), text));
      expect(error.code, text).to.equal('SVC_ERR_MESSAGE_CONTENT');
    }
    expect(session.supervision.messages).to.have.length(1);
    expect(await entries()).to.have.length(1);
  });

  it('see what is displayed and what changes, and its user is told as long as they do', async () => {
    const session = await hosted.beginWith(withHidden);
    let [changes, told] = [0, 0];
    session.supervision.listen(() => told++);
    const watch = await operations.watch(actor, idOf(session), { ...unseen, changed: () => changes++ });
    expect(told).to.equal(1);
    expect(session.supervision.watchedBy).to.deep.equal(['OPERA']);
    expect(operations.list()[0]?.watchedBy).to.deep.equal(['OPERA']);
    expect(watch.image?.cells.join('')).to.contain('HELLO');
    // the session has it, and whoever watches does not
    expect(Buffer.from(session.screen.state.space.planes.codes).toString('hex')).to.contain(ebcdic(CANARY));
    expect(JSON.stringify(watch.image)).not.to.contain(CANARY);

    await hosted.draws(`f1c3 114040 1d60 ${ebcdic('world')}`);
    await becomes(() => changes > 0);
    expect(watch.image?.cells.join('')).to.contain('world');

    watch.leave();
    expect(told).to.equal(2);
    expect(session.supervision.watchedBy).to.deep.equal([]);
    expect(await entries()).to.deep.equal([['session.watched', 'done', `session ${idOf(session)}`]]);
  });

  it('are no pages of a session: who watches keeps nobody from being away', async () => {
    const session = await hosted.beginWith(hello, { awayMilliseconds: 1 });
    let hasEnded = false;
    await operations.watch(actor, idOf(session), { ...unseen, ended: () => (hasEnded = true) });
    session.seen();
    session.pageClosed();
    await becomes(() => hasEnded);
    expect(session.end).to.deep.equal({ kind: 'pageClosed' });
  });

  it('are told that a session is over, or was never there', async () => {
    const session = await hosted.beginWith(hello);
    const id = idOf(session);
    session.stop();
    await becomes(() => session.end !== undefined);
    expect(operations.list()).to.deep.equal([]);
    for (const act of [
      operations.end(actor, id),
      operations.end(actor, session.code),
      operations.send(actor, id, 'hello'),
      operations.watch(actor, id, unseen),
    ]) {
      expect((await refusalOf(act)).code).to.equal('SVC_ERR_SESSION_UNKNOWN');
    }
    expect(await entries()).to.deep.equal([]);
  });

  it('neither watch a session that is about to end, nor send it messages', async () => {
    // the host does not answer what is sent at logoff
    const session = await hosted.beginWith(hello, { tioaAtLogoff: 'BYE&/A' });
    session.disconnect();
    await becomes(() => operations.list()[0]?.state === 'ending');
    for (const act of [
      operations.send(actor, idOf(session), 'hello'),
      operations.watch(actor, idOf(session), unseen),
    ]) {
      expect((await refusalOf(act)).code).to.equal('SVC_ERR_OPERATION_REFUSED');
    }
    expect(session.supervision.watchedBy).to.deep.equal([]);
    expect(session.supervision.messages).to.deep.equal([]);
    expect(await entries()).to.deep.equal([]);
  });

  it('neither watch a session that ends while the intent is put on record, nor send it messages', async () => {
    for (const [end, code] of [
      ['stop', 'SVC_ERR_SESSION_UNKNOWN'],
      ['disconnect', 'SVC_ERR_OPERATION_REFUSED'],
    ] as const) {
      for (const act of ['send', 'watch'] as const) {
        const session = await hosted.beginWith(hello, { tioaAtLogoff: end === 'disconnect' ? 'BYE&/A' : '' });
        const id = idOf(session);
        const late = operationsWith(
          new Proxy(audit, {
            get: (target, name) => {
              if (name !== 'record') return Reflect.get(target, name, target);
              return async (...[entry, make]: Parameters<FileAuditTrail['record']>) =>
                target.record(entry, async () => {
                  session[end]();
                  await becomes(() => (end === 'stop' ? session.end !== undefined : !session.isOpen));
                  return make();
                });
            },
          }),
        );
        const acted = act === 'send' ? late.send(actor, id, 'hello') : late.watch(actor, id, unseen);
        expect((await refusalOf(acted)).code, `${end} ${act}`).to.equal(code);
        expect(session.supervision.watchedBy).to.deep.equal([]);
        expect(session.supervision.messages).to.deep.equal([]);
      }
    }
    const stages = (await entries()).map(([, stage]) => stage);
    expect(new Set(stages)).to.not.include('done');
  });

  it('leave a session that they watch when it ends, and are told so once', async () => {
    const session = await hosted.beginWith(hello);
    let [changes, ends] = [0, 0];
    const watcher = { changed: () => changes++, ended: () => ends++ };
    const watch = await operations.watch(actor, idOf(session), watcher);
    session.stop();
    await becomes(() => session.end !== undefined);
    await becomes(() => ends > 0);
    const before = changes;
    watch.leave();
    watch.leave();
    session.supervision.screenChanged();
    expect([ends, changes]).to.deep.equal([1, before]);
    expect(session.supervision.watchedBy).to.deep.equal([]);
  });

  it('are not told of the end of a session that they have left before', async () => {
    const session = await hosted.beginWith(hello);
    const told: string[] = [];
    const watcherOf = (name: string) => ({ changed: () => undefined, ended: () => told.push(name) });
    const left = await operations.watch(actor, idOf(session), watcherOf('left'));
    await operations.watch(actor, idOf(session), watcherOf('stays'));
    left.leave();
    session.stop();
    await becomes(() => told.includes('stays'));
    expect(told).to.deep.equal(['stays']);
  });

  it('do nothing that cannot be put on record', async () => {
    const session = await hosted.beginWith(hello);
    const id = idOf(session);
    mkdirSync(join(folder, 'blocked'));
    const blocked = operationsWith(new FileAuditTrail({ file: join(folder, 'blocked') }));
    for (const act of [
      () => blocked.end(actor, id),
      () => blocked.send(actor, id, 'hello'),
      () => blocked.watch(actor, id, unseen),
    ]) {
      expect((await refusalOf(act())).code).to.equal('SVC_ERR_AUDIT_UNAVAILABLE');
    }
    expect(session.isOpen).to.equal(true);
    expect(session.supervision.messages).to.deep.equal([]);
    expect(session.supervision.watchedBy).to.deep.equal([]);
  });
});

const idOf = ({ conversation }: BrowserSession) => conversation.id;

async function refusalOf(act: Promise<unknown>): Promise<ServiceError> {
  const error = await act.then(never, (refusal: unknown) => refusal);
  if (!(error instanceof ServiceError)) throw error;
  return error;
}

function never(): never {
  throw new Error('there is something that should not be');
}

/** Lower-case letters and digits in code page 037. */
function ebcdic(text: string): string {
  const code = (character: string) => {
    const at = 'abcdefghi'.indexOf(character);
    if (at >= 0) return 0x81 + at;
    if ('jklmnopqr'.includes(character)) return 0x91 + 'jklmnopqr'.indexOf(character);
    if ('stuvwxyz'.includes(character)) return 0xa2 + 'stuvwxyz'.indexOf(character);
    return 0xf0 + Number(character);
  };
  return [...text].map((character) => code(character).toString(16)).join('');
}
