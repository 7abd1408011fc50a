import WebSocket from 'ws';
import { ScreenClient } from '../../sessions/screen-client.js';
import { eventually } from '../../support/eventually.js';
import { basic } from '../../support/sign-on-client.js';
import type { PolicySite } from './policy-site.js';
import { SCREENS } from './policy-site.js';
import { type Begin, type Beginning, notOffered } from './surface.js';

/** The option field of the menu, by its position. */
const OPTION = 'V00000AD';
const JSON_TYPE = 'application/json';

/** A page of a session, as a browser has it. */
class Page {
  readonly shown: string[] = [];
  cookie = '';
  action = '';

  constructor(
    readonly url: string,
    readonly accept: string,
  ) {}

  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(this.url + path, {
      redirect: 'manual',
      ...init,
      headers: { Accept: this.accept, Cookie: this.cookie, ...(init.headers as object) },
    });
    const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0] ?? '');
    if (cookies.length > 0) this.cookie = cookies.join('; ');
    return response;
  }

  /** @returns the status, and the code of an error */
  async take(response: Response): Promise<string> {
    const text = await response.text();
    if (this.accept !== JSON_TYPE) {
      const action = /id="screen-form"[^>]*action="([^"]+)"/.exec(text)?.[1];
      if (action !== undefined) this.action = action;
      const screen = /<pre>([\s\S]*?)<\/pre>/.exec(text)?.[1];
      if (screen !== undefined) this.shown.push(screen);
      return String(response.status);
    }
    const { code, action, text: rows, ended } = JSON.parse(text === '' ? '{}' : text);
    if (action !== undefined) this.action = action;
    if (rows !== undefined) this.shown.push(rows.join('\n'));
    const further = code ?? (ended === undefined ? '' : `ended ${ended}`);
    return `${response.status} ${further}`.trim();
  }

  post(fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    return this.request(this.action, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  /** The address of files. */
  files(method: string, query: Readonly<Record<string, string>> = {}, body?: Uint8Array): Promise<Response> {
    const path = `${this.action.replace('++Svc', '++TransferSvc')}?${new URLSearchParams(query)}`;
    return this.request(path, {
      method,
      body: body === undefined ? null : Buffer.from(body),
      headers: { Accept: JSON_TYPE, ...(body === undefined ? {} : { 'Content-Type': 'application/octet-stream' }) },
    });
  }

  async sendSlowly(): Promise<{ cancel(): Promise<void> }> {
    const sending = this.files(
      'POST',
      { direction: 'send', file: 'SLOW.FILE', mode: 'binary' },
      new Uint8Array(100_000),
    );
    await eventually(async () => {
      const { transfer } = (await (await this.files('GET')).json()) as { transfer?: { readonly bytes: number } };
      return transfer !== undefined && (await this.isLocked()) ? true : undefined;
    });
    return {
      cancel: async () => {
        await this.files('DELETE');
        await (await sending).arrayBuffer();
      },
    };
  }

  async isLocked(): Promise<boolean> {
    const response = await this.request(this.action, { headers: { Accept: JSON_TYPE } });
    return ((await response.json()) as { locked: boolean }).locked;
  }

  /** @param accept JSON: the list; else the next document as text */
  async documents(accept: string): Promise<string> {
    const path = this.action.replace(/[^/]*\+\+/, 'x.txt++Print');
    const response = await this.request(path, { headers: { Accept: accept } });
    await response.arrayBuffer();
    return String(response.status);
  }

  async transfer(query: Readonly<Record<string, string>>, body?: Uint8Array): Promise<string> {
    const response = await this.files('POST', query, body);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status === 200) return body === undefined ? `200 ${bytes.length}` : '200';
    return `${response.status} ${JSON.parse(bytes.toString()).code}`;
  }
}

async function open(
  site: PolicySite,
  { page, accept }: { readonly page: string; readonly accept: string },
  transaction: string,
  { user, line }: Beginning,
): Promise<Page | string> {
  const opened = new Page(site.url(line), accept);
  const headers = user === undefined ? {} : basic(user.name, user.password);
  const end = await opened.take(await opened.request(`/${page}+${transaction}`, { headers }));
  return opened.action === '' ? end : opened;
}

/** @param numbered whether each submit has a number, as those of scripts have */
function formSurface(page: string, accept: string, numbered: boolean): Begin {
  return async (site, transaction, beginning = {}) => {
    const opened = await open(site, { page, accept }, transaction, beginning);
    if (typeof opened === 'string') return opened;
    let number = 0;
    const submit = async (fields: Readonly<Record<string, string>>) =>
      opened.take(await opened.post(fields, numbered ? { 'X-Svc-Request-Id': `${++number} ENTER 11:10:01` } : {}));
    return {
      shown: opened.shown,
      enter: (text) => submit({ pf: 'ENTER', [OPTION]: text }),
      leavePanel: () => submit({ pf: 'PF3' }),
      look: async () => {
        await opened.take(await opened.request(opened.action));
      },
      page: { sendSlowly: () => opened.sendSlowly(), documents: () => opened.documents(accept) },
      send: (file, bytes, { append } = { append: false }) =>
        opened.transfer({ direction: 'send', file, mode: 'binary', ...(append ? { append: 'yes' } : {}) }, bytes),
      receive: (file) => opened.transfer({ direction: 'receive', file, mode: 'binary' }),
      offersFiles: notOffered,
      end: async () => {
        await submit({ pf: 'DISCONNECT' });
      },
    };
  };
}

export const beginForm = formSurface('TERMINAL.HTML', 'text/html', true);
export const beginPlainForm = formSurface('PLAIN.HTML', 'text/html', false);
export const beginJson = formSurface('PLAIN.HTML', JSON_TYPE, false);

/** @param isMacro whether a macro plays: its keys name the screens that they are for */
function socketSurface(isMacro: boolean): Begin {
  return async (site, transaction, beginning = {}) => {
    const opened = await open(site, { page: 'PLAIN.HTML', accept: JSON_TYPE }, transaction, beginning);
    if (typeof opened === 'string') return opened;
    const shown: string[] = [];
    const client = new ScreenClient(opened.url, opened.action, opened.cookie);
    await client.connect({ Origin: opened.url });
    await eventually(() => (client.cells.length > 0 ? true : undefined));
    if (isMacro) {
      client.send({ k: 'm', n: 'Policy' });
      await client.message(({ k, p }) => k === 'm' && p === client.page);
    }
    let number = 0;
    const note = () => shown.push(client.rows().join('\n'), JSON.stringify(client.messages));
    note();
    const press = async (key: string, fields: Readonly<Record<string, string>>, on: readonly string[]) => {
      const i = ++number;
      const screens = on.map((text) => [{ text, row: 1, column: 2 }]);
      // the answer to the key before may not have come yet
      const base = i === 1 ? {} : { r: undefined, y: 1 };
      client.key(i, key, fields, isMacro ? { ...base, x: screens } : base);
      const answer = await client.message((one) => ((one.k === 'a' || one.k === 'r') && one.i === i) || one.k === 'e');
      note();
      return [answer.k, answer.e].filter((word) => word !== undefined).join(' ');
    };
    return {
      shown,
      enter: (text) => press('ENTER', { [OPTION]: text }, ['MENU']),
      leavePanel: async () => {
        const end = await press('PF3', {}, ['LATE', 'ACCT']);
        return end;
      },
      look: async () => {
        // the whole screen is sent to a page that comes anew
        const other = new ScreenClient(opened.url, opened.action, opened.cookie);
        await other.connect({ Origin: opened.url });
        await eventually(() => (other.cells.length > 0 ? true : undefined));
        shown.push(other.rows().join('\n'));
        other.cut();
      },
      page: {
        sendSlowly: () => opened.sendSlowly(),
        documents: async () => {
          client.send({ k: 'q' });
          await client.message(({ k }) => k === 't');
          return client.messages.some(({ k, i }) => k === 'p' && Number(i) > 0) ? 'told' : 'not told';
        },
      },
      send: notOffered,
      receive: notOffered,
      offersFiles: async () => {
        client.send({ k: 'q' });
        await client.message(({ k }) => k === 't');
        return client.messages.some(({ k }) => k === 'f');
      },
      end: async () => client.cut(),
    };
  };
}

export const beginWebSocket = socketSurface(false);
export const beginMacro = socketSurface(true);

/** A trial of a recorded service in the session of a page. */
export const beginTrial: Begin = async (site, transaction, beginning = {}) => {
  const opened = await open(site, { page: 'PLAIN.HTML', accept: JSON_TYPE }, transaction, beginning);
  if (typeof opened === 'string') return opened;
  const { shown } = opened;
  const session = /\+\+SvcSession=([A-Za-z0-9_-]+)/.exec(opened.action)?.[1];
  const attempt = async (steps: string, parameters = '{}', values: object = {}) => {
    const response = await opened.request('/w2h/services/try', {
      method: 'POST',
      headers: { 'Content-Type': JSON_TYPE, Accept: JSON_TYPE },
      body: JSON.stringify({
        session,
        screens: SCREENS,
        service: `service: attempt\nparameters: ${parameters}\nsteps: ${steps}\n`,
        values,
      }),
    });
    const { kind, reasons = [], picture, code, extracts } = JSON.parse(await response.text());
    if (picture !== undefined) shown.push(picture);
    if (extracts?.file !== undefined) return `${kind} ${Buffer.from(extracts.file, 'base64').length}`;
    return [kind ?? `${response.status} ${code}`, ...reasons].join(': ');
  };
  const file = (name: string, direction: string, more: string) =>
    `[{ at: READY, transfer: { direction: ${direction}, file: ${name}, mode: binary, ${more} } }]`;
  return {
    shown,
    page: { sendSlowly: () => opened.sendSlowly(), documents: notOffered },
    enter: (text) =>
      attempt("[{ at: MENU, fill: [{ at: [3, 14], text: '{text}' }], press: Enter }]", '{ text: { type: string } }', {
        text,
      }),
    leavePanel: () => attempt('[{ at: LATE, press: PF3, expect: NOWHERE, within: 0.2 }]'),
    look: async () => {
      await attempt('[{ at: LATE, extract: { text: { at: [22, 2], length: 40 } } }]');
      await opened.take(await opened.request(opened.action));
    },
    send: (name, bytes) =>
      attempt(
        file(name, 'send', 'contents: contents'),
        '{ contents: { type: file, encoding: base64, maxBytes: 100000 } }',
        { contents: Buffer.from(bytes).toString('base64') },
      ),
    receive: (name) => attempt(file(name, 'receive', 'contents: file, most: 1048576')),
    offersFiles: notOffered,
    end: async () => {
      await opened.post({ pf: 'DISCONNECT' });
    },
  };
};

/** Whether a page of another browser may connect to a session: without its cookie. */
export async function connectsWithoutCookie(site: PolicySite, transaction: string): Promise<string> {
  const opened = await open(site, { page: 'PLAIN.HTML', accept: JSON_TYPE }, transaction, {});
  if (typeof opened === 'string') throw new Error(opened);
  // from now on the session belongs to the browser that has its cookie
  await opened.take(await opened.request(opened.action));
  const socket = new WebSocket(opened.url.replace('http', 'ws') + opened.action);
  return new Promise((resolve) => {
    socket.once('open', () => resolve('open'));
    socket.once('unexpected-response', (_, response) => {
      resolve(String(response.statusCode));
      socket.terminate();
    });
    socket.once('error', () => undefined);
  });
}
