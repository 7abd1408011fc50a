import type { Entry } from 'ldapts';

/** The values of an attribute that are text; the server may write its name in another case than we do. */
export function valuesOf(entry: Entry, attribute: string): string[] {
  const wanted = attribute.toLowerCase();
  return Object.entries(entry)
    .filter(([name]) => name.toLowerCase() === wanted)
    .flatMap(([, value]) => value)
    .filter((value) => typeof value === 'string');
}

/** The DN that a bind can be asked for; undefined for a text that the server would take for nobody, and so let in. */
export function dnOf({ dn }: Entry): string | undefined {
  return typeof dn === 'string' && dn.includes('=') ? dn : undefined;
}
