import { keepText, keptText } from './kept-text.js';

export function textInBrowser(key: string): string | null {
  return keptText('localStorage', key);
}

/** @returns false if storage is full or forbidden */
export function keepInBrowser(key: string, text: string): boolean {
  return keepText('localStorage', key, text);
}

export function removeFromBrowser(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // storage is forbidden
  }
}

/** Deletes data of previous users of this browser. */
export function forgetOthers(prefixes: readonly string[], own: readonly string[]): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (prefixes.some((prefix) => key.startsWith(prefix)) && !own.includes(key)) localStorage.removeItem(key);
    }
  } catch {
    // storage is forbidden
  }
}
