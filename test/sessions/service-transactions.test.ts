import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type SessionSite, startSessionSite } from './session-site.js';

/** Says which terminal it has, and whether it is the first to have it; then it waits for its next request at the accounts. */
const serve = `         SCENARIO INITIAL
         IF$   FIRST-PASS,THEN=WALK,ELSE=HERE
WALK     COPY$ VALUE-TO-VARIABLE,VALUE='first',VAR='PASS'
         CASE$ (1,2,4),(EQ,'ACCT',SAY)
         COPY$ SCREEN-TO-VARIABLE,SCREEN=(4,61,8),VAR='T'
         COPY$ VALUE-TO-SCREEN,VALUE='2',SCREEN=(3,14)
         ACTION$ TO-APPLICATION,KEY=7D
         GOTO$ SAY
HERE     CASE$ (1,2,4),(EQ,'ACCT',AGAIN),ELSE=FAIL
AGAIN    COPY$ VALUE-TO-VARIABLE,VALUE='again',VAR='PASS'
SAY      COPY$ SYSTEM-TO-VARIABLE,FIELD=(NAME-OF,RELAY),VAR='LU'
         COPY$ INPUT-TO-VARIABLE,FIELD='fail',VAR='F'
         IF$   NOT-FOUND,THEN=KEEP
         COPY$ VALUE-TO-SCREEN,VALUE='x',SCREEN=(1,2)
KEEP     COPY$ INPUT-TO-VARIABLE,FIELD='hold',VAR='H'
         IF$   NOT-FOUND,THEN=ANSWER
         ACTION$ TO-APPLICATION,KEY=PF7,AND=(WAIT,'NEVER'),MAXTIME=100
ANSWER   COPY$ LIST-TO-VARIABLE,VAR='A',LIST=('*PASS',' ','*LU')
         SEND$ AS-ANSWER,VAR='A',TYPE='text/plain'
`;

const scenarios = {
  SERVE: `${serve}         ACTION$ SERVE-ANOTHER-USER
         SCENARIO END
`,
  ONCE: `${serve}         SCENARIO END
`,
  LATE: `         SCENARIO INITIAL
         COPY$ VALUE-TO-SCREEN,VALUE='8',SCREEN=(3,14)
         ACTION$ TO-APPLICATION,KEY=7D
         COPY$ VALUE-TO-SCREEN,VALUE='50',SCREEN=(5,17)
         ERROR$ 0,'sent for a long time'
         ACTION$ TO-APPLICATION,KEY=7D
         SCENARIO END
`,
  FINALLY: `         SCENARIO INITIAL
         SCENARIO END
         SCENARIO FINAL
         COPY$ SCREEN-TO-VARIABLE,SCREEN=(1,2,4),VAR='S'
         ERROR$ 0,'finally ','*S'
         SCENARIO END
`,
  WHO: `         SCENARIO IDENTIFICATION
         COPY$ INPUT-TO-VARIABLE,FIELD='go',VAR='GO'
         IF$   NOT-FOUND,THEN=FAIL
         CASE$ 'GO',(EQ,'abend',ABEND),(EQ,'same',END)
         COPY$ INPUT-TO-VARIABLE,FIELD='lines',VAR='LINES'
         IF$   NOT-FOUND,THEN=CHOOSE
         COPY$ VARIABLE-TO-SYSTEM,VAR='LINES',FIELD=SCREEN-LINES
CHOOSE   SET$  TRANSACTION,'*GO'
         SCENARIO SUCCESS
ABEND    RETURN$
         SCENARIO END
`,
};

describe('host sessions of scenarios', () => {
  let site: SessionSite;

  before(async () => {
    const type2 = (name: string, more: string) => `${name}: { applicationType: 2, application: MENU, ${more} }`;
    site = await startSessionSite({
      hosts: 'MENU: { simulated: true, start: MENU }',
      sessions: '{ keysReady: 1, limit: 4 }',
      line: "name: C }\n  I-HTTP: { listen: '127.0.0.1:0', entryPoint: WHO",
      scenarios,
      transactions: `${[
        type2('SERVE', "tioaAtLogon: '&/S', initialScenario: SERVE"),
        type2('ONCE', "tioaAtLogon: '&/S', initialScenario: ONCE"),
        type2('SCRIPT', "tioaAtLogon: '2&/AAccount inquiry&/W&(&/S&)', initialScenario: ONCE"),
        type2('LATE', "tioaAtLogon: '&/S', initialScenario: LATE"),
        type2('FINALLY', "tioaAtLogon: '&/S', tioaAtLogoff: '&/S', initialScenario: FINALLY, finalScenario: FINALLY"),
      ].join('\n      ')}
  WHO:
    directory: CLI-DIR
    identificationScenario: WHO
    transactions:
      MENU: { applicationType: 1, application: MENU }
      PAGE: { applicationType: 2 }`,
    });
  });

  after(() => site?.stop());

  async function get(path: string, line = 'C-HTTP'): Promise<{ status: number; body: string }> {
    const response = await fetch(`${site.urlOf(line)}/LOGON.HTML+${path}`, { headers: { Accept: 'application/json' } });
    return { status: response.status, body: await response.text() };
  }

  const split = (body: string) => body.split(' ');

  it('end with their request', async () => {
    const [pass, terminal] = split((await get('ONCE')).body);
    expect(pass).to.equal('first');
    expect(terminal).to.match(/^SIM/);
    expect(split((await get('ONCE')).body)[0]).to.equal('first');
  });

  it('serve the next request, by SERVE-ANOTHER-USER', async () => {
    const [first, terminal] = split((await get('SERVE')).body);
    expect(first).to.equal('first');
    expect((await get('SERVE')).body).to.equal(`again ${terminal}`);
    expect((await get('SERVE')).body).to.equal(`again ${terminal}`);
  });

  it('serve one request at a time, and each waits for none', async () => {
    const bodies = await Promise.all([get('SERVE?hold=1'), get('SERVE?hold=1')]);
    const terminals = bodies.map(({ body }) => split(body)[1]);
    expect(new Set(terminals).size).to.equal(2);
  });

  it('are not kept where a run has abended', async () => {
    for (let at = 0; at < 2; at++) expect((await get('SERVE?fail=1')).status).to.equal(500);
    expect(split((await get('SERVE')).body)[0]).to.equal('first');
  });

  it('serve the next request from the part of a script that is repeated', async () => {
    const [first, terminal] = split((await get('SCRIPT')).body);
    expect(first).to.equal('first');
    expect((await get('SCRIPT')).body).to.equal(`again ${terminal}`);
  });

  it('tell the log when they begin and end', async () => {
    const linesOf = (message: string) =>
      site
        .log()
        .split('\n')
        .filter((line) => line.includes('"transaction":"SCRIPT"') && line.includes(`"msg":"${message}"`));
    const [, terminal] = split((await get('SCRIPT')).body);
    expect(linesOf('session began')).to.have.length(1);
    expect(linesOf('session began')[0]).to.include(`"kind":"scenario","host":"MENU","lu":"${terminal}"`);
    expect(linesOf('session ended')).to.have.length(0);
  });

  it('run the FINAL scenario at their end', async () => {
    expect((await get('FINALLY')).status).to.equal(200);
    await eventually(() => (site.log().includes('finally MENU') ? true : undefined));
  });

  it('are free once their client has gone, and are counted until then', async () => {
    const leaving = new AbortController();
    const waiting = Array.from({ length: 2 }, () =>
      fetch(`${site.url}/LOGON.HTML+LATE`, { signal: leaving.signal }).catch(() => undefined),
    );
    const times = () => site.log().split('sent for a long time').length - 1;
    await eventually(() => (times() >= 2 ? true : undefined));
    // two wait for their hosts, and two serve other transactions
    expect((await get('ONCE')).status).to.equal(503);
    leaving.abort();
    await Promise.all(waiting);
    await eventually(async () => ((await get('ONCE')).status === 200 ? true : undefined));
  });

  describe('IDENTIFICATION', () => {
    it('chooses the transaction', async () => {
      const { status, body } = await get('ANY?go=MENU', 'I-HTTP');
      expect(status).to.equal(200);
      expect(body).to.include('Option ===>');
      expect((await get('PAGE?go=same', 'I-HTTP')).status).to.equal(200);
    });

    it('says how the terminal is to be', async () => {
      const { body } = await get('ANY?go=MENU&lines=43', 'I-HTTP');
      expect((JSON.parse(body) as { text: string[] }).text).to.have.length(43);
    });

    it('refuses by FAIL', async () => {
      expect((await get('PAGE', 'I-HTTP')).status).to.equal(400);
    });

    it('chooses no transaction that is not there', async () => {
      expect((await get('PAGE?go=NOSUCH', 'I-HTTP')).status).to.equal(404);
    });

    it('refuses where it abends: who is let in is left to no accident', async () => {
      expect((await get('PAGE?go=abend', 'I-HTTP')).status).to.equal(500);
      expect(site.log()).to.include('RETURN$ has no caller');
    });
  });
});
