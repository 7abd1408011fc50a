import type { Detail } from '../../lib/locale.js';
import type { ThreadWork } from '../../lib/turns/thread-orders.js';
import type { ServiceStep, StepsReading } from '../../services/service-definition.js';
import type { ServiceTexts } from '../../services/service-publishing.js';
import type { ScreenDefinition } from '../../tn3270/conversation/screen-definition.js';
import type { CheckedTexts } from '../../web/recordings/recording-ports.js';

export type PreparedTrial =
  | {
      readonly kind: 'prepared';
      readonly screens: ReadonlyMap<string, ScreenDefinition>;
      readonly steps: readonly ServiceStep[];
      readonly values: ReadonlyMap<string, string>;
    }
  | { readonly kind: 'notBegun'; readonly reasons: readonly Detail[] };

export interface TrialOrder {
  readonly texts: ServiceTexts;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Screen names with their numbers of conditions, which is all that a check of steps needs. */
export type KnownScreens = readonly (readonly [name: string, conditions: number])[];

interface StepsOrder {
  readonly document: unknown;
  readonly screens: KnownScreens;
}

const module = new URL('./service-texts-worker.js', import.meta.url);
export const textsCheck: ThreadWork<ServiceTexts, CheckedTexts> = { name: 'check of a service', module };
export const trialPreparation: ThreadWork<TrialOrder, PreparedTrial> = { name: 'preparation of a trial', module };
export const stepsReading: ThreadWork<StepsOrder, StepsReading> = { name: 'reading of steps', module };
