import type { AuditTrail } from '../../access/audit/audit-trail.js';
import type { Detail } from '../../lib/locale.js';
import type { Orderer } from '../../lib/turns/work-threads.js';
import type { DraftStore } from '../../services/draft-store.js';
import type { ServicePublishing, ServiceTexts } from '../../services/service-publishing.js';
import type { WalkedSession } from '../../tn3270/conversation/conversation.js';

interface TextFault {
  /** `screens.yaml` or `service.yaml`. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

export interface CheckedTexts {
  readonly faults: readonly TextFault[];
  readonly service:
    | {
        readonly name: string;
        readonly pool: string | undefined;
        readonly parameters: readonly {
          readonly name: string;
          readonly type: string;
          readonly isSecret: boolean;
          readonly isRequired: boolean;
        }[];
      }
    | undefined;
}

/** Reasons that are strings name what the texts of the service or the screen contain. */
export type TrialEnd =
  | { readonly kind: 'done'; readonly extracts: Readonly<Record<string, unknown>> }
  /** Nothing was sent to the host: values are invalid, a trial is not possible, or the session shows another screen. */
  | { readonly kind: 'notBegun'; readonly reasons: readonly Detail[] }
  | {
      readonly kind: 'stopped';
      readonly reasons: readonly Detail[];
      readonly picture: string | undefined;
    };

export interface Trier extends Orderer {
  readonly signal: AbortSignal;
}

export interface SiteRecordings {
  /** @throws ServiceError SVC_ERR_CHECK_COMPLEX, SVC_ERR_CHECK_BUSY; the abort reason of the signal */
  check(texts: ServiceTexts, orderer: Orderer): Promise<CheckedTexts>;
  /**
   * Runs the service in a session, if the session shows its first screen.
   * @throws ServiceError SVC_ERR_CHECK_COMPLEX, SVC_ERR_CHECK_BUSY; the abort reason of the signal
   */
  walk(
    texts: ServiceTexts,
    values: Readonly<Record<string, unknown>>,
    session: WalkedSession,
    trier: Trier,
  ): Promise<TrialEnd>;
  readonly drafts: DraftStore;
  readonly publishing: ServicePublishing | undefined;
  readonly audit: AuditTrail;
}
