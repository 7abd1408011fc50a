import { withYamlValue } from '../lib/documents/yaml-edit.js';
import type { DifferenceLine } from '../lib/text/line-comparison.js';
import type { Orderer } from '../lib/turns/work-threads.js';
import type { MergedScreen, ScreenWish } from './merge-screens.js';
import type { ServiceDocument, StepDocument } from './service-document.js';

/** Two files of a services folder. */
export interface ServiceTexts {
  readonly screens: string;
  readonly service: string;
}

/** What an administrator wants a draft to become. */
export interface PublicationWish {
  /** Of the service. */
  readonly name: string;
  readonly pool: string;
  /** A service of that name gives way to it. */
  readonly replaces: boolean;
  /** By the names of screens. */
  readonly screens: ReadonlyMap<string, ScreenWish>;
}

/** What publishing would do now. */
export interface PublicationPlan {
  /** Of the files that it is about; a publication is for those that were seen. */
  readonly tag: string;
  readonly screens: readonly MergedScreen[];
  /** The service of that name which is there; undefined: it is new. */
  readonly replaced:
    | {
        /** Its name in the folder. */
        readonly file: string;
        readonly difference: readonly DifferenceLine[];
      }
    | undefined;
  /** What hinders it, in words; empty: nothing. */
  readonly faults: readonly string[];
  /** Entry points that offer it once it is there. */
  readonly offeredBy: readonly string[];
}

/** What came of a publication. */
export type PublicationEnd =
  /** Written, and it can be called. */
  | { readonly kind: 'served' }
  /** Written, and the running server goes on without it, in words why. */
  | { readonly kind: 'needsRestart'; readonly reason: string };

/** Who publishes what. */
export interface Publication {
  readonly draft: ServiceTexts & { readonly id: string; readonly user: string };
  readonly wish: PublicationWish;
  /** Tag of the plan that was looked at. */
  readonly seen: string;
  /** For the audit trail. */
  readonly who: string;
  readonly from: string;
}

/** Makes a service of a draft that programs can call. */
export interface ServicePublishing {
  /** Names of the pools that there are. */
  readonly pools: readonly string[];
  /** @throws ServiceError SVC_ERR_CHECK_COMPLEX, SVC_ERR_CHECK_BUSY, SVC_ERR_SERVICE_BUSY */
  plan(draft: ServiceTexts, wish: PublicationWish, orderer: Orderer): Promise<PublicationPlan>;
  /**
   * Writes both files, or nothing.
   * @throws ServiceError SVC_ERR_PUBLICATION_REFUSED, SVC_ERR_PUBLICATION_CHANGED, SVC_ERR_PUBLICATION_FAILED, SVC_ERR_AUDIT_UNAVAILABLE,
   *   and those of `plan`
   */
  publish(publication: Publication): Promise<PublicationEnd>;
}

type Names = string | readonly string[];

/**
 * The file of a service under another name, with a pool, and with other names of its screens; its comments stay.
 * @param source without faults
 * @param document what it says
 */
export function publishedService(
  source: string,
  document: ServiceDocument,
  { name, pool, renamed }: { name: string; pool: string; renamed: ReadonlyMap<string, string> },
): string {
  const { service: _, description, pool: __, steps, ...rest } = document;
  const published = {
    service: name,
    ...(description === undefined ? {} : { description }),
    pool,
    ...rest,
    ...(steps === undefined ? {} : { steps: steps.map((step) => renamedStep(step, renamed)) }),
  };
  return withYamlValue(source, published);
}

function renamedStep(step: StepDocument, renamed: ReadonlyMap<string, string>): StepDocument {
  const otherName = (name: string) => renamed.get(name) ?? name;
  const otherNames = (names: Names): Names =>
    typeof names === 'string' ? otherName(names) : names.map((name) => otherName(name));
  const { at, expect, outcomes } = step;
  return {
    ...step,
    at: otherNames(at),
    ...(expect === undefined ? {} : { expect: otherNames(expect) }),
    ...(outcomes === undefined
      ? {}
      : { outcomes: Object.fromEntries(Object.entries(outcomes).map(([key, value]) => [otherName(key), value])) }),
  };
}
