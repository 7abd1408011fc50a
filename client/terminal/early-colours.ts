/** The colours that were shown last in this browser, for the next page: it has them before it is painted. */

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

/** @param colours none: the theme is another one */
export function keepEarlyColours(colours: Readonly<Record<string, string>>): void {
  const text = JSON.stringify(colours);
  try {
    if (text === '{}') localStorage.removeItem(STORAGE_KEY);
    else if (localStorage.getItem(STORAGE_KEY) !== text) localStorage.setItem(STORAGE_KEY, text);
  } catch {
    // without room the page is painted in others first
  }
}
