import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { AGREEMENT, BIND, ScriptedHost } from '../support/scripted-host.js';
import { openScreen } from './screen-client.js';
import { type SessionSite, startSessionSite } from './session-site.js';

const scenarios = {
  LAST: `         SCENARIO OUTPUT
         ACTION$ TO-APPLICATION,KEY=7D,LASTMSG=YES
         COPY$ SCREEN-TO-VARIABLE,SCREEN=(1,2,5),VAR='A'
         SEND$ AS-ANSWER,VAR='A',TYPE='text/plain'
         ACTION$ DISCONNECT
         SCENARIO END
`,
  WITHHELD: `         SCENARIO INPUT
         IF$   FIRST-PASS,THEN=OUT
         ACTION$ TO-TERMINAL
OUT      SCENARIO END
         SCENARIO OUTPUT
         ERROR$ 0,'looked at a message'
         SCENARIO END
`,
  PASSES: `         SCENARIO INITIAL
         COPY$ VALUE-TO-VARIABLE,VAR='KEPT',VALUE='kept'
         SCENARIO END
         SCENARIO OUTPUT
         COPY$ SCREEN-TO-VARIABLE,SCREEN=(1,2,4),VAR='WHERE'
         IF$   FIRST-PASS,THEN=FIRST
         IF$   EXISTS-VARIABLE,'OWN',THEN=STILL
         ERROR$ 0,'later at ','*WHERE',' with ','*KEPT'
         SCENARIO END
STILL    ERROR$ 0,'still there'
         SCENARIO END
FIRST    COPY$ VALUE-TO-VARIABLE,VAR='OWN',VALUE='own'
         ERROR$ 0,'first at ','*WHERE',' with ','*KEPT'
         SCENARIO END
`,
};

/** `HELLO`, `PART1`, `PART2` in EBCDIC. */
const [hello, part1, part2] = ['c8c5d3d3d6', 'd7c1d9e3f1', 'd7c1d9e3f2'];
/** Erase/Write of an input field with a text in it, the keyboard restored. */
const drawn = (codes: string) => `f5 c3 1d40 ${codes}`;
const record = (data: string, header = '00 00 00 0000') => `${header} ${data} ffef`;

describe('the scenarios of a session and what hosts send', () => {
  let site: SessionSite;
  let host: ScriptedHost;

  before(async () => {
    host = new ScriptedHost();
    const port = await host.listen();
    site = await startSessionSite({
      hosts: `OWN: { address: '127.0.0.1:${port}' }\n  MENU: { simulated: true, start: MENU }`,
      scenarios,
      transactions: [
        'LAST: { applicationType: 1, application: OWN, outputScenario: LAST }',
        'WITHHELD: { applicationType: 1, application: OWN, inputScenario: WITHHELD, outputScenario: WITHHELD }',
        "PASSES: { applicationType: 1, application: MENU, tioaAtLogon: '&/S', initialScenario: PASSES, outputScenario: PASSES }",
      ].join('\n      '),
    });
  });

  after(async () => {
    await site?.stop();
    await host?.close();
  });

  const json = { Accept: 'application/json' };
  const times = (text: string) => site.log().split(text).length - 1;

  /** Asks for a session, and lets its host draw a first screen. */
  async function begin(name: string): Promise<{ readonly answer: Promise<Response> }> {
    const before = host.sockets.length;
    const answer = fetch(`${site.url}/LOGON.HTML+${name}`, { headers: json });
    await eventually(() => (host.sockets.length > before ? true : undefined));
    await host.send(`${AGREEMENT} ${BIND} ${record(drawn(hello))}`);
    return { answer };
  }

  it('wait for the last of several records, by LASTMSG', async () => {
    const { answer } = await begin('LAST');
    await host.hears('7d');
    // the terminal says when it has carried out the first, which has given the keyboard back
    await host.send(record(drawn(part1), '00 00 02 0001'));
    await host.hears('02 00 00 0001 00 ffef');
    await host.send(record(drawn(part2)));
    expect(await (await answer).text()).to.equal('PART2');
  });

  it('know their first pass, and lose their variables with each message, over a WebSocket', async () => {
    const page = await openScreen(site.url, '/LOGON.HTML+PASSES');
    await page.connect();
    await page.shows('Option ===>');
    page.key(1, 'ENTER', { V00000AD: '2' });
    await page.shows('Account inquiry');
    page.key(2, 'PF3');
    await page.shows('Option ===>');
    expect(times('first at MENU with kept')).to.equal(1);
    expect(times('later at ACCT with kept')).to.equal(1);
    expect(times('later at MENU with kept')).to.equal(1);
    expect(times('still there')).to.equal(0);
    page.cut();
  });
  it('do not take for a message what draws nothing, behind one that INPUT has withheld', async () => {
    const { answer } = await begin('WITHHELD');
    const opened = await answer;
    const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const { action } = (await opened.json()) as { action: string };
    expect(times('looked at a message')).to.equal(1);
    const withheld = await fetch(site.url + action, {
      method: 'POST',
      headers: { ...json, Cookie: cookie },
      body: new URLSearchParams({ pf: 'ENTER', V0000001: 'typed' }),
    });
    expect(((await withheld.json()) as { text: string[] }).text[0]).to.include('typed');
    // no operation; then a request for the state of a timer, whose answer shows that both have come
    await host.send('fff1 fffd06');
    await host.hears('fffc06');
    await host.send(record(drawn(part1)));
    await eventually(() => (times('looked at a message') > 1 ? true : undefined));
    const shown = await fetch(site.url + action, { headers: { ...json, Cookie: cookie } });
    expect(((await shown.json()) as { text: string[] }).text[0]).to.include('PART1');
    expect(times('looked at a message')).to.equal(2);
  });
});
