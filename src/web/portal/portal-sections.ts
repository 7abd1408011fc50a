import type { Role, SecurityUser } from '../../security/security-database.js';
import type { PagePath } from '../http/request-path.js';
import { hasRole } from '../sign-on/role-rank.js';
import type { PageVariables } from './portal-route.js';

interface Section {
  readonly path: string;
  readonly label: string;
  /** First names of the paths of its pages, that of `path` left out. */
  readonly others?: readonly string[];
  /** The least role that sees it. */
  readonly role?: Role;
}

/** Parts of the portal, in the order of the navigation. */
const sections: readonly Section[] = [
  { path: '/', label: 'Overview' },
  { path: '/configuration', label: 'Configuration', role: 'administrator' },
  { path: '/macros', label: 'Macros' },
  { path: '/drafts', label: 'Drafts' },
  { path: '/users', label: 'Users', others: ['new'] },
  { path: '/groups', label: 'Groups' },
  { path: '/tokens', label: 'Tokens' },
  { path: '/audit', label: 'Audit trail' },
];

/** The navigation: `$NAV$`, and for each value `$NAV-PATH$` and `$NAV-CURRENT$`: `page` on that page, `true` below it, blank elsewhere. */
export function navigationVariables(
  { directories, page }: Pick<PagePath, 'directories' | 'page'>,
  user: SecurityUser,
): PageVariables {
  const first = [...directories, page][0]?.toLowerCase() ?? '';
  const shown = sections.filter(({ role }) => role === undefined || hasRole(user, role));
  const place = directories.length === 0 ? 'page' : 'true';
  const isCurrent = ({ path, others = [] }: Section) => [path.slice(1), ...others].includes(first);
  return {
    $NAV$: shown.map(({ label }) => label),
    '$NAV-PATH$': shown.map(({ path }) => path),
    '$NAV-CURRENT$': shown.map((section) => (isCurrent(section) ? place : '')),
  };
}
