import type { Role, SecurityUser } from '../../access/users/security-database.js';
import type { PagePath } from '../http/request-path.js';
import { hasRole } from '../sign-on/role-rank.js';
import type { PageVariables } from './portal-route.js';

interface Section {
  readonly name: string;
  readonly path: string;
  /** First names of further paths that belong to it. */
  readonly others?: readonly string[];
  /** The least role that sees it, where that is not operator. */
  readonly role?: Role;
  /** Only where there are several servers. */
  readonly isOfCluster?: true;
}

/** Parts of the portal, in the order of its navigation. */
const sections: readonly Section[] = [
  { name: 'Overview', path: '/' },
  { name: 'Sessions', path: '/sessions' },
  { name: 'Lines', path: '/lines', others: ['pools'] },
  { name: 'Servers', path: '/nodes', isOfCluster: true },
  { name: 'Loaded', path: '/loaded' },
  { name: 'Configuration', path: '/configuration', role: 'administrator' },
  { name: 'Macros', path: '/macros' },
  { name: 'Drafts', path: '/drafts' },
  { name: 'Users', path: '/users', others: ['new'] },
  { name: 'Groups', path: '/groups' },
  { name: 'Tokens', path: '/tokens' },
  { name: 'Log', path: '/log' },
  { name: 'Traces', path: '/traces', role: 'administrator' },
  { name: 'Audit trail', path: '/audit' },
];

/** What every page is told of the role of whoever looks at it. */
export function roleVariables(role: Role): PageVariables {
  return { '$MAY-CHANGE$': role === 'administrator' ? ['yes'] : undefined, $ROLE$: [role] };
}

/** What the navigation of every page is told: what there is for this user, and where it stands, on that page or below it. */
export function sectionVariables(
  { directories, page }: PagePath,
  user: SecurityUser,
  hasCluster: boolean,
): PageVariables {
  const first = ([...directories, page][0] ?? '').toLowerCase();
  const current = directories.length === 0 ? 'page' : 'true';
  const isIn = ({ path, others = [] }: Section) => path === `/${first}` || others.includes(first);
  const shown = sections.filter(
    ({ role, isOfCluster }) => (role === undefined || hasRole(user, role)) && (hasCluster || isOfCluster !== true),
  );
  return {
    $SECTION$: shown.map(({ name }) => name),
    '$SECTION-PATH$': shown.map(({ path }) => path),
    '$SECTION-CURRENT$': shown.map((section) => (isIn(section) ? current : '')),
  };
}
