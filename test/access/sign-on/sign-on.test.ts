import { expect } from 'chai';
import { FailureLimit } from '../../../src/access/sign-on/failure-limit.js';
import { MemorySignOnStore } from '../../../src/access/sign-on/memory-sign-on-store.js';
import { MemoryTryStore } from '../../../src/access/sign-on/memory-try-store.js';
import { SignOnRegistry, type SignOnTimes } from '../../../src/access/sign-on/sign-on-registry.js';
import { SignOnService } from '../../../src/access/sign-on/sign-on-service.js';
import type { SignOnRecord } from '../../../src/access/sign-on/sign-on-store.js';
import type { SecurityUser, UserStore } from '../../../src/access/users/user-store.js';
import { ServiceError } from '../../../src/lib/errors.js';
import { SignOnChallenge, SignOnChallenges } from '../../../src/sessions/sign-on-challenge.js';

const MOST_FAILURES = 10;
const MOST_LIMITED_ADDRESSES = 50_000;
const MOST_WAITING_TRIES = 500;
const SIGN_ONS_PER_USER = 50;
const CHALLENGE_MILLISECONDS = 600_000;
const MOST_CHALLENGES = 5_000;
const MOST_CHALLENGES_OF_ADDRESS = 20;

const anna: SecurityUser = { name: 'ANNA', role: 'user', groups: [], passwordSet: '1' };

/** A database of one user, which counts how often it is asked. */
class OneUser implements UserStore {
  user: SecurityUser | undefined = anna;
  asked = 0;

  async signOn(name: string, password: string) {
    this.asked++;
    // the next turn of the event loop: several are under way at a time
    await new Promise((resolve) => setImmediate(resolve));
    const isRight = this.user?.name === name && password === 'right';
    return isRight && this.user !== undefined
      ? ({ kind: 'signedOn', user: this.user } as const)
      : ({ kind: 'refused' } as const);
  }
  async findUser() {
    return this.user;
  }
  async findGroup() {
    return undefined;
  }
  async identityOf() {
    return this.user?.name;
  }
  async users() {
    return [];
  }
  async groups() {
    return [];
  }
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'fine',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );
}

describe('sign-on', () => {
  let now: number;
  let database: OneUser;
  let service: SignOnService;

  beforeEach(() => {
    now = 1_000_000;
    database = new OneUser();
    service = new SignOnService(database, new FailureLimit(new MemoryTryStore(MOST_LIMITED_ADDRESSES), () => now), {
      now: () => now,
      today: () => now,
    });
  });

  it('refuses the eleventh try of an address within a minute, the right password too, and no other address', async () => {
    for (let index = 0; index < MOST_FAILURES; index++) {
      expect(await codeOf(service.signOn('192.0.2.1', 'ANNA', `wrong${index}`))).to.equal('SVC_ERR_SIGNON_REFUSED');
      now += 1_000;
    }
    const refused = await service.signOn('192.0.2.1', 'ANNA', 'right').catch((error: ServiceError) => error);
    expect(refused).to.deep.include({ code: 'SVC_ERR_SIGNON_LIMIT', headers: { 'Retry-After': '50' } });
    expect(await codeOf(service.signOn('192.0.2.2', 'ANNA', 'right'))).to.equal('fine');
    now += 50_000;
    expect(await codeOf(service.signOn('192.0.2.1', 'ANNA', 'right'))).to.equal('fine');
  });

  it('looks at ten of a hundred at once that fail', async () => {
    const codes = await Promise.all(
      Array.from({ length: 100 }, (_, index) => codeOf(service.signOn('192.0.2.1', 'ANNA', `wrong${index}`))),
    );
    expect(codes.filter((code) => code === 'SVC_ERR_SIGNON_REFUSED')).to.have.lengthOf(MOST_FAILURES);
    expect(codes.filter((code) => code === 'SVC_ERR_SIGNON_LIMIT')).to.have.lengthOf(90);
    expect(database.asked).to.equal(MOST_FAILURES);
  });

  it('looks at ten of a hundred at once that fail at two processes with one count', async () => {
    const store = new MemoryTryStore(MOST_LIMITED_ADDRESSES);
    const services = [0, 1].map(
      () => new SignOnService(database, new FailureLimit(store, () => now), { now: () => now, today: () => now }),
    );
    const codes = await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const one = services[index % 2] ?? service;
        return codeOf(one.signOn('192.0.2.1', 'ANNA', `wrong${index}`));
      }),
    );
    expect(codes.filter((code) => code === 'SVC_ERR_SIGNON_REFUSED')).to.have.lengthOf(MOST_FAILURES);
    expect(codes.filter((code) => code === 'SVC_ERR_SIGNON_LIMIT')).to.have.lengthOf(90);
    expect(database.asked).to.equal(MOST_FAILURES);
  });

  it('has those wait whose turn it is to be known elsewhere, and go on when it is', async () => {
    const store = new MemoryTryStore(MOST_LIMITED_ADDRESSES);
    const [here, elsewhere] = [new FailureLimit(store, () => now), new FailureLimit(store, () => now)];
    const begun: string[] = [];
    for (let index = 0; index < MOST_FAILURES; index++) begun.push(await elsewhere.begin('192.0.2.1'));
    const waiting = [here.begin('192.0.2.1'), here.begin('192.0.2.1')];
    for (const id of begun.slice(0, 2)) await elsewhere.end('192.0.2.1', id, false);
    for (const id of await Promise.all(waiting)) await here.end('192.0.2.1', id, true);
    for (const id of begun.slice(2)) await elsewhere.end('192.0.2.1', id, true);
    expect(await codeOf(here.check('192.0.2.1'))).to.equal('SVC_ERR_SIGNON_LIMIT');
  });

  it(`has ${MOST_WAITING_TRIES} of an address wait and not one more`, async () => {
    const limit = new FailureLimit(new MemoryTryStore(MOST_LIMITED_ADDRESSES), () => now);
    const begun: string[] = [];
    for (let index = 0; index < MOST_FAILURES; index++) begun.push(await limit.begin('192.0.2.1'));
    const waiting = Array.from({ length: MOST_WAITING_TRIES }, () =>
      limit.begin('192.0.2.1').then((id) => limit.end('192.0.2.1', id, false)),
    );
    expect(await codeOf(limit.begin('192.0.2.1'))).to.equal('SVC_ERR_SERVICE_BUSY');
    for (const id of begun) await limit.end('192.0.2.1', id, false);
    await Promise.all(waiting);
    expect(await codeOf(limit.begin('192.0.2.1'))).to.equal('fine');
  });

  it('refuses everybody where failures cannot be counted', async () => {
    class Unavailable extends MemoryTryStore {
      isGone = false;
      override async begin(...args: Parameters<MemoryTryStore['begin']>) {
        if (this.isGone) throw new ServiceError('SVC_ERR_SECURITY_UNAVAILABLE');
        return super.begin(...args);
      }
      override async release(...args: Parameters<MemoryTryStore['release']>) {
        if (this.isGone) throw new ServiceError('SVC_ERR_SECURITY_UNAVAILABLE');
        return super.release(...args);
      }
    }
    const store = new Unavailable(MOST_LIMITED_ADDRESSES);
    const own = new SignOnService(database, new FailureLimit(store, () => now));
    const trying = own.signOn('192.0.2.1', 'ANNA', 'right');
    await new Promise((resolve) => setImmediate(resolve));
    store.isGone = true;
    expect(await codeOf(trying), 'it was right').to.equal('fine');
    const { asked } = database;
    expect(await codeOf(own.signOn('192.0.2.1', 'ANNA', 'wrong'))).to.equal('SVC_ERR_SECURITY_UNAVAILABLE');
    expect(database.asked).to.equal(asked);
  });

  it('has a hundred at once wait that succeed, and asks once for what is the same', async () => {
    const same = Array.from({ length: 100 }, () => codeOf(service.signOn('192.0.2.1', 'ANNA', 'right')));
    expect(new Set(await Promise.all(same))).to.deep.equal(new Set(['fine']));
    expect(database.asked).to.equal(1);
  });

  it('remembers what was right for five minutes, and not beyond a change of the user', async () => {
    const signOn = () => codeOf(service.signOn('192.0.2.1', 'ANNA', 'right'));
    await signOn();
    now += 299_999;
    await signOn();
    expect(database.asked).to.equal(1);
    now += 1;
    await signOn();
    expect(database.asked).to.equal(2);
    database.user = { ...anna, passwordSet: '2' };
    await signOn();
    expect(database.asked).to.equal(3);
    database.user = undefined;
    expect(await signOn()).to.equal('SVC_ERR_SIGNON_REFUSED');
  });

  it('what is remembered is no way past the bound of its address', async () => {
    expect(await codeOf(service.signOn('192.0.2.1', 'ANNA', 'right'))).to.equal('fine');
    for (let index = 0; index < MOST_FAILURES; index++) await codeOf(service.signOn('192.0.2.1', 'ANNA', `w${index}`));
    expect(await codeOf(service.signOn('192.0.2.1', 'ANNA', 'right'))).to.equal('SVC_ERR_SIGNON_LIMIT');
  });

  describe('by its own clocks', () => {
    const { now: wall } = Date;
    let wasSetBy = 0;
    beforeEach(() => {
      wasSetBy = 0;
      Date.now = () => wall() + wasSetBy;
    });
    afterEach(() => {
      Date.now = wall;
    });

    it('goes on refusing an address, and knowing who signed on, where the clock of the wall is set', async () => {
      const own = new SignOnService(database, new FailureLimit(new MemoryTryStore(MOST_LIMITED_ADDRESSES)));
      const registry = new SignOnRegistry(new MemorySignOnStore(), {
        idleMilliseconds: 60_000,
        longestMilliseconds: 60_000,
      });
      const challenges = new SignOnChallenges();
      const challenge = new SignOnChallenge(undefined);
      const { code } = await registry.begin(anna);
      challenges.add(challenge, '192.0.2.1');
      await own.signOn('192.0.2.2', 'ANNA', 'right');
      for (let index = 0; index < MOST_FAILURES; index++) await codeOf(own.signOn('192.0.2.1', 'ANNA', `no${index}`));
      const { asked } = database;
      for (const days of [1, -1]) {
        wasSetBy = days * 86_400_000;
        expect(await codeOf(own.signOn('192.0.2.1', 'ANNA', 'right'))).to.equal('SVC_ERR_SIGNON_LIMIT');
        expect(await codeOf(own.signOn('192.0.2.2', 'ANNA', 'right'))).to.equal('fine');
        expect(database.asked, 'it is remembered').to.equal(asked);
        expect((await registry.find(code))?.user).to.deep.equal({ name: 'ANNA', passwordSet: '1' });
        expect(challenges.find(challenge.code, '192.0.2.1')).to.equal(challenge);
      }
    });

    it('has users expire by the calendar', async () => {
      const own = new SignOnService(database, new FailureLimit(new MemoryTryStore(MOST_LIMITED_ADDRESSES)));
      database.user = { ...anna, endsAt: wall() + 3_600_000 };
      expect(await own.current(anna)).to.equal(database.user);
      wasSetBy = 3_600_001;
      expect(await own.current(anna)).to.equal(undefined);
    });
  });

  it('never remembers for another address, another user or another password', async () => {
    await service.signOn('192.0.2.1', 'ANNA', 'right');
    expect(await codeOf(service.signOn('192.0.2.1', 'ANNA', 'right '))).to.equal('SVC_ERR_SIGNON_REFUSED');
    expect(await codeOf(service.signOn('192.0.2.1', 'ANNAr', 'ight'))).to.equal('SVC_ERR_SIGNON_REFUSED');
    expect(await codeOf(service.signOn('192.0.2.2', 'ANNA', 'right'))).to.equal('fine');
    expect(database.asked).to.equal(4);
  });

  it('ends when the user is removed, expires or gets another password', async () => {
    expect(await service.current(anna)).to.equal(anna);
    database.user = { ...anna, endsAt: now };
    expect(await service.current(anna)).to.equal(undefined);
    database.user = { ...anna, passwordSet: '2' };
    expect(await service.current(anna)).to.equal(undefined);
    database.user = undefined;
    expect(await service.current(anna)).to.equal(undefined);
  });
});

describe('sign-ons of browsers', () => {
  const times: SignOnTimes = { idleMilliseconds: 100, longestMilliseconds: 250 };

  /** A store that shows what it is asked, and what it keeps. */
  class WatchedStore extends MemorySignOnStore {
    readonly kept: SignOnRecord[] = [];
    asked = 0;

    override async add(record: SignOnRecord, now: number) {
      this.kept.push(record);
      return super.add(record, now);
    }
    override async touch(id: string, now: number, idleUntil: number) {
      this.asked++;
      return super.touch(id, now, idleUntil);
    }
    override async remove(id: string, now: number) {
      this.asked++;
      return super.remove(id, now);
    }
  }

  it('end when nothing is asked for too long, and in any case after a time', async () => {
    let now = 0;
    const registry = new SignOnRegistry(new MemorySignOnStore(), times, () => now);
    const { code } = await registry.begin(anna);
    for (const time of [99, 198, 249]) {
      now = time;
      expect((await registry.find(code))?.user, String(time)).to.deep.equal({ name: 'ANNA', passwordSet: '1' });
    }
    now = 250;
    expect(await registry.find(code)).to.equal(undefined);
    const second = await registry.begin(anna);
    now += 100;
    expect(await registry.find(second.code)).to.equal(undefined);
  });

  it(`are ${SIGN_ONS_PER_USER} of a user at most: the oldest gives way`, async () => {
    const registry = new SignOnRegistry(new MemorySignOnStore(), times, () => 0);
    const codes: string[] = [];
    for (let index = 0; index < SIGN_ONS_PER_USER; index++) codes.push((await registry.begin(anna)).code);
    const other = await registry.begin({ ...anna, name: 'BERT' });
    expect(await registry.find(codes[0] ?? '')).to.not.equal(undefined);
    const first = await registry.find(codes[0] ?? '');
    expect((await registry.begin({ ...anna, name: 'anna' })).replaced).to.deep.equal([
      { id: first?.id, userName: 'ANNA', bound: 'perUser' },
    ]);
    expect(await registry.find(codes[0] ?? '')).to.equal(undefined);
    expect(await registry.find(codes[1] ?? '')).to.not.equal(undefined);
    expect(await registry.find(other.code)).to.not.equal(undefined);
  });

  it('are known by a code that is kept nowhere, and have a token that it takes the code to make', async () => {
    const store = new WatchedStore();
    const registry = new SignOnRegistry(store, times, () => 0);
    const { code, securityToken, id } = await registry.begin(anna);
    expect(code).to.match(/^[A-Za-z0-9_-]{32}$/);
    expect(securityToken)
      .to.match(/^[A-Za-z0-9_-]{32}$/)
      .and.not.equal(code);
    const dump = JSON.stringify(store.kept);
    expect(dump).to.include('ANNA').and.include(id).and.not.include(code).and.not.include(securityToken);
    expect(await registry.find(code)).to.deep.equal({ id, securityToken, user: { name: 'ANNA', passwordSet: '1' } });
    // whoever reads what is kept has no code by it
    for (const known of [id, securityToken, id.slice(0, 32)]) expect(await registry.find(known)).to.equal(undefined);
    const other = await registry.begin(anna);
    expect(other.securityToken).to.not.equal(securityToken);
  });

  it('ask the store for nothing that is no code', async () => {
    const store = new WatchedStore();
    const registry = new SignOnRegistry(store, times, () => 0);
    for (const no of ['', 'x'.repeat(31), 'x'.repeat(33), `${'x'.repeat(31)}+`, `${'x'.repeat(31)}\n`]) {
      expect(await registry.find(no)).to.equal(undefined);
      expect(await registry.end(no)).to.equal(undefined);
    }
    expect(store.asked).to.equal(0);
  });

  it('are ended by one of those who end them at once, and are known to be', async () => {
    const registry = new SignOnRegistry(new MemorySignOnStore(), times, () => 0);
    const { code, replaced: _, ...signOn } = await registry.begin(anna);
    expect(await registry.hasEnded(signOn)).to.equal(false);
    const ended = await Promise.all([registry.end(code), registry.end(code)]);
    expect(ended).to.deep.equal([signOn, undefined]);
    expect(await registry.hasEnded(signOn)).to.equal(true);
  });

  it('end after their idle time although a console page asks all the time whether they go on', async () => {
    let now = 0;
    const registry = new SignOnRegistry(
      new MemorySignOnStore(),
      { idleMilliseconds: 100, longestMilliseconds: 10_000 },
      () => now,
    );
    const { code, replaced: _, ...signOn } = await registry.begin(anna);
    now = 60;
    expect((await registry.find(code))?.id).to.equal(signOn.id);
    const lasted: [number, boolean][] = [];
    for (now = 70; now <= 170; now += 10) lasted.push([now, await registry.lasts(signOn)]);
    expect(lasted.filter(([, lasts]) => lasts).map(([at]) => at)).to.deep.equal([
      70, 80, 90, 100, 110, 120, 130, 140, 150,
    ]);
    expect(await registry.find(code)).to.equal(undefined);
  });
});

describe('sign-on forms', () => {
  it('are good for ten minutes, for one address, and for five tries', () => {
    let now = 0;
    const challenges = new SignOnChallenges(() => now);
    const challenge = new SignOnChallenge(undefined);
    challenges.add(challenge, '192.0.2.1');
    expect(challenges.find(challenge.code, '192.0.2.2')).to.equal(undefined);
    now = CHALLENGE_MILLISECONDS - 1;
    expect(challenges.find(challenge.code, '192.0.2.1')).to.equal(challenge);
    now++;
    expect(challenges.find(challenge.code, '192.0.2.1')).to.equal(undefined);
    const spent = new SignOnChallenge(undefined);
    challenges.add(spent, '192.0.2.1');
    for (let number = 1; number <= 5; number++) {
      expect(challenges.find(spent.code, '192.0.2.1'), String(number)).to.equal(spent);
      spent.clearSecrets({ secrets: [{ fieldId: 'PASSWORD', value: 'x' }], wrappedKey: undefined, number });
    }
    expect(challenges.find(spent.code, '192.0.2.1')).to.equal(undefined);
  });

  it(`are ${MOST_CHALLENGES_OF_ADDRESS} of an address at most: the oldest gives way`, () => {
    const challenges = new SignOnChallenges(() => 0);
    const made = Array.from({ length: MOST_CHALLENGES_OF_ADDRESS + 1 }, () => new SignOnChallenge(undefined));
    for (const challenge of made) challenges.add(challenge, '192.0.2.1');
    expect(challenges.find(made[0]?.code ?? '', '192.0.2.1')).to.equal(undefined);
    expect(challenges.find(made[1]?.code ?? '', '192.0.2.1')).to.equal(made[1]);
  });

  it('of other addresses stay, however many one address asks for', () => {
    const challenges = new SignOnChallenges(() => 0);
    const other = new SignOnChallenge(undefined);
    challenges.add(other, '192.0.2.2');
    for (let index = 0; index < 2 * MOST_CHALLENGES_OF_ADDRESS; index++) {
      challenges.add(new SignOnChallenge(undefined), '192.0.2.1');
    }
    expect(challenges.find(other.code, '192.0.2.2')).to.equal(other);
  });

  it('of a network with few stay, though as many as may be are asked for from many addresses of another one', () => {
    const challenges = new SignOnChallenges(() => 0);
    const other = new SignOnChallenge(undefined);
    challenges.add(other, '192.0.3.1');
    const made = Array.from({ length: MOST_CHALLENGES }, () => new SignOnChallenge(undefined));
    for (const [at, challenge] of made.entries()) challenges.add(challenge, `2001:db8:1:${at.toString(16)}::/64`);
    const isThere = (at: number) =>
      challenges.find(made[at]?.code ?? '', `2001:db8:1:${at.toString(16)}::/64`) !== undefined;
    expect([isThere(0), isThere(1), isThere(MOST_CHALLENGES - 1)]).to.deep.equal([false, true, true]);
    expect(challenges.find(other.code, '192.0.3.1')).to.equal(other);
  });
});
