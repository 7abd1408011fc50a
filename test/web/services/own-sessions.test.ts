import { expect } from 'chai';
import { ServiceSite } from './service-site.js';

interface ShownScreen {
  readonly text: readonly string[];
  readonly rows: number;
  readonly fields: readonly { readonly nonDisplayable: boolean; readonly value?: string }[];
}

const signOn = [
  {
    at: 'SIGN-ON',
    fill: [
      { label: 'Userid', text: 'DEMO' },
      { label: 'Password', text: 'demo' },
    ],
    press: 'Enter',
    expect: 'MENU',
  },
];

describe('sessions of programs', () => {
  let site: ServiceSite;
  let token: string;

  before(async () => {
    site = await ServiceSite.open();
    token = await site.token('sessions');
  });
  after(() => site.stop());

  const begin = () => site.request('/api/v1/sessions', { token, body: { transaction: 'TSO' } });

  it('begin, are looked at, walk steps, and end', async () => {
    const begun = await begin();
    expect(begun.status).to.equal(201);
    const handle = String(begun.body.handle);
    const path = `/api/v1/sessions/${handle}`;
    expect(begun.headers.get('location')).to.equal(path);
    expect((begun.body.screen as ShownScreen).text[0]).to.include('SIGNON');
    expect(begun.text).to.not.include('SvcSession');
    const shown = await site.request(`${path}/screen`, { token });
    expect(shown.body).to.deep.include({ rows: 24, columns: 80, transaction: 'TSO' });
    const extract = { at: 'MENU', extract: { title: { at: [1, 2], length: 4 } } };
    const walked = await site.request(`${path}/steps`, { token, body: [...signOn, extract] });
    expect([walked.status, walked.body.extracts]).to.deep.equal([200, { title: 'MENU' }]);
    expect((walked.body.screen as ShownScreen).text[0]).to.include('MENU');
    const failed = await site.request(`${path}/steps`, { token, body: signOn });
    expect([failed.status, failed.body.code, failed.body.step]).to.deep.equal([409, 'guard-failed', 1]);
    expect(failed.body.expected).to.deep.equal(['SIGN-ON']);
    expect(failed.body.differs).to.have.length(1);
    expect((failed.body.screen as ShownScreen).text[0]).to.include('MENU');
    for (const reply of [walked, failed]) expect(reply.text).to.not.include('demo');
    expect((await site.request(path, { token, method: 'DELETE' })).status).to.equal(204);
    const gone = await site.request(`${path}/screen`, { token });
    expect([gone.status, gone.body.code]).to.deep.equal([404, 'session-unknown']);
    expect(site.written()).to.not.include(handle).and.not.include(token);
  }).timeout(20_000);

  it('begin once for each Idempotency-Key, and take steps once, whatever becomes of the session', async () => {
    const keyed = (path: string, key: string, body: unknown) =>
      site.request(path, { token, body, headers: { 'idempotency-key': key } });
    const first = await keyed('/api/v1/sessions', 'begin-1', { transaction: 'TSO' });
    expect(first.status).to.equal(201);
    const again = await keyed('/api/v1/sessions', 'begin-1', { transaction: 'TSO' });
    expect([again.status, again.text]).to.deep.equal([201, first.text]);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(again.headers.get('location')).to.equal(first.headers.get('location'));
    const reused = await keyed('/api/v1/sessions', 'begin-1', '{"transaction": "TSO"}');
    expect([reused.status, reused.body.code]).to.deep.equal([422, 'idempotency-reused']);

    const path = `/api/v1/sessions/${String(first.body.handle)}`;
    const nowhere = await keyed('/api/v1/sessions/none/steps', 'steps-1', signOn);
    expect([nowhere.status, nowhere.body.code]).to.deep.equal([404, 'session-unknown']);
    const walked = await keyed(`${path}/steps`, 'steps-1', signOn);
    expect(walked.status, 'nothing was done by that, and the key could be used').to.equal(200);
    const elsewhereNow = [{ at: 'SIGN-ON', press: 'Enter', within: 0.1 }];
    const failed = await keyed(`${path}/steps`, 'steps-2', elsewhereNow);
    expect([failed.status, failed.body.code]).to.deep.equal([409, 'guard-failed']);
    const other = String((await begin()).body.handle);
    const elsewhere = await keyed(`/api/v1/sessions/${other}/steps`, 'steps-1', signOn);
    expect([elsewhere.status, elsewhere.body.code]).to.deep.equal([422, 'idempotency-reused']);
    for (const handle of [String(first.body.handle), other]) {
      expect((await site.request(`/api/v1/sessions/${handle}`, { token, method: 'DELETE' })).status).to.equal(204);
    }
    await site.stopServer();
    await site.start(site);
    for (const [key, steps, reply] of [
      ['steps-1', signOn, walked],
      ['steps-2', elsewhereNow, failed],
    ] as const) {
      const replayed = await keyed(`${path}/steps`, key, steps);
      expect([replayed.status, replayed.text], key).to.deep.equal([reply.status, reply.text]);
    }
  }).timeout(30_000);

  it('are nobody else’s', async () => {
    const handle = String((await begin()).body.handle);
    const other = await site.token('sessions');
    for (const [what, method, body] of [
      ['/screen', 'GET', undefined],
      ['/steps', 'POST', signOn],
      ['', 'DELETE', undefined],
    ] as const) {
      const reply = await site.request(`/api/v1/sessions/${handle}${what}`, { token: other, method, body });
      expect(reply.status, what).to.equal(404);
    }
    expect((await site.request(`/api/v1/sessions/${handle}/screen`, { token })).status).to.equal(200);
    await site.request(`/api/v1/sessions/${handle}`, { token, method: 'DELETE' });
  });

  it('refuse steps that are none, with pointers, and transactions that are none', async () => {
    const path = `/api/v1/sessions/${String((await begin()).body.handle)}`;
    for (const [body, pointer] of [
      ['{}', ''],
      ['[]', ''],
      ['[{"at":"NOWHERE"}]', '/0/at'],
      ['[{"at":"MENU","press":"F99"}]', '/0/press'],
      ['[{"at":"MENU","at":"MENU"}]', '/0/at'],
      ['[{"at":"MENU","odd":1}]', '/0/odd'],
      ['[{"at":"SIGN-ON","type":"A\\u0000","press":"Enter"}]', '/0/type'],
      ['[{"at":"SIGN-ON","type":"A\\ud83d","press":"Enter"}]', '/0/type'],
      ['[{"at":"SIGN-ON","fill":[{"at":[1,2],"text":"A\\u0011"}],"press":"Enter"}]', '/0/fill/0/text'],
      ['[{"at":"SIGN-ON","fill":[{"at":[1,2],"text":"\\udc00"}],"press":"Enter"}]', '/0/fill/0/text'],
    ] as const) {
      const reply = await site.request(`${path}/steps`, { token, body });
      expect(reply.status, body).to.equal(422);
      expect((reply.body.errors as { pointer: string }[])[0]?.pointer, body).to.equal(pointer);
    }
    // a line terminal may be meant, which this is not
    const tabbed = await site.request(`${path}/steps`, {
      token,
      body: [{ at: 'SIGN-ON', type: 'A\tB', press: 'Enter' }],
    });
    expect([tabbed.status, tabbed.body.code]).to.deep.equal([409, 'input-refused']);
    const fill = [{ label: 'Userid', text: 'A\u001c\u001e' }];
    const marked = await site.request(`${path}/steps`, { token, body: [{ at: 'SIGN-ON', fill, press: 'Enter' }] });
    expect(marked.status, 'DUP and FIELD MARK').to.equal(200);
    await site.request(path, { token, method: 'DELETE' });
    for (const [body, status] of [
      [{}, 422],
      [{ transaction: 1 }, 422],
      [{ transaction: 'TSO', more: 1 }, 422],
      [{ transaction: 'NONE' }, 404],
      [{ transaction: 'w2h' }, 404],
      [{ transaction: 'NTLM' }, 403],
    ] as const) {
      expect((await site.request('/api/v1/sessions', { token, body })).status, JSON.stringify(body)).to.equal(status);
    }
  });

  it('are twenty of a caller at most', async () => {
    const limited = await site.token('sessions');
    const body = { transaction: 'TSO' };
    const replies = [];
    for (let count = 0; count < 21; count++)
      replies.push(await site.request('/api/v1/sessions', { token: limited, body }));
    expect(replies.map(({ status }) => status)).to.deep.equal([...Array.from({ length: 20 }, () => 201), 503]);
    expect(replies.at(-1)?.headers.get('retry-after')).to.equal('30');
    const keyed = { token: limited, body, headers: { 'idempotency-key': 'begin' } };
    expect((await site.request('/api/v1/sessions', keyed)).status).to.equal(503);
    const [first] = replies;
    await site.request(`/api/v1/sessions/${first?.body.handle}`, { token: limited, method: 'DELETE' });
    expect((await site.request('/api/v1/sessions', keyed)).status, 'no session, no answer that is kept').to.equal(201);
    expect((await begin()).status).to.equal(201);
  }).timeout(30_000);
});
