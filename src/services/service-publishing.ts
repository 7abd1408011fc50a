import { withYamlValue } from '../lib/documents/yaml-edit.js';
import type { Detail } from '../lib/locale.js';
import type { DifferenceLine } from '../lib/text/line-comparison.js';
import type { Orderer } from '../lib/turns/work-threads.js';
import type { MergedScreen, ScreenWish } from './merge-screens.js';
import type { ServiceDocument, StepDocument } from './service-document.js';

/** Contents of screens.yaml and of the service file. */
export interface ServiceTexts {
  readonly screens: string;
  readonly service: string;
}

export interface PublicationWish {
  readonly name: string;
  readonly pool: string;
  readonly replaces: boolean;
  readonly screens: ReadonlyMap<string, ScreenWish>;
}

export interface PublicationPlan {
  /** Hash of the files involved; a publication is rejected if they have changed since. */
  readonly tag: string;
  readonly screens: readonly MergedScreen[];
  readonly replaced:
    | {
        readonly file: string;
        readonly difference: readonly DifferenceLine[];
      }
    | undefined;
  /** Strings are errors that the check of services reports. */
  readonly faults: readonly Detail[];
  readonly offeredBy: readonly string[];
}

export type PublicationEnd =
  | { readonly kind: 'served' }
  /** Written, but the running server cannot apply it; `reason` says why. */
  | { readonly kind: 'needsRestart'; readonly reason: string };

export interface Publication {
  readonly draft: ServiceTexts & { readonly id: string; readonly user: string };
  readonly wish: PublicationWish;
  readonly seen: string;
  readonly who: string;
  readonly from: string;
}

export interface ServicePublishing {
  readonly pools: readonly string[];
  plan(draft: ServiceTexts, wish: PublicationWish, orderer: Orderer): Promise<PublicationPlan>;
  /**
   * Writes both files or none.
   * @throws ServiceError SVC_ERR_PUBLICATION_REFUSED, SVC_ERR_PUBLICATION_CHANGED, SVC_ERR_PUBLICATION_FAILED,
   * SVC_ERR_AUDIT_UNAVAILABLE, and those of `plan`
   */
  publish(publication: Publication): Promise<PublicationEnd>;
}

type Names = string | readonly string[];

/** Changes name, pool and screen names in a service file. Comments of the file are kept. */
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
