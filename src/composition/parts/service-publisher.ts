import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Configuration } from '../../config/configuration.js';
import { checkServiceTexts, type LoadedServices, loadServices, SCREENS_FILE } from '../../config/load-services.js';
import { withYamlEntries } from '../../document/yaml-edit.js';
import { readYaml } from '../../document/yaml-source.js';
import { ServiceError } from '../../errors.js';
import { LineComparison } from '../../line-comparison.js';
import type { Log } from '../../log.js';
import { didYouMean } from '../../nearest-name.js';
import type { Replaced } from '../../operation/reload-outcome.js';
import type { AuditRecord } from '../../security/audit-record.js';
import { withFileLock } from '../../security/file-lock.js';
import { replaceFile } from '../../security/replace-file.js';
import { type MergedScreen, mergeScreens } from '../../services/merge-screens.js';
import { publishedService } from '../../services/published-service.js';
import type { ServiceDocument } from '../../services/service-document.js';
import type {
  Publication,
  PublicationEnd,
  PublicationPlan,
  PublicationWish,
  ServicePublishing,
  ServiceTexts,
} from '../../services/service-publishing.js';
import { formatPlace } from '../../source-diagnostic.js';

/** Faults told at once. */
const MOST_FAULTS = 20;
const MODE_OF_NEW_FILES = 0o644;

/** The configuration that is served, and a way to serve another one. */
export interface RunningConfiguration {
  readonly latest: () => Configuration;
  readonly change: (change: (latest: Configuration) => Configuration) => Promise<Replaced>;
}

interface Needs {
  readonly folder: string;
  readonly running: RunningConfiguration;
  readonly audit: AuditRecord;
  readonly log: Log;
}

interface MadePlan extends PublicationPlan {
  /** As the folder would be then. */
  readonly loaded: LoadedServices;
  readonly screensText: string;
  readonly screensTextBefore: string | undefined;
  readonly serviceFile: string;
  readonly serviceText: string;
  readonly renamed: ReadonlyMap<string, string>;
}

/** Writes drafts into the services folder, and has the running server take them over. */
export class ServicePublisher implements ServicePublishing {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  get pools(): readonly string[] {
    return this.#needs.running.latest().pools.map(({ name }) => name);
  }

  async plan(draft: ServiceTexts, wish: PublicationWish): Promise<PublicationPlan> {
    const { tag, screens, replaced, faults, offeredBy } = await this.#make(draft, wish);
    return { tag, screens, replaced, faults, offeredBy };
  }

  async publish(publication: Publication): Promise<PublicationEnd> {
    const { folder, log } = this.#needs;
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
    if (fault !== undefined) throw new ServiceError('SVC_ERR_PUBLICATION_REFUSED', { detail: fault });
    if (plan.tag !== seen) throw new ServiceError('SVC_ERR_PUBLICATION_CHANGED');
    if (plan.replaced !== undefined && !wish.replaces) {
      const detail = `There is a service ${wish.name} already, in ${plan.replaced.file}.`;
      throw new ServiceError('SVC_ERR_PUBLICATION_REFUSED', { detail });
    }
    const entry = { who, from, what: 'service.published', subject: wish.name, after: told(plan, draft, wish) };
    await this.#needs.audit.record(entry, () => this.#write(plan));
    return this.#takeOver(plan);
  }

  /** New screens do nothing by themselves, and all services were checked with those that are replaced: they come first. */
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

  async #takeOver({ loaded: { screens, services } }: MadePlan): Promise<PublicationEnd> {
    const { running, log } = this.#needs;
    try {
      await running.change((latest) => ({ ...latest, services: { screens, services } }));
      return { kind: 'served' };
    } catch (error) {
      log.error({ err: error }, 'a service was published, and the running server cannot take it over');
      return { kind: 'needsRestart', reason: error instanceof Error ? error.message : String(error) };
    }
  }

  async #make(draft: ServiceTexts, wish: PublicationWish): Promise<MadePlan> {
    const { folder, running } = this.#needs;
    const { pools, entryPoints } = running.latest();
    const [there, drafted] = [await loadServices(folder), checkServiceTexts(draft)];
    const merged = mergeScreens(there.screens, drafted.screens, wish.screens, there.services.values());
    const known = there.serviceFiles.get(wish.name);
    const serviceFile = known === undefined ? `${wish.name}.yaml` : basename(known);
    const [screensTextBefore, serviceTextBefore] = await Promise.all([
      textOf(join(folder, SCREENS_FILE)),
      textOf(join(folder, serviceFile)),
    ]);
    const faults = [
      ...errorsOf(there).map((error) => `The services folder has an error: ${error}`),
      ...errorsOf(drafted).map((error) => `The draft has an error: ${error}`),
    ];
    let loaded = there;
    let [screensText, serviceText] = [screensTextBefore ?? '', draft.service];
    if (faults.length === 0) {
      screensText = withYamlEntries(screensText, 'screens', merged.set);
      const document = readYaml(draft.service, 'service.yaml').value as ServiceDocument;
      serviceText = publishedService(draft.service, document, { ...wish, renamed: merged.renamed });
      faults.push(...merged.faults, ...this.#nameFaults(wish, there, serviceFile, serviceTextBefore));
    }
    if (faults.length === 0) {
      const instead = new Map([
        [SCREENS_FILE, screensText],
        [serviceFile, serviceText],
      ]);
      loaded = await loadServices(folder, instead);
      faults.push(...errorsOf(loaded));
    }
    const before = serviceTextBefore ?? '';
    return {
      tag: tagOf(screensTextBefore, serviceTextBefore, draft),
      screens: merged.screens.map((screen) => ({ ...screen, usedBy: [...screen.usedBy, ...homesOf(pools, screen)] })),
      replaced: known === undefined ? undefined : { file: serviceFile, difference: compared(before, serviceText) },
      faults: faults.slice(0, MOST_FAULTS),
      offeredBy: entryPoints
        .filter(({ services }) => services === true || services?.includes(wish.name))
        .map(({ name }) => name),
      loaded,
      screensText,
      screensTextBefore,
      serviceFile,
      serviceText,
      renamed: merged.renamed,
    };
  }

  /** What the check of a folder does not say, for it knows no pools. */
  #nameFaults(
    { name, pool }: PublicationWish,
    there: LoadedServices,
    serviceFile: string,
    serviceTextBefore: string | undefined,
  ): readonly string[] {
    if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name)) {
      return ['A name has 1 to 64 letters, digits, - and _, and begins with a letter.'];
    }
    if (serviceFile.toLowerCase() === SCREENS_FILE)
      return [`No service has the name ${name}: its file would be that of the screens.`];
    const names = this.pools;
    const signs = this.#needs.running.latest().pools.find(({ signOn, signOff }) => signOn === name || signOff === name);
    const others = [...there.services.keys()].find((one) => one !== name && one.toLowerCase() === name.toLowerCase());
    return [
      ...(pool === '' ? ['It has no pool: nobody could call it.'] : []),
      ...(pool === '' || names.includes(pool)
        ? []
        : [`There is no pool ${pool.slice(0, 70)}${didYouMean(pool, names)}.`]),
      ...(signs === undefined ? [] : [`The pool ${signs.name} signs on or off by ${name}, which has no pool.`]),
      ...(others === undefined
        ? []
        : [`There is a service ${others}, which differs in small and capital letters alone.`]),
      ...(there.services.has(name) || serviceTextBefore === undefined
        ? []
        : [`The file ${serviceFile} is there, and holds another service.`]),
    ];
  }
}

function errorsOf({ reports }: Pick<LoadedServices, 'reports'>): readonly string[] {
  return reports
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ severity }) => severity === 'error')
    .map((diagnostic) => formatPlace({ ...diagnostic, file: basename(diagnostic.file) }))
    .slice(0, MOST_FAULTS);
}

function homesOf(pools: Configuration['pools'], { name }: MergedScreen): readonly string[] {
  return pools.filter(({ home }) => home === name).map((pool) => `the pool ${pool.name}, as its home`);
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

/** Undefined where there is no such file. */
async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function modeOf(file: string, otherwise = MODE_OF_NEW_FILES): Promise<number> {
  try {
    return (await stat(file)).mode & 0o777;
  } catch {
    return otherwise;
  }
}

function compared(before: string, after: string) {
  return new LineComparison().compare(before.trimEnd().split('\n'), after.trimEnd().split('\n'));
}

function tagOf(...parts: readonly unknown[]): string {
  return createHash('sha256')
    .update(JSON.stringify(parts.map((part) => part ?? null)))
    .digest('base64url');
}
