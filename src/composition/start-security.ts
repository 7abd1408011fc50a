import { join } from 'node:path';
import type { Configuration } from '../config/configuration.js';
import { openUsers } from '../config/open-users.js';
import type { InboundLineDefinition } from '../line/line-definition.js';
import type { Log } from '../log.js';
import { DirectoryKeys } from '../macro/directory-key.js';
import { FileMacroStore } from '../macro/file-macro-store.js';
import { MacroService } from '../macro/macro-service.js';
import type { AuditRecord } from '../security/audit-record.js';
import { AUDIT_TRAIL_NAME } from '../security/audit-trail.js';
import { FailureLimit } from '../security/failure-limit.js';
import { MemorySignOnStore } from '../security/memory-sign-on-store.js';
import { SignOnRegistry, type SignOnTimes } from '../security/sign-on-registry.js';
import { SignOnService } from '../security/sign-on-service.js';
import { SignOnChallenges } from '../session/sign-on-challenge.js';
import type { Portal, SiteMacros } from '../web/http/client-site.js';
import { UserSessions } from '../web/sessions/user-sessions.js';
import { CLIENT_SIGN_ON_COOKIE, PORTAL_SIGN_ON_COOKIE, type SiteSecurity } from '../web/sign-on/site-security.js';

const MINUTE = 60_000;
/** How long a session may go on whose user is gone; the portal has them looked at at once. */
const REVIEW_MILLISECONDS = 30_000;
const portalTimes: SignOnTimes = { idleMilliseconds: 30 * MINUTE, longestMilliseconds: 12 * 60 * MINUTE };
const clientTimes: SignOnTimes = { idleMilliseconds: 12 * 60 * MINUTE, longestMilliseconds: 24 * 60 * MINUTE };

/** Users, macros and the audit trail of a running server. */
interface StartedSecurity {
  /** What a line is given of them. */
  partsOf(line: InboundLineDefinition): {
    readonly security: SiteSecurity;
    readonly macros: SiteMacros;
    readonly portal: Portal | undefined;
  };
  stop(): Promise<void>;
}

/** @throws Error in words where the file of users or the folder of macros cannot be used */
export async function startSecurity(configuration: Configuration, log: Log): Promise<StartedSecurity> {
  const { data, security, macros: folder, macrosAutoRefresh } = configuration;
  const opened = await openUsers(configuration, {
    log,
    onRefused: (error) => log.error({ err: error }, 'nothing was changed: the audit trail cannot be written'),
    onOutcomeLate: (error) =>
      log.error({ err: error }, 'a change was made, and the audit trail could not take that it was: it has the intent'),
  });
  const { database, store: users, administration, audit, hasDirectoryServer } = opened;
  await tellTrailState(audit, join(data, AUDIT_TRAIL_NAME), log);
  const store = folder === undefined ? undefined : new FileMacroStore({ folder, log });
  await store?.open();
  const service = new MacroService({
    store,
    keys: new DirectoryKeys(),
    database,
    audit,
  });
  // who fails at one line has failed at all of them
  const signOn = new SignOnService(database, new FailureLimit());
  const userSessions = new UserSessions(signOn);
  const reviews = setInterval(() => void userSessions.review(), REVIEW_MILLISECONDS).unref();
  const siteSecurity = (cookieName: string, times: SignOnTimes): SiteSecurity => ({
    realm: security.realm,
    database,
    service: signOn,
    signOns: new SignOnRegistry(new MemorySignOnStore(), times),
    challenges: new SignOnChallenges(),
    userSessions,
    cookieName,
  });
  const ofPortal = siteSecurity(PORTAL_SIGN_ON_COOKIE, portalTimes);
  const ofClients = siteSecurity(CLIENT_SIGN_ON_COOKIE, clientTimes);
  return {
    partsOf: ({ portal }) => ({
      security: portal === undefined ? ofClients : ofPortal,
      macros: { service, autoRefresh: macrosAutoRefresh },
      portal: portal === undefined ? undefined : { users, administration, audit, hasDirectoryServer },
    }),
    stop: async () => {
      clearInterval(reviews);
      await store?.close();
      await opened.close();
    },
  };
}

/** What an earlier process left behind. Terminals are served whatever it is. */
async function tellTrailState(audit: AuditRecord, file: string, log: Log): Promise<void> {
  const { fault, unfinished } = await audit.state().catch((error: Error) => ({ fault: error.message, unfinished: [] }));
  if (fault !== undefined) {
    log.error({ file, reason: fault }, 'nothing can be changed: the audit trail is broken; see sallyport audit verify');
  }
  for (const { sequence, time, who, what, subject } of unfinished) {
    log.warn(
      { entry: sequence, time, who, what, subject },
      'a change was interrupted: the audit trail does not say whether it was made',
    );
  }
}
