import type { PortalReply, PortalRequest } from './portal-route.js';

/** The first page: what there is, and where it is changed. */
export async function overview({ macros, portal }: PortalRequest): Promise<PortalReply> {
  const users = await portal.users.records();
  const locked = users.filter(({ locked: since }) => since !== undefined);
  return {
    kind: 'page',
    page: 'WEB2HOST.HTML',
    variables: {
      $MACROS$: macros.isConfigured ? ['configured'] : undefined,
      '$USER-COUNT$': [String(users.length)],
      '$LOCKED-USER$': locked.length === 0 ? undefined : locked.map(({ name }) => name),
    },
  };
}
