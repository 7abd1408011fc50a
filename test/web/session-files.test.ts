import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { type SessionSite, startSessionSite } from '../sessions/session-site.js';
import { eventually } from '../support/eventually.js';
import { linesOf } from '../support/transferred-files.js';

const MEBIBYTE = 1 << 20;
const CANARY = 'CANARY-OF-A-FILE';

interface Screen {
  readonly action: string;
  readonly locked: boolean;
  readonly text: readonly string[];
  readonly fields: readonly { readonly id: string; readonly protected: boolean }[];
}

/** A client of a session, at the command line of the simulated host. */
interface Session {
  readonly action: string;
  readonly cookie: string;
}

describe('files of a session', function () {
  this.timeout(30_000);
  let site: SessionSite;

  before(async () => {
    site = await startSessionSite({
      hosts: [
        'MENU: { simulated: true, start: MENU }',
        'SLOW: { simulated: true, start: MENU, faults: [slow-file] }',
      ].join('\n  '),
      transactions: [
        'MENU: { applicationType: 1, application: MENU, fileTransfer: { mebibytes: 1 } }',
        'SLOW: { applicationType: 1, application: SLOW, fileTransfer: {} }',
        'PLAIN: { applicationType: 1, application: MENU }',
      ].join('\n      '),
      furtherPages: { 'SCREEN.HTML': '<!--SVC start="{{{" end="}}}" --><p>{{{AJAX-SESSION-CODE}}}</p>' },
    });
  });

  after(() => site.stop());

  const json = { Accept: 'application/json' } as const;

  async function begin(transaction = 'MENU'): Promise<Session> {
    const response = await fetch(`${site.url}/SCREEN.HTML+${transaction}`, { headers: json });
    const { action } = (await response.json()) as Screen;
    const [cookie = ''] = response.headers.getSetCookie()[0]?.split(';') ?? [];
    const session = { action, cookie };
    await eventually(async () => ((await screen(session)).fields.length > 0 ? true : undefined));
    const typed = await submit(session, 'ENTER', 'T');
    expect(typed.status).to.equal(200);
    expect(((await typed.json()) as Screen).text.join('\n')).to.include('READY');
    return session;
  }

  async function screen({ action, cookie }: Session): Promise<Screen> {
    return (await (await fetch(site.url + action, { headers: { ...json, Cookie: cookie } })).json()) as Screen;
  }

  async function submit(session: Session, key: string, text = ''): Promise<Response> {
    const { fields } = await screen(session);
    const body = new URLSearchParams({ pf: key });
    const input = fields.find((field) => !field.protected);
    if (input !== undefined) body.set(input.id, text);
    return fetch(site.url + session.action, { method: 'POST', body, headers: { ...json, Cookie: session.cookie } });
  }

  function files(
    { action, cookie }: Session,
    method: string,
    query: Readonly<Record<string, string>> = {},
    {
      body,
      headers = {},
      signal,
    }: { body?: Buffer | string; headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const url = `${site.url}${action.replace('++Svc', '++TransferSvc')}?${new URLSearchParams(query)}`;
    const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/octet-stream' };
    return fetch(url, {
      method,
      body: body ?? null,
      headers: { ...json, Cookie: cookie, ...type, ...headers },
      signal: signal ?? null,
    });
  }

  const send = (session: Session, file: string, bytes: Uint8Array, query: Readonly<Record<string, string>> = {}) =>
    files(session, 'POST', { direction: 'send', file, ...query }, { body: Buffer.from(bytes) });
  const receive = (session: Session, file: string, query: Readonly<Record<string, string>> = {}) =>
    files(session, 'POST', { direction: 'receive', file, ...query });

  async function codeOf(response: Response): Promise<readonly [number, string]> {
    const { code } = (await response.json()) as { code?: string };
    return [response.status, code ?? ''];
  }

  async function underWay(session: Session): Promise<{ direction: string; file: string; total?: number }> {
    return eventually(async () => {
      const { transfer } = (await (await files(session, 'GET')).json()) as {
        transfer?: { direction: string; file: string; total?: number };
      };
      return transfer !== undefined && (await screen(session)).locked ? transfer : undefined;
    });
  }

  /** For a body that is written by hand. */
  function upload({ action, cookie }: Session, framing: string, file: string): { socket: Socket; head: string } {
    const { hostname, port } = new URL(site.url);
    const head = [
      `POST ${action.replace('++Svc', '++TransferSvc')}?direction=send&file=${file}&mode=binary HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      `Cookie: ${cookie}`,
      'Accept: application/json',
      'Content-Type: application/octet-stream',
      framing,
    ];
    return { socket: connect(Number(port), hostname), head: `${head.join('\r\n')}\r\n\r\n` };
  }

  const trail = () => {
    const found = readdirSync(site.folder, { recursive: true }).find((name) => String(name).endsWith('audit.jsonl'));
    return join(site.folder, String(found));
  };

  it('are sent and received, text and bytes, and appended to', async () => {
    const session = await begin();
    const text = linesOf(1, 60);
    const sent = await send(session, 'LINES.TEXT', text);
    expect([sent.status, await sent.json()]).to.deep.equal([200, { bytes: text.length }]);
    const back = await receive(session, 'LINES.TEXT');
    expect(back.headers.get('content-disposition')).to.include('attachment; filename="LINES.TEXT"');
    expect(back.headers.get('cache-control')).to.equal('no-store');
    expect(Buffer.from(await back.arrayBuffer())).to.deep.equal(Buffer.from(text));
    expect((await send(session, 'LINES.TEXT', Buffer.from('more\n'), { append: 'yes' })).status).to.equal(200);
    const more = await receive(session, 'LINES.TEXT');
    expect(await more.text()).to.equal(`${Buffer.from(text)}more\n`);
    expect((await screen(session)).text.join('\n')).to.include('READY');
    for (const [name, bytes] of [
      ['EVERY', Uint8Array.from({ length: 256 }, (_, at) => at)],
      ['EMPTY', new Uint8Array(0)],
    ] as const) {
      expect((await send(session, name, bytes, { mode: 'binary' })).status, name).to.equal(200);
      const same = await receive(session, name, { mode: 'binary' });
      expect(Buffer.from(await same.arrayBuffer()), name).to.deep.equal(Buffer.from(bytes));
    }
  });

  it('have as many bytes as the transaction says, and not one more, either way', async () => {
    const session = await begin();
    const most = new Uint8Array(MEBIBYTE).fill(0x41);
    expect((await send(session, 'MOST', most, { mode: 'binary' })).status).to.equal(200);
    expect((await (await receive(session, 'MOST', { mode: 'binary' })).arrayBuffer()).byteLength).to.equal(MEBIBYTE);
    const over = await send(session, 'OVER', new Uint8Array(MEBIBYTE + 1), { mode: 'binary' });
    expect(await codeOf(over)).to.deep.equal([413, 'SVC_ERR_REQUEST_BODY_SIZE']);
    const one = await send(session, 'MOST', Uint8Array.of(1), { mode: 'binary', append: 'yes' });
    expect(one.status).to.equal(200);
    const larger = await receive(session, 'MOST', { mode: 'binary' });
    expect(await codeOf(larger)).to.deep.equal([409, 'SVC_ERR_TRANSFER_FAILED']);
  });

  it('are refused where the transaction has none, and for a request that is wrong', async () => {
    expect(await codeOf(await files(await begin('PLAIN'), 'GET'))).to.deep.equal([403, 'SVC_ERR_TRANSFER_OFF']);
    const session = await begin();
    const refusals: readonly (readonly [Promise<Response>, number, string])[] = [
      [receive(session, 'not a name'), 400, 'SVC_ERR_REQUEST_PARAMETERS'],
      [receive(session, 'A.B', { host: 'vax' }), 400, 'SVC_ERR_REQUEST_PARAMETERS'],
      [files(session, 'POST', { file: 'A.B' }), 400, 'SVC_ERR_REQUEST_PARAMETERS'],
      [files(session, 'PUT'), 405, 'SVC_ERR_REQUEST_METHOD'],
      [
        files(
          session,
          'POST',
          { direction: 'send', file: 'A' },
          { body: 'x', headers: { 'Content-Type': 'text/plain' } },
        ),
        415,
        'SVC_ERR_REQUEST_BODY_TYPE',
      ],
      [files({ ...session, cookie: 'x=y' }, 'GET'), 404, 'SVC_ERR_SESSION_UNKNOWN'],
    ];
    for (const [asked, ...expected] of refusals) expect(await codeOf(await asked)).to.deep.equal(expected);
    for (const method of ['POST', 'DELETE']) {
      const foreign = files(
        session,
        method,
        { direction: 'receive', file: 'A' },
        { headers: { Origin: 'http://evil.example' } },
      );
      expect(await codeOf(await foreign)).to.deep.equal([403, 'SVC_ERR_REQUEST_ORIGIN']);
    }
    const missing = await receive(session, 'NO.SUCH.FILE');
    expect(await codeOf(missing)).to.deep.equal([409, 'SVC_ERR_TRANSFER_FAILED']);
    const noText = await send(session, 'NO.TEXT', Uint8Array.of(0xff));
    expect(await codeOf(noText)).to.deep.equal([409, 'SVC_ERR_TRANSFER_FAILED']);
    expect((await submit(session, 'ENTER', 'LISTCAT')).status, 'the session goes on').to.equal(200);
  });

  it('are alone on the screen, tell how far they are, and can be cancelled', async () => {
    const session = await begin('SLOW');
    const sending = send(session, 'SLOW.FILE', new Uint8Array(100_000), { mode: 'binary' });
    expect(await underWay(session)).to.deep.include({ direction: 'send', file: 'SLOW.FILE', total: 100_000 });
    expect(await codeOf(await submit(session, 'ENTER', 'LISTCAT'))).to.deep.equal([504, 'SVC_ERR_HOST_SILENT']);
    expect(await codeOf(await receive(session, 'SLOW.FILE'))).to.deep.equal([409, 'SVC_ERR_TRANSFER_FAILED']);
    expect((await files(session, 'DELETE')).status).to.equal(204);
    const refused = await sending;
    expect(await codeOf(refused)).to.deep.equal([409, 'SVC_ERR_TRANSFER_CANCELLED']);
    expect((await submit(session, 'ENTER', 'LISTCAT')).status, 'the session goes on').to.equal(200);
    expect((await (await files(session, 'GET')).json()) as object).not.to.have.property('transfer');
  });

  it('that come without an end are refused at the bound, and not waited for', async () => {
    const session = await begin();
    const chunk = `${MEBIBYTE.toString(16)}\r\n${'A'.repeat(MEBIBYTE)}\r\n`;
    for (const [more, status] of [
      ['0\r\n\r\n', 'HTTP/1.1 200'],
      // the body has no end
      ['1\r\nA\r\n', 'HTTP/1.1 413'],
    ]) {
      const { socket, head } = upload(session, 'Transfer-Encoding: chunked', 'CHUNKED');
      try {
        const answered = once(socket, 'data');
        socket.write(`${head}${chunk}${more}`);
        const [answer] = (await answered) as [Buffer];
        expect(answer.toString().slice(0, 12)).to.equal(status);
      } finally {
        socket.destroy();
      }
    }
  });

  it('can be cancelled while their bytes are still coming: the answer does not wait for the rest', async () => {
    const session = await begin();
    const { socket, head } = upload(session, 'Content-Length: 100000', 'HALF.FILE');
    try {
      socket.write(`${head}half`);
      await eventually(async () =>
        'transfer' in ((await (await files(session, 'GET')).json()) as object) ? true : undefined,
      );
      const answered = once(socket, 'data');
      expect((await files(session, 'DELETE')).status).to.equal(204);
      const [answer] = (await answered) as [Buffer];
      expect(answer.toString()).to.match(/^HTTP\/1\.1 409 [\s\S]*"SVC_ERR_TRANSFER_CANCELLED"/);
    } finally {
      socket.destroy();
    }
    // the place is free, and the host has heard of nothing
    expect(await codeOf(await receive(session, 'HALF.FILE'))).to.deep.equal([409, 'SVC_ERR_TRANSFER_FAILED']);
  });

  it('end when their client goes away, and with their session', async () => {
    const session = await begin('SLOW');
    const client = new AbortController();
    const body = Buffer.alloc(100_000);
    const query = { direction: 'send', file: 'GONE', mode: 'binary' };
    const gone = files(session, 'POST', query, { body, signal: client.signal }).catch(() => 'gone');
    await underWay(session);
    client.abort();
    expect(await gone).to.equal('gone');
    await eventually(async () => {
      const { transfer } = (await (await files(session, 'GET')).json()) as { transfer?: unknown };
      return transfer === undefined && !(await screen(session)).locked ? true : undefined;
    });
    const unsent = await receive(session, 'GONE', { mode: 'binary' });
    expect(await codeOf(unsent), 'it was not sent to its end').to.deep.equal([409, 'SVC_ERR_TRANSFER_FAILED']);
    const sending = send(session, 'ENDED', new Uint8Array(100_000), { mode: 'binary' });
    await underWay(session);
    await submit(session, 'DISCONNECT');
    expect(await codeOf(await sending)).to.deep.equal([409, 'SVC_ERR_TRANSFER_FAILED']);
  });

  it('whose client goes away while they are coming leave their place free, and no error in the log', async () => {
    const session = await begin();
    const { socket, head } = upload(session, 'Content-Length: 100000', 'LEFT');
    socket.write(`${head}half`);
    const isThere = async () => 'transfer' in ((await (await files(session, 'GET')).json()) as object);
    await eventually(async () => ((await isThere()) ? true : undefined));
    socket.destroy();
    await eventually(async () => ((await isThere()) ? undefined : true));
    expect((await send(session, 'LEFT', Uint8Array.of(0x41), { mode: 'binary' })).status).to.equal(200);
    expect(site.log()).not.to.include('SVC_ERR_SERVICE_FAILED');
  });

  it('are four at a time of one address', async () => {
    const sessions = await Promise.all(Array.from({ length: 5 }, () => begin('SLOW')));
    const [last, ...others] = sessions;
    if (last === undefined) throw new Error('no session');
    const sending = others.map((one, at) => send(one, `FILE${at}`, new Uint8Array(100_000), { mode: 'binary' }));
    for (const one of others) await underWay(one);
    const fifth = await send(last, 'FIFTH', Uint8Array.of(1), { mode: 'binary' });
    expect(fifth.headers.get('retry-after')).to.equal('10');
    expect(await codeOf(fifth)).to.deep.equal([503, 'SVC_ERR_TRANSFER_BUSY']);
    for (const one of others) await files(one, 'DELETE');
    await Promise.all(sending);
    expect((await send(last, 'FIFTH', Uint8Array.of(1), { mode: 'binary' })).status).to.equal(200);
  });

  it('are on record by their names, and nothing of what they hold', async () => {
    const session = await begin();
    expect((await send(session, 'ON.RECORD', Buffer.from(CANARY))).status).to.equal(200);
    expect(await (await receive(session, 'ON.RECORD')).text()).to.include(CANARY);
    const text = readFileSync(trail(), 'utf8');
    const entries = text.split('\n').filter((line) => line.includes('"ON.RECORD"'));
    expect(entries.map((line) => /"what":"([^"]+)".*"stage":"(\w+)"/.exec(line)?.slice(1))).to.deep.include.members([
      ['file.sent', 'intended'],
      ['file.received', 'intended'],
    ]);
    for (const kept of [text, site.log()]) expect(kept).not.to.include(CANARY);
  });

  it('are not transferred where that cannot be put on record', async () => {
    const session = await begin();
    const file = trail();
    renameSync(file, `${file}.away`);
    mkdirSync(file);
    try {
      const refused = await send(session, 'NOT.KEPT', Uint8Array.of(0x41));
      expect(await codeOf(refused)).to.deep.equal([503, 'SVC_ERR_AUDIT_UNAVAILABLE']);
    } finally {
      rmdirSync(file);
      renameSync(`${file}.away`, file);
    }
    expect((await screen(session)).text.join('\n')).not.to.include('NOT.KEPT');
    expect(await codeOf(await receive(session, 'NOT.KEPT'))).to.deep.equal([409, 'SVC_ERR_TRANSFER_FAILED']);
  });
});
