import type { PagePath } from '../http/request-path.js';
import type { PageVariables } from './portal-route.js';

interface Section {
  readonly name: string;
  readonly path: string;
  /** First names of further paths that belong to it. */
  readonly others?: readonly string[];
}

/** Parts of the portal, in the order of its navigation. */
const sections: readonly Section[] = [
  { name: 'Overview', path: '/' },
  { name: 'Sessions', path: '/sessions' },
  { name: 'Macros', path: '/macros' },
  { name: 'Drafts', path: '/drafts' },
  { name: 'Users', path: '/users', others: ['new'] },
  { name: 'Groups', path: '/groups' },
  { name: 'Tokens', path: '/tokens' },
  { name: 'Audit trail', path: '/audit' },
];

/** What the navigation of every page is told: what there is, and where it stands, on that page or below it. */
export function sectionVariables({ directories, page }: PagePath): PageVariables {
  const first = ([...directories, page][0] ?? '').toLowerCase();
  const current = directories.length === 0 ? 'page' : 'true';
  const isIn = ({ path, others = [] }: Section) => path === `/${first}` || others.includes(first);
  return {
    $SECTION$: sections.map(({ name }) => name),
    '$SECTION-PATH$': sections.map(({ path }) => path),
    '$SECTION-CURRENT$': sections.map((section) => (isIn(section) ? current : '')),
  };
}
