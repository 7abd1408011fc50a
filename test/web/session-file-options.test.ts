import { expect } from 'chai';
import type { Application } from '../../src/demo/simulated-host/application.js';
import { SimulatedHost } from '../../src/demo/simulated-host/simulated-host.js';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { type SessionSite, startSessionSite } from '../sessions/session-site.js';
import { eventually } from '../support/eventually.js';

/** The command that a host is given for each query. */
const commands: readonly (readonly [query: string, command: string])[] = [
  ['direction=send&file=A.B', 'IND$FILE PUT A.B ASCII CRLF'],
  ['direction=receive&file=A.B&lines=no', 'IND$FILE GET A.B ASCII'],
  ['direction=send&file=A.B&mode=binary&append=yes', 'IND$FILE PUT A.B APPEND'],
  [
    'direction=send&file=A.B&mode=binary&recordFormat=fixed&recordLength=1&blockSize=32767',
    'IND$FILE PUT A.B RECFM(F) LRECL(1) BLKSIZE(32767)',
  ],
  ['direction=send&file=A.B&mode=binary&recordFormat=undefined', 'IND$FILE PUT A.B RECFM(U)'],
  [
    'direction=send&file=A.B&mode=binary&primarySpace=1&secondarySpace=999999&spaceUnit=cylinders',
    'IND$FILE PUT A.B SPACE(1,999999) CYLINDERS',
  ],
  [
    'direction=send&file=A.B&mode=binary&primarySpace=5&spaceUnit=avblock&averageBlock=800',
    'IND$FILE PUT A.B SPACE(5) AVBLOCK(800)',
  ],
  ['direction=send&file=A.B&mode=binary&otherOptions=VOLUME(X)', 'IND$FILE PUT A.B VOLUME(X)'],
  [
    'direction=send&file=A+B+A&host=vm&recordFormat=variable&recordLength=133',
    'IND$FILE PUT A B A (ASCII CRLF RECFM V LRECL 133',
  ],
  ['direction=receive&file=AB&host=cics&mode=binary', 'IND$FILE GET AB (BINARY NOCRLF'],
  ['DIRECTION=send&FILE=A.B&mode=binary&bufferSize=256&remap=no', 'IND$FILE PUT A.B'],
  ['direction=send&file=A.B&mode=binary&bufferSize=16384', 'IND$FILE PUT A.B'],
  ['direction=send&file=A.B&mode=binary&primarySpace=999999&secondarySpace=1', 'IND$FILE PUT A.B SPACE(999999,1)'],
  [
    'direction=send&file=A.B&mode=binary&primarySpace=1&spaceUnit=avblock&averageBlock=32767',
    'IND$FILE PUT A.B SPACE(1) AVBLOCK(32767)',
  ],
  [`direction=receive&file=A.B&mode=binary&otherOptions=${'X'.repeat(200)}`, `IND$FILE GET A.B ${'X'.repeat(200)}`],
];

/** Queries that no host hears of, and a word of what the client is told. */
const refusals: readonly (readonly [query: string, told: RegExp])[] = [
  ['file=A.B', /direction must be one of: send, receive/],
  ['direction=up&file=A.B', /direction must be one of: send, receive/],
  ['direction=send', /must be a data set name/],
  ['direction=send&file=A.B&mode=ascii', /mode must be one of: text, binary/],
  ['direction=send&file=A.B&append=1', /append must be one of: yes, no/],
  ['direction=send&file=A.B&remap=maybe', /remap must be one of: yes, no/],
  ['direction=send&file=A.B&recordFormat=V', /recordFormat must be one of: fixed, variable, undefined/],
  ['direction=send&file=A.B&recordFormat=fixed&recordLength=0', /record length must be from 1 to 32767/],
  ['direction=send&file=A.B&recordFormat=fixed&blockSize=32768', /block size must be from 1 to 32767/],
  ['direction=send&file=A.B&recordFormat=fixed&recordLength=80x', /recordLength must be a number/],
  ['direction=send&file=A.B&recordLength=80', /need a record format/],
  ['direction=send&file=A.B&primarySpace=1000000', /primary space must be from 1 to 999999/],
  ['direction=send&file=A.B&primarySpace=0', /primary space must be from 1 to 999999/],
  ['direction=send&file=A.B&primarySpace=1&secondarySpace=1000000', /secondary space must be from 1 to 999999/],
  ['direction=send&file=A.B&primarySpace=1&spaceUnit=avblock&averageBlock=32768', /1 to 32767 bytes/],
  ['direction=send&file=A.B&recordFormat=fixed&recordLength=32768', /record length must be from 1 to 32767/],
  ['direction=send&file=A.B&secondarySpace=1', /need primarySpace/],
  ['direction=send&file=A.B&primarySpace=1&spaceUnit=avblock', /average blocks/],
  ['direction=receive&file=A.B&recordFormat=fixed', /only for files that are sent/],
  [`direction=send&file=A.B&otherOptions=${'x'.repeat(201)}`, /at most 200/],
  ['direction=send&file=A.B&bufferSize=255', /bufferSize must be a number from 256 to 16384/],
  ['direction=send&file=A.B&bufferSize=16385', /bufferSize must be a number from 256 to 16384/],
  ['direction=send&file=A.B&recordformat=fixed&lrecl=80', /no parameter "lrecl"/],
  ['direction=send&file=A.B&apend=yes', /Did you mean "append"/],
];

describe('options of a transfer over HTTP', () => {
  const heard: string[] = [];
  /** Hears one command, and ends the session. */
  const listening: Application = async (terminal) => {
    const { fields } = await terminal.show(
      terminal.panel().text(1, 2, 'READY').input('command', 3, 2, { length: 300 }),
    );
    heard.push(fields.command ?? '');
    return undefined;
  };
  let host: SimulatedHost;
  let site: SessionSite;
  let action = '';
  let cookie = '';

  before(async () => {
    const codePage = findCodePage('cp037');
    if (codePage === undefined) throw new Error('no code page 37');
    host = new SimulatedHost({ codePage, users: {}, start: 'MENU', applications: { MENU: listening } });
    const { port } = await host.listen({ host: '127.0.0.1', port: 0 });
    site = await startSessionSite({
      hosts: `ECHO: { address: '127.0.0.1:${port}' }`,
      transactions: 'ECHO: { applicationType: 1, application: ECHO, fileTransfer: {} }',
      furtherPages: { 'SCREEN.HTML': '<!--SVC start="{{{" end="}}}" --><p>{{{AJAX-SESSION-CODE}}}</p>' },
    });
    await begin();
  });

  after(async () => {
    await site.stop();
    await host.close();
  });

  async function begin(): Promise<void> {
    const response = await fetch(`${site.url}/SCREEN.HTML+ECHO`, { headers: { Accept: 'application/json' } });
    ({ action } = (await response.json()) as { action: string });
    [cookie = ''] = response.headers.getSetCookie()[0]?.split(';') ?? [];
    await eventually(async () => {
      const shown = await fetch(site.url + action, { headers: { Accept: 'application/json', Cookie: cookie } });
      return (await shown.text()).includes('READY') ? true : undefined;
    });
  }

  async function ask(query: string): Promise<readonly [status: number, code: string, message: string]> {
    const response = await fetch(`${site.url}${action.replace('++Svc', '++TransferSvc')}?${query}`, {
      method: 'POST',
      body: query.includes('receive') ? null : 'x',
      headers: { Accept: 'application/json', Cookie: cookie, 'Content-Type': 'application/octet-stream' },
    });
    const { code = '', message = '' } = (await response.json()) as { code?: string; message?: string };
    return [response.status, code, message];
  }

  for (const [query, command] of commands) {
    it(query, async () => {
      const before = heard.length;
      const [status, code, message] = await ask(query);
      expect([status, code]).to.deep.equal([409, 'SVC_ERR_TRANSFER_FAILED']);
      expect(message).to.equal('The file was not transferred. The host ended the connection.');
      expect(heard.slice(before)).to.deep.equal([command]);
      await begin();
    });
  }

  for (const [query, told] of refusals) {
    it(`${query.slice(0, 100)} is refused`, async () => {
      const before = heard.length;
      const [status, code, message] = await ask(query);
      expect([status, code]).to.deep.equal([400, 'SVC_ERR_REQUEST_PARAMETERS']);
      expect(message).to.match(told);
      expect(heard.length).to.equal(before);
    });
  }
});
