import { basic } from '../../support/sign-on-client.js';
import { beginJson } from './page-surfaces.js';
import type { PolicySite } from './policy-site.js';
import { type Acting, type Begin, type Beginning, begun, notOffered } from './surface.js';

/** What a program is told. */
interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Calls of one program. */
async function program(site: PolicySite, { user, line, token }: Beginning, scope: string) {
  const bearer = token ?? (user === undefined ? await site.token(scope) : '');
  const headers = bearer === '' && user !== undefined ? basic(user.name, user.password) : bearerOf(bearer);
  return async (path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST'): Promise<Reply> => {
    const response = await fetch(`${site.url(line)}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text), text };
  };
}

const bearerOf = (token: string) => ({ Authorization: `Bearer ${token}` });
const wordsOf = ({ status, body: { code = '' } }: Reply) => `${status} ${code}`.trim();

/** Steps of a program in a session of its own. */
export const beginSteps: Begin = async (site, transaction, beginning = {}) => {
  const call = await program(site, beginning, 'sessions');
  const first = await call('/sessions', { transaction });
  if (first.status !== 201) return wordsOf(first);
  const path = `/sessions/${first.body.handle}`;
  const shown: string[] = [];
  const note = (reply: Reply) => {
    const screen = (reply.body.screen ?? (reply.body.rows === undefined ? undefined : reply.body)) as
      | { readonly text: readonly string[] }
      | undefined;
    if (screen !== undefined) shown.push(screen.text.join('\n'));
    return wordsOf(reply);
  };
  note(first);
  const walk = async (...steps: readonly object[]) => note(await call(`${path}/steps`, steps));
  return {
    shown,
    enter: (text) => walk({ at: 'MENU', fill: [{ at: [3, 14], text }], press: 'Enter' }),
    leavePanel: () => walk({ at: 'LATE', press: 'PF3', expect: 'NOWHERE', within: 0.2 }),
    look: async () => {
      note(await call(`${path}/screen`));
    },
    send: (file) => walk({ at: 'READY', transfer: { direction: 'send', file, contents: 'contents' } }),
    receive: (file) => walk({ at: 'READY', transfer: { direction: 'receive', file, contents: 'contents' } }),
    offersFiles: notOffered,
    end: async () => {
      await call(path, undefined, 'DELETE');
    },
  };
};

/** Services that walk in the sessions of a pool; it has no sessions of a transaction. */
export const beginPool: Begin = async (site, _, beginning = {}) => {
  const call = await program(site, beginning, 'services');
  const shown: string[] = [];
  const service = async (name: string, body: object) => {
    const reply = await call(`/services/${name}`, body);
    shown.push(reply.text);
    return reply;
  };
  return {
    shown,
    enter: async (text) => wordsOf(await service('type', { text })),
    leavePanel: notOffered,
    look: notOffered,
    send: async (name, bytes) =>
      wordsOf(await service('send', { name, contents: Buffer.from(bytes).toString('base64') })),
    receive: async (name) => {
      const reply = await service('receive', { name });
      if (reply.status !== 200) return wordsOf(reply);
      return `200 ${Buffer.from(String(reply.body.file), 'base64').length}`;
    },
    offersFiles: notOffered,
    end: async () => undefined,
  };
};

/** The call of a service whose secret parameter the host displays, and which fails. */
export async function lostService(site: PolicySite, beginning: Beginning, text: string): Promise<Reply> {
  return (await program(site, beginning, 'services'))('/services/lost', { text });
}

/** The call of a service that finds its pool on another screen. */
export async function elsewhereService(site: PolicySite, beginning: Beginning): Promise<Reply> {
  return (await program(site, beginning, 'services'))('/services/elsewhere', {});
}

/** A transaction of type 2, whose INITIAL scenario walks a host session. */
export const beginScenario: Begin = async (site, transaction, { user, line } = {}) => {
  const headers = user === undefined ? {} : basic(user.name, user.password);
  const shown: string[] = [];
  const ask = async (text: string) => {
    const response = await fetch(`${site.url(line)}/PLAIN.HTML+${transaction}?password=${text}`, {
      headers: { Accept: 'application/json', ...headers },
    });
    const body = await response.text();
    if (response.status === 200) shown.push(body);
    return response.status === 200 ? '200' : `${response.status} ${JSON.parse(body).code}`;
  };
  return {
    shown,
    enter: ask,
    leavePanel: notOffered,
    look: notOffered,
    send: notOffered,
    receive: notOffered,
    offersFiles: notOffered,
    end: async () => undefined,
  };
};

/** The connection script of a session, which types at its beginning: what comes of it, the session shows. */
export const beginConnectionScript: Begin = async (site, transaction, beginning = {}) => {
  const acting: Acting | string = await beginJson(site, transaction, beginning);
  return typeof acting === 'string' ? acting : { ...begun(acting), enter: notOffered };
};
