/** A service as somebody has recorded it, for administrators to look at. */
export interface ServiceDraft {
  /** A UUID. */
  readonly id: string;
  /** Of the service. */
  readonly name: string;
  /** Who has stored it. */
  readonly user: string;
  /** Milliseconds since 1970. */
  readonly storedAt: number;
  /** Two files of a services folder. */
  readonly screens: string;
  readonly service: string;
}

export const MOST_DRAFTS = 100;
export const MOST_DRAFTS_OF_USER = 20;
/** Of each of the two files, in UTF-16 code units: a check of both holds the event loop for a moment only. */
export const LONGEST_DRAFT_TEXT = 32_768;

/** Where drafts wait. */
export interface DraftStore {
  /** @returns false where as many are there as may, of all or of its user: it is not stored */
  add(draft: ServiceDraft): Promise<boolean>;
  /** The newest first. */
  list(): Promise<readonly ServiceDraft[]>;
  read(id: string): Promise<ServiceDraft | undefined>;
  /** @returns whether it was there */
  remove(id: string): Promise<boolean>;
}
