import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { violations } from './axe.js';
import { isScreenStep, MacroPage } from './macro-page.js';
import { siteInBrowser } from './site-in-browser.js';
import { SlowProxy } from './slow-proxy.js';
import { named, startTerminalSite, TerminalPage } from './terminal-page.js';

const LOOK_UP = [{ txt: '2' }, 'ENTER', { txt: '10000001' }, 'ENTER'];

describe('macros in Chromium', () => {
  const here = siteInBrowser(startTerminalSite);
  let macros: MacroPage;
  let terminal: TerminalPage;

  const at = (path: string) => named(here.site.url, path);
  const open = async (path = '/TERMINAL.HTML+TSO') => {
    terminal = await TerminalPage.open(here.browser, at(path));
    macros = new MacroPage(terminal);
    await terminal.shows('Userid');
    await terminal.free();
  };
  const atMenu = async () => {
    terminal = await TerminalPage.atMenu(here.browser, at('/TERMINAL.HTML+MENU'));
    macros = new MacroPage(terminal);
  };

  afterEach(async () => {
    const { complaints } = terminal;
    await terminal.close();
    expect(complaints).to.deep.equal([]);
  });

  describe('that are recorded', () => {
    it('sign on and look an account up, again after a reload; the password is nowhere', async () => {
      await open();
      await macros.recordButton.click();
      await terminal.says('Recording');
      expect(await macros.recordButton.getAttribute('aria-pressed')).to.equal('true');
      await terminal.type('anna');
      await terminal.press('Tab');
      await terminal.type('geheix');
      await terminal.press('Backspace');
      await terminal.type('m');
      await terminal.press('Enter');
      await terminal.choose('2', 'ACCT');
      await terminal.type('10000001');
      await terminal.press('Enter');
      await terminal.shows('ADA LOVELACE');
      expect(await traces()).to.not.match(/gehei/i);
      await macros.save('sign on');
      const titled = (text: string, title: string, ...others: readonly (readonly [number, number, string])[]) => {
        const texts = [[1, 2, text], [1, 30, title], ...others] as const;
        return { txt: '', screen: texts.map(([row, column, one]) => ({ text: one, row, column })) };
      };
      const signOn = titled(
        ...([
          'SIGNON',
          'Sallyport simulated host',
          [5, 10, 'Type your userid and password, then press ENTER'],
        ] as const),
        ...([
          [8, 14, 'Userid'],
          [10, 14, 'Password'],
          [12, 14, 'New password'],
          [24, 2, 'ENTER=Sign on'],
          [24, 18, 'F3=Exit'],
        ] as const),
      );
      const menu = titled(
        ...(['MENU', 'Sallyport simulated host', [3, 2, 'Option'], [3, 50, 'User'], [4, 50, 'Terminal']] as const),
        ...([
          [5, 50, 'Date'],
          [24, 2, 'ENTER=Select'],
          [24, 17, 'F3=Log off'],
        ] as const),
      );
      const account = titled(
        ...(['ACCT', 'Account inquiry and update', [4, 2, 'Account number']] as const),
        ...([
          [24, 2, 'ENTER=Inquire'],
          [24, 18, 'F3=Menu'],
        ] as const),
      );
      expect((await macros.stored()).macros).to.deep.equal([
        {
          name: 'sign on',
          rev: 1,
          def: [
            ...[signOn, { txt: 'anna' }, 'Tab', { txt: '', prompt: 'Password' }, 'ENTER'],
            ...[menu, { txt: '2' }, 'ENTER', account, { txt: '10000001' }, 'ENTER'],
          ],
        },
      ]);
      await macros.openList();
      const [download] = await Promise.all([terminal.page.waitForEvent('download'), macros.button('Export').click()]);
      expect(download.suggestedFilename()).to.equal('macros.json');
      const exported = readFileSync(await download.path(), 'utf8');
      expect(JSON.parse(exported)).to.deep.equal(await macros.stored());
      expect(exported + (await traces())).to.not.match(/gehei/i);
      await macros.button('Close').click();

      const another = await terminal.page.context().newPage();
      const again = new MacroPage(new TerminalPage(another));
      await another.goto(at('/TERMINAL.HTML+TSO'));
      await again.terminal.shows('Userid');
      await again.terminal.free();
      await again.run('sign on');
      const input = again.dialog.getByLabel('Password');
      await input.fill('geheim');
      expect([await input.getAttribute('type'), await input.getAttribute('autocomplete')]).to.deep.equal([
        'password',
        'off',
      ]);
      expect(await another.content()).to.not.include('geheim');
      await terminalPress(again, 'Enter');
      await again.terminal.shows('Account number . .  10000001', 'ADA LOVELACE');
      await again.terminal.says('sign on was played');
      expect(await another.evaluate(TRACES)).to.not.match(/gehei/i);
      expect(again.terminal.complaints).to.deep.equal([]);
    });

    it('ask for a password that was clicked into, pasted, filled in by the browser, or typed ahead', async () => {
      await open();
      await macros.recordButton.click();
      await terminal.type('anna');
      await terminal.page.getByRole('textbox', { name: 'Password', exact: true }).click();
      await paste('canary1');
      const next = terminal.page.getByRole('textbox', { name: 'New password' });
      // as a password manager does
      await next.fill('canary2');
      await terminal.press('Enter');
      await terminal.type('canary3');
      await terminal.shows('Userid or password is not valid');
      await terminal.free();
      await macros.save('wrong');
      const [{ def } = { def: [] }] = (await macros.stored()).macros;
      const question = (prompt: string) => ({ txt: '', prompt });
      expect(def.filter((step) => typeof step === 'object' && !isScreenStep(step))).to.deep.equal([
        ...[{ txt: 'anna' }, question('Password'), question('New password'), question('Password')],
      ]);
      expect(await traces()).to.not.include('canary');
    });

    it('are not stored without a key for the host', async () => {
      await open();
      await macros.recordButton.click();
      await terminal.type('anna');
      await macros.recordButton.click();
      await terminal.says('Nothing was stored: no key for the host');
      expect(await macros.dialog.count()).to.equal(0);
      expect((await macros.stored()).macros).to.deep.equal([]);
    });

    it('are thrown away only when the user says so', async () => {
      await atMenu();
      await macros.recordButton.click();
      await terminal.press('F1');
      await terminal.shows('This key is not active');
      await macros.recordButton.click();
      await terminal.press('Escape');
      await macros.button('Go back').click();
      await macros.dialog.getByLabel('Name').fill('kept');
      await macros.button('Save').click();
      await terminal.says('The macro was saved');
      expect((await macros.stored()).macros.map(({ name }) => name)).to.deep.equal(['kept']);
    });
  });

  describe('that are played', () => {
    it('wait for each answer of the host, however late it is, and take no keys meanwhile', async () => {
      await atMenu();
      const def = [{ txt: '8' }, 'ENTER', { txt: '1' }, 'ENTER', { txt: '0.1' }, 'ENTER'];
      await macros.store({ name: 'late', def });
      await macros.run('late');
      await terminal.says('X SYSTEM', 'Playing late, step 5 of 6');
      await terminal.type('nonsense');
      await terminal.press('Enter', 'Tab');
      await paste('nonsense');
      await terminal.says('Playing late');
      await terminal.shows('That took 0.1 seconds');
      await terminal.says('late was played');
      expect(terminal.submits.map(({ a }) => a)).to.deep.equal(['ENTER', 'ENTER', 'ENTER']);
      await terminal.type('7');
      expect(await terminal.valueOf('Seconds . . .')).to.equal('7');
    });

    it('stop at an operator error, and say so', async () => {
      await atMenu();
      await macros.store({ name: 'wrong', def: [{ txt: '3' }, 'ENTER', { txt: '12x' }, 'ENTER'] });
      await macros.run('wrong');
      await terminal.says('X o NUM', 'wrong stopped at step 3: this field accepts digits, minus and full stop.');
      await terminal.page.getByRole('status').getByText('wrong stopped at step 3').waitFor();
      expect(terminal.submits).to.have.length(1);
    });

    it('stop with the picture where another screen comes than the recorded one', async () => {
      await atMenu();
      const on = (text: string) => ({ txt: '', screen: [{ text, row: 1, column: 2 }] });
      const def = [on('MENU'), { txt: '3' }, 'ENTER', on('ACCT'), { txt: '10000001' }, 'ENTER'];
      await macros.store({ name: 'look up', def });
      await macros.run('look up');
      await terminal.says(
        'look up stopped at step 4: another screen appeared. Expected: a screen with "ACCT" in row 1, column 2.',
      );
      await macros.dialog.getByText('look up stopped at step 4').waitFor();
      await macros.dialog.getByText('“ACCT” in row 1, column 2').waitFor();
      const came = macros.dialog.getByRole('region', { name: 'The received screen' });
      expect(await came.innerText()).to.match(/^ FORM/);
      // all of it is seen, as large as there is room
      const hidden =
        'document.querySelector(".picture").scrollHeight - document.querySelector(".picture").clientHeight';
      expect(await terminal.page.evaluate(hidden)).to.equal(0);
      expect(await violations(terminal.page)).to.deep.equal([]);
      await macros.button('Close').click();
      expect(terminal.submits).to.have.length(1);
      await terminal.type('7');
    });

    it('look, ask and read; are played step by step, by keys alone', async () => {
      await atMenu();
      const at = (text: string) => [[{ text, row: 1, column: 2 }]];
      const balance = { text: 'ADA LOVELACE' };
      const def = [
        { txt: '', expect: at('MENU') },
        { txt: '', ask: 'Account number', variable: 'account' },
        { txt: '2' },
        'ENTER',
        { txt: '', if: at('ACCT'), steps: [{ txt: '', type: '{account}' }, 'ENTER'], else: ['PF3'] },
        { txt: '', wait: balance, within: 60 },
        { txt: '', read: [6, 22, 6, 24], variable: 'name' },
        { txt: '', repeat: 3, until: at('MENU'), steps: ['PF3'] },
        { txt: '', type: '{name}' },
      ];
      await macros.store({ name: 'look', def });
      await macros.openList();
      await macros.more('look', 'Step through');
      const bar = terminal.page.getByRole('region', { name: 'Step through look' });
      await bar.getByText('Next, step 1: expect text("MENU",1,2)').waitFor();
      expect(await violations(terminal.page)).to.deep.equal([]);
      await terminal.page.keyboard.press('Enter');
      await bar.getByText('Next, step 2: ask("Account number",account)').waitFor();
      await terminal.page.keyboard.press('Tab');
      await terminal.page.keyboard.press('Enter');
      await macros.dialog.getByLabel('Account number').fill('10000001');
      await terminal.page.keyboard.press('Enter');
      await terminal.says('look was played.');
      expect(await bar.count()).to.equal(0);
      await terminal.shows('Option ===>');
      expect(await terminal.valueOf('Option ===>')).to.match(/^ADA /);
      expect(terminal.submits.filter(({ x }) => x !== undefined).map(({ x }) => x)).to.deep.equal([at('MENU')]);
    });

    it('stop when the user presses Esc or the button', async () => {
      await atMenu();
      await macros.store({ name: 'long', def: [{ txt: '8' }, 'ENTER', { txt: '5' }, 'ENTER', 'PF3'] });
      await macros.run('long');
      await terminal.says('step 5 of 5');
      await terminal.press('Escape');
      await terminal.says('long stopped at step 5: it was stopped.');
      await terminal.shows('That took 5 seconds');
      await terminal.free();
      await macros.store({ name: 'long', def: [{ txt: '2' }, 'ENTER'] });
      await macros.run('long');
      await terminal.says('step 2 of 2');
      await terminal.page.getByRole('button', { name: 'Stop' }).click();
      await terminal.says('long stopped at step 2: it was stopped.');
      expect(await terminal.page.getByRole('button', { name: 'Stop' }).count()).to.equal(0);
    });

    it('stop when the session ends, or the connection is lost', async () => {
      await atMenu();
      await macros.store({ name: 'log off', def: ['PF3', 'ENTER', 'ENTER'] });
      await macros.run('log off');
      await terminal.alert.getByText('The host has ended the session.').waitFor();
      await terminal.says('log off stopped at step 2: the session has ended.');
      await terminal.close();
      const proxy = await SlowProxy.before(here.site.url);
      try {
        terminal = await TerminalPage.atMenu(here.browser, named(proxy.url, '/TERMINAL.HTML+MENU'));
        macros = new MacroPage(terminal);
        await macros.store({ name: 'long', def: [{ txt: '8' }, 'ENTER', { txt: '2' }, 'ENTER', 'PF3'] });
        await macros.run('long');
        await terminal.says('step 5 of 5');
        proxy.cut();
        await terminal.says('long stopped at step 5: the connection was lost.');
        await terminal.shows('That took 2 seconds');
        await terminal.close();
      } finally {
        await proxy.stop();
      }
    });

    it('stop at names that nobody knows, and where a question is not answered', async () => {
      await open();
      await macros.store(
        { name: 'unknown', def: ['Tab', 'PF25'] },
        { name: 'asking', def: ['Tab', { txt: '', prompt: 'Password' }, 'ENTER'] },
      );
      await macros.run('unknown');
      await terminal.says('unknown stopped at step 2: there is no key or instruction PF25.');
      await terminal.press('Home');
      await macros.run('asking');
      await macros.dialog.getByLabel('Password').fill('canary');
      await terminal.press('Escape');
      await terminal.says('asking stopped at step 2: the question was not answered.');
      expect(await traces()).to.not.include('canary');
    });

    it('begin by hot keys, also where browsers have another use for them', async () => {
      await atMenu();
      await macros.store(
        { name: 'look up', def: LOOK_UP, mapping: { key: 'ctrl', keycode: 76 } },
        { name: 'back', def: ['PF3', 'PF3'], mapping: { key: 'alt', keycode: 115 + 1 } },
        { name: 'not clear', def: ['PF3'], mapping: { key: 'alt', keycode: 67 } },
      );
      await terminal.press('Control+l');
      await terminal.shows('ADA LOVELACE');
      await terminal.says('look up was played');
      await terminal.press('Alt+F5');
      await terminal.shows('Option ===>');
      await terminal.says('back was played');
      const before = terminal.submits.length;
      await terminal.press('Alt+c');
      await eventually(() => terminal.submits.length > before || undefined);
      expect(terminal.submits.at(-1)?.a, 'the terminal has it').to.equal('CLEAR');
    });

    it('begin by hot keys that key maps have, too: told where either is given, and the key of one’s own goes first', async () => {
      await atMenu();
      const { page } = terminal;
      await macros.store(
        { name: 'look up', def: LOOK_UP, mapping: { key: 'alt', keycode: 71 } },
        { name: 'back', def: ['PF3'] },
      );
      await terminal.press('Control+,');
      await page.getByText('Keys of your own').click();
      const row = page.locator('[data-action="followLabel"]');
      expect(await row.textContent())
        .to.include('Alt+G')
        .and.include('plays the macro look up');
      await page.getByRole('button', { name: 'Add a key for Erase input' }).focus();
      await terminal.press('Enter', 'Alt+g');
      await page
        .getByText(
          'Alt+G is already used for “Follow the label at the cursor”. Alt+G already plays the macro “look up”.',
        )
        .waitFor();
      await page.getByRole('button', { name: 'Assign Alt+G here' }).click();
      await page.getByText('Alt+G is now used for “Erase input”.').waitFor();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const before = terminal.submits.length;
      await terminal.type('zzz');
      await terminal.press('Alt+g');
      expect([(await terminal.text()).includes('zzz'), terminal.submits.length]).to.deep.equal([false, before]);
      await macros.openList();
      await macros.more('back', 'Rename, hot key');
      await macros.dialog.getByLabel('Hot key').selectOption('alt');
      const refusal = 'You have assigned Alt+G to “Erase input”. Remove it in the settings first.';
      await macros.dialog.getByLabel('Key', { exact: true }).selectOption('G');
      await macros.dialog.getByText('Alt+G is already the hot key of look up.').waitFor();
      await macros.button('Cancel').click();
      await macros.more('look up', 'Rename, hot key');
      await macros.dialog.getByText(refusal).waitFor();
      await macros.dialog.getByLabel('Key', { exact: true }).selectOption('T');
      await macros.dialog
        .getByText('Alt+T is used for “Copy as table”. The key will play the macro instead.')
        .waitFor();
      await macros.button('Save').click();
      await macros.button('Close').click();
      await terminal.press('Alt+t');
      await terminal.says('look up was played');
    });
  });

  const TRACES =
    'JSON.stringify([localStorage, sessionStorage, document.documentElement.outerHTML, document.title, location.href])';

  function traces(): Promise<string> {
    return terminal.page.evaluate(TRACES);
  }

  function terminalPress({ page }: MacroPage, key: string): Promise<void> {
    return page.keyboard.press(key);
  }

  async function paste(text: string): Promise<void> {
    await terminal.page.evaluate(`{
      const data = new DataTransfer();
      data.setData('text/plain', ${JSON.stringify(text)});
      const how = { clipboardData: data, bubbles: true, cancelable: true };
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', how));
    }`);
  }
});
