import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { checkServiceTexts, type LoadedServices, loadServices, SCREENS_FILE } from '../../config/load-services.js';
import { formatPlace } from '../../lib/documents/source-diagnostic.js';
import { withYamlEntries } from '../../lib/documents/yaml-edit.js';
import { readYaml } from '../../lib/documents/yaml-source.js';
import type { Detail, Reason } from '../../lib/locale.js';
import { LineComparison } from '../../lib/text/line-comparison.js';
import { unknownName } from '../../lib/text/nearest-name.js';
import { type MergedScreen, mergeScreens } from '../../services/merge-screens.js';
import type { PoolDefinition } from '../../services/pool-state.js';
import type { ServiceDocument } from '../../services/service-document.js';
import {
  type PublicationPlan,
  type PublicationWish,
  publishedService,
  type ServiceTexts,
} from '../../services/service-publishing.js';

const MOST_FAULTS = 20;

/** Plain data, because the plan is made on another thread. */
export interface PlanOrder {
  readonly folder: string;
  readonly draft: ServiceTexts;
  readonly wish: PublicationWish;
  readonly pools: readonly Pick<PoolDefinition, 'name' | 'home' | 'signOn' | 'signOff'>[];
  readonly entryPoints: readonly { readonly name: string; readonly services: true | readonly string[] | undefined }[];
}

export interface MadePlan extends PublicationPlan {
  readonly screensText: string;
  readonly screensTextBefore: string | undefined;
  readonly serviceFile: string;
  readonly serviceText: string;
  readonly renamed: ReadonlyMap<string, string>;
}

/** Reads the services folder and checks it with the draft included. */
export async function makePlan({ folder, draft, wish, pools, entryPoints }: PlanOrder): Promise<MadePlan> {
  const [there, drafted] = [await loadServices(folder), checkServiceTexts(draft)];
  const merged = mergeScreens(there.screens, drafted.screens, wish.screens, there.services.values());
  const known = there.serviceFiles.get(wish.name);
  const serviceFile = known === undefined ? `${wish.name}.yaml` : basename(known);
  const [screensTextBefore, serviceTextBefore] = await Promise.all([
    fileText(join(folder, SCREENS_FILE)),
    fileText(join(folder, serviceFile)),
  ]);
  const faults: Detail[] = [
    ...errorsOf(there).map((error): Reason => ({ code: 'service.folderError', values: { error } })),
    ...errorsOf(drafted).map((error): Reason => ({ code: 'service.draftError', values: { error } })),
  ];
  let [screensText, serviceText] = [screensTextBefore ?? '', draft.service];
  if (faults.length === 0) {
    screensText = withYamlEntries(screensText, 'screens', merged.set);
    const document = readYaml(draft.service, 'service.yaml').value as ServiceDocument;
    serviceText = publishedService(draft.service, document, { ...wish, renamed: merged.renamed });
    faults.push(...merged.faults, ...nameFaults(pools, wish, there, serviceFile, serviceTextBefore));
  }
  if (faults.length === 0) {
    const instead = new Map([
      [SCREENS_FILE, screensText],
      [serviceFile, serviceText],
    ]);
    faults.push(...errorsOf(await loadServices(folder, instead)));
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
    screensText,
    screensTextBefore,
    serviceFile,
    serviceText,
    renamed: merged.renamed,
  };
}

/** Checks names of pools, which the check of a folder cannot do. */
function nameFaults(
  pools: PlanOrder['pools'],
  { name, pool }: PublicationWish,
  there: LoadedServices,
  serviceFile: string,
  serviceTextBefore: string | undefined,
): readonly Reason[] {
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name)) {
    return [{ code: 'service.name' }];
  }
  if (serviceFile.toLowerCase() === SCREENS_FILE) return [{ code: 'service.screensName', values: { name } }];
  const names = pools.map((pool) => pool.name);
  const signs = pools.find(({ signOn, signOff }) => signOn === name || signOff === name);
  const others = [...there.services.keys()].find((one) => one !== name && one.toLowerCase() === name.toLowerCase());
  return [
    ...(pool === '' ? [{ code: 'service.noPool' } as const] : []),
    ...(pool === '' || names.includes(pool) ? [] : [unknownName('pool.unknown', pool.slice(0, 70), names)]),
    ...(signs === undefined ? [] : [{ code: 'service.signsOn', values: { pool: signs.name, name } } as const]),
    ...(others === undefined ? [] : [{ code: 'service.similarName', values: { name: others } } as const]),
    ...(there.services.has(name) || serviceTextBefore === undefined
      ? []
      : [{ code: 'service.fileTaken', values: { file: serviceFile } } as const]),
  ];
}

function errorsOf({ reports }: Pick<LoadedServices, 'reports'>): readonly string[] {
  return reports
    .flatMap(({ diagnostics }) => diagnostics)
    .filter(({ severity }) => severity === 'error')
    .map((diagnostic) => formatPlace({ ...diagnostic, file: basename(diagnostic.file) }))
    .slice(0, MOST_FAULTS);
}

function homesOf(pools: PlanOrder['pools'], { name }: MergedScreen): readonly string[] {
  return pools.filter(({ home }) => home === name).map((pool) => `the pool ${pool.name}, as its home`);
}

async function fileText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
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
