import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { ADMINISTRATOR, ANNA, BERT, OPERATOR, startPortalSite } from '../support/portal-site.js';
import { auditText } from '../web/portal-client.js';
import { PortalPage } from './portal-page.js';
import { siteInBrowser } from './site-in-browser.js';

const PASSWORD = 'correct-Horse-9';
const fileOf = (...steps: string[]) =>
  JSON.stringify({ macros: [{ name: 'LOGON', rev: 1, def: ['move(435)', ...steps, 'ENTER'] }], fmt: 2 });

describe('the portal in Chromium', () => {
  const here = siteInBrowser(startPortalSite);

  const signedOn = (account = ADMINISTRATOR as { readonly name: string; readonly password: string }, options = {}) =>
    PortalPage.signedOn(here.browser, here.site, account, options);

  it('signs on with an encrypted form, and off', async () => {
    const portal = await PortalPage.signedOnByForm(here.browser, here.site);
    expect(portal.sent.join()).to.include('PASSWORD=').and.not.include(ADMINISTRATOR.password);
    await portal.press('Sign off');
    await portal.heading('Sign on');
    await portal.go('/users');
    await portal.heading('Sign on');
    await portal.close();
  });

  it('uploads by picker and by drop, compares, restores and removes', async () => {
    const portal = await signedOn();
    const { page } = portal;
    await portal.go('/macros');
    await page.getByLabel('Open the macros of a group').fill('ops');
    await page.getByRole('button', { name: 'Open' }).first().click();
    await portal.heading('Macros of group OPS');
    await portal.choose(fileOf('PF3'));
    await portal.press('Upload');
    await portal.says('The macros were uploaded.');
    await portal.drop(fileOf('PF4', 'PF5'));
    await page.getByRole('link', { name: 'View version 2' }).waitFor();
    await page.getByText('4 steps').click();
    await page.getByText('key(PF4)').waitFor();

    await page.getByRole('link', { name: 'Compare version 1' }).click();
    await portal.heading('Version 1');
    expect(await page.locator('del').allTextContents()).to.deep.equal(['key(PF3)']);
    expect(await page.locator('ins').allTextContents()).to.deep.equal(['key(PF4)', 'key(PF5)']);
    await page.getByRole('link', { name: 'Restore …' }).click();
    await portal.heading('Restore version 1 of the macros of group OPS?');
    await portal.press('Restore version 1');
    await portal.says('The version was restored');
    await page.getByText('3 steps').waitFor();

    await page.getByRole('link', { name: 'Remove …' }).click();
    await portal.heading('Remove the macros of group OPS?');
    await page.getByText('Removed: LOGON.').waitFor();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByText('3 steps').waitFor();
    await page.getByRole('link', { name: 'Remove …' }).click();
    await portal.press('Remove the macros');
    await portal.says('The macros were removed.');
    await page.getByText('No macros yet.').waitFor();
    expect(portal.complaints).to.deep.equal([]);
    await portal.close();
  });

  it('says what is wrong with a file where it was chosen, and keeps the page', async () => {
    const portal = await signedOn();
    const { page } = portal;
    await portal.go('/macros/global');
    await portal.choose('{"macros":[{"name":"x","def":[true]}]}');
    await portal.press('Upload');
    await portal.warns('$.macros[0].def[0]: expected a string');
    expect(await page.evaluate('document.querySelector("input[type=file]").files.length')).to.equal(1);
    await portal.drop(fileOf(), fileOf());
    await portal.warns('One file at a time');
    await page.evaluate("document.documentElement.lang = 'fr'");
    await portal.drop(fileOf(), fileOf());
    await portal.warns('Un seul fichier est accepté à la fois.');
    await page.evaluate("document.documentElement.lang = 'en'");
    await portal.drop('x'.repeat(1_048_577));
    await portal.warns('It has 1,048,577 bytes; at most 1,048,576 are accepted.');
    await portal.context.setOffline(true);
    await portal.drop(fileOf('PF3'));
    await portal.warns('could not be sent');
    await portal.context.setOffline(false);
    const other = await signedOn();
    await other.go('/macros/global');
    await other.drop(fileOf('PF7'));
    await other.says('The macros were uploaded.');
    await other.close();
    await portal.drop(fileOf('PF8'));
    await portal.warns('The macros have been changed in the meantime');
    await portal.context.clearCookies();
    await portal.drop(fileOf('PF8'));
    await portal.warns('Your sign-on has ended');
    expect(page.url()).to.equal(`${here.site.portalUrl}/macros/global`);
    await portal.close();
  });

  it('adds a user, sets a password that travels encrypted, unlocks and removes', async () => {
    const portal = await signedOn();
    const { page } = portal;
    await portal.go('/users');
    await page.getByRole('link', { name: 'Add a user' }).click();
    await portal.heading('Add a user');
    await page.getByLabel('User ID').fill('C#1');
    await page.getByLabel('Groups').fill('OPS NEW');
    await page.getByLabel('Last day').fill('2099-12-31');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Repeat the password').fill('another-Horse-9');
    await portal.press('Add the user');
    await portal.warns('The two passwords differ.');
    expect(await page.getByLabel('User ID').inputValue()).to.equal('C#1');
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).to.equal('');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Repeat the password').fill(PASSWORD);
    await portal.press('Add the user');
    await portal.says('The user was added.');
    await page.getByRole('link', { name: 'C#1' }).click();
    await portal.heading('User C#1');
    await page.getByText('until 2099-12-31').waitFor();
    expect((await here.site.users.signOn('C#1', PASSWORD))?.kind).to.equal('signedOn');

    for (let wrong = 0; wrong < 10; wrong++) await here.site.users.signOn('C#1', 'wrong');
    await eventually(async () => (await here.site.users.findRecord('C#1'))?.locked);
    await page.reload();
    await page.getByText('locked since').waitFor();
    await portal.press('Unlock');
    await portal.says('The user was unlocked.');

    await page.getByRole('link', { name: 'Set a password …' }).click();
    await portal.heading('Password of C#1');
    await portal.press('Make a password');
    const made = (await page.locator('output').textContent()) ?? '';
    expect(made).to.match(/^[A-Za-z2-9]{20}$/);
    await portal.press('Set the password');
    await portal.says('The password was set.');
    expect((await here.site.users.signOn('C#1', made))?.kind).to.equal('signedOn');

    await page.getByRole('link', { name: 'Remove …' }).click();
    await portal.heading('Remove user C#1?');
    await portal.press('Remove C#1');
    await portal.says('The user was removed.');
    expect(await page.getByRole('link', { name: 'C#1' }).count()).to.equal(0);
    const everything = portal.sent.join('\n') + here.site.log() + auditText(here.site);
    for (const password of [PASSWORD, 'another-Horse-9', made]) {
      expect(everything).to.not.include(password);
      expect(everything).to.not.include(Buffer.from(password).toString('hex'));
    }
    // refusals are errors to the browser
    expect(portal.complaints.filter((complaint) => !complaint.includes('400'))).to.deep.equal([]);
    await portal.close();
  });

  it('sends a form once, however often Enter is pressed', async () => {
    const portal = await signedOn();
    const { page } = portal;
    await portal.go('/groups');
    await page.getByLabel('Name', { exact: true }).fill('ONCE');
    const before = portal.sent.length;
    let isFirst = true;
    await page.route('**/groups', async (route) => {
      if (isFirst && route.request().method() === 'POST') {
        isFirst = false;
        await page.keyboard.press('Enter');
        await page.keyboard.press('Enter');
      }
      await route.continue();
    });
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Remove ONCE' }).waitFor();
    await page.unroute('**/groups');
    expect(portal.sent.slice(before).filter((body) => body.includes('GROUP=ONCE'))).to.have.length(1);
    await portal.close();
  });

  it('keeps what was typed of a change that is refused', async () => {
    const portal = await signedOn();
    const { page } = portal;
    await portal.go('/users/admin');
    await page.getByLabel('Role').selectOption('operator');
    await page.getByLabel('Groups').fill('OPS');
    await portal.press('Change the user');
    await portal.warns('You cannot change your own role. Ask another administrator.');
    expect(await page.getByLabel('Role').inputValue()).to.equal('operator');
    expect(await page.getByLabel('Groups').inputValue()).to.equal('OPS');
    expect(await page.title()).to.match(/^Error: /);
    await portal.close();
  });

  it('by the keyboard alone', async () => {
    const portal = await PortalPage.open(here.browser, here.site);
    const { page } = portal;
    await portal.go('/');
    await page.keyboard.type(ADMINISTRATOR.name);
    await portal.keys('Tab');
    await page.keyboard.type(ADMINISTRATOR.password);
    await portal.keys('Enter');
    await portal.heading('Overview');
    await portal.keys('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Skip to the content');
    await portal.keys('Enter', 'Tab');
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).to.equal(true);

    await portal.go('/');
    await portal.follow('Groups', 'Groups');
    await portal.tabTo('GROUP');
    await page.keyboard.type('KEYS');
    await portal.keys('Enter');
    await portal.says('The group was added.');
    await portal.follow('Macros of KEYS', 'Macros of group KEYS');
    await portal.choose(fileOf('PF3'));
    await portal.tabTo('Upload');
    await portal.keys('Enter');
    await portal.says('The macros were uploaded.');
    await portal.tabTo('3 steps');
    await portal.keys('Enter');
    await page.getByText('key(PF3)').waitFor();
    await portal.follow('View version 1', 'Version 1');
    await portal.go('/macros/group/KEYS');
    await portal.follow('Remove …', 'Remove the macros of group KEYS?');
    await portal.tabTo('Remove the macros');
    await portal.keys('Enter');
    await portal.says('The macros were removed.');
    await portal.follow('Restore version 1', 'Restore version 1 of the macros of group KEYS?');
    await portal.tabTo('Restore version 1');
    await portal.keys('Enter');
    await portal.says('The version was restored');
    await portal.go('/groups');
    await portal.follow('Remove KEYS', 'Remove group KEYS?');
    await portal.tabTo('Remove KEYS');
    await portal.keys('Enter');
    await portal.says('The group was removed.');

    await portal.follow('Users', 'Users');
    await portal.follow('Add a user', 'Add a user');
    await portal.tabTo('USERID');
    await page.keyboard.type('DORA');
    await portal.keys('Tab', 'ArrowDown');
    await portal.tabTo('MAKE');
    await portal.keys('Enter');
    await portal.tabTo('Add the user');
    await portal.keys('Enter');
    await portal.says('The user was added.');
    expect((await here.site.users.findUser('DORA'))?.role).to.equal('operator');
    await portal.follow('DORA', 'User DORA');
    await portal.tabTo('Change the user');
    await portal.keys('Enter');
    await portal.says('The user was changed.');
    await portal.follow('Set a password …', 'Password of DORA');
    await portal.tabTo('PASSWORD');
    await page.keyboard.type(PASSWORD);
    await portal.keys('Tab');
    await page.keyboard.type(PASSWORD);
    await portal.keys('Enter');
    await portal.says('The password was set.');
    await portal.follow('Remove …', 'Remove user DORA?');
    await portal.tabTo('Remove DORA');
    await portal.keys('Enter');
    await portal.says('The user was removed.');
    await portal.follow('Audit trail', 'Audit trail');
    await portal.follow('Sign off', 'Sign on');
    await portal.close();
  });

  it('shows operators what there is, and no way to change it', async () => {
    const portal = await signedOn(OPERATOR);
    for (const path of ['/', '/macros', '/macros/global', '/users', '/users/ANNA', '/groups', '/audit']) {
      await portal.go(path);
      const buttons = await portal.page.locator('form[method="post"] button').allTextContents();
      expect(buttons, path).to.deep.equal(['Sign off', 'English', 'Deutsch', 'Français']);
    }
    expect(portal.complaints).to.deep.equal([]);
    await portal.close();
  });

  it('lets a user without a role sign off again', async () => {
    const portal = await PortalPage.open(here.browser, here.site);
    await portal.go('/');
    await portal.page.getByLabel('User ID').fill(BERT.name);
    await portal.page.getByLabel('Password').fill(BERT.password);
    await portal.press('Sign on');
    await portal.heading('Access denied');
    await portal.press('Sign off');
    await portal.heading('Sign on');
    await portal.close();
  });
});

describe('the portal without JavaScript', () => {
  const here = siteInBrowser(() => startPortalSite({ crypts: '' }));

  it('does all but take what is dropped', async () => {
    const options = { javaScriptEnabled: false };
    const portal = await PortalPage.signedOn(here.browser, here.site, ADMINISTRATOR, options);
    const { page } = portal;
    await portal.go('/macros/global');
    await portal.choose('{"macros":1}');
    await portal.press('Upload');
    await portal.warns('$.macros: expected an array');
    await portal.choose(fileOf('PF3'));
    await portal.press('Upload');
    await portal.says('The macros were uploaded.');
    await page.getByRole('link', { name: 'Remove …' }).click();
    await portal.press('Remove the macros');
    await portal.says('The macros were removed.');
    await portal.go('/users/ANNA/password');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Repeat the password').fill('another-Horse-9');
    await portal.press('Set the password');
    await portal.warns('The two passwords differ.');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Repeat the password').fill(PASSWORD);
    await portal.press('Set the password');
    await portal.says('The password was set.');
    await page.getByRole('link', { name: 'Set a password …' }).click();
    await portal.press('Make a password');
    await page.getByText('It is shown only once.').waitFor();
    const made = (await page.locator('output').textContent()) ?? '';
    expect((await here.site.users.signOn(ANNA.name, made))?.kind).to.equal('signedOn');
    await portal.close();
  });
});
