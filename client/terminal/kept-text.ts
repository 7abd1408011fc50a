/** If storage is forbidden, even reading the property throws. */
type Place = 'localStorage' | 'sessionStorage';

export function keptText(place: Place, key: string): string | null {
  try {
    return window[place].getItem(key);
  } catch {
    // storage is forbidden
    return null;
  }
}

export function keepText(place: Place, key: string, text: string): boolean {
  try {
    window[place].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
