import { expect } from 'chai';
import { type SessionSite, startSessionSite } from './session-site.js';

const inSession = (lines: string) => `         SCENARIO OUTPUT\n${lines}         SCENARIO END\n`;

const scenarios = {
  AREAS: `${inSession(`         DECLARE$ (24,17,2,'F3'),AS-PFKEY,KEY=PF3
         DECLARE$ (24,17,2,'F4'),AS-PFKEY,KEY=PF4
         DECLARE$ (1,2,4,'MENU',NE),AS-HREF,URL='/never'
         DECLARE$ (3,30,5),AS-PFKEY,KEY=7D
         DECLARE$ (8,10,8),AS-PARAMETER,FIELD='chosen',VALUE='2'
         DECLARE$ (1,30,9),AS-HREF,URL='https://example.com/?a=1&b="2"'
         COPY$ SCREEN-TO-VARIABLE,SCREEN=(22,2,60),VAR='MESSAGE'
         DECLARE$ (22,2,60),AS-PARAMETER,FIELD='message',VALUE='*MESSAGE'
         DECLARE$ (3,2,20),AS-HREF,URL='/whole-row'
`)}         SCENARIO INPUT
         COPY$ INPUT-TO-VARIABLE,FIELD='chosen',VAR='C'
         IF$   NOT-FOUND,THEN=OUT
         COPY$ VARIABLE-TO-SCREEN,VAR='C',SCREEN=(3,14)
OUT      SCENARIO END
`,
  LINKS: inSession(`         COPY$ INPUT-TO-VARIABLE,FIELD='to',VAR='TO',TYPE=REPLACE
         DECLARE$ (1,2,4),AS-HREF,URL='*TO'
         IF$   NOT-FOUND,ELSE=OUT
         DECLARE$ (1,30,9),AS-HREF,URL='/not-found'
OUT      EQU *
`),
  KEEPS: `${inSession(`         DECLARE$ (24,17,2),AS-PFKEY,KEY=PF3
`)}         SCENARIO INPUT
         IF$   FIRST-PASS,THEN=OUT
         ACTION$ TO-TERMINAL
OUT      SCENARIO END
`,
  CONTROLS: inSession(`         FIELD$ (4,40,8),DEFINE-CHOICE,'10000001',('10000002','the <b>other'),'9x'
         COPY$ VALUE-TO-VARIABLE,VAR='V',VALUE='12.50'
         COPY$ VALUE-TO-VARIABLE,VAR='V',VALUE='25'
         COPY$ VALUE-TO-VARIABLE,VAR='L',VALUE='twelve and a half'
         FIELD$ (6,40,12),DEFINE-VARIABLE-CHOICE,VAR='V',LABELS='L'
         FIELD$ (8,40,10),HIDE
         FIELD$ (10,40,35),IS-BINARY-CHOICE,ON='URGENT'
         FIELD$ (4,2,8),HIDE
`),
  OFF: inSession(`         FIELD$ (10,40,35),IS-BINARY-CHOICE,ON='Y',OFF='N'
`),
  SECRETS: inSession(`         FIELD$ (8,31,8),HIDE
         FIELD$ (10,31,8),DEFINE-CHOICE,'demo'
`),
  MANY: inSession(`A        DECLARE$ (1,2,1),AS-PFKEY,KEY=PF3
         HANDLE$ LOOP=(A,499)
         GOTO$ A
`),
};

const transaction = (name: string, host: string, more: string) =>
  `${name}: { applicationType: 1, application: ${host}, ${more} }`;

/** A page as its user has it. */
interface Page {
  readonly html: string;
  readonly action: string;
  readonly cookie: string;
  readonly status: number;
}

describe('what scenarios declare about generated pages', () => {
  let site: SessionSite;

  before(async () => {
    site = await startSessionSite({
      hosts: 'MENU: { simulated: true, start: MENU }',
      scenarios,
      furtherPages: {
        'PAGE.HTML':
          '<!--SVC start="{{{" end="}}}" -->{{{DEFINE-HTML-PFKEY "pf"}}}<form method="post" action="/{{{VIRPLEX-CODE}}}PAGE.HTML++{{{AJAX-SESSION-CODE}}}"><pre>{{{GENERATE-HTML (1,1,1920)}}}</pre></form>',
        'ADDED.HTML':
          '<!--SVC start="{{{" end="}}}" --><form>{{{ADD-TO-FIELDS data-x}}}{{{SET-LOCAL-OPTIONS (ID)}}}{{{GENERATE-HTML (1,1,1920)}}}</form>',
        'BARE.HTML':
          '<!--SVC start="{{{" end="}}}" --><form>{{{ADD-TO-FIELDS data-x}}}{{{SET-LOCAL-OPTIONS (NO-ADD-TO-CHECKBOX,NO-ADD-TO-LISTBOX)}}}{{{GENERATE-HTML (1,1,1920)}}}</form>',
        'MARKED.HTML':
          '<!--SVC start="{{{" end="}}}" -->{{{ON-ATTRIBUTE (PROTECTED) <i>}}}{{{ON-END-OF-ATTRIBUTE (PROTECTED) </i>}}}<pre>{{{GENERATE-HTML (1,1,1920)}}}</pre>',
      },
      transactions: [
        transaction('AREAS', 'MENU', 'inputScenario: AREAS, outputScenario: AREAS'),
        transaction('LINKS', 'MENU', 'outputScenario: LINKS'),
        transaction('KEEPS', 'MENU', 'inputScenario: KEEPS, outputScenario: KEEPS'),
        transaction('CONTROLS', 'MENU', "tioaAtLogon: '3&/A', outputScenario: CONTROLS"),
        transaction('OFF', 'MENU', "tioaAtLogon: '3&/A', outputScenario: OFF"),
        transaction('SECRETS', 'SIM', 'outputScenario: SECRETS'),
        transaction('MANY', 'MENU', 'outputScenario: MANY'),
      ].join('\n      '),
    });
  });

  after(() => site?.stop());

  async function begin(name: string, query = '', page = 'PAGE.HTML'): Promise<Page> {
    const response = await fetch(`${site.url}/${page}+${name}${query}`);
    const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    return pageOf(response.status, await response.text(), cookie);
  }

  const pageOf = (status: number, html: string, cookie: string): Page => ({
    html,
    cookie,
    status,
    action: /action="([^"]*)"/.exec(html)?.[1] ?? '',
  });

  async function submit({ action, cookie }: Page, fields: Record<string, string>): Promise<Page> {
    const response = await fetch(site.url + action, {
      method: 'POST',
      headers: { Cookie: cookie },
      body: new URLSearchParams(fields),
    });
    return pageOf(response.status, await response.text(), cookie);
  }

  const controls = ({ html }: Page) =>
    [...html.matchAll(/<(?:a|button|select|option|input)\b[^>]*>/g)].map(([tag]) => tag);
  const control = (page: Page, part: string) => controls(page).find((tag) => tag.includes(part));

  describe('DECLARE$', () => {
    it('makes a button of an area, which presses its key', async () => {
      const page = await begin('AREAS');
      expect(page.html).to.include(
        '<button type="submit" class="svc-area" name="SvcAreaKey" value="PF3">F3</button>=Log off',
      );
      // the form says ENTER, and what was clicked says more
      const over = await submit(page, { pf: 'ENTER', SvcAreaKey: 'PF3', V00000AD: '' });
      expect(over.html).to.not.include('Option ===&gt;');
    });

    it('has the page say which keys are taken', async () => {
      const page = await begin('AREAS');
      expect((await submit(page, { pf: 'ENTER', SvcAreaKey: 'NOKEY' })).status).to.equal(400);
    });

    it('shows it only where the condition holds', async () => {
      const { html } = await begin('AREAS');
      expect(html).to.not.include('PF4');
      expect(html).to.not.include('/never');
    });

    it('says in words what an area without a text does', async () => {
      expect((await begin('AREAS')).html).to.include('value="ENTER" aria-label="ENTER">     </button>');
    });

    it('makes a button that sends a parameter, which the INPUT scenario reads', async () => {
      const page = await begin('AREAS');
      expect(page.html).to.include(
        '<button type="submit" class="svc-area" name="chosen" value="2">Accounts</button>     inquire',
      );
      const next = await submit(page, { pf: 'ENTER', chosen: '2', V00000AD: '' });
      expect(next.html).to.include('nquiry and update');
    });

    it('makes a link, its address escaped', async () => {
      expect((await begin('AREAS')).html).to.include(
        '<a class="svc-area" href="https://example.com/?a=1&amp;b=&quot;2&quot;" rel="noreferrer">Sallyport</a>',
      );
    });

    it('lets nothing of the screen out of its attribute', async () => {
      const page = await begin('AREAS');
      const next = await submit(page, { pf: 'ENTER', V00000AD: `"><b>'&` });
      const shown = 'There is no option &quot;&gt;&lt;B&gt;&#39;&amp;';
      expect(next.html).to.include(`name="message" value="${shown}`);
      expect(next.html).to.include(`>${shown}`);
      expect(next.html).to.not.include('<B>');
    });

    it('leaves input fields as they are, and stays within the fields around them', async () => {
      const { html } = await begin('AREAS', '', 'MARKED.HTML');
      expect(html).to.match(/<i><a [^>]*href="\/whole-row"[^>]*>Option ===&gt;<\/a><\/i> <input [^>]*>/);
      const stack: string[] = [];
      for (const [, end, name = ''] of html.matchAll(/<(\/?)(i|a|button|pre)\b[^>]*>/g)) {
        if (end === '') stack.push(name);
        else expect(stack.pop()).to.equal(name);
      }
      expect(stack).to.deep.equal([]);
    });

    for (const [to, leads] of [
      ['https://example.com/a', true],
      ['//example.com', true],
      ['next?x=1', true],
      ['javascript:alert(1)', false],
      ['JAVA\tSCRIPT:alert(1)', false],
      ['\u0001javascript:alert(1)', false],
      ['data:text/html,<script>', false],
      ['http://[', false],
      [`/${'a'.repeat(2_047)}`, true],
      [`/${'a'.repeat(2_048)}`, false],
      ['', false],
    ] as const) {
      it(`${leads ? 'leads' : 'does not lead'} to ${JSON.stringify(to.slice(0, 30))}`, async () => {
        const { html } = await begin('LINKS', `?to=${encodeURIComponent(to)}`);
        expect(html.includes('>MENU</a>')).to.equal(leads);
        expect(html.includes('href="/not-found"')).to.equal(!leads);
      });
    }

    it('stays with a screen that its user is shown again', async () => {
      const page = await begin('KEEPS');
      const again = await submit(page, { pf: 'ENTER', V00000AD: '2' });
      expect(again.html).to.include('value="PF3">F3</button>');
    });

    it('abends past its bound, and declares nothing then', async () => {
      const page = await begin('MANY');
      expect(page.status).to.equal(200);
      expect(site.log()).to.include('more than 500 areas are declared');
      expect(page.html).to.not.include('SvcAreaKey');
    });
  });

  describe('FIELD$', () => {
    const [from, amount, date, remark] = ['V0000117', 'V00001B7', 'V0000257', 'V00002F7'];

    it('makes lists, a check box and a hidden field, with their labels, and what the field holds among the choices', async () => {
      const { html } = await begin('CONTROLS');
      expect(html).to.include(
        `<select name="${from}" aria-label="From account * . . (8 digits)" autocomplete="off"><option value="" selected></option>` +
          '<option value="10000001">10000001</option><option value="10000002">the &lt;b&gt;other</option>',
      );
      expect(html).to.include(
        '<option value="12.50">twelve and a half</option><option value="25">25</option></select>',
      );
      expect(html).to.include(`<input type="hidden" name="${date}" value="">`);
      expect(html).to.match(new RegExp(`<input type="checkbox" value="URGENT" name="${remark}"[^>]*>`));
    });

    it('takes a choice, and refuses what is none', async () => {
      const page = await begin('CONTROLS');
      const fields = { pf: 'ENTER', [from]: '10000001', [amount]: '12.50', [date]: '2026-11-22' };
      for (const [name, value] of [
        [from, '10000003'],
        [amount, '13'],
        [remark, 'urgent'],
      ] as const) {
        const refused = await submit(page, { ...fields, [name]: value });
        expect(refused.status, name).to.equal(400);
        expect(refused.html).to.include('accepts only the offered choices');
      }
      const taken = await submit(page, { ...fields, [remark]: 'URGENT' });
      expect(taken.html).to.include('The order is complete');
      expect(control(taken, 'value="10000001"')).to.include('selected');
      expect(control(taken, remark)).to.include(' checked ');
      expect(taken.html).to.include(`<input type="hidden" name="${date}" value="2026-11-22">`);
    });

    it('keeps the rules of the keyboard: a choice with letters is none for a numeric field', async () => {
      const page = await begin('CONTROLS');
      const refused = await submit(page, { pf: 'ENTER', [from]: '9x' });
      expect(refused.status).to.equal(400);
      expect(refused.html).to.include('accepts only digits');
    });

    it('unticks what was ticked and does not come back, and leaves alone what was not', async () => {
      const page = await begin('OFF');
      const order = { pf: 'ENTER', [from]: '10000001', [amount]: '1', [date]: '2026-11-22' };
      const ticked = await submit(page, { ...order, [remark]: 'Y' });
      expect(control(ticked, remark)).to.include(' checked ');
      const unticked = await submit(ticked, order);
      expect(control(unticked, remark)).to.not.include('checked');
      const other = await fetch(site.url + unticked.action, {
        headers: { Cookie: unticked.cookie, Accept: 'application/json' },
      });
      expect(((await other.json()) as { text: string[] }).text[9]).to.match(/ N *$/);
    });

    it('does not empty a field whose list did not come back', async () => {
      const page = await begin('CONTROLS');
      const order = { pf: 'ENTER', [from]: '10000001', [amount]: '25', [date]: '2026-11-22' };
      const complete = await submit(page, order);
      const again = await submit(complete, { pf: 'ENTER', [date]: '2026-11-22' });
      expect(again.html).to.include('The order is complete');
    });

    it('leaves hidden and encrypted fields as they are', async () => {
      const page = await begin('SECRETS');
      expect(page.html).to.include('<input type="hidden" name="V000024E" value="">');
      expect(page.html).to.include('<input type="password" name="V00002EE"');
      expect(page.html).to.not.include('<select');
    });

    it('has what the page adds to its fields, unless it says otherwise', async () => {
      const added = await begin('CONTROLS', '', 'ADDED.HTML');
      expect(added.html).to.include(`<select data-x name="${from}" id="${from}"`);
      expect(added.html).to.include('<input data-x type="checkbox"');
      const bare = await begin('CONTROLS', '', 'BARE.HTML');
      expect(bare.html).to.include(`<select name="${from}"`);
      expect(bare.html).to.include('<input type="checkbox"');
    });
  });
});
