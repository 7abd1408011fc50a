import { join } from 'node:path';
import { expect } from 'chai';
import { SallyportProcess } from '../../cli/sallyport-process.js';
import { ServiceSite } from './service-site.js';

const UPDATE = '/api/v1/services/account-update';
const BODY = { account: '10000001', limit: '77.50' };

describe('a server that is killed after it has answered a call with an Idempotency-Key', () => {
  let site: ServiceSite;
  let token: string;

  before(async () => {
    site = await ServiceSite.open();
    token = await site.token('services');
    // from here on it is a process of its own, over the same folder
    await site.stopServer();
  });
  after(() => site.stop());

  async function start(): Promise<{ process: SallyportProcess; url: string }> {
    const process = new SallyportProcess([
      'serve',
      '--log-level',
      'silent',
      '--config',
      join(site.folder, 'sallyport.yaml'),
    ]);
    const [, url = ''] = await process.prints(/C-HTTP +(\S+)/);
    return { process, url };
  }

  const call = async (url: string, key: string, limit = BODY.limit) => {
    const reply = await fetch(`${url}${UPDATE}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ ...BODY, limit }),
    });
    return { status: reply.status, replayed: reply.headers.get('idempotent-replayed'), text: await reply.text() };
  };

  it('gives the answers that it gave, and carries nothing out twice', async () => {
    const first = await start();
    const answers = [];
    for (const key of ['one', 'two', 'three']) answers.push(await call(first.url, key));
    expect(answers.map(({ status, replayed }) => [status, replayed])).to.deep.equal(new Array(3).fill([200, null]));
    first.process.child.kill('SIGKILL');
    await first.process.finished;
    const second = await start();
    for (const [at, key] of ['one', 'two', 'three'].entries()) {
      const again = await call(second.url, key);
      expect([again.status, again.replayed, again.text], key).to.deep.equal([200, 'true', answers[at]?.text]);
    }
    expect((await call(second.url, 'one', '1.00')).status).to.equal(422);
    expect((await call(second.url, 'four')).replayed).to.equal(null);
    second.process.child.kill('SIGTERM');
    expect((await second.process.finished).code).to.equal(0);
  });
});
