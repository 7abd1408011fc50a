import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditEntry } from '../../access/audit/audit-entry.js';
import type { AuditTrail } from '../../access/audit/audit-trail.js';
import type { Configuration } from '../../config/configuration.js';
import { SCREENS_FILE } from '../../config/load-services.js';
import { ServiceError } from '../../lib/errors.js';
import { withFileLock } from '../../lib/files/file-lock.js';
import { replaceFile } from '../../lib/files/replace-file.js';
import { publicDetail } from '../../lib/locale.js';
import type { Log } from '../../lib/log/log.js';
import { messageOf } from '../../lib/text/messages.js';
import type { Orderer } from '../../lib/turns/work-threads.js';
import type { Replaced } from '../../operation/configuration-operations.js';
import type {
  Publication,
  PublicationEnd,
  PublicationPlan,
  PublicationWish,
  ServicePublishing,
  ServiceTexts,
} from '../../services/service-publishing.js';
import type { SiteRecordings } from '../../web/recordings/recording-ports.js';
import type { MadePlan, PlanOrder } from './service-plan.js';
import type { ServicePlanner } from './service-planner.js';

const MODE_OF_NEW_FILES = 0o644;

export interface RunningConfiguration {
  readonly latest: () => Configuration;
  readonly change: (change: (latest: Configuration) => Configuration) => Promise<Replaced>;
}

interface Needs {
  readonly folder: string;
  readonly planner: ServicePlanner;
  /** Throws if the check exceeds its limits. */
  readonly check: SiteRecordings['check'];
  readonly running: RunningConfiguration;
  readonly audit: AuditTrail;
  readonly log: Log;
}

export class ServicePublisher implements ServicePublishing {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  get pools(): readonly string[] {
    return this.#needs.running.latest().pools.map(({ name }) => name);
  }

  async plan(draft: ServiceTexts, wish: PublicationWish, orderer: Orderer): Promise<PublicationPlan> {
    await this.#needs.check(textsOf(draft), orderer);
    const { tag, screens, replaced, faults, offeredBy } = await this.#make(draft, wish);
    return { tag, screens, replaced, faults, offeredBy };
  }

  async publish(publication: Publication): Promise<PublicationEnd> {
    const { folder, log } = this.#needs;
    // A plan has no time limit, because the folder may be large, so check the draft with a limit first.
    await this.#needs.check(textsOf(publication.draft), { address: publication.from });
    try {
      return await withFileLock(join(folder, SCREENS_FILE), () => this.#publishLocked(publication));
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      log.error({ err: error, folder }, 'a service was not published: the services folder cannot be written');
      throw new ServiceError('SVC_ERR_PUBLICATION_FAILED', { cause: error });
    }
  }

  async #publishLocked({ draft, wish, seen, who, from }: Publication): Promise<PublicationEnd> {
    const plan = await this.#make(draft, wish);
    const [fault] = plan.faults;
    if (fault !== undefined) throw new ServiceError('SVC_ERR_PUBLICATION_REFUSED', { detail: publicDetail(fault) });
    if (plan.tag !== seen) throw new ServiceError('SVC_ERR_PUBLICATION_CHANGED');
    if (plan.replaced !== undefined && !wish.replaces) {
      const values = { name: wish.name, file: plan.replaced.file };
      throw new ServiceError('SVC_ERR_PUBLICATION_REFUSED', { detail: { code: 'service.exists', values } });
    }
    const entry: AuditEntry = {
      who,
      from,
      what: 'service.published',
      subject: wish.name,
      after: told(plan, draft, wish),
    };
    await this.#needs.audit.record(entry, () => this.#write(plan));
    return this.#takeOver();
  }

  /**
   * Write screens first: new screens change nothing by themselves, and all services were checked with the changed ones.
   */
  async #write({ screensText, screensTextBefore, serviceFile, serviceText }: MadePlan): Promise<void> {
    const { folder } = this.#needs;
    const screensFile = join(folder, SCREENS_FILE);
    const mode = await modeOf(screensFile);
    const isChanged = screensText !== screensTextBefore;
    if (isChanged) await replaceFile(screensFile, screensText, mode);
    try {
      await replaceFile(join(folder, serviceFile), serviceText, await modeOf(join(folder, serviceFile), mode));
    } catch (error) {
      if (isChanged && screensTextBefore !== undefined) await replaceFile(screensFile, screensTextBefore, mode);
      throw error;
    }
  }

  async #takeOver(): Promise<PublicationEnd> {
    const { folder, planner, running, log } = this.#needs;
    try {
      const services = await planner.load(folder);
      await running.change((latest) => ({ ...latest, services }));
      return { kind: 'served' };
    } catch (error) {
      log.error({ err: error }, 'a service was published, but the running server could not apply it');
      return { kind: 'needsRestart', reason: messageOf(error) };
    }
  }

  #make(draft: ServiceTexts, wish: PublicationWish): Promise<MadePlan> {
    return this.#needs.planner.plan(this.#orderOf(draft, wish));
  }

  #orderOf(draft: ServiceTexts, { name, pool, replaces, screens }: PublicationWish): PlanOrder {
    const { pools, entryPoints } = this.#needs.running.latest();
    return {
      folder: this.#needs.folder,
      draft: textsOf(draft),
      wish: { name, pool, replaces, screens },
      pools: pools.map((one) => ({ name: one.name, home: one.home, signOn: one.signOn, signOff: one.signOff })),
      entryPoints: entryPoints.map((one) => ({ name: one.name, services: one.services })),
    };
  }
}

function textsOf({ screens, service }: ServiceTexts): ServiceTexts {
  return { screens, service };
}

function told({ screens, renamed, replaced }: MadePlan, { id, user }: Publication['draft'], { pool }: PublicationWish) {
  const namesOf = (state: string) => screens.filter((screen) => screen.state === state).map(({ name }) => name);
  return {
    pool,
    draft: id,
    storedBy: user,
    ...(replaced === undefined ? {} : { replaces: replaced.file }),
    screensAdded: namesOf('new'),
    screensReplaced: screens.filter(({ wish }) => wish?.kind === 'replace').map(({ name }) => name),
    screensRenamed: Object.fromEntries(renamed),
  };
}

async function modeOf(file: string, otherwise = MODE_OF_NEW_FILES): Promise<number> {
  try {
    return (await stat(file)).mode & 0o777;
  } catch {
    return otherwise;
  }
}
