import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { openScreen } from './screen-client.js';
import { type SessionSite, startSessionSite } from './session-site.js';

interface JsonScreen {
  readonly action: string;
  readonly text: readonly string[];
}

/** From the menu on to the accounts, before anybody sees the menu. */
const walk = `         SCENARIO OUTPUT
         CASE$ (1,2,4),(EQ,'MENU',WALK),ELSE=OUT
WALK     COPY$ VALUE-TO-SCREEN,VALUE='2',SCREEN=(3,14)
         ACTION$ TO-APPLICATION,KEY=7D,AND=(PROCESS-RESPONSE)
         COPY$ VALUE-TO-VARIABLE,VALUE='walked',VAR='HOW'
OUT      SCENARIO SUCCESS
`;

const scenarios = {
  WALK: walk,
  PAGES: `         SCENARIO INITIAL
         COPY$ VALUE-TO-VARIABLE,VALUE='kept',VAR='KEPT'
         SCENARIO END
         SCENARIO OUTPUT
         IF$   EXISTS-VARIABLE,'COUNT',THEN=MORE
         COPY$ VALUE-TO-VARIABLE,VALUE='once',VAR='COUNT'
         GOTO$ CHOOSE
MORE     COPY$ VALUE-TO-VARIABLE,VALUE='again',VAR='COUNT',TYPE=REPLACE
CHOOSE   CASE$ (1,2,4),(EQ,'MENU',FIRST),ELSE=OTHER
FIRST    SET$  TEMPORARY-PAGE,'VALUES.HTML'
         SCENARIO END
OTHER    SCENARIO END
`,
  CHECK: `         SCENARIO INPUT
         IF$   FIRST-PASS,THEN=OUT
         CASE$ (3,14,8),(EQ,'9',STOP),(EQ,'X',REFUSE),(EQ,'A',CHANGE),(EQ,'B',SEND),(EQ,'F',FAIL),ELSE=OUT
STOP     ACTION$ TO-TERMINAL
REFUSE   ERROR$ 5,'not this one'
CHANGE   COPY$ VALUE-TO-SCREEN,VALUE='2',SCREEN=(3,14),TYPE=ERASE-FIELD
OUT      SCENARIO END
SEND     COPY$ VALUE-TO-SCREEN,VALUE='2',SCREEN=(3,14),TYPE=ERASE-FIELD
         ACTION$ TO-APPLICATION,KEY=7D
         SCENARIO SUCCESS
`,
  KEYS: `         SCENARIO INPUT
         COPY$ INPUT-TO-VARIABLE,FIELD='pf',VAR='KEY'
         IF$   NOT-FOUND,THEN=OUT
         COPY$ INPUT-TO-VARIABLE,FIELD='V00000AD',VAR='TYPED'
         IF$   NOT-FOUND,ELSE=OUT
         ERROR$ 3,'*KEY'
OUT      SCENARIO END
`,
  ABENDS: `         SCENARIO OUTPUT
         COPY$ VALUE-TO-SCREEN,VALUE='x',SCREEN=(1,2)
         SCENARIO END
`,
  DISCARDS: `         SCENARIO OUTPUT
         ERROR$ 0,'looked at'
         SCENARIO DISCARD
`,
  BOTH: `         SCENARIO INPUT,OUTPUT
         ERROR$ 0,'both'
         SCENARIO END
`,
  FINALLY: `         SCENARIO FINAL
         COPY$ SCREEN-TO-VARIABLE,SCREEN=(1,2,4),VAR='S'
         ERROR$ 0,'finally ','*S'
         SCENARIO END
`,
  LEAVES: `         SCENARIO OUTPUT
         ACTION$ TERMSESS
         SCENARIO END
`,
  ANSWERS: `         SCENARIO OUTPUT
         COPY$ SCREEN-TO-VARIABLE,SCREEN=(1,30,9),VAR='A'
         SEND$ AS-ANSWER,VAR='A',TYPE='text/plain'
         ACTION$ DISCONNECT
         SCENARIO END
`,
  REFRESHES: `         SCENARIO OUTPUT
         ACTION$ REFRESH-TERMINAL
         SCENARIO END
`,
  FAILS: `         SCENARIO INITIAL
         SCENARIO FAIL
`,
  LATE: `         SCENARIO OUTPUT
         CASE$ (1,2,4),(EQ,'MENU',WALK),ELSE=OUT
WALK     COPY$ VALUE-TO-SCREEN,VALUE='8',SCREEN=(3,14)
         ACTION$ TO-APPLICATION,KEY=7D
         COPY$ VALUE-TO-SCREEN,VALUE='50',SCREEN=(5,17)
         ERROR$ 0,'sent for a long time'
         ACTION$ TO-APPLICATION,KEY=7D
OUT      SCENARIO END
`,
};

const transaction = (name: string, more: string) => `${name}: { applicationType: 1, application: MENU, ${more} }`;

describe('the scenarios of a session', () => {
  let site: SessionSite;

  before(async () => {
    site = await startSessionSite({
      hosts: 'MENU: { simulated: true, start: MENU }',
      scenarios,
      furtherPages: {
        'VALUES.HTML':
          '<!--SVC start="{{{" end="}}}" --><p>{{{CURRENT-VALUE-OF "KEPT"}}} {{{CURRENT-VALUE-OF "COUNT"}}}</p>',
      },
      transactions: [
        transaction('WALK', 'outputScenario: WALK'),
        transaction('PAGES', "tioaAtLogon: '&/S', initialScenario: PAGES, outputScenario: PAGES"),
        transaction('CHECK', 'inputScenario: CHECK'),
        transaction('CHECKED', 'inputScenario: CHECK, outputScenario: WALK'),
        transaction('KEYS', 'inputScenario: KEYS'),
        transaction('ABENDS', 'outputScenario: ABENDS'),
        transaction('ABSENT', 'outputScenario: FAILS'),
        transaction('DISCARDS', 'outputScenario: DISCARDS'),
        transaction('BOTH', 'inputScenario: BOTH, outputScenario: BOTH'),
        transaction('FINALLY', "tioaAtLogoff: '&/S', finalScenario: FINALLY"),
        transaction('LEAVES', 'outputScenario: LEAVES'),
        transaction('ANSWERS', 'outputScenario: ANSWERS'),
        transaction('REFRESHES', 'outputScenario: REFRESHES'),
        transaction('FAILS', "tioaAtLogon: '&/S2&/A', initialScenario: FAILS"),
        transaction('LATE', 'outputScenario: LATE'),
      ].join('\n      '),
    });
  });

  after(() => site?.stop());

  const json = { Accept: 'application/json' };

  async function begin(name: string): Promise<{ screen: JsonScreen; cookie: string; status: number }> {
    const response = await fetch(`${site.url}/LOGON.HTML+${name}`, { headers: json });
    const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    return { screen: (await response.json()) as JsonScreen, cookie, status: response.status };
  }

  async function submit(
    { screen, cookie }: { screen: JsonScreen; cookie: string },
    fields: Record<string, string>,
  ): Promise<{ status: number; screen: JsonScreen & { message?: string } }> {
    const response = await fetch(site.url + screen.action, {
      method: 'POST',
      headers: { ...json, Cookie: cookie },
      body: new URLSearchParams(fields),
    });
    return { status: response.status, screen: (await response.json()) as JsonScreen };
  }

  const option = (typed: string) => ({ pf: 'ENTER', V00000AD: typed });
  const times = (text: string) => site.log().split(text).length - 1;

  describe('OUTPUT', () => {
    it('walks on before the user sees a screen, each time', async () => {
      const session = await begin('WALK');
      expect(session.screen.text[0]).to.include('Account inquiry');
      const { screen } = await submit(session, { pf: 'PF3' });
      expect(screen.text[0]).to.include('Account inquiry');
    });

    it('shows a connected page nothing of what it walks through', async () => {
      const page = await openScreen(site.url, '/LOGON.HTML+WALK');
      await page.connect();
      await page.shows('Account inquiry');
      const before = page.messages.length;
      page.key(1, 'PF3');
      await page.message(({ k, i }) => k === 'a' && i === 1);
      await eventually(() => (page.messages.length > before + 1 ? true : undefined));
      await page.shows('Account inquiry');
      expect(JSON.stringify(page.messages)).to.not.include('Option ===>');
      page.cut();
    });

    it('chooses the next page, which has its variables until the user has answered', async () => {
      const opened = await fetch(`${site.url}/LOGON.HTML+PAGES`);
      expect(await opened.text()).to.include('<p>kept once</p>');
      const cookie = (opened.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      const code = /Svc[A-Za-z]*Session[^=]*=([A-Za-z0-9_-]+)/.exec(cookie) ?? [];
      expect(code).to.not.be.empty;
      const { action } = (await (
        await fetch(`${site.url}/w2h/LOGON.HTML++$UseCookieSession$`, { headers: { ...json, Cookie: cookie } })
      ).json()) as JsonScreen;
      const send = async (fields: Record<string, string>) =>
        (
          await fetch(site.url + action, {
            method: 'POST',
            headers: { Cookie: cookie },
            body: new URLSearchParams(fields),
          })
        ).text();
      expect(await send(option('2')), 'the page of the URL: the other was for once').to.include('Account inquiry');
      expect(await send({ pf: 'PF3' })).to.include('<p>kept once</p>');
    });

    it('is given up where it abends, and leaves the session to its user', async () => {
      const session = await begin('ABENDS');
      expect(session.screen.text[0]).to.include('MENU');
      expect((await submit(session, option('2'))).screen.text[0]).to.include('Account inquiry');
      expect(times('the OUTPUT scenario abended: its session continues without it')).to.equal(1);
      expect(site.log()).to.include('row 1, column 2: it is protected');
    });

    it('is missed in the log where the module has none, and the session goes on', async () => {
      expect((await begin('ABSENT')).screen.text[0]).to.include('MENU');
      expect(site.log()).to.include('there is no assembled OUTPUT scenario');
    });

    it('is not run again behind SCENARIO DISCARD', async () => {
      const session = await begin('DISCARDS');
      await submit(session, option('2'));
      expect(times('looked at')).to.equal(1);
    });

    it('ends the session once its page is sent, by TERMSESS', async () => {
      const { screen, cookie } = await begin('LEAVES');
      expect(screen.text[0]).to.include('MENU');
      await eventually(async () => {
        const again = await fetch(site.url + screen.action, { headers: { ...json, Cookie: cookie } });
        await again.arrayBuffer();
        return again.status === 404 ? true : undefined;
      });
    });

    it('answers by itself, and ends the session, by SEND$ and DISCONNECT', async () => {
      const response = await fetch(`${site.url}/LOGON.HTML+ANSWERS`);
      expect(response.headers.get('content-type')).to.equal('text/plain');
      expect(response.headers.get('cache-control')).to.equal('no-store');
      expect(await response.text()).to.equal('Sallyport');
      expect(response.headers.get('set-cookie')).to.equal(null);
    });

    it('has pages told that they are stale, by REFRESH-TERMINAL', async () => {
      const { screen, cookie } = await begin('REFRESHES');
      const validate = async () => {
        const path = screen.action.replace('++SvcSession=', '++ValidateSvcSession=');
        return (await fetch(site.url + path, { headers: { Cookie: cookie } })).status;
      };
      expect(await validate()).to.equal(205);
      expect(await validate()).to.equal(304);
    });

    it('is stopped where its user leaves, and its host session is free', async () => {
      const leaving = new AbortController();
      const waiting = fetch(`${site.url}/LOGON.HTML+LATE`, { signal: leaving.signal }).catch(() => undefined);
      const before = times('session ended');
      await eventually(() => (site.log().includes('sent for a long time') ? true : undefined));
      leaving.abort();
      await waiting;
      await eventually(() => (times('session ended') > before ? true : undefined));
    });
  });

  describe('INPUT', () => {
    it('keeps what the user sent from the host, by TO-TERMINAL', async () => {
      const { status, screen } = await submit(await begin('CHECK'), option('9'));
      expect(status).to.equal(200);
      expect(screen.text[2]).to.include('Option ===> 9');
      expect(screen.text[0]).to.include('MENU');
    });

    it('does the same by FAIL', async () => {
      const { screen } = await submit(await begin('CHECK'), option('F'));
      expect(screen.text[2]).to.include('Option ===> F');
      expect(screen.text[21]).to.equal('');
    });

    it('refuses by ERROR$, and the session goes on', async () => {
      const session = await begin('CHECK');
      const { status, screen } = await submit(session, option('X'));
      expect(status).to.equal(400);
      expect(screen.message).to.include('not this one');
      expect((await submit(session, option('2'))).screen.text[0]).to.include('Account inquiry');
    });

    it('changes what the user sent', async () => {
      const { screen } = await submit(await begin('CHECK'), option('A'));
      expect(screen.text[0]).to.include('Account inquiry');
    });

    it('sends a key in place of that of the user, and OUTPUT looks at the answer', async () => {
      const { screen } = await submit(await begin('CHECK'), option('B'));
      expect(screen.text[0]).to.include('Account inquiry');
      expect(screen.text[21]).to.include('Type an account number');
      expect((await begin('CHECKED')).screen.text[0]).to.include('Account inquiry');
    });

    it('is told the key, and nothing that was typed', async () => {
      const { status, screen } = await submit(await begin('KEYS'), { pf: 'PF7', V00000AD: 'secret' });
      expect(status).to.equal(400);
      expect(screen.message).to.include('PF7');
    });

    it('is OUTPUT as well, where the module says so', async () => {
      const before = times('"both"') + times('both');
      await submit(await begin('BOTH'), option('2'));
      expect(times('"both"') + times('both') - before, 'twice at the start, then once each').to.be.at.least(4);
    });
  });

  it('FINAL sees the last screen', async () => {
    const session = await begin('FINALLY');
    await submit(session, option('2'));
    await submit(session, { pf: 'DISCONNECT' });
    await eventually(() => (site.log().includes('finally ACCT') ? true : undefined));
  });

  it('INITIAL that ends with FAIL leaves the session to its user: the script does not go on', async () => {
    expect((await begin('FAILS')).screen.text[0]).to.include('MENU');
    expect(site.log()).to.include('the INITIAL scenario ended with FAIL');
  });
});
