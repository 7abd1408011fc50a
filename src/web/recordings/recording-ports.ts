import type { AuditRecord } from '../../access/audit/audit-record.js';
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

/** What came of a check; without errors there is a service. */
export interface CheckedTexts {
  readonly faults: readonly TextFault[];
  readonly service:
    | {
        readonly name: string;
        /** Undefined: nobody can call it yet. */
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

/** What came of a trial. */
export type TrialEnd =
  | { readonly kind: 'done'; readonly extracts: Readonly<Record<string, unknown>> }
  /** Nothing was done: values are wrong, it cannot be tried, or the session stands elsewhere. */
  | { readonly kind: 'notBegun'; readonly reasons: readonly string[] }
  | {
      readonly kind: 'stopped';
      readonly reasons: readonly string[];
      /** The screen that is there, as text; undefined: there is none. */
      readonly picture: string | undefined;
    };

/** The client whose trial it is. */
export interface Trier extends Orderer {
  readonly signal: AbortSignal;
}

/** What services need that are made of recordings. */
export interface SiteRecordings {
  /** @throws ServiceError SVC_ERR_CHECK_COMPLEX, SVC_ERR_CHECK_BUSY; what the signal was aborted with */
  check(texts: ServiceTexts, orderer: Orderer): Promise<CheckedTexts>;
  /**
   * Walks the screens in a session, where that stands on the first one.
   * @throws ServiceError SVC_ERR_CHECK_COMPLEX, SVC_ERR_CHECK_BUSY; what the signal was aborted with
   */
  walk(
    texts: ServiceTexts,
    values: Readonly<Record<string, unknown>>,
    session: WalkedSession,
    trier: Trier,
  ): Promise<TrialEnd>;
  readonly drafts: DraftStore;
  /** Undefined: there is no services folder. */
  readonly publishing: ServicePublishing | undefined;
  readonly audit: AuditRecord;
}
