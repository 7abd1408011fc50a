import type { RequestPath } from './request-path.js';

/**
 * The path that the RegExps of the routers see: of all ways to write a path the same one. Names are in upper case, with nothing
 * percent-encoded that need not be, so that `/%53ecure/…` is no way around what is asked of `/SECURE/…`; a transaction stands
 * behind one plus sign, a session behind two, without its code. Whatever compares names more strictly does so itself.
 */
export function routingPath(path: RequestPath): string {
  let location = '';
  for (const directory of path.directories) location += `/${folded(directory)}`;
  location += `/${folded(path.page)}`;
  switch (path.kind) {
    case 'page':
      return location;
    case 'transaction':
      return `${location}+${folded(path.transaction)}`;
    case 'session':
      return `${location}++`;
  }
}

/** Slashes and plus signs of names stay percent-encoded. */
function folded(name: string): string {
  return encodeURIComponent(name.toUpperCase());
}
