import { ServiceError } from '../../lib/errors.js';
import type { ServiceDraft } from '../../services/draft-store.js';
import type { MergedScreen, ScreenWish } from '../../services/merge-screens.js';
import type { PublicationPlan, PublicationWish, ServicePublishing } from '../../services/service-publishing.js';
import { ordererOf } from '../http/request-sender.js';
import type { PortalWording } from '../words/portal-wording.js';
import { draftOf, draftPath, recordingsOf } from './draft-pages.js';
import { textDifferenceVariables } from './macro-texts.js';
import { redirectTo } from './portal-paths.js';
import type { PageVariables, PortalOutcome, PortalRequest } from './portal-route.js';

/** The effects of publishing a draft, and the form to publish it. */
export async function publicationPage(request: PortalRequest): Promise<PortalOutcome> {
  const draft = await draftOf(request);
  const publishing = publishingOf(request);
  const orderer = ordererOf(request.request.incoming, request.request.signal);
  const { service } = await recordingsOf(request).check(draft, orderer);
  const { pools } = publishing;
  const wish = wishOf(request, draft, service?.pool ?? onlyOne(pools));
  const plan = await publishing.plan(draft, wish, orderer);
  return {
    kind: 'page',
    page: 'DRAFT-PUBLICATION.HTML',
    variables: variablesOf(draft, wish, plan, { pools, words: request.words }),
  };
}

/** Shows the effects with the typed values, or publishes the draft. */
export async function publishDraft(request: PortalRequest): Promise<PortalOutcome> {
  if (request.field('DO') !== 'publish') return publicationPage(request);
  const draft = await draftOf(request);
  const wish = wishOf(request, draft, '');
  const { who, from } = request.actor;
  const end = await publishingOf(request).publish({ draft, wish, seen: request.field('SEEN'), who, from });
  return redirectTo(draftPath(draft.id), end.kind === 'served' ? 'draft-published' : 'draft-published-restart');
}

function publishingOf(request: PortalRequest): ServicePublishing {
  const { publishing } = recordingsOf(request);
  if (publishing !== undefined) return publishing;
  throw new ServiceError('SVC_ERR_PUBLICATION_REFUSED', { detail: { code: 'service.noFolder' } });
}

function onlyOne(names: readonly string[]): string {
  return names.length === 1 ? (names[0] ?? '') : '';
}

function wishOf({ typed, fields }: PortalRequest, { name }: ServiceDraft, pool: string): PublicationWish {
  const screens = new Map<string, ScreenWish>();
  for (const [field, [value]] of fields) {
    const screen = /^SCREEN:(.{1,64})$/.exec(field)?.[1];
    if (screen === undefined) continue;
    if (value === 'replace') screens.set(screen, { kind: 'replace' });
    else if (value === 'rename') {
      screens.set(screen, { kind: 'rename', to: (typed(`RENAME:${screen}`) ?? '').trim() });
    }
  }
  return {
    name: (typed('NAME') ?? name).trim(),
    pool: typed('POOL') ?? pool,
    replaces: typed('REPLACE') === 'yes',
    screens,
  };
}

function variablesOf(
  draft: ServiceDraft,
  wish: PublicationWish,
  { tag, screens, replaced, faults, offeredBy }: PublicationPlan,
  { pools, words }: { readonly pools: readonly string[]; readonly words: PortalWording },
): PageVariables {
  const named = (state: string) => screens.filter((screen) => screen.state === state);
  const conflicts = named('conflict');
  const chosen = (kind: ScreenWish['kind']) => conflicts.map((one) => (one.wish?.kind === kind ? 'yes' : ''));
  return {
    $DRAFT$: [draft.name],
    '$DRAFT-PATH$': [draftPath(draft.id)],
    $SEEN$: [tag],
    '$NAME-TYPED$': [wish.name],
    '$POOL-CHOICE$': pools,
    '$POOL-IS-CHOSEN$': pools.map((pool) => (pool === wish.pool ? 'yes' : '')),
    '$NEW-SCREENS$': listed(named('new')),
    '$SAME-SCREENS$': listed(named('same')),
    $CONFLICT$: conflicts.map(({ name }) => name),
    '$CONFLICT-THERE$': conflicts.map(({ conditionsThere }) => conditionsText(conditionsThere)),
    '$CONFLICT-DRAFT$': conflicts.map(({ conditions }) => conditionsText(conditions)),
    '$CONFLICT-USED-BY$': conflicts.map(({ usedBy }) =>
      usedBy.length === 0 ? words.text('nobody') : usedBy.join(', '),
    ),
    '$CONFLICT-RENAMES$': chosen('rename'),
    '$CONFLICT-REPLACES$': chosen('replace'),
    '$CONFLICT-NAME$': conflicts.map(({ freeName, wish: one }) => (one?.kind === 'rename' ? one.to : freeName)),
    '$REPLACED-FILE$': replaced && [replaced.file],
    '$REPLACE-IS-CHOSEN$': wish.replaces ? ['yes'] : undefined,
    ...(replaced === undefined ? {} : textDifferenceVariables(replaced.difference, words)),
    $FAULT$: faults.map((fault) => words.detail(fault)),
    '$IS-SOUND$': faults.length === 0 ? ['yes'] : undefined,
    '$OFFERED-BY$': offeredBy.length === 0 ? undefined : [offeredBy.join(', ')],
  };
}

function listed(screens: readonly MergedScreen[]): readonly string[] | undefined {
  return screens.length === 0 ? undefined : [screens.map(({ name }) => name).join(', ')];
}

/** Conditions as in `screens.yaml`, one per line. */
function conditionsText(conditions: MergedScreen['conditions']): string {
  return conditions.map((condition) => JSON.stringify(condition)).join('\n');
}
