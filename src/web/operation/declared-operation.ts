import type { Role } from '../../access/users/user-store.js';
import { doneByAllWorkers } from '../portal/other-workers.js';
import type {
  AnswerPortalRequest,
  DeclaredReply,
  LiveView,
  PortalOutcome,
  PortalRequest,
  PortalRoute,
} from '../portal/portal-route.js';
import type { AdminRequest, AdminRoute, OperationRequest } from './operation-request.js';

/** The least role in the portal, and the scope of tokens. Operations without a scope are not in the admin API. */
interface Permission {
  readonly role: Role;
  readonly scope?: AdminRoute['scope'];
}
type TokenPermission = Required<Permission>;

export const users: Permission = { role: 'user' };
export const operators: TokenPermission = { role: 'operator', scope: 'operation' };
export const administrators: Permission = { role: 'administrator' };
export const tracers: TokenPermission = { role: 'administrator', scope: 'tracing' };

/** Its pages and forms in the portal, and its requests of the admin API. */
export interface Operation {
  readonly pages?: readonly PortalRoute[];
  readonly requests?: readonly AdminRoute[];
}

interface PageOptions extends DeclaredReply {
  readonly live?: LiveView;
}

export function page(
  path: string,
  { role }: Permission,
  answer: AnswerPortalRequest,
  { live, ...reply }: PageOptions = {},
): Operation {
  return { pages: [{ method: 'GET', path, role, answer, reply, live }] };
}

/** @param json data of the admin API @param shown page of the portal */
export function report(
  path: string,
  permission: TokenPermission,
  json: AdminRoute['answer'],
  shown?: AnswerPortalRequest,
  options?: PageOptions,
): Operation {
  const request: AdminRoute = { method: 'GET', path: adminPath(path), scope: permission.scope, answer: json };
  return { requests: [request], ...(shown === undefined ? {} : page(path, permission, shown, options)) };
}

interface FormOptions {
  readonly takes?: 'fields' | 'upload';
  /** Permission for the page, if it differs. */
  readonly readers?: Permission;
  /** Declared replies of the page and of the form. */
  readonly asked?: DeclaredReply;
  readonly sent?: DeclaredReply;
}

/** @param shown page with the form. It has the address of the form, so that a sign-on in between leads back to it. */
export function form(
  path: string,
  permission: Permission,
  shown: AnswerPortalRequest,
  answer: AnswerPortalRequest,
  { takes = 'fields', readers = permission, asked, sent }: FormOptions = {},
): Operation {
  const { role } = permission;
  const submit: PortalRoute = { method: 'POST', path, role, takes, answer, form: shown, reply: sent };
  return { pages: [...(page(path, readers, shown, asked).pages ?? []), submit] };
}

export interface ActForm<Result> extends FormOptions {
  readonly page: AnswerPortalRequest;
  readonly done: (request: PortalRequest, result: Result) => PortalOutcome;
}

/** An act of src/operation, by a form of the portal and by a request of the admin API. */
interface Act<Input, Result> {
  /** Reads the input from the form of the portal. */
  readonly typed: (request: PortalRequest) => Input;
  /** Reads the input from the JSON of the admin API. */
  readonly read: (request: AdminRequest) => Input | Promise<Input>;
  readonly act: (request: OperationRequest, input: Input) => Promise<Result>;
  readonly form?: ActForm<Result>;
  readonly json: (result: Result, request: OperationRequest) => object;
  /** Paths in the admin API, if they differ. */
  readonly paths?: readonly string[];
  /** Repeats it at the other workers of the machine. */
  readonly isForAllWorkers?: true;
}

export function operationWith<Input, Result>(
  path: string,
  permission: TokenPermission,
  { typed, read, act, form: shown, json, paths = [path], isForAllWorkers }: Act<Input, Result>,
): Operation {
  const requests = paths.map(
    (one): AdminRoute => ({
      method: 'POST',
      path: adminPath(one),
      scope: permission.scope,
      isForAllWorkers,
      answer: async (request) => json(await act(request, await read(request)), request),
    }),
  );
  if (shown === undefined) return { requests };
  const answer: AnswerPortalRequest = async (request) => {
    const outcome = shown.done(request, await act(request, typed(request)));
    return isForAllWorkers ? doneByAllWorkers(request, outcome) : outcome;
  };
  return { requests, ...form(path, permission, shown.page, answer, shown) };
}

export function operation<Result>(
  path: string,
  permission: TokenPermission,
  declared: Omit<Act<undefined, Result>, 'typed' | 'read'>,
): Operation {
  return operationWith(path, permission, { typed: () => undefined, read: () => undefined, ...declared });
}

function adminPath(path: string): string {
  return `/api/admin/v1${path}`;
}
