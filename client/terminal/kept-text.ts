/** Of the browser, or of one tab of it. Where pages may keep nothing, even to name it is an error. */
type Place = 'localStorage' | 'sessionStorage';

/** What is kept under a key. */
export function keptText(place: Place, key: string): string | null {
  try {
    return window[place].getItem(key);
  } catch {
    // no storage here
    return null;
  }
}

/** @returns false where the browser has no room for it, or does not allow it */
export function keepText(place: Place, key: string, text: string): boolean {
  try {
    window[place].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
