import { auditVariables, latestEntries } from './audit-page.js';
import { userPath } from './portal-paths.js';
import type { PortalOutcome, PortalRequest } from './portal-route.js';
import { counted, instantText } from './wording.js';

const LATEST_CHANGES = 5;
const MOST_LOCKED = 20;

/** The first page: what there is, what to look at, and what was changed last. */
export async function overview(request: PortalRequest): Promise<PortalOutcome> {
  const { macros, portal } = request;
  const users = await portal.users.records();
  const locked = users.filter(({ locked: since }) => since !== undefined);
  const shown = locked.slice(0, MOST_LOCKED);
  return {
    kind: 'page',
    page: 'WEB2HOST.HTML',
    variables: {
      $MACROS$: macros.isConfigured ? ['configured'] : undefined,
      '$USER-COUNT$': [counted(users.length, 'user')],
      '$GROUP-COUNT$': [counted((await portal.users.groups()).length, 'group')],
      '$HAS-DIRECTORY-SERVER$': portal.hasDirectoryServer ? ['yes'] : undefined,
      '$LOCKED-USER$': shown.length === 0 ? undefined : shown.map(({ name }) => name),
      '$LOCKED-PATH$': shown.map(({ name }) => userPath(name)),
      '$LOCKED-SINCE$': shown.map(({ locked: since }) => (since === undefined ? '' : instantText(since))),
      '$LOCKED-MORE$': locked.length > shown.length ? [String(locked.length - shown.length)] : undefined,
      ...auditVariables(await latestEntries(request, LATEST_CHANGES)),
    },
  };
}
