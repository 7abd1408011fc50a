import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ServerSessions } from '../../src/composition/parts/live-sessions.js';
import { TraceFolder } from '../../src/composition/parts/trace-folder.js';
import { ServiceError } from '../../src/errors.js';
import { TraceOperations, traceBounds } from '../../src/operation/trace-operations.js';
import { AuditTrail } from '../../src/security/audit-trail.js';
import { HostedSessions } from '../session/hosted-session.js';
import { eventually } from '../support/eventually.js';

const actor = { who: 'ROOT', from: '192.0.2.7' };
/** GA23-0059: SBA to 0, SF of a non-displayable field, SBA to 80, SF of a displayed one that takes input. */
const form = 'f5c2 114040 1d4c 11c150 1d40 13';

describe('traces of sessions', () => {
  let folder: string;
  let hosted: HostedSessions;
  let audit: AuditTrail;
  let traces: TraceOperations;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-traces-'));
    hosted = await HostedSessions.start();
    audit = new AuditTrail({ file: join(folder, 'audit.jsonl') });
    const live = new ServerSessions(hosted.service, () => []);
    traces = new TraceOperations(live, new TraceFolder(join(folder, 'traces')), () => audit);
  });
  afterEach(async () => {
    await traces.close();
    await hosted.stop();
    rmSync(folder, { recursive: true });
  });

  const textOf = (name: string) => readFileSync(join(folder, 'traces', `${name}.trace`), 'latin1');
  /** What came from the host and what went to it, as one row of digits each. */
  const bytesOf = (text: string, way: '<' | '>') =>
    [...text.matchAll(new RegExp(`^${way} 0x[0-9a-f]+ +([0-9a-f]+)$`, 'gm'))].map(([, hex]) => hex).join('');
  const codeOf = async (work: Promise<unknown>) => {
    try {
      await work;
      return 'done';
    } catch (error) {
      return error instanceof ServiceError ? error.code : String(error);
    }
  };

  it('have what is displayed, both ways, and nothing that is not, in no form', async () => {
    const canary = 'KANARIE';
    // CP037
    const hidden = 'd2c1d5c1d9c9c5';
    const session = await hosted.beginWith(form);
    const name = await traces.start(actor, session.conversation.id);
    await hosted.draws(`f1c2 114041 ${hidden} 11c151 c8c5d3d3d6`);
    await eventually(() => (bytesOf(textOf(name), '<').includes('c8c5d3d3d6') ? true : undefined));
    const { screen } = session.conversation;
    screen.keyboard.press('Home');
    screen.keyboard.type(`${canary}\t`);
    screen.keyboard.press('Enter');
    await hosted.host.hears(hidden);
    await traces.stop(actor, name);
    const text = textOf(name);
    expect(bytesOf(text, '<')).to.contain(`114041${'5c'.repeat(7)}11c151c8c5d3d3d6`);
    expect(bytesOf(text, '>')).to.contain('5c'.repeat(7));
    const whole = `${text}${bytesOf(text, '<')} ${bytesOf(text, '>')} ${readFileSync(join(folder, 'audit.jsonl'), 'latin1')}`;
    for (const form of [
      canary,
      hidden,
      Buffer.from(canary).toString('hex'),
      Buffer.from(canary).toString('base64').slice(0, 8),
      Buffer.from(hidden, 'hex').toString('base64').slice(0, 8),
      Buffer.from(hidden, 'hex').toString('latin1'),
    ]) {
      expect(whole.toLowerCase()).not.to.contain(form.toLowerCase());
    }
    expect(text).to.match(/^\/\/ Trace started \d{4}-.*\n[\s\S]*\n\/\/ Trace stopped \d{4}-.*\n$/);
  });

  for (const [what, data, shown] of [
    ['a field that begins in the same record', '114040 1d4c c1c2c3', '1140401d4c5c5c5c'],
    ['Start Field Extended', '114040 29 02 c04c 42f2 c1c2c3', '1140402902c04c42f25c5c5c'],
    ['a field attribute that is written after the text', '114041 c1c2c3 114040 1d4c', '1140415c5c5c1140401d4c'],
    ['Modify Field after the text', '114040 1d40 c1c2c3 114040 2c01 c04c', '1140401d405c5c5c1140402c01c04c'],
    ['Repeat to Address', '114040 1d4c 3c4044 c1', '1140401d4c3c40445c'],
    ['Graphic Escape', '114040 1d4c 08c1', '1140401d4c085c'],
    ['text behind Insert Cursor', '114040 1d4c 13 c1c2', '1140401d4c135c5c'],
    ['text behind Program Tab', '114040 1d4c 114040 05 c1c2', '1140401d4c114040055c5c'],
    ['nothing of a displayed field', '114040 1d40 c1c2c3', '1140401d40c1c2c3'],
    ['nothing behind the next attribute', '114040 1d4c c1 1d60 c2', '1140401d4c5c1d60c2'],
  ] as const) {
    it(`mask ${what}`, async () => {
      const session = await hosted.beginWith('f5c2 114040 1d60');
      const name = await traces.start(actor, session.conversation.id);
      await hosted.draws(`f5c3 ${data}`);
      await eventually(() => (bytesOf(textOf(name), '<').endsWith('ffef') ? true : undefined));
      expect(bytesOf(textOf(name), '<')).to.equal(`0000000000f5c3${shown}ffef`);
    });
  }

  it('are files for their owner alone, on record from start to removal, and end with their session', async () => {
    const session = await hosted.beginWith(form);
    const name = await traces.start(actor, session.conversation.id, 1);
    expect(statSync(join(folder, 'traces', `${name}.trace`)).mode & 0o777).to.equal(0o600);
    expect((await traces.list()).map(({ name, isOpen }) => [name, isOpen])).to.deep.equal([[name, true]]);
    expect(await codeOf(traces.remove(actor, name))).to.equal('SVC_ERR_OPERATION_REFUSED');
    expect(await codeOf(traces.start(actor, session.conversation.id))).to.equal('SVC_ERR_OPERATION_REFUSED');
    session.endByOperator();
    await eventually(async () => ((await traces.list())[0]?.isOpen === false ? true : undefined));
    expect(await codeOf(traces.stop(actor, name))).to.equal('SVC_ERR_TRACE_UNKNOWN');
    expect(await traces.read(actor, name)).to.equal(textOf(name));
    await traces.remove(actor, name);
    expect(readdirSync(join(folder, 'traces'))).to.deep.equal([]);
    const done = (await audit.latest(10)).filter(({ stage }) => stage !== 'intended').map(({ what }) => what);
    expect(done).to.deep.equal(['trace.removed', 'trace.read', 'trace.started']);
    for (const wrong of ['../audit', name, ''])
      expect(await codeOf(traces.read(actor, wrong))).to.equal('SVC_ERR_TRACE_UNKNOWN');
    expect(await codeOf(traces.start(actor, '000000000000'))).to.equal('SVC_ERR_SESSION_UNKNOWN');
  });

  it('are bounded in number, time and bytes, and are not begun where that cannot be recorded', async () => {
    const sessions = [];
    for (let count = 0; count <= traceBounds.atOnce; count += 1) sessions.push(await hosted.beginWith(form));
    const ids = sessions.map(({ conversation }) => conversation.id);
    for (const minutes of [0, traceBounds.mostMinutes + 1, 1.5]) {
      expect(await codeOf(traces.start(actor, ids[0] ?? '', minutes)), `${minutes}`).to.equal(
        'SVC_ERR_OPERATION_REFUSED',
      );
    }
    const codes = [];
    for (const id of ids) codes.push(await codeOf(traces.start(actor, id, traceBounds.mostMinutes)));
    expect(codes).to.deep.equal([...Array(traceBounds.atOnce).fill('done'), 'SVC_ERR_OPERATION_REFUSED']);
    const unrecorded = new TraceOperations(
      new ServerSessions(hosted.service, () => []),
      new TraceFolder(join(folder, 'others')),
      () => new AuditTrail({ file: '/dev/null/audit.jsonl' }),
    );
    expect(await codeOf(unrecorded.start(actor, ids.at(-1) ?? ''))).to.equal('SVC_ERR_AUDIT_UNAVAILABLE');
    expect(await unrecorded.list()).to.deep.equal([]);
  });
});
