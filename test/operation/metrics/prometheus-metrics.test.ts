import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { ExchangeSite, NamedService } from '../../server/exchange-site.js';
import { ScreenClient } from '../../sessions/screen-client.js';
import { CookieClient } from '../../support/cookie-client.js';
import { eventually } from '../../support/eventually.js';
import { skipUnless } from '../../support/need.js';
import { projectFolder } from '../../support/project.js';
import { ServiceSite, USER } from '../../web/services/service-site.js';
import { type Exposition, readExposition, sumOf } from './exposition.js';

const MORE = "management: { listen: '127.0.0.1:0' }";

/** The promised names, with their labels (docs/run/operation.md, "Metrics"). */
const designed: Readonly<Record<string, readonly string[]>> = {
  line_connections: ['line'],
  requests_total: ['line', 'kind', 'status'],
  request_seconds: ['line', 'kind'],
  browser_sessions: ['line', 'transaction'],
  host_sessions: ['host', 'state'],
  host_connect_seconds: ['host'],
  host_response_seconds: ['host'],
  screen_update_bytes: [],
  scenario_runs_total: ['scenario', 'outcome'],
  scenario_seconds: ['scenario'],
  scenario_truncations_total: ['scenario'],
  outbound_seconds: ['line'],
  outbound_failures_total: ['line', 'reason'],
  sign_ons_total: ['method', 'outcome'],
  macro_uploads_total: ['level', 'outcome'],
  service_calls_total: ['service', 'outcome'],
  pool_sessions: ['pool', 'state'],
  pool_wait_seconds: ['pool'],
  key_pool_ready: [],
  nodes: ['state'],
  check_up: ['check'],
  key_waits_seconds: [],
  event_loop_lag_seconds: [],
  build_info: ['version'],
};

async function textOf(url: string): Promise<string> {
  const reply = await fetch(`${url}/metrics`);
  expect([reply.status, reply.headers.get('content-type')]).to.deep.equal([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ]);
  return reply.text();
}

async function metricsOf(url: string): Promise<Exposition> {
  return readExposition(await textOf(url));
}

const rulesFolder = join(projectFolder, 'test', 'fixtures', 'prometheus-rules');

/** Runs promtool, of Prometheus itself, over what it reads from its standard input. */
function promtool(args: readonly string[], input = '') {
  return spawnSync('promtool', args, { input, encoding: 'utf8' });
}

describe('metrics', () => {
  describe('of scenarios and calls', () => {
    const service = new NamedService('rates');
    const site = new ExchangeSite();
    const metrics = () => metricsOf(site.urlOf('management'));

    before(async () => site.start({ more: MORE, service: await service.listen() }));
    after(async () => {
      await site.stop();
      await service.close();
    });

    it('have all the names of the design, with their labels, and no others than ours', async () => {
      await site.text('/PAGE.HTML+CALL');
      const { types, samples } = await metrics();
      const names = Object.keys(designed).map((name) => `sallyport_${name}`);
      expect([...types.keys()]).to.include.members(names);
      expect([...types.keys()].filter((name) => !name.startsWith('sallyport_'))).to.deep.equal([]);
      for (const { name, labels } of samples) {
        const base = name.replace(/^sallyport_/, '').replace(/_(?:bucket|sum|count)$/, '');
        const wanted = designed[base] ?? designed[name.replace(/^sallyport_/, '')];
        if (wanted === undefined) continue;
        expect(
          Object.keys(labels).filter((label) => label !== 'le'),
          name,
        ).to.have.members([...wanted]);
      }
    });

    it('count a request, its run, and the two calls that it makes', async () => {
      const before = await metrics();
      await site.text('/PAGE.HTML+CALL');
      const after = await metrics();
      const more = (name: string, labels: Readonly<Record<string, string>>) =>
        sumOf(after, name, labels) - sumOf(before, name, labels);
      const request = { line: 'C-HTTP', kind: 'transaction' };
      expect(more('sallyport_requests_total', { ...request, status: '200' })).to.equal(1);
      expect(more('sallyport_request_seconds_count', request)).to.equal(1);
      expect(more('sallyport_request_seconds_bucket', { ...request, le: '+Inf' })).to.equal(1);
      expect(more('sallyport_request_seconds_sum', request)).to.be.greaterThan(0);
      expect(more('sallyport_scenario_runs_total', { scenario: 'CALL', outcome: 'end' })).to.equal(1);
      expect(more('sallyport_scenario_seconds_count', { scenario: 'CALL' })).to.equal(1);
      expect(more('sallyport_outbound_seconds_count', { line: 'OUT' })).to.equal(2);
      expect(more('sallyport_outbound_failures_total', {})).to.equal(0);
    });

    it('have buckets that only rise', async () => {
      const { samples } = await metrics();
      const buckets = samples.filter(
        ({ name, labels }) => name === 'sallyport_request_seconds_bucket' && labels.kind === 'transaction',
      );
      expect(
        buckets.map(({ labels }) => Number(labels.le === '+Inf' ? Number.POSITIVE_INFINITY : labels.le)),
      ).to.deep.equal([
        0.001,
        0.0025,
        0.005,
        0.01,
        0.025,
        0.05,
        0.1,
        0.25,
        0.5,
        1,
        2.5,
        5,
        10,
        30,
        60,
        Number.POSITIVE_INFINITY,
      ]);
      const values = buckets.map(({ value }) => value);
      expect(values).to.deep.equal([...values].sort((one, other) => one - other));
    });

    it('count what a line refuses, and what leads nowhere', async () => {
      const { port } = new URL(site.url);
      await fetch(`${site.url}/NOWHERE.HTML`);
      const { RawConnection } = await import('../../lines/listener/raw-connection.js');
      const connection = await RawConnection.open(Number(port));
      await connection.send('nonsense\r\n\r\n');
      await connection.untilClosed();
      const found = await metrics();
      expect(sumOf(found, 'sallyport_requests_total', { kind: 'page', status: '404' })).to.equal(1);
      expect(sumOf(found, 'sallyport_requests_total', { kind: 'refused', status: '400' })).to.equal(1);
    });

    it('say why a call failed, and nothing of what a scenario calls a line', async () => {
      await site.replace({ more: MORE, service: '127.0.0.1:9' });
      await site.text('/PAGE.HTML+CALL');
      const found = await metrics();
      expect(sumOf(found, 'sallyport_outbound_failures_total', { line: 'OUT', reason: 'refused' })).to.equal(1);
    });

    it('are the same for many who ask at once', async () => {
      const texts = await Promise.all(Array.from({ length: 20 }, () => metrics()));
      for (const { types } of texts) expect(types.size).to.equal(texts[0]?.types.size);
    });

    it('are what promtool takes for well-made metrics', async function () {
      skipUnless(this, promtool(['--version']).error === undefined, 'promtool of Prometheus is not here');
      const { status, stdout, stderr } = promtool(['check', 'metrics'], await textOf(site.urlOf('management')));
      expect([status, stdout + stderr]).to.deep.equal([0, '']);
    });
  });

  describe('of sessions', () => {
    let site: ServiceSite;
    const metrics = () => metricsOf(site.managementUrl);

    before(async () => {
      const tct = "tct: { CRYPT1: '(CRYPT3270,3TDEA,RSA-1024,NODE,HEX)' }";
      site = await ServiceSite.open({ further: `${MORE}\nmacros: ./data/macros\n${tct}`, pool: 'ready: 1, most: 2' });
      await site.addUsers();
    });
    after(() => site.stop());

    it('count calls of services, waits for their pool, and what the host takes', async () => {
      const token = await site.token('services');
      const reply = await site.request('/api/v1/services/account-inquiry', { token, body: { account: '10000001' } });
      expect(reply.status).to.equal(200);
      const found = await metrics();
      const service = { service: 'account-inquiry' };
      expect(sumOf(found, 'sallyport_service_calls_total', { ...service, outcome: 'done' })).to.equal(1);
      expect(sumOf(found, 'sallyport_requests_total', { kind: 'service', status: '200' })).to.equal(1);
      expect(sumOf(found, 'sallyport_pool_wait_seconds_count', { pool: 'ACCOUNTS' })).to.equal(1);
      expect(sumOf(found, 'sallyport_pool_sessions', { pool: 'ACCOUNTS' })).to.be.greaterThan(0);
      expect(sumOf(found, 'sallyport_host_connect_seconds_count', { host: 'SIM' })).to.be.greaterThan(0);
      // it signed on and went through the screens
      expect(sumOf(found, 'sallyport_host_response_seconds_count', { host: 'SIM' })).to.be.greaterThan(1);
    });

    it('count sessions while they are there, their screens and keys, and none of them afterwards', async () => {
      const ofHost = async () => sumOf(await metrics(), 'sallyport_host_sessions', { host: 'SIM', state: 'connected' });
      const before = await ofHost();
      const browser = new CookieClient(site.url);
      const action = await browser.open('/TERMINAL.HTML+TSO');
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const client = new ScreenClient(site.url, action, cookie);
      await client.connect();
      await eventually(() => (client.messages.some(({ k }) => k === 's') ? true : undefined));
      const found = await metrics();
      expect(sumOf(found, 'sallyport_browser_sessions', { line: 'C-HTTP', transaction: 'TSO' })).to.equal(1);
      expect(await ofHost()).to.equal(before + 1);
      expect(sumOf(found, 'sallyport_screen_update_bytes_count')).to.be.greaterThan(0);
      expect(sumOf(found, 'sallyport_screen_update_bytes_sum')).to.be.greaterThan(100);
      expect(sumOf(found, 'sallyport_line_connections', { line: 'C-HTTP' })).to.be.greaterThan(0);
      client.key(1, 'DISCONNECT');
      await eventually(async () => {
        const now = await metrics();
        return sumOf(now, 'sallyport_browser_sessions') === 0 ? true : undefined;
      });
      await eventually(async () => ((await ofHost()) === before ? true : undefined));
    });

    it('count sign-ons and uploads, and name no user, password, address or session', async () => {
      const upload = (password: string) =>
        fetch(`${site.url}/w2h/user/macros.json`, {
          method: 'PUT',
          headers: {
            'Content-Type': 'application/json',
            Authorization: `Basic ${Buffer.from(`${USER.name}:${password}`).toString('base64')}`,
          },
          body: '{"macros":[],"fmt":2}',
        });
      expect((await upload('wrong-canary')).status).to.equal(401);
      expect((await upload(USER.password)).status).to.equal(204);
      const text = await textOf(site.managementUrl);
      const found = readExposition(text);
      expect(sumOf(found, 'sallyport_sign_ons_total', { method: 'basic', outcome: 'signedOn' })).to.equal(1);
      expect(sumOf(found, 'sallyport_sign_ons_total', { method: 'basic', outcome: 'SVC_ERR_SIGNON_REFUSED' })).to.equal(
        1,
      );
      expect(sumOf(found, 'sallyport_macro_uploads_total', { level: 'user', outcome: 'done' })).to.equal(1);
      for (const secret of [USER.name, USER.password, 'wrong-canary', '127.0.0.1', 'DEMO', 'SvcSession']) {
        expect(text).not.to.include(secret);
      }
    });
  });

  describe('that the files in operation/ name', () => {
    const site = new ExchangeSite();
    let found: Exposition;
    const read = (name: string) => readFileSync(join(projectFolder, 'operation', name), 'utf8');

    before(async () => {
      await site.start({ more: MORE });
      await site.text('/PAGE.HTML+CALL');
      found = await metricsOf(site.urlOf('management'));
    });
    after(() => site.stop());

    /** Every metric of ours in an expression, and each label that it is selected or grouped by. */
    function unknownIn(expressions: readonly string[]): readonly string[] {
      const ofMetric = (name: string) =>
        found.types.get(name) === undefined ? name.replace(/_(?:bucket|sum|count)$/, '') : name;
      return expressions.flatMap((expression) => {
        const names = expression.match(/sallyport_[a-z_]+/g) ?? [];
        const wrong = names.filter((name) => {
          const base = ofMetric(name);
          const type = base.replace(/^sallyport_/, '') in ofSupervisors ? 'gauge' : found.types.get(base);
          return type === undefined || (base !== name) !== (type === 'histogram');
        });
        const known = new Set(['le', 'instance', 'job', ...names.flatMap((name) => labelsOf(ofMetric(name)))]);
        const selected = [...expression.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside = '']) =>
          [...inside.matchAll(/([a-z_]+)\s*(?:=|!)/g)].map(([, label = '']) => label),
        );
        const grouped = [...expression.matchAll(/\b(?:by|on|ignoring)\s*\(([^)]*)\)/g)].flatMap(([, inside = '']) =>
          inside.split(',').map((label) => label.trim()),
        );
        return [...wrong, ...[...selected, ...grouped].filter((label) => label !== '' && !known.has(label))];
      });
    }

    function labelsOf(metric: string): readonly string[] {
      const name = metric.replace(/^sallyport_/, '');
      return designed[name] ?? further[name] ?? [];
    }

    /** Gauges; test/server/workers has them. */
    const ofSupervisors: Readonly<Record<string, readonly string[]>> = {
      worker_given_up: ['worker'],
      worker_up: ['worker'],
    };
    const further: Readonly<Record<string, readonly string[]>> = {
      line_listening: ['line'],
      line_certificate_expiry_seconds: ['line'],
      pool_waiting_calls: ['pool'],
      pool_drained: ['pool'],
      ...ofSupervisors,
    };

    it('exist, those of the alerts', () => {
      const { groups } = parse(read('prometheus-rules.yaml')) as {
        groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
      };
      const rules = groups.flatMap((group) => group.rules);
      expect(rules.length).to.be.greaterThan(8);
      expect(unknownIn(rules.map(({ expr }) => expr))).to.deep.equal([]);
      for (const { alert, annotations } of rules) {
        expect(annotations.summary, alert).to.match(/\w/);
        expect(annotations.description, alert).to.match(/\w/);
      }
    });

    it('exist, those of the dashboard', () => {
      const { panels } = JSON.parse(read('grafana-dashboard.json')) as {
        panels: { title: string; targets?: { expr: string }[] }[];
      };
      const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
      expect(expressions.length).to.be.greaterThan(12);
      expect(unknownIn(expressions)).to.deep.equal([]);
    });

    it('would be found out if one did not', () => {
      expect(unknownIn(['rate(sallyport_nothing_total[5m])'])).to.deep.equal(['sallyport_nothing_total']);
      expect(unknownIn(['sallyport_request_seconds'])).to.deep.equal(['sallyport_request_seconds']);
      expect(unknownIn(['sum by (user) (sallyport_requests_total)'])).to.deep.equal(['user']);
    });

    it('make rules that promtool takes', function () {
      skipUnless(this, promtool(['--version']).error === undefined, 'promtool of Prometheus is not here');
      const { status, stderr } = promtool([
        'check',
        'rules',
        join(projectFolder, 'operation', 'prometheus-rules.yaml'),
      ]);
      expect([status, stderr]).to.deep.equal([0, '']);
    });

    for (const [what, file] of [
      ['a pool without sessions, and none of one that is drained', 'empty-pools'],
      ['one of two servers that is dead', 'one-of-two-dead'],
      ['a health check that is DOWN, and none of what an operator has stopped', 'checks-down'],
    ] as const) {
      it(`make an alert of ${what}`, function () {
        skipUnless(this, promtool(['--version']).error === undefined, 'promtool of Prometheus is not here');
        const { status, stdout, stderr } = promtool(['test', 'rules', join(rulesFolder, `${file}.test.yaml`)]);
        expect([status, stderr], stdout).to.deep.equal([0, '']);
      });
    }
  });
});
