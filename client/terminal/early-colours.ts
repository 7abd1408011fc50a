/** Colours last shown in this browser: the next page applies them before its first paint. */

const STORAGE_KEY = 'sallyport-own-colours';
const NAME = /^--[a-z]{3,12}$/;
const COLOUR = /^#[\da-f]{6}$/i;
const MOST = 32;

export function earlyColours(): readonly (readonly [name: string, colour: string])[] {
  try {
    const kept = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Readonly<Record<string, unknown>>;
    return Object.entries(kept)
      .slice(0, MOST)
      .flatMap(([name, colour]) =>
        NAME.test(name) && typeof colour === 'string' && COLOUR.test(colour) ? [[name, colour] as const] : [],
      );
  } catch {
    return [];
  }
}

/** @param colours empty if the user has chosen another theme */
export function keepEarlyColours(colours: Readonly<Record<string, string>>): void {
  const text = JSON.stringify(colours);
  try {
    if (text === '{}') localStorage.removeItem(STORAGE_KEY);
    else if (localStorage.getItem(STORAGE_KEY) !== text) localStorage.setItem(STORAGE_KEY, text);
  } catch {
    // without storage, the page first shows other colours
  }
}
