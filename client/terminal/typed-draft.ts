import type { EditSnapshot } from './model/edit-snapshot.js';
import { forgetOfPage, keepOfPage, ofPage } from './page-storage.js';

const DRAFT = 'draft';

/** Stores unsent input for a reload, without hidden fields. */
export function keepDraft(path: string, snapshot: EditSnapshot | undefined): void {
  keepOfPage(DRAFT, path, snapshot ?? null);
}

/** @returns the stored input of this session's page, which is then deleted */
export function takeDraft(path: string): EditSnapshot | undefined {
  const draft = ofPage(DRAFT, path);
  forgetDraft(path);
  return typeof draft === 'object' && draft !== null ? (draft as EditSnapshot) : undefined;
}

export function forgetDraft(path: string): void {
  forgetOfPage(DRAFT, path);
}
