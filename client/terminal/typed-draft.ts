import type { EditSnapshot } from './model/edit-snapshot.js';

const DRAFT_KEY = 'sallyport-draft';

/** What was typed and not sent yet survives a reload; what is not displayed is not in it. */
export function keepDraft(path: string, snapshot: EditSnapshot | undefined): void {
  sessionStorage.setItem(DRAFT_KEY, JSON.stringify([path, snapshot]));
}

/** @returns what the page of this session had kept; it is forgotten here */
export function takeDraft(path: string): EditSnapshot | undefined {
  try {
    const [of, draft] = JSON.parse(sessionStorage.getItem(DRAFT_KEY) ?? '[]') as [string, EditSnapshot];
    return of === path ? draft : undefined;
  } catch {
    // somebody else's
    return undefined;
  } finally {
    forgetDraft();
  }
}

export function forgetDraft(): void {
  sessionStorage.removeItem(DRAFT_KEY);
}
