import { DEFAULT_TOKEN_DAYS, type ListedToken } from '../../access/tokens/token-administration.js';
import { refusedChange } from '../../access/users/security-change.js';
import { foldedName } from '../../access/users/security-name.js';
import { ServiceError } from '../../lib/errors.js';
import type { PortalWording } from '../words/portal-wording.js';
import { paged } from './paging.js';
import { redirectTo, tokenPath } from './portal-paths.js';
import { confirmation, type PortalOutcome, type PortalRequest } from './portal-route.js';

export async function tokenListPage({ portal, query, typed, words }: PortalRequest): Promise<PortalOutcome> {
  const { entries, variables } = paged(await portal.tokens.list(), query('page'), {
    name: 'TOKEN',
    path: '/tokens',
    parameter: 'page',
    others: {},
    words,
  });
  return {
    kind: 'page',
    page: 'TOKENS.HTML',
    variables: {
      ...variables,
      $TOKEN$: entries.map(({ name }) => name),
      '$TOKEN-SCOPES$': entries.map(({ scopes }) => scopes.join(', ')),
      '$TOKEN-STATE$': entries.map((token) => stateText(token, words)),
      '$TOKEN-USED$': entries.map(({ lastUsed }) =>
        lastUsed === undefined ? words.text('token.never') : words.instant(lastUsed),
      ),
      '$TOKEN-REVOKE-LABEL$': entries.map(({ name }) => words.text('token.revokeButton', { name })),
      '$TOKEN-REVOKE-PATH$': entries.map(({ name }) => `${tokenPath(name)}/revoke`),
      '$NAME-TYPED$': [typed('NAME') ?? ''],
      '$SCOPES-TYPED$': [typed('SCOPES') ?? ''],
      '$DAYS-TYPED$': [typed('DAYS') ?? String(DEFAULT_TOKEN_DAYS)],
    },
  };
}

/** The only page that shows a token, and only once. */
export async function addToken({ portal, actor, field }: PortalRequest): Promise<PortalOutcome> {
  const name = field('NAME').trim();
  const days = field('DAYS').trim();
  if (!/^\d{1,4}$/.test(days)) throw refusedChange('token.daysNumber');
  const scopes = field('SCOPES')
    .split(/[\s,]+/)
    .filter((scope) => scope !== '');
  const token = await portal.tokens.add(actor, { name, scopes, days: Number(days) });
  return { kind: 'page', page: 'MADE-TOKEN.HTML', variables: { $NAME$: [name], '$MADE-TOKEN$': [token] } };
}

export async function tokenRevocationPage(request: PortalRequest): Promise<PortalOutcome> {
  const token = await existingToken(request);
  const { name, scopes, lastUsed } = token;
  const { words } = request;
  return confirmation({
    title: words.text('token.revoke', { name }),
    facts: [
      words.text('token.scopes', { scopes: scopes.join(', '), state: stateText(token, words) }),
      lastUsed === undefined
        ? words.text('token.neverUsed')
        : words.text('token.lastUsed', { time: words.instant(lastUsed) }),
      words.text('token.effect'),
    ],
    action: `${tokenPath(name)}/revoke`,
    button: words.text('token.revokeButton', { name }),
    back: '/tokens',
  });
}

export async function revokeToken(request: PortalRequest): Promise<PortalOutcome> {
  const { name } = await existingToken(request);
  await request.portal.tokens.revoke(request.actor, name);
  return redirectTo('/tokens', 'token-revoked');
}

async function existingToken({ portal, segment }: PortalRequest): Promise<ListedToken> {
  const folded = foldedName(segment('name'));
  const found = (await portal.tokens.list()).find(({ name }) => foldedName(name) === folded);
  if (found !== undefined) return found;
  const values = { name: segment('name').slice(0, 70) };
  throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN', { detail: { code: 'token.unknown', values } });
}

function stateText({ expires, isExpired }: ListedToken, words: PortalWording): string {
  return words.text(isExpired ? 'token.expired' : 'token.until', { day: words.instant(expires) });
}
