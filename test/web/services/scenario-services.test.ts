import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { type Reply, ServiceSite } from './service-site.js';

const account = "account: { type: string, pattern: '^[0-9]{8}$' }";
const signOn = 'user: { type: string, maxLength: 8 }\n  password: { type: string, maxLength: 40, secret: true }';

const scenario = (...lines: string[]) => `         SCENARIO INITIAL\n${lines.join('\n')}\n         SCENARIO END\n`;

/** Signs on, and looks an account up. */
const accountScenario = scenario(
  "         COPY$ VARIABLE-TO-SCREEN,VAR='USER',SCREEN=(8,31)",
  "         COPY$ VARIABLE-TO-SCREEN,VAR='PASSWORD',SCREEN=(10,31)",
  '         ACTION$ TO-APPLICATION,KEY=7D',
  "         CASE$ (1,2,4),(EQ,'MENU',ON)",
  "         ERROR$ 8,'The host refuses ','*PASSWORD',' of ','*USER'",
  "ON       COPY$ VALUE-TO-SCREEN,VALUE='2',SCREEN=(3,14)",
  '         ACTION$ TO-APPLICATION,KEY=7D',
  "         COPY$ VARIABLE-TO-SCREEN,VAR='ACCOUNT',SCREEN=(4,22)",
  '         ACTION$ TO-APPLICATION,KEY=ENTER',
  "         COPY$ SCREEN-TO-VARIABLE,SCREEN=(6,22,12),VAR='NAME'",
  `         COPY$ LIST-TO-VARIABLE,VAR='A',LIST=('{"name":"','*NAME','"}')`,
  "         SEND$ AS-ANSWER,VAR='A',TYPE='application/json'",
);

const send = (text: string, type: string) => [
  `         COPY$ LIST-TO-VARIABLE,VAR='A',LIST=(${text})`,
  `         SEND$ AS-ANSWER,VAR='A',TYPE='${type}'`,
];

const scenarios: Readonly<Record<string, string>> = {
  ACCOUNT: accountScenario,
  VALUES: scenario(
    ...send("'*TEXT','|','*AMOUNT','|','*ISOPEN','|','*FROM','|','*LEFTOUT','|','*BYDEFAULT'", 'text/html'),
  ),
  BYTES: scenario(
    "         COPY$ VALUE-TO-VARIABLE,VAR='A',VALUE='ABC'",
    "         CONVERT$ UTF8-TO-EBCDIC,VAR='A',TABLE='IBM037'",
    "         SEND$ AS-FILE,VAR='A',TYPE='application/octet-stream',NAME='a.bin',EXPIRES=ENDOFDAY",
  ),
  SECRETS: scenario(
    "         ERROR$ 0,'told to the log: ','*CODE'",
    "         COPY$ VALUE-TO-SCREEN,VALUE='x',SCREEN=(1,2)",
    ...send("'never'", 'text/plain'),
  ),
  LOOP: scenario("TOP      COPY$ VALUE-TO-VARIABLE,VAR='A',VALUE='x',TYPE=REPLACE", '         GOTO$ TOP'),
  WAITS: scenario("         ACTION$ TO-APPLICATION,KEY=PF7,AND=(WAIT,'NEVER')", ...send("'never'", 'text/plain')),
  SILENT: scenario("         COPY$ VALUE-TO-VARIABLE,VAR='A',VALUE='x'"),
};

const file = (name: string, module: string, more = '') => `service: ${name}\nscenario: ${module}\n${more}`;

describe('services that are made of a scenario', () => {
  let site: ServiceSite;
  let token: string;

  before(async () => {
    site = await ServiceSite.open({
      scenarios,
      further: 'scenarioLimits: { seconds: 2 }',
      pool: 'ready: 0',
      services: {
        'of-host.yaml': file('of-host', 'ACCOUNT', `host: SIM\nparameters:\n  ${account}\n  ${signOn}\n`),
        'values.yaml': file(
          'values',
          'values',
          `parameters:
  text: { type: string }
  Amount: { type: decimal }
  isOpen: { type: boolean }
  from: { type: date, format: DD.MM.YYYY }
  leftOut: { type: string, required: false }
  byDefault: { type: integer, default: 7 }
`,
        ),
        'bytes.yaml': file('bytes', 'BYTES'),
        'secrets.yaml': file('secrets', 'SECRETS', 'parameters: { code: { type: string, secret: true } }\n'),
        'loop.yaml': file('loop', 'LOOP'),
        'waits.yaml': file('waits', 'WAITS', 'host: SIM\n'),
        'silent.yaml': file('silent', 'SILENT'),
        'absent.yaml': file('absent', 'ABSENT'),
      },
    });
    token = await site.token('services');
  });
  after(() => site.stop());

  const call = (name: string, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
    site.request(`/api/v1/services/${name}`, { token, body, headers });
  const demo = { account: '10000002', user: 'DEMO', password: 'demo' };

  it('walk a host session of their own, and answer with what the scenario sends', async () => {
    const { status, headers, body } = await call('of-host', demo);
    expect([status, body]).to.deep.equal([200, { name: 'GRACE HOPPER' }]);
    expect(headers.get('content-type')).to.equal('application/json');
    expect(headers.get('cache-control')).to.equal('no-store');
    const other = await call('of-host', { ...demo, account: '10000001' });
    expect(other.body).to.deep.equal({ name: 'ADA LOVELACE' });
  });

  it('have parameters as variables in upper case, as they would be typed', async () => {
    const text = "<script>'*CODE'</script>";
    const { status, text: body } = await call('values', { text, Amount: '1.50', isOpen: true, from: '2026-11-22' });
    expect([status, body]).to.deep.equal([200, `${text}|1.50|Y|22.11.2026||7`]);
  });

  it('answer in the content type of the scenario, under the headers of scenario answers', async () => {
    const html = await call('values', { text: 'x', Amount: 1, isOpen: false, from: '2026-11-22' });
    const bytes = await fetch(`${site.url}/api/v1/services/bytes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    for (const { headers } of [html, bytes]) {
      expect(headers.get('content-security-policy')).to.equal("default-src 'none'; sandbox");
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('expires')).to.equal('0');
    }
    expect(html.headers.get('content-type')).to.equal('text/html');
    expect(bytes.headers.get('content-disposition')).to.include('filename="a.bin"');
    expect(Buffer.from(await bytes.arrayBuffer()).toString('hex')).to.equal('c1c2c3');
  });

  it('are answered once for a key, with the same bytes and headers, also by the next process', async () => {
    const keyed = () =>
      fetch(`${site.url}/api/v1/services/bytes`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'bytes-1' },
        body: '{}',
      });
    expect((await keyed()).headers.get('idempotent-replayed')).to.equal(null);
    await site.stopServer();
    await site.start(site);
    const again = await keyed();
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect(again.headers.get('content-security-policy')).to.equal("default-src 'none'; sandbox");
    expect(again.headers.get('content-type')).to.equal('application/octet-stream');
    expect(again.headers.get('content-disposition')).to.include('filename="a.bin"');
    expect(Buffer.from(await again.arrayBuffer()).toString('hex')).to.equal('c1c2c3');
  });

  it('are refused by ERROR$ with its text, and without what is secret', async () => {
    const reply = await call('of-host', { ...demo, password: 'Canary77' });
    expect([reply.status, reply.body.code]).to.deep.equal([400, 'scenario-refused']);
    expect(reply.body.title).to.equal('The host refuses ******** of DEMO (return code 8)');
  });

  it('have nothing secret in the log, whatever the scenario writes there', async () => {
    const secret = 'Canary-in-a-scenario';
    expect((await call('secrets', { code: secret })).status).to.equal(500);
    await eventually(() => (site.written().includes('told to the log: ****') ? true : undefined));
    expect(site.written().toLowerCase()).not.to.include(secret.toLowerCase());
    expect(site.written()).not.to.include('Canary77');
  });

  it('end as scenarios end badly, and the log says where', async () => {
    for (const [name, status, code, words] of [
      ['loop', 500, 'service-failed', 'a loop was detected'],
      ['silent', 500, 'service-failed', 'SEND$ AS-ANSWER'],
      ['absent', 500, 'service-failed', 'no scenario to run'],
      ['secrets', 500, 'service-failed', 'SECRETS line 3: there is no host session'],
      ['waits', 504, 'scenario-time', 'ran longer than 2 s'],
    ] as const) {
      const reply = await call(name, name === 'secrets' ? { code: 'x' } : {});
      expect([reply.status, reply.body.code], name).to.deep.equal([status, code]);
      expect(reply.headers.get('content-type')).to.equal('application/problem+json');
      expect(reply.text).not.to.include(words);
      await eventually(() => (site.written().includes(words) ? true : undefined));
    }
  }).timeout(20_000);

  it('are told where the host ends the session, and where it cannot be reached', async () => {
    site.relay.arm('cut', 0);
    const unreachable = await call('of-host', demo);
    expect([unreachable.status, unreachable.body.code]).to.deep.equal([503, 'host-unreachable']);
    expect(Number(unreachable.headers.get('retry-after'))).to.be.greaterThan(0);
    site.relay.arm('cut', 1);
    const gone = await call('of-host', demo);
    expect([gone.status, gone.body.code]).to.deep.equal([502, 'host-gone']);
    expect((await call('of-host', demo)).status).to.equal(200);
  });

  it('stop where the caller goes away: the host session is over', async () => {
    const leaving = new AbortController();
    const before = site.relay.records;
    const left = site
      .request('/api/v1/services/waits', { token, body: {}, signal: leaving.signal })
      .catch((error: Error) => error.name);
    await eventually(() => (site.relay.records > before ? true : undefined));
    leaving.abort();
    expect(await left).to.equal('AbortError');
    await eventually(() => (site.relay.connections === 0 ? true : undefined));
  });

  it('are listed and described', async () => {
    const { body } = await site.request('/api/v1/services', { token });
    const names = (body.services as { name: string }[]).map(({ name }) => name);
    expect(names).to.include.members(['of-host', 'values', 'bytes', 'absent', 'account-inquiry']);
    const described = await site.request('/api/v1/services/of-host', { token });
    expect(described.body.outcomes).to.deep.equal([{ status: 400, code: 'scenario-refused' }]);
    const { body: document } = await site.request('/api/v1/openapi.json', { token });
    const paths = document.paths as Record<string, { post: { responses: Record<string, { content?: object }> } }>;
    const { responses } = paths['/api/v1/services/of-host']?.post ?? { responses: {} };
    expect(Object.keys(responses[200]?.content ?? {})).to.deep.equal(['application/json', '*/*']);
    expect(responses).to.include.keys('400', '500');
  });
});
