import { join } from 'node:path';
import { expect } from 'chai';
import { loadServices } from '../../src/config/load-services.js';
import { buildService } from '../../src/services/build-service.js';
import { runSteps, type WalkNews, type WalkOutcome } from '../../src/services/run-steps.js';
import type { ServiceStep } from '../../src/services/service-definition.js';
import type { ServiceDocument } from '../../src/services/service-document.js';
import type { Conversation } from '../../src/tn3270/conversation/conversation.js';
import type { ScreenDefinition } from '../../src/tn3270/conversation/screen-definition.js';
import { projectFolder } from '../support/project.js';
import { HostedConversations } from '../tn3270/conversation/hosted-conversation.js';

describe('walks of services over the simulated host', () => {
  const hosted = new HostedConversations();
  let screens: ReadonlyMap<string, ScreenDefinition>;
  let shipped: ReadonlyMap<string, readonly ServiceStep[]>;
  before(async () => {
    const loaded = await loadServices(join(projectFolder, 'templates', 'services'));
    screens = loaded.screens;
    shipped = new Map([...loaded.services].map(([name, { work }]) => [name, work.kind === 'steps' ? work.steps : []]));
  });
  afterEach(() => hosted.end());

  interface Walked {
    readonly tell?: (news: WalkNews) => void;
    readonly signal?: AbortSignal;
  }

  function walk(
    conversation: Conversation,
    steps: readonly ServiceStep[] | undefined,
    values: Readonly<Record<string, string>> = {},
    { tell = () => {}, signal = new AbortController().signal }: Walked = {},
  ): Promise<WalkOutcome> {
    expect(steps).not.to.equal(undefined);
    const given = new Map(Object.entries(values));
    return runSteps({ session: conversation, screens, steps: steps ?? [], values: given, signal, tell });
  }

  /** Steps as a file would have them, with what the schema fills in. */
  function stepsOf(
    ...steps: readonly Partial<NonNullable<ServiceDocument['steps']>[number]>[]
  ): readonly ServiceStep[] {
    const { service, faults } = buildService(
      {
        service: 'made',
        parameters: { text: { type: 'string', secret: false } },
        steps: steps.map((step) => ({ at: 'MENU', optional: false, within: 5, outcomes: {}, ...step })),
      },
      screens,
    );
    expect(faults.filter(({ severity }) => severity === 'error')).to.deep.equal([]);
    return service.work.kind === 'steps' ? service.work.steps : [];
  }

  const named = (name: string) => shipped.get(name);
  const textOf = ({ image }: Conversation) => image.text.cells.join('');

  it('inquires an account, and tells each step', async () => {
    const news: WalkNews[] = [];
    const conversation = await hosted.simulated({});
    const outcome = await walk(
      conversation,
      named('account-inquiry'),
      { account: '10000001' },
      {
        tell: (one) => news.push(one),
      },
    );
    // src/demo/simulated-host/account-book.ts: 1,254,075 hundredths
    expect(outcome).to.deep.equal({ kind: 'done', extracts: { name: 'ADA LOVELACE', balance: '12540.75' } });
    expect(news).to.deep.equal([
      { kind: 'arrived', step: 1, screen: 'MENU' },
      { kind: 'arrived', step: 2, screen: 'ACCT' },
      { kind: 'arrived', step: 3, screen: 'ACCOUNT' },
    ]);
  });

  it('waits once for each screen', async () => {
    const counted = await hosted.simulated({});
    await counted.settled();
    let waits = 0;
    const { waitUntilSettled } = counted;
    counted.waitUntilSettled = (holds, wait) => {
      waits++;
      return waitUntilSettled.call(counted, holds, wait);
    };
    const steps = named('account-inquiry') ?? [];
    expect((await walk(counted, steps, { account: '10000001' })).kind).to.equal('done');
    // the first screen is there, and two of the steps press a key
    expect([steps.length, waits]).to.deep.equal([3, 2]);
  });

  it('reads a negative balance', async () => {
    const conversation = await hosted.simulated({});
    const outcome = await walk(conversation, named('account-inquiry'), { account: '10000003' });
    expect(outcome.kind === 'done' && outcome.extracts).to.deep.equal({ name: 'KONRAD ZUSE', balance: '-125.50' });
  });

  it('answers as the file says where there is no such account', async () => {
    const conversation = await hosted.simulated({});
    expect(await walk(conversation, named('account-inquiry'), { account: '99999999' })).to.deep.equal({
      kind: 'answered',
      status: 404,
      code: 'account-not-found',
      message: 'There is no account 99999999.',
    });
  });

  it('updates an account', async () => {
    const conversation = await hosted.simulated({});
    const outcome = await walk(conversation, named('account-update'), { account: '10000002', limit: '99.95' });
    expect(outcome).to.deep.equal({ kind: 'done', extracts: { name: 'GRACE HOPPER', limit: '99.95' } });
  });

  it('is overtaken by somebody who was faster, and writes nothing', async () => {
    const { slow, fast } = await twoTerminals();
    // the slow one looks at the account, the fast one changes it, and only then the slow one writes
    const steps = named('account-update') ?? [];
    expect((await walk(slow, steps.slice(0, 2), account('1.00'))).kind).to.equal('done');
    expect((await walk(fast, steps, account('2.00'))).kind).to.equal('done');
    expect(await walk(slow, steps.slice(2), account('1.00'))).to.deep.equal({
      kind: 'answered',
      status: 409,
      code: 'account-changed',
      message: 'Another user has changed account 10000004. Nothing was written.',
    });
    expect(textOf(slow)).to.contain('2.00').and.not.to.contain(' 1.00');
  });

  const account = (limit: string) => ({ account: '10000004', limit });

  async function twoTerminals() {
    const slow = await hosted.simulated({});
    return { slow, fast: await hosted.again() };
  }

  it('answers as the file says where the application refuses a value', async () => {
    const conversation = await hosted.simulated({});
    const outcome = await walk(conversation, named('account-update'), { account: '10000001', limit: '1.2.3' });
    expect(outcome.kind === 'answered' && outcome.status).to.equal(422);
  });

  it('reads a list over all its pages, each member once', async () => {
    const conversation = await hosted.simulated({});
    const outcome = await walk(conversation, named('member-list'));
    const { members } = (outcome.kind === 'done' ? outcome.extracts : {}) as { members: { name: string }[] };
    // src/demo/simulated-host/member-library.ts: sixty of them
    expect(members.length).to.equal(60);
    expect(new Set(members.map(({ name }) => name)).size).to.equal(60);
    expect(members[0]).to.deep.equal({ name: 'RATE0001', lines: 69, changed: '2026-01-01', title: 'currency rates' });
    expect(members.at(-1)?.name).to.equal('PRNT0015');
  });

  it('signs on and off', async () => {
    const conversation = await hosted.simulated({ start: 'SIGNON' });
    expect(await walk(conversation, named('sign-on'), { user: 'DEMO', password: 'DEMO' })).to.deep.equal({
      kind: 'done',
      extracts: {},
    });
    expect(textOf(conversation)).to.contain('User . . : DEMO');
    expect((await walk(conversation, named('sign-off'))).kind).to.equal('done');
  });

  it('stops where a wrong password lets nobody in, and tells the screen without the password', async () => {
    const conversation = await hosted.simulated({ start: 'SIGNON' });
    const impatient = (named('sign-on') ?? []).map((step) => ({
      ...step,
      withinMilliseconds: 500,
      outcomes: new Map(),
    }));
    const outcome = await walk(conversation, impatient, { user: 'DEMO', password: 's3cret' });
    if (outcome.kind !== 'failed' || outcome.failure.kind !== 'guardFailed') return expect.fail(outcome.kind);
    expect([outcome.step, outcome.pressed, outcome.failure.expected]).to.deep.equal([1, true, ['MENU']]);
    expect(JSON.stringify(outcome)).not.to.match(/s3cret/i);
    expect(outcome.failure.image.text.cells.join('')).to.contain('Userid or password is not valid');
  });

  it('answers at once where the file knows how the host says no', async () => {
    const conversation = await hosted.simulated({ start: 'SIGNON' });
    const refused = { kind: 'answered', status: 403, code: 'sign-on-refused' };
    for (let at = 0; at < 2; at++) {
      expect(await walk(conversation, named('sign-on'), { user: 'DEMO', password: 's3cret' })).to.deep.include(refused);
    }
    expect(await walk(conversation, named('sign-on'), { user: 'DEMO', password: 's3cret' })).to.deep.include({
      ...refused,
      code: 'user-revoked',
    });
  });

  it('types nothing on another screen', async () => {
    const conversation = await hosted.simulated({});
    await walk(conversation, named('account-inquiry')?.slice(0, 1));
    const before = textOf(conversation);
    const outcome = await walk(conversation, stepsOf({ at: 'MENU', type: '9', press: 'Enter', within: 0.05 }));
    if (outcome.kind !== 'failed' || outcome.failure.kind !== 'guardFailed') return expect.fail(outcome.kind);
    expect([outcome.step, outcome.pressed]).to.deep.equal([1, false]);
    expect(outcome.failure.differs[0]?.differs).to.deep.equal([
      '"MENU" at row 1, column 2: there is "ACCT"',
      '"Option ===>": it is not there',
    ]);
    expect(textOf(conversation)).to.equal(before);
  });

  it('leaves out an optional step whose screen is not there, and takes one that is', async () => {
    const news: WalkNews[] = [];
    const conversation = await hosted.simulated({});
    const steps = stepsOf(
      { at: 'ACCT', optional: true, press: 'PF3' },
      { at: 'MENU', optional: true, type: '2', press: 'Enter', expect: 'ACCT' },
      { at: 'ACCT' },
    );
    expect((await walk(conversation, steps, {}, { tell: (one) => news.push(one) })).kind).to.equal('done');
    expect(news).to.deep.equal([
      { kind: 'leftOut', step: 1 },
      { kind: 'arrived', step: 2, screen: 'MENU' },
      { kind: 'arrived', step: 3, screen: 'ACCT' },
    ]);
  });

  it('types what a parameter holds as it is: no key, no parameter', async () => {
    const conversation = await hosted.simulated({});
    const steps = stepsOf({ type: '{text}', press: 'Enter', expect: 'MENU' });
    expect((await walk(conversation, steps, { text: '[tab]{x' })).kind).to.equal('done');
    expect(textOf(conversation)).to.contain('There is no option [TAB]{X');
  });

  it('leaves a field as it is that the caller says nothing of, and empties it for an empty text', async () => {
    const conversation = await hosted.simulated({});
    await walk(conversation, named('account-inquiry'), { account: '10000005' });
    const step = { at: 'ACCOUNT', press: 'PF5', expect: ['UPDATED', 'ACCOUNT'] };
    const fill = [
      { label: 'Name', text: '{text}' },
      { label: 'Limit', text: '1.00' },
    ];
    expect((await walk(conversation, stepsOf({ ...step, fill }), { text: '' })).kind).to.equal('done');
    expect(textOf(conversation)).to.contain('Name: must not be empty');
    await walk(conversation, stepsOf({ at: 'ACCOUNT', fill: [{ label: 'Name', text: 'B' }], press: 'Enter' }));
    expect((await walk(conversation, stepsOf({ ...step, fill }))).kind).to.equal('done');
    expect(textOf(conversation)).to.contain('Account 10000005 was updated');
  });

  it('types nothing of what does not fit its field', async () => {
    const conversation = await hosted.simulated({});
    const outcome = await walk(
      conversation,
      stepsOf({ fill: [{ label: 'Option', text: '123456789' }], press: 'Enter' }),
    );
    if (outcome.kind !== 'failed') return expect.fail(outcome.kind);
    expect(outcome.failure.kind === 'operatorError' && outcome.failure.code).to.equal('tooMuchEntered');
    expect(outcome.pressed).to.equal(false);
    expect(textOf(conversation)).not.to.contain('12345678');
  });

  it('types 2000 characters at most, whatever is handed over', async () => {
    const conversation = await hosted.simulated({});
    const steps = stepsOf({ type: 'x{text}', press: 'Enter' });
    const outcome = await walk(conversation, steps, { text: 'x'.repeat(2_000) });
    expect(outcome.kind === 'failed' && outcome.failure.kind).to.equal('operatorError');
    expect(outcome.kind === 'failed' && [outcome.step, outcome.pressed]).to.deep.equal([1, false]);
  });

  it('types 2000 characters and keys, and not one more', async () => {
    for (const [count, kind] of [
      [2_000, 'done'],
      [2_001, 'failed'],
    ] as const) {
      const conversation = await hosted.simulated({});
      const [step] = stepsOf({ type: '[home]', press: 'Enter', expect: 'MENU' });
      const [home] = step?.type ?? [];
      if (step === undefined || home === undefined) return expect.fail('no step');
      const outcome = await walk(conversation, [{ ...step, type: Array.from({ length: count }, () => home) }]);
      expect(outcome.kind, `${count}`).to.equal(kind);
    }
  });

  it('waits for the screen of the next step where a step says none', async () => {
    const conversation = await hosted.simulated({});
    const fill = [{ label: 'Account number', text: '10000001' }];
    const steps = stepsOf(
      { type: '2', press: 'Enter' },
      { at: 'ACCT', fill, press: 'Enter' },
      { at: 'ACCOUNT', extract: { name: { at: [6, 22], length: 30 } } },
    );
    expect(await walk(conversation, steps)).to.deep.equal({ kind: 'done', extracts: { name: 'ADA LOVELACE' } });
    const other = await hosted.again();
    const wrong = await walk(other, stepsOf({ type: '2', press: 'Enter', within: 0.5 }, { at: 'MEMBERS' }));
    if (wrong.kind !== 'failed' || wrong.failure.kind !== 'guardFailed') return expect.fail(wrong.kind);
    expect([wrong.step, wrong.pressed, wrong.failure.expected]).to.deep.equal([1, true, ['MEMBERS']]);
  });

  it('has come to its end where the host goes away after the last step, and only if that expects no screen', async () => {
    // the simulated host closes the connection
    const off = { at: 'MENU', press: 'PF3' };
    for (const [steps, kind] of [
      [stepsOf(off), 'done'],
      [stepsOf({ ...off, expect: 'MENU' }), 'failed'],
      [stepsOf(off, { at: 'ACCT', optional: true, press: 'Enter' }), 'failed'],
      [stepsOf(off, { at: 'ACCT' }), 'failed'],
    ] as const) {
      const outcome = await walk(await hosted.simulated({}), steps);
      expect(outcome.kind, JSON.stringify(steps.map(({ at, expect: expected }) => [at, expected]))).to.equal(kind);
      if (outcome.kind !== 'failed') continue;
      expect([outcome.step, outcome.pressed, outcome.failure.kind]).to.deep.equal([1, true, 'hostGone']);
    }
  });

  it('says that the host has not answered within the time of a step', async () => {
    const { host, conversation } = await hosted.scripted();
    const steps = stepsOf({ at: 'MENU', within: 0.05 });
    const outcome = await walk(conversation, steps);
    expect(outcome.kind === 'failed' && [outcome.step, outcome.failure.kind]).to.deep.equal([1, 'timedOut']);
    expect(host.received.length).to.be.greaterThan(0);
  });

  it('says what it could not read', async () => {
    const conversation = await hosted.simulated({});
    const steps = stepsOf({
      extract: { number: { at: [1, 2], length: 4, as: 'integer' }, off: { at: [30, 1], length: 1 } },
    });
    expect(await walk(conversation, steps)).to.deep.equal({
      kind: 'unreadable',
      step: 1,
      faults: [{ name: 'number', expected: 'an integer of at most 15 digits' }],
    });
  });

  it('says that a table has more rows than it may', async () => {
    const conversation = await hosted.simulated({});
    const steps = stepsOf(
      { type: '1', press: 'Enter', expect: 'MEMBERS' },
      {
        at: 'MEMBERS',
        extract: { list: { rows: [5, 21], columns: { name: { column: 5, length: 8 } }, next: 'PF8', most: 20 } },
      },
    );
    expect(await walk(conversation, steps)).to.deep.equal({ kind: 'tooManyRows', step: 2, name: 'list' });
  });

  it('ends where its signal is aborted', async () => {
    const { conversation } = await hosted.scripted();
    const reason = new Error('given up');
    const abort = new AbortController();
    const walked = walk(conversation, stepsOf({ at: 'MENU', within: 60 }), {}, { signal: abort.signal });
    abort.abort(reason);
    expect(await walked.catch((error: unknown) => error)).to.equal(reason);
  });

  it('says that the host is gone', async () => {
    const { host, conversation } = await hosted.scripted();
    const walked = walk(conversation, stepsOf({ at: 'MENU', within: 60 }));
    await host.close();
    const outcome = await walked;
    expect(outcome.kind === 'failed' && outcome.failure.kind).to.equal('hostGone');
  });
});
