import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ServiceError } from '../../src/lib/errors.js';
import { ExchangeSite } from '../server/exchange-site.js';

const OPERATOR = { who: 'OPERA', from: 'test' };
const PAGE = '<!--SVC start="{{{" end="}}}" -->{{{SESSION-CODE}}} {{{CURRENT-VALUE-OF "$NOTICE$"}}}';

/** `sallyport admin drain`: the server as a whole. */
describe('a server that is drained', () => {
  let site: ExchangeSite;

  beforeEach(async () => {
    site = new ExchangeSite();
    site.write('old', 'pages/SCREEN.HTML', PAGE);
  });
  afterEach(() => site.stop());

  const start = (more: string) =>
    site.start({
      hosts: 'SIM: { simulated: true, users: { DEMO: demo } }',
      transactions: 'TSO: { applicationType: 1, application: SIM }',
      more: `management: { listen: '127.0.0.1:0' }\n${more}`,
    });
  const screen = async (path = '+TSO') => {
    const reply = await fetch(`${site.url}/SCREEN.HTML${path}`);
    return { status: reply.status, text: (await reply.text()).trim() };
  };
  const server = async () => {
    const reply = await fetch(`${site.urlOf('management')}/health/ready`);
    const { checks } = (await reply.json()) as { checks: { name: string; detail?: string }[] };
    return [reply.status, checks.find(({ name }) => name === 'server')?.detail];
  };

  it('is not ready, begins no sessions, tells the users of those that it has, and is over when the last one ends', async () => {
    await start('drainMinutes: 7');
    const [code = ''] = (await screen()).text.split(' ', 1);
    await site.operations.server.drain(OPERATOR);
    expect(await server()).to.deep.equal([503, 'the server is drained: it accepts no new sessions']);
    expect((await screen()).status).to.equal(503);
    const shown = await screen(`++${code}`);
    expect(shown.status).to.equal(200);
    expect(shown.text).to.include(
      'Message from the operators: This server restarts. This session ends in 7 minutes at the latest',
    );
    let isOver = false;
    const over = site.drained.then(() => {
      isOver = true;
    });
    const [session] = site.operations.sessions.list();
    expect(isOver).to.equal(false);
    await site.operations.sessions.end(OPERATOR, session?.id ?? '');
    await over;
    const audit = readFileSync(join(site.folder, 'data', 'audit.jsonl'), 'utf8');
    expect(audit).to.match(/"who":"OPERA".*"what":"server.drained".*"stage":"done"/);
  });

  it('is over after drainMinutes though a session goes on', async () => {
    await start('drainMinutes: 0');
    expect((await screen()).status).to.equal(200);
    await site.operations.server.drain(OPERATOR);
    await site.drained;
    expect(site.operations.sessions.list()).to.have.length(1);
  });

  it('cannot be restarted where there is no supervisor', async () => {
    await start('');
    const error = await site.operations.server.restart(OPERATOR).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ServiceError);
    expect((error as ServiceError).code).to.equal('SVC_ERR_OPERATION_REFUSED');
  });
});
