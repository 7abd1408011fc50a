import type { EditSnapshot } from './model/edit-snapshot.js';
import { forgetOfPage, keepOfPage, ofPage } from './page-storage.js';

const DRAFT = 'draft';

/** What was typed and not sent yet survives a reload; what is not displayed is not in it. */
export function keepDraft(path: string, snapshot: EditSnapshot | undefined): void {
  keepOfPage(DRAFT, path, snapshot ?? null);
}

/** @returns what the page of this session had kept; it is forgotten here */
export function takeDraft(path: string): EditSnapshot | undefined {
  const draft = ofPage(DRAFT, path);
  forgetDraft(path);
  return typeof draft === 'object' && draft !== null ? (draft as EditSnapshot) : undefined;
}

export function forgetDraft(path: string): void {
  forgetOfPage(DRAFT, path);
}
