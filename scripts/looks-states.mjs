export const MACROS = JSON.stringify({
  macros: [
    { name: 'Look up an account', rev: 2, def: [{ txt: '2' }, 'ENTER'], mapping: { key: 'alt', keycode: 71 } },
    { name: 'Sign on', rev: 1, def: [{ txt: 'DEMO' }, 'Tab', { txt: '', prompt: 'Password' }, 'ENTER'] },
    {
      name: 'Somewhere else',
      rev: 1,
      def: [
        {
          txt: '',
          screen: [
            { text: 'CLAIMS', row: 1, column: 2 },
            { text: 'Claim number', row: 4, column: 2 },
          ],
        },
        'ENTER',
      ],
    },
  ],
  fmt: 2,
});

/**
 * Steps to reach each state of the terminal, from the menu of the host unless a state has its own start.
 * @param at URL of a path on the server; signedOnAt: on the server with user sign-on
 */
export const statesOf = ({ at, signedOnAt, users }) => ({
  'sign-on screen': { start: async (terminal) => terminal.shows('Userid') },
  menu: {},
  keypad: { go: ({ page }) => page.getByRole('button', { name: 'Keys', exact: true }).click() },
  palette: {
    go: async (terminal) => {
      await terminal.press('Control+k');
      await terminal.page.getByRole('option').first().waitFor();
    },
  },
  'palette, search': {
    go: async (terminal) => {
      await terminal.press('Control+k');
      await terminal.type('cop');
      await terminal.page.getByRole('option').first().waitFor();
    },
  },
  settings: { go: (terminal) => openSettings(terminal) },
  'settings, own colours': {
    go: async (terminal) => {
      await openSettings(terminal);
      await terminal.page.getByLabel('Colours', { exact: true }).selectOption('own');
    },
  },
  'key editor': { go: (terminal) => openKeys(terminal) },
  'key editor, conflict': {
    go: async (terminal) => {
      await openKeys(terminal);
      await terminal.page.getByRole('button', { name: 'Add a key for Erase input' }).focus();
      await terminal.press('Enter', 'Alt+g');
      await terminal.page.getByRole('button', { name: 'Assign Alt+G here' }).waitFor();
    },
  },
  help: { go: (terminal) => terminal.press('Control+F1') },
  find: {
    go: async (terminal) => {
      await terminal.press('Control+f');
      await terminal.page.keyboard.type('a', { delay: 20 });
    },
  },
  'screens before': { go: (terminal) => openScreens(terminal) },
  'file transfer': { go: (terminal) => openTransfer(terminal) },
  'file transfer, options': {
    go: async (terminal) => {
      await openTransfer(terminal);
      await terminal.page.getByText('More options').click();
      await terminal.page.getByRole('button', { name: 'Transfer', exact: true }).click();
    },
  },
  selection: {
    go: async (terminal) => {
      await terminal.press('Home');
      for (const key of ['Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowRight'])
        await terminal.press(key);
    },
  },
  'selection, the other mouse button': {
    go: async (terminal) => {
      const { page } = terminal;
      const point = (row, column) =>
        page.evaluate(`(() => {
          const { left, top, width, height } = document.querySelectorAll('#screen .row')[${row - 1}].getBoundingClientRect();
          return { x: left + (${column} - 0.5) * width / 80, y: top + height / 2 };
        })()`);
      const word = await point(8, 12);
      await page.mouse.dblclick(word.x, word.y);
      await page.mouse.click(word.x, word.y, { button: 'right' });
      await page.getByRole('toolbar', { name: 'Selected text' }).waitFor();
    },
  },
  macros: { go: (terminal) => openMacros(terminal) },
  'macros, what can be done': {
    go: async (terminal) => {
      await openMacros(terminal);
      await terminal.page.getByRole('button', { name: 'More about Sign on' }).click();
    },
  },
  'macro editor': { go: (terminal) => more(terminal, 'Sign on', 'Edit') },
  'macro, name and hot key': { go: (terminal) => more(terminal, 'Look up an account', 'Rename, hot key') },
  'macro, delete': { go: (terminal) => more(terminal, 'Sign on', 'Delete') },
  'macro, other screen': {
    go: async (terminal) => {
      await openMacros(terminal);
      await terminal.page.getByRole('button', { name: 'Run Somewhere else' }).click();
      await terminal.page.getByRole('heading', { name: /stopped/ }).waitFor();
    },
  },
  'macro, step by step': { go: (terminal) => more(terminal, 'Look up an account', 'Step through') },
  recording: { go: ({ page }) => page.getByRole('button', { name: 'Record', exact: true }).click() },
  'operator error': {
    go: async (terminal) => {
      await terminal.choose('3', 'FORM');
      await terminal.type('x');
      await terminal.says('X o NUM');
    },
  },
  'program check': {
    go: async (terminal) => {
      await terminal.type('6');
      await terminal.press('Enter');
      await terminal.says('X PROG 755');
    },
  },
  'silent host': {
    go: async (terminal) => {
      await terminal.page.evaluate('socket.send = () => {}');
      await terminal.press('Enter');
      await terminal.page.getByText('The host has not answered yet').first().waitFor({ timeout: 30_000 });
    },
  },
  'not connected': {
    go: async (terminal) => {
      await terminal.page.context().setOffline(true);
      await terminal.page.evaluate('socket.close()');
      await terminal.says('Not connected');
      await terminal.page.locator('.notice').waitFor();
    },
  },
  'message of an operator': {
    go: (terminal) =>
      tell(terminal, {
        k: 'n',
        i: 1,
        b: 'OPERA',
        m: 'The system goes down for an hour at 18:00. Please finish what you do.',
      }),
  },
  watched: { go: (terminal) => tell(terminal, { k: 'v', b: ['OPERA'] }) },
  disconnect: { go: ({ page }) => page.getByRole('button', { name: 'Disconnect' }).click() },
  'ended session': {
    go: async (terminal) => {
      await terminal.press('F3');
      await terminal.alert.getByRole('link').first().waitFor();
    },
  },
  colours: { go: (terminal) => terminal.choose('4', 'COLOURS') },
  apl: { go: (terminal) => terminal.choose('5', 'APL') },
  home: { go: ({ page }) => page.goto(at('/')) },
  tabs: { go: (terminal) => openTabs(terminal, at) },
  'side by side': {
    go: async (terminal) => {
      await openTabs(terminal, at);
      await terminal.page.keyboard.press('Control+Alt+KeyS');
    },
  },
  'page that there is not': { go: ({ page }) => page.goto(at('/NOSUCH.HTML')) },
  'last page': {
    go: async ({ page }) => {
      await page.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByRole('button', { name: 'End the session' }).click();
      await page.getByRole('heading', { name: 'Goodbye' }).waitFor();
    },
  },
  'on paper': { isPaper: true, go: (terminal) => terminal.choose('4', 'COLOURS') },
  'on paper, all screens': { isPaper: true, go: (terminal) => printAll(terminal, false) },
  'on paper, as seen': { isPaper: true, go: (terminal) => printAll(terminal, true) },
  'idle countdown': { go: (terminal) => tell(terminal, { k: 't', s: 100, n: 43200 }) },
  'screens compared': {
    go: async (terminal) => {
      await openScreens(terminal);
      await terminal.page.getByRole('button', { name: 'Compare with this one' }).click();
      await terminal.page.getByRole('button', { name: 'Older' }).click();
    },
  },
  'paste that did not fit': {
    go: async (terminal) => {
      await terminal.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await terminal.page.evaluate("navigator.clipboard.writeText('more than there is room for')");
      await terminal.press('Home', 'Control+v');
      await terminal.says('did not fit');
    },
  },
  'parameter of a service': {
    go: async (terminal) => {
      await record(terminal);
      await terminal.type('2');
      await terminal.press('Alt+p');
      await terminal.page.getByText('Parameter of a service').waitFor();
    },
  },
  'area of a service': {
    go: async (terminal) => {
      await record(terminal);
      await terminal.press('Alt+x');
      await terminal.page.getByRole('application').waitFor();
      for (let column = 0; column < 9; column++) await terminal.press('Shift+ArrowRight');
    },
  },
  'recorded service': {
    go: async (terminal) => {
      await record(terminal);
      await terminal.type('2');
      await terminal.press('Enter');
      await terminal.shows('ACCT ');
      await terminal.free();
      await terminal.page.getByRole('button', { name: 'Save as service' }).click();
      await terminal.page.getByLabel('Name of the service').waitFor();
      await terminal.type('account');
      await terminal.press('Enter');
      await terminal.page.getByLabel('Service', { exact: true }).waitFor();
    },
  },
  'new session in a tab': {
    go: async (terminal) => {
      await openTabs(terminal, at);
      await terminal.page.getByRole('button', { name: 'New', exact: true }).click();
      await terminal.page.getByRole('dialog').waitFor();
    },
  },
  'name of a session': {
    go: async (terminal) => {
      await openTabs(terminal, at);
      await terminal.page.getByRole('button', { name: 'Rename', exact: true }).click();
      await terminal.page.getByRole('dialog').waitFor();
    },
  },
  'phone, menu': { device: 'phone' },
  'phone, keypad': {
    device: 'phone',
    go: ({ page }) => page.getByRole('button', { name: 'Keys', exact: true }).tap(),
  },
  'phone, typing': {
    device: 'phone',
    go: async (terminal) => {
      await terminal.choose('3', 'FORM');
      await terminal.press('Tab', 'Tab');
    },
    hasKeyboard: true,
  },
  'phone, selection': {
    device: 'phone',
    go: async (terminal) => {
      await terminal.press('Home', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight');
      await terminal.page.touchscreen.tap(5, 5);
    },
  },
  'phone, program check': {
    device: 'phone',
    go: async (terminal) => {
      await terminal.type('6');
      await terminal.press('Enter');
      await terminal.says('X PROG 755');
    },
  },
  'phone, settings': { device: 'phone', go: (terminal) => openSettings(terminal) },
  'without JavaScript': { device: 'no script', start: () => undefined },
  'sign-on page': {
    path: signedOnAt('/TERMINAL.HTML+TSO4'),
    start: ({ page }) => page.getByLabel('User id').waitFor(),
  },
  'sign-on page, wrong password': {
    path: signedOnAt('/TERMINAL.HTML+TSO4'),
    start: async ({ page }) => {
      await signOnAs(page, { ...users.administrator, password: 'wrong' });
      await page.getByRole('alert').filter({ hasText: /./ }).waitFor();
    },
  },
  'home, signed on': {
    path: signedOnAt('/TERMINAL.HTML+TSO4'),
    start: async (terminal) => {
      await signOnAs(terminal.page, users.administrator);
      await terminal.shows('Userid');
      await terminal.page.goto(signedOnAt('/'));
    },
  },
  'home, end of a session': {
    go: async ({ page }) => {
      await page.goto(at('/'));
      await page.getByText('End', { exact: true }).first().click();
    },
  },
  'publish dialog': {
    path: signedOnAt('/TERMINAL.HTML+TSO4'),
    start: async (terminal) => {
      await signOnAs(terminal.page, users.administrator);
      await terminal.signOn();
      await terminal.free();
      await record(terminal);
      await terminal.press('F1');
      await terminal.shows('This key is not active');
      await terminal.free();
      await terminal.page.getByRole('button', { name: 'Record', exact: true }).click();
      await terminal.page.getByRole('dialog').getByLabel('Name').fill('Help');
      await terminal.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await terminal.says('The macro was saved');
      await more(terminal, 'Help', 'Publish');
      await terminal.page.getByRole('group', { name: /roups/ }).waitFor();
    },
  },
});

async function openScreens(terminal) {
  await terminal.choose('2', 'ACCT');
  await terminal.press('F3');
  await terminal.shows('Option ===>');
  await terminal.free();
  await terminal.press('Alt+PageUp');
  await terminal.page.getByRole('heading', { name: 'Screens of this session' }).waitFor();
}

async function record({ page }) {
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByRole('button', { name: 'Save as service' }).waitFor();
}

async function signOnAs(page, { name, password }) {
  await page.getByLabel('User id').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign on' }).click();
}

async function openSettings(terminal) {
  await terminal.press('Control+,');
  await terminal.page.getByRole('heading', { name: 'Settings' }).waitFor();
}

async function openKeys(terminal) {
  await openSettings(terminal);
  await terminal.page.getByText('Keys of your own').click();
}

async function openMacros({ page }) {
  await page.locator('#macro-list').click();
  await page.getByRole('heading', { name: /^Macros \(/ }).waitFor();
}

async function more(terminal, name, action) {
  await openMacros(terminal);
  await terminal.page.getByRole('button', { name: `More about ${name}` }).click();
  await terminal.page.getByRole('button', { name: action, exact: true }).click();
}

function tell({ page }, message) {
  const data = JSON.stringify(JSON.stringify(message));
  return page.evaluate(`socket.dispatchEvent(new MessageEvent('message', { data: ${data} }))`);
}

async function openTabs({ page }, at) {
  await page.goto(at('/TERMINAL.HTML+CICS'));
  await page.locator('#screen .row').first().waitFor();
  await page.goto(at('/w2h/sessions'));
  await page.locator('iframe').first().waitFor();
  await page.frameLocator('iframe').first().locator('#screen .row').first().waitFor();
}

async function printAll(terminal, isAsSeen) {
  await openScreens(terminal);
  const { page } = terminal;
  // keeps the print sheet in the document
  await page.evaluate('window.print = () => {}');
  await page.getByLabel(/all \d+ screens/).check();
  if (isAsSeen) await page.getByLabel('print in colour').check();
  await page.getByRole('button', { name: 'Print', exact: true }).click();
}

async function openTransfer(terminal) {
  await terminal.press('Control+k');
  await terminal.type('Transfer a file');
  await terminal.page.getByRole('option', { name: 'Transfer a file' }).click();
  await terminal.page.getByRole('dialog', { name: 'Transfer a file' }).waitFor();
}
