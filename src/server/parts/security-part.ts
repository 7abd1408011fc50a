import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { headText } from '../../access/audit/audit-head.js';
import { removeOldestFile } from '../../access/audit/audit-retention.js';
import type { AuditTrail } from '../../access/audit/audit-trail.js';
import { AUDIT_TRAIL_NAME } from '../../access/audit/file-audit-trail.js';
import { FailureLimit, MOST_LIMITED_ADDRESSES } from '../../access/sign-on/failure-limit.js';
import { MemorySignOnStore } from '../../access/sign-on/memory-sign-on-store.js';
import { MemoryTryStore } from '../../access/sign-on/memory-try-store.js';
import { SignOnAudit } from '../../access/sign-on/sign-on-audit.js';
import { SignOnRegistry, type SignOnTimes } from '../../access/sign-on/sign-on-registry.js';
import { SignOnService } from '../../access/sign-on/sign-on-service.js';
import { BearerTokens } from '../../access/tokens/bearer-tokens.js';
import type { SettingsStore } from '../../access/users/settings-store.js';
import type { SharedStores } from '../../cluster/postgresql/shared-stores.js';
import type { Configuration } from '../../config/configuration.js';
import { type OpenedUsers, openUsers } from '../../config/open-users.js';
import type { Log } from '../../lib/log/log.js';
import { type Metrics, noMetrics } from '../../lib/metrics.js';
import type { InboundLineDefinition } from '../../lines/listener/line-definition.js';
import { type Condition, remembered } from '../../operation/health/health.js';
import { SignOnChallenges } from '../../sessions/sign-on-challenge.js';
import type { Portal, PortalOperations } from '../../web/http/client-site.js';
import { type SignOnNews, UserSessions } from '../../web/sessions/user-sessions.js';
import { CLIENT_SIGN_ON_COOKIE, PORTAL_SIGN_ON_COOKIE, type SiteSecurity } from '../../web/sign-on/site-security.js';
import { needsRestartOutcome, type Part, type Replacement } from '../part.js';

const MINUTE = 60_000;
/** How long a session of a deleted user may continue. The portal triggers the check at once. */
const REVIEW_MILLISECONDS = 30_000;
/** Minimum interval: each check queries every user with a session. */
const REVIEWS_APART_MILLISECONDS = 5_000;
const portalTimes: SignOnTimes = { idleMilliseconds: 30 * MINUTE, longestMilliseconds: 12 * 60 * MINUTE };
const clientTimes: SignOnTimes = { idleMilliseconds: 12 * 60 * MINUTE, longestMilliseconds: 24 * 60 * MINUTE };

const reasons = {
  data: 'all users would have to sign on again',
  security: 'all users would have to sign on again',
  audit: 'the audit trail keeps its settings until a restart',
} as const;

type PortalSecurity = Omit<Portal, keyof PortalOperations>;

export class SecurityPart implements Part {
  readonly name = 'security';
  readonly reads = ['data', 'security', 'audit'] as const;
  readonly #settings: Pick<Configuration, 'data' | 'security' | 'audit'>;
  readonly #configuration: Configuration;
  readonly #log: Log;
  readonly #terminalSettings: SettingsStore;
  readonly #metrics: Metrics;
  #users: OpenedUsers | undefined;
  #portal: PortalSecurity | undefined;
  #keeping: AuditKeeping | undefined;
  #ofPortal: SiteSecurity | undefined;
  #ofClients: SiteSecurity | undefined;
  #reviews: NodeJS.Timeout | undefined;
  #reviewSoon: NodeJS.Timeout | undefined;
  #reviewedAt = Number.NEGATIVE_INFINITY;

  readonly #shared: SharedStores | undefined;
  readonly #tellOthers: ((news: SignOnNews) => void) | undefined;
  #userSessions: UserSessions | undefined;

  constructor(
    configuration: Configuration,
    log: Log,
    settings: SettingsStore,
    metrics = noMetrics,
    shared?: SharedStores,
    tellOthers?: (news: SignOnNews) => void,
  ) {
    this.#tellOthers = tellOthers;
    this.#shared = shared;
    this.#terminalSettings = settings;
    this.#metrics = metrics;
    const { data, security, audit } = configuration;
    this.#settings = { data, security, audit };
    this.#configuration = configuration;
    this.#log = log;
  }

  heard(news: SignOnNews): void {
    this.#userSessions?.heard(news);
  }

  usersChanged(): void {
    const wait = Math.max(0, this.#reviewedAt + REVIEWS_APART_MILLISECONDS - performance.now());
    this.#reviewSoon ??= setTimeout(() => {
      this.#reviewSoon = undefined;
      this.#reviewedAt = performance.now();
      void this.#userSessions?.review();
    }, wait).unref();
  }

  get users(): OpenedUsers {
    if (this.#users === undefined) throw new Error('the users are not open');
    return this.#users;
  }

  readonly condition: Condition = remembered({ name: 'audit trail', fault: async () => this.#users?.audit.fault() });

  partsOf({ portal }: InboundLineDefinition): {
    readonly security: SiteSecurity | undefined;
    readonly portal: PortalSecurity | undefined;
  } {
    if (portal === undefined) return { security: this.#ofClients, portal: undefined };
    return { security: this.#ofPortal, portal: this.#portal };
  }

  async start(): Promise<void> {
    const log = this.#log;
    const { security } = this.#settings;
    this.#users = await openUsers(this.#configuration, {
      log,
      settings: this.#terminalSettings,
      shared: this.#shared,
      onRefused: (error) => log.error({ err: error }, 'nothing was changed: the audit trail cannot be written'),
      onArchived: (file, head) =>
        log.info({ file, head: headText(head) }, 'a new file of the audit trail was started; head of the previous one'),
      onArchiveFailed: (error) =>
        log.error(
          { err: error },
          'no new file of the audit trail could be started; the current file continues to grow',
        ),
      onOutcomeLate: (error) =>
        log.error(
          { err: error },
          'a change was made, but its outcome could not be written to the audit trail, which has only the intent',
        ),
    });
    const { database, audit, tokenStore, administration } = this.#users;
    this.#keeping = new AuditKeeping(this.#configuration, audit, log);
    await this.#keeping.start();
    // Failures count for all lines together.
    const shared = this.#shared;
    const now = shared === undefined ? Date.now : () => shared.now();
    const limit = new FailureLimit(shared?.tries('address') ?? new MemoryTryStore(MOST_LIMITED_ADDRESSES));
    const signOnAudit = new SignOnAudit(audit, {
      onLost: (error) =>
        log.error({ err: error }, 'a refused sign-on or a sign-off could not be recorded in the audit trail'),
    });
    const { store: users, hasDirectoryServer } = this.#users;
    this.#portal = { users, administration, tokens: this.#users.tokens, audit, hasDirectoryServer };
    const service = new SignOnService(database, limit, { today: now, metrics: this.#metrics, audit: signOnAudit });
    const userSessions = new UserSessions(service, this.#tellOthers);
    this.#userSessions = userSessions;
    const onUseLost = (error: unknown) => log.warn({ err: error }, 'the last use of a token cannot be stored');
    const tokens = new BearerTokens(tokenStore, onUseLost, now);
    const { signOnsPerUser } = security;
    this.#reviews = setInterval(() => void userSessions.review(), REVIEW_MILLISECONDS).unref();
    const siteSecurity = (kind: 'portal' | 'client', cookieName: string, times: SignOnTimes): SiteSecurity => ({
      realm: security.realm,
      database,
      service,
      administration,
      signOns: new SignOnRegistry(
        shared?.signOns(kind, signOnsPerUser) ?? new MemorySignOnStore(signOnsPerUser),
        times,
      ),
      challenges: new SignOnChallenges(),
      userSessions,
      audit: signOnAudit,
      tokens,
      cookieName,
    });
    this.#ofPortal = siteSecurity('portal', PORTAL_SIGN_ON_COOKIE, portalTimes);
    this.#ofClients = siteSecurity('client', CLIENT_SIGN_ON_COOKIE, clientTimes);
  }

  async stop(): Promise<void> {
    clearInterval(this.#reviews);
    clearTimeout(this.#reviewSoon);
    await this.#users?.audit
      .settle()
      .catch((error: unknown) =>
        this.#log.error({ err: error }, 'the numbers of repeated audit entries could not be recorded'),
      );
    await this.#keeping?.stop();
    await this.#users?.close();
  }

  /** Sign-ons are in memory, so a restart is needed. Changes of the file of users take effect at once. */
  async replace(next: Configuration): Promise<Replacement> {
    const changed = this.reads.filter((key) => !isDeepStrictEqual(next[key], this.#settings[key]));
    return needsRestartOutcome(...changed.map((what) => ({ what, reason: reasons[what] })));
  }
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Logs the last entry of the audit trail, so that truncation can be detected, and removes old files. */
class AuditKeeping {
  readonly #log: Log;
  readonly #file: string;
  readonly #keepDays: number;
  readonly #audit: AuditTrail;
  #told = '';
  #hourly: NodeJS.Timeout | undefined;

  constructor(
    { data, audit: { keepDays }, store }: Pick<Configuration, 'data' | 'audit' | 'store'>,
    audit: AuditTrail,
    log: Log,
  ) {
    this.#log = log;
    this.#file = join(data, AUDIT_TRAIL_NAME);
    // Entries in a database are not removed.
    this.#keepDays = store === undefined ? keepDays : 0;
    this.#audit = audit;
  }

  /** Logs problems that an earlier process left. They do not stop terminals. */
  async start(): Promise<void> {
    const { fault, unfinished } = await this.#audit
      .state()
      .catch((error: Error) => ({ fault: error.message, unfinished: [] }));
    if (fault !== undefined) {
      const words = 'nothing can be changed: the audit trail is broken; see sallyport audit verify';
      this.#log.error({ file: this.#file, reason: fault }, words);
    }
    for (const { sequence, time, who, what, subject } of unfinished) {
      this.#log.warn(
        { entry: sequence, time, who, what, subject },
        'a change was interrupted: the audit trail has no outcome for it',
      );
    }
    await this.#tellHead();
    await this.#removeOld();
    this.#hourly = setInterval(() => void this.#tellHead().then(() => this.#removeOld()), HOUR).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#hourly);
    await this.#tellHead();
  }

  async #tellHead(): Promise<void> {
    try {
      const head = await this.#audit.head();
      const told = head === undefined ? '' : headText(head);
      if (told === this.#told) return;
      this.#told = told;
      this.#log.info({ head: told }, 'head of the audit trail');
    } catch (error) {
      this.#log.error({ err: error }, 'the audit trail cannot be read');
    }
  }

  async #removeOld(): Promise<void> {
    if (this.#keepDays === 0) return;
    try {
      const before = Date.now() - this.#keepDays * DAY;
      const removed = await removeOldestFile(this.#audit, { file: this.#file, before });
      if (removed !== undefined) this.#log.info({ file: removed }, 'an old file of the audit trail was removed');
    } catch (error) {
      this.#log.error({ err: error }, 'an old file of the audit trail is kept');
    }
  }
}
