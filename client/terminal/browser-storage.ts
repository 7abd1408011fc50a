import { keepText, keptText } from './kept-text.js';

/** What this browser has under a key. */
export function textInBrowser(key: string): string | null {
  return keptText('localStorage', key);
}

/** @returns false where the browser has no room for it, or does not allow it */
export function keepInBrowser(key: string, text: string): boolean {
  return keepText('localStorage', key, text);
}

export function removeFromBrowser(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // no storage here
  }
}

/** What users before have left in this browser is none of the present one's business. */
export function forgetOthers(prefixes: readonly string[], own: readonly string[]): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (prefixes.some((prefix) => key.startsWith(prefix)) && !own.includes(key)) localStorage.removeItem(key);
    }
  } catch {
    // no storage here
  }
}
