import { expect } from 'chai';
import { CookieClient } from '../support/cookie-client.js';
import { need } from '../support/need.js';
import { PostgresqlServer, postgresqlFolder } from '../support/postgresql.js';
import { ClusterOfTwo, type Node } from './cluster-of-two.js';

describe('a cluster of two servers', () => {
  let database: PostgresqlServer;
  let cluster: ClusterOfTwo;
  let a: Node;
  let b: Node;

  before(async function () {
    need(this, postgresqlFolder() !== undefined, 'PostgreSQL is not installed');
    database = await PostgresqlServer.start();
    cluster = new ClusterOfTwo(database);
    await cluster.addAdministrator();
    a = await cluster.begin('a');
    b = await cluster.begin('b');
  });
  after(async () => {
    await cluster?.remove();
    await database?.remove();
  });

  it('answers requests for sessions of the other one, as that does', async () => {
    const browser = new CookieClient(b.client);
    const action = await browser.open('/TERMINAL.HTML+TSO');
    expect(action).to.match(/^\/w2h-b\/TERMINAL\.HTML\+\+SvcSession=b\./);
    const elsewhere = new CookieClient(a.client);
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
    const [here, there] = [await browser.get(action), await elsewhere.get(action)];
    expect(there.status, there.text).to.equal(200);
    expect(there.text).to.include('"text"');
    expect(Object.keys(there.headers)).to.deep.equal(Object.keys(here.headers));
  });
});
