export interface ServiceDraft {
  readonly id: string;
  readonly name: string;
  readonly user: string;
  /** Milliseconds since 1970. */
  readonly storedAt: number;
  /** Contents of screens.yaml and of the service file. */
  readonly screens: string;
  readonly service: string;
}

export const MOST_DRAFTS = 100;
export const MOST_DRAFTS_OF_USER = 20;
/** Of each of the two files, in UTF-16 code units. The bound keeps checks of both from blocking the event loop. */
export const LONGEST_DRAFT_TEXT = 32_768;

export interface DraftStore {
  /** @returns false if MOST_DRAFTS or MOST_DRAFTS_OF_USER is reached; the draft is then not stored */
  add(draft: ServiceDraft): Promise<boolean>;
  list(): Promise<readonly ServiceDraft[]>;
  read(id: string): Promise<ServiceDraft | undefined>;
  remove(id: string): Promise<boolean>;
}
