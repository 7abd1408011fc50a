import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { FileAuditTrail } from '../../src/access/audit/file-audit-trail.js';
import { ServiceError } from '../../src/lib/errors.js';
import { TraceSinks } from '../../src/lib/log/trace-sinks.js';
import { traceableByName, traceableSessions } from '../../src/operation/trace-kinds.js';
import { TraceOperations, traceBounds } from '../../src/operation/trace-operations.js';
import { ServerSessions } from '../../src/server/parts/live-sessions.js';
import { TraceFolder } from '../../src/server/parts/trace-folder.js';
import { HostedSessions } from '../sessions/hosted-session.js';
import { eventually } from '../support/eventually.js';

const actor = { who: 'ROOT', from: '192.0.2.7' };
/** One more than may be traced at once. */
const lines = Array.from({ length: 51 }, (_, number) => `L${number}`);
/** GA23-0059: SBA to 0, SF of a non-displayable field, SBA to 80, SF of a displayed one that takes input. */
const form = 'f5c2 114040 1d4c 11c150 1d40 13';

describe('traces', () => {
  let folder: string;
  let hosted: HostedSessions;
  let audit: FileAuditTrail;
  let traces: TraceOperations;
  let sinks: TraceSinks;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sallyport-traces-'));
    hosted = await HostedSessions.start();
    audit = new FileAuditTrail({ file: join(folder, 'audit.jsonl') });
    sinks = new TraceSinks();
    traces = operations('traces', () => audit);
  });
  function operations(name: string, record: () => FileAuditTrail): TraceOperations {
    const byName = traceableByName('line', () => lines, sinks);
    const find = {
      session: traceableSessions(new ServerSessions(hosted.service, () => [])),
      line: byName,
      scenario: byName,
      'entry-point': byName,
    };
    return new TraceOperations(find, new TraceFolder(join(folder, name)), record);
  }
  const session = (id: string) => ({ kind: 'session', name: id }) as const;
  const line = (name: string) => ({ kind: 'line', name }) as const;
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
    const begun = await hosted.beginWith(form);
    const name = await traces.start(actor, session(begun.conversation.id));
    await hosted.draws(`f1c2 114041 ${hidden} 11c151 c8c5d3d3d6`);
    await eventually(() => (bytesOf(textOf(name), '<').includes('c8c5d3d3d6') ? true : undefined));
    expect(Buffer.from(begun.screen.state.space.planes.codes).toString('hex'), 'the screen itself').to.contain(hidden);
    const type = [{ key: 'Home' }, { text: canary }, { key: 'Tab' }];
    const at = [{ name: 'HELLO', conditions: [{ text: 'HELLO' }] }];
    void begun.guarded.walk('127.0.0.1').step({ at, act: { type, press: 'Enter' }, withinMilliseconds: 5_000 });
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
    expect(text).to.match(/^\/\/ Trace of session .*\n[\s\S]*\n\/\/ Trace ended \d{4}-.*: stopped by ROOT\n$/);
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
      const begun = await hosted.beginWith('f5c2 114040 1d60');
      const name = await traces.start(actor, session(begun.conversation.id));
      await hosted.draws(`f5c3 ${data}`);
      await eventually(() => (bytesOf(textOf(name), '<').endsWith('ffef') ? true : undefined));
      expect(bytesOf(textOf(name), '<')).to.equal(`0000000000f5c3${shown}ffef`);
    });
  }

  it('are files for their owner alone, on record from start to removal, and end with their session', async () => {
    const begun = await hosted.beginWith(form);
    const name = await traces.start(actor, session(begun.conversation.id));
    expect(statSync(join(folder, 'traces', `${name}.trace`)).mode & 0o777).to.equal(0o600);
    expect((await traces.list()).map(({ name, open }) => [name, open])).to.deep.equal([[name, true]]);
    expect(await codeOf(traces.remove(actor, name))).to.equal('SVC_ERR_OPERATION_REFUSED');
    expect(await codeOf(traces.start(actor, session(begun.conversation.id)))).to.equal('SVC_ERR_OPERATION_REFUSED');
    begun.endByOperator();
    await eventually(async () => ((await traces.list())[0]?.open === false ? true : undefined));
    expect(await codeOf(traces.stop(actor, name))).to.equal('SVC_ERR_TRACE_UNKNOWN');
    expect(await traces.read(actor, name, 's3270')).to.equal(textOf(name));
    expect(await traces.read(actor, name))
      .to.match(/^\/\/ Trace of session \w+, begun \S+Z by ROOT, until /)
      .and.not.match(/^[<>]/m);
    await traces.remove(actor, name);
    expect(readdirSync(join(folder, 'traces'))).to.deep.equal([]);
    const done = (await audit.latest(10)).filter(({ stage }) => stage !== 'intended').map(({ what }) => what);
    expect(done).to.deep.equal(['trace.removed', 'trace.read', 'trace.read', 'trace.started']);
    for (const wrong of ['../audit', name, ''])
      expect(await codeOf(traces.read(actor, wrong))).to.equal('SVC_ERR_TRACE_UNKNOWN');
    expect(await codeOf(traces.start(actor, session('000000000000')))).to.equal('SVC_ERR_SESSION_UNKNOWN');
  });

  it('are begun within their bounds, where that can be recorded, and of what is there', async () => {
    const [one = ''] = lines;
    const { leastSeconds, mostSeconds, leastBytes, mostBytes } = traceBounds;
    for (const wish of [
      { seconds: leastSeconds - 1 },
      { seconds: mostSeconds + 1 },
      { seconds: 1.5 },
      { bytes: leastBytes - 1 },
      { bytes: mostBytes + 1 },
    ]) {
      expect(await codeOf(traces.start(actor, line(one), wish))).to.equal('SVC_ERR_OPERATION_REFUSED');
    }
    expect(await codeOf(traces.start(actor, line('L-NONE')))).to.equal('SVC_ERR_TRACE_SUBJECT');
    const unrecorded = operations('others', () => new FileAuditTrail({ file: '/dev/null/audit.jsonl' }));
    expect(await codeOf(unrecorded.start(actor, line(one)))).to.equal('SVC_ERR_AUDIT_UNAVAILABLE');
    expect(await unrecorded.list()).to.deep.equal([]);
    expect(sinks.sinkOf(one)).to.equal(undefined);
  });

  it('are 50 at once, and no 51st', async () => {
    const codes = [];
    for (const name of lines) codes.push(await codeOf(traces.start(actor, line(name))));
    expect(codes).to.deep.equal([...Array(50).fill('done'), 'SVC_ERR_OPERATION_REFUSED']);
    for (const name of lines.slice(0, 50)) sinks.sinkOf(name)?.write(`of ${name}`);
    await traces.close();
    for (const { name, subject, open } of await traces.list()) {
      expect([open, textOf(name).split('\n').slice(1, -2)]).to.deep.equal([false, [`of ${subject}`]]);
    }
    // those that are kept count as well
    expect(await codeOf(traces.start(actor, line('L50')))).to.equal('SVC_ERR_OPERATION_REFUSED');
    await traces.remove(actor, (await traces.list())[0]?.name ?? '');
    expect(await codeOf(traces.start(actor, line('L50')))).to.equal('done');
  });

  it('have 4 MiB at most: the line that would be one byte too long is not written', async () => {
    const [one = '', other = ''] = lines;
    /** Kept for the line that says why it has ended. */
    const reserve = 512;
    for (const [name, past] of [
      [one, 0],
      [other, 1],
    ] as const) {
      const trace = await traces.start(actor, line(name));
      const sizeOf = async () => (await traces.report(trace)).bytes;
      const head = await eventually(async () => (await sizeOf()) || undefined);
      let left = 4 * 1024 * 1024 - reserve - head + past;
      const most = 256 * 1024;
      for (let before = head; left > 0; ) {
        // no piece is left that is too short for a line
        const bytes = left <= most ? left : Math.min(most, left - 2);
        sinks.sinkOf(name)?.write('x'.repeat(bytes - 1));
        left -= bytes;
        before += bytes;
        // the disk is slower than this loop
        if (left > 0) await eventually(async () => ((await sizeOf()) === before ? true : undefined));
      }
      expect((await traces.report(trace)).open, `${past} past`).to.equal(past === 0);
      if (past === 0) {
        await traces.stop(actor, trace);
      } else
        await eventually(() =>
          /^\/\/ Trace ended .*: with the next line it would have more than 4194304 bytes$/m.test(textOf(trace))
            ? true
            : undefined,
        );
      expect(statSync(join(folder, 'traces', `${trace}.trace`)).size).to.be.at.most(4 * 1024 * 1024);
    }
  });

  it('end when their time is over', async () => {
    const [one = ''] = lines;
    const trace = await traces.start(actor, line(one), { seconds: 1 });
    await eventually(() => (/: its time limit is reached\n$/.test(textOf(trace)) ? true : undefined));
    expect(sinks.sinkOf(one)).to.equal(undefined);
  });
});
