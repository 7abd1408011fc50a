import type { AuditEntry } from '../../access/audit/audit-entry.js';
import { ServiceError } from '../../lib/errors.js';
import type { ServiceDraft } from '../../services/draft-store.js';
import { ordererOf } from '../http/request-sender.js';
import type { CheckedTexts, SiteRecordings } from '../recordings/recording-ports.js';
import type { PortalWording } from '../words/portal-wording.js';
import { redirectTo } from './portal-paths.js';
import { confirmation, type PageVariables, type PortalOutcome, type PortalRequest } from './portal-route.js';

const LIST = '/drafts';

/** Services created from recordings. */
export async function draftListPage(request: PortalRequest): Promise<PortalOutcome> {
  const drafts = await recordingsOf(request).drafts.list();
  return {
    kind: 'page',
    page: 'DRAFTS.HTML',
    variables: {
      '$DRAFT-COUNT$': [request.words.counted('draft', drafts.length)],
      $DRAFT$: drafts.map(({ name }) => name),
      '$DRAFT-PATH$': drafts.map(({ id }) => draftPath(id)),
      '$DRAFT-USER$': drafts.map(({ user }) => user),
      '$DRAFT-TIME$': drafts.map(({ storedAt }) => request.words.instant(new Date(storedAt))),
    },
  };
}

export async function draftPage(request: PortalRequest): Promise<PortalOutcome> {
  const draft = await draftOf(request);
  const { publishing } = recordingsOf(request);
  const { faults, service, notChecked } = await checked(request, draft);
  const lacksPool = service !== undefined && service.pool === undefined;
  return {
    kind: 'page',
    page: 'DRAFT.HTML',
    variables: {
      ...variablesOf(draft, request.words),
      $FAULT$: [
        ...notChecked,
        ...faults.map(({ file, line, column, severity, message }) => {
          return `${file}, line ${line}, column ${column}: ${severity}: ${message}`;
        }),
      ],
      '$LACKS-POOL$': lacksPool ? ['yes'] : undefined,
      '$MAY-PUBLISH$': publishing === undefined || service === undefined ? undefined : ['yes'],
      '$HAS-FOLDER$': publishing === undefined ? undefined : ['yes'],
    },
  };
}

/** A draft that cannot be checked is still shown, so that an administrator can remove it. */
async function checked(
  request: PortalRequest,
  draft: ServiceDraft,
): Promise<CheckedTexts & { readonly notChecked: readonly string[] }> {
  try {
    return {
      ...(await recordingsOf(request).check(draft, ordererOf(request.request.incoming, request.request.signal))),
      notChecked: [],
    };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'SVC_ERR_CHECK_COMPLEX') throw error;
    return { faults: [], service: undefined, notChecked: [error.message] };
  }
}

export async function draftServiceDownload(request: PortalRequest): Promise<PortalOutcome> {
  const { name, service } = await draftOf(request);
  return yamlFile(`${name}.yaml`, service);
}

export async function draftScreensDownload(request: PortalRequest): Promise<PortalOutcome> {
  return yamlFile('screens.yaml', (await draftOf(request)).screens);
}

export async function draftRemovalPage(request: PortalRequest): Promise<PortalOutcome> {
  const { id, name, user } = await draftOf(request);
  const { words } = request;
  return confirmation({
    title: words.text('draft.remove', { name }),
    facts: [words.text('draft.storedBy', { user }), words.text('draft.notRestorable')],
    action: `${draftPath(id)}/remove`,
    button: words.text('draft.removeButton'),
    back: draftPath(id),
  });
}

export async function removeDraft(request: PortalRequest): Promise<PortalOutcome> {
  const { id, name, user } = await draftOf(request);
  const { audit, drafts } = recordingsOf(request);
  const entry: AuditEntry = { ...request.actor, what: 'draft.removed', subject: name, before: { id, storedBy: user } };
  await audit.record(entry, async () => {
    if (!(await drafts.remove(id))) throw new ServiceError('SVC_ERR_DRAFT_UNKNOWN');
  });
  return redirectTo(LIST, 'draft-removed');
}

export function recordingsOf({ site }: PortalRequest): SiteRecordings {
  if (site.recordings === undefined) throw new ServiceError('SVC_ERR_TEMPLATE_UNKNOWN');
  return site.recordings;
}

/** @throws ServiceError SVC_ERR_DRAFT_UNKNOWN */
export async function draftOf(request: PortalRequest): Promise<ServiceDraft> {
  const draft = await recordingsOf(request).drafts.read(request.segment('id'));
  if (draft === undefined) throw new ServiceError('SVC_ERR_DRAFT_UNKNOWN');
  return draft;
}

export function draftPath(id: string): string {
  return `${LIST}/${id}`;
}

function variablesOf(
  { id, name, user, storedAt, screens, service }: ServiceDraft,
  words: PortalWording,
): PageVariables {
  return {
    $DRAFT$: [name],
    '$DRAFT-PATH$': [draftPath(id)],
    '$DRAFT-USER$': [user],
    '$DRAFT-TIME$': [words.instant(new Date(storedAt))],
    '$SERVICE-TEXT$': [service],
    '$SCREENS-TEXT$': [screens],
  };
}

function yamlFile(fileName: string, text: string): PortalOutcome {
  return { kind: 'file', bytes: Buffer.from(text), contentType: 'application/yaml', fileName };
}
