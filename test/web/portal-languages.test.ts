import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import de from '../../locales/de.json' with { type: 'json' };
import en from '../../locales/en.json' with { type: 'json' };
import fr from '../../locales/fr.json' with { type: 'json' };
import { ADMINISTRATOR, ANNA, OPERATOR, type PortalSite, startPortalSite } from '../support/portal-site.js';
import { projectFolder } from '../support/project.js';
import { SignOnClient } from '../support/sign-on-client.js';
import { EventClient } from './event-client.js';
import { auditText, PortalClient, textOf } from './portal-client.js';

const MACROS = '{"macros":[{"name":"one","rev":1,"def":["ENTER"]}],"fmt":2}';

const said = {
  de: {
    '/': ['Übersicht', 'Erfordert Aufmerksamkeit', 'Kein Benutzer ist gesperrt.'],
    '/tokens': ['Zugriffstoken', 'Es gibt keine Zugriffstoken.'],
  },
  fr: { '/': ['Vue d’ensemble', 'Nécessite une attention'], '/tokens': ['Jetons d’accès', 'Il n’y a pas de jetons.'] },
} as const;

/** Every page that needs no session, draft or trace. */
const paths = [
  '/',
  '/sessions',
  '/sessions?search=nothing',
  '/macros',
  '/macros?open=group&name=NONE',
  '/macros/global',
  '/macros/global?done=uploaded',
  '/macros/global/remove',
  '/macros/global/versions/1',
  '/macros/global/versions/2',
  '/macros/global/versions/1/restore',
  '/macros/group/OPS',
  '/lines',
  '/lines/C-HTTP',
  '/lines/W-HTTP',
  '/lines/C-HTTP/start',
  '/lines/C-HTTP/drain',
  '/lines/C-HTTP/stop',
  '/pools/ACCOUNTS/drain',
  '/pools/ACCOUNTS/resume',
  '/nodes',
  '/loaded',
  '/loaded/services/account-inquiry',
  '/configuration',
  '/configuration/reload',
  '/drafts',
  '/users',
  '/users?group=OPS',
  '/users/ANNA',
  '/users/ANNA/password',
  '/users/ANNA/remove',
  '/users/admin/remove',
  '/new/user',
  '/groups',
  '/groups/OPS/remove',
  '/tokens',
  '/tokens/batch/revoke',
  '/log',
  '/log?level=fatal&text=nothing',
  '/traces',
  '/audit',
  '/audit?who=nobody',
];

/** Texts, names and attributes that a reader meets, without data in English. */
function shownTexts(page: string): string {
  const own = page
    .replaceAll(/<(code|pre|script)\b[^>]*>[\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/<(?!html\b)(\w+)[^>]* lang="en"[^>]*>[\s\S]*?<\/\1>/g, ' ');
  const attributes = [...own.matchAll(/(?:aria-label|data-label)="([^"]*)"/g)].map(([, text]) => text);
  return `${textOf(own)} ${attributes.join(' ')}`.replaceAll(/\s+/g, ' ');
}

describe('the languages of the portal', () => {
  let site: PortalSite;
  let administrator: PortalClient;

  before(async () => {
    site = await startPortalSite({
      crypts: '',
      hosts: "AWAY: { address: '127.0.0.1:9' }, ",
      yaml: `services: '${join(projectFolder, 'templates', 'services')}'
pools:
  ACCOUNTS: { host: SIM, users: [{ user: DEMO, password: demo }], sessionsPerUser: 8, signOn: sign-on, home: MENU, returnHome: [PF3, PF3] }
printers:
  DESK: { host: SIM, associate: true }
  LABELS: { host: SIM, luName: PRT00018, groups: [OPS] }`,
    });
    administrator = await PortalClient.signedOn(site, ADMINISTRATOR);
  });
  after(() => site?.stop());

  it('are those that a browser asks for', async () => {
    for (const language of ['de', 'fr'] as const) {
      const signOn = await fetch(`${site.portalUrl}/`, { headers: { 'Accept-Language': language } });
      expect(await signOn.text())
        .to.include(`<html lang="${language}">`)
        .and.include(
          { de: 'Sallyport <span class="quiet">Verwaltung', fr: 'Sallyport <span class="quiet">administration' }[
            language
          ],
        );
      for (const [path, texts] of Object.entries(said[language])) {
        const { text } = await administrator.get(path, { 'Accept-Language': language });
        expect(text).to.include(`<html lang="${language}">`);
        for (const one of texts) expect(textOf(text), path).to.include(one);
      }
    }
    const chosen = { Cookie: `${administrator.cookie}; sallyport-language=fr`, 'Accept-Language': 'de' };
    expect((await administrator.get('/users', chosen)).text)
      .to.include('<html lang="fr">')
      .and.include('Ajouter un utilisateur');
  });

  it('are those of all pages, of every word of them', async () => {
    for (const _ of [1, 2]) expect((await administrator.upload('/macros/global', MACROS)).status).to.equal(303);
    await administrator.upload('/macros/global', MACROS.replace('one', 'two'));
    await administrator.post('/tokens', { NAME: 'batch', SCOPES: 'services', DAYS: '30' });
    const begun = await fetch(`${site.clientUrl}/TERMINAL.HTML+TSO4`);
    await begun.text();
    const trace = { KIND: 'line', SUBJECT: 'C-HTTP', SECONDS: '600', KIBIBYTES: '4' };
    expect((await administrator.post('/traces', trace)).status).to.equal(303);
    const [, removal = ''] =
      /href="(\/traces\/[^"/]+)\/trace\.txt"/.exec((await administrator.get('/traces')).text) ?? [];
    const english: Readonly<Record<string, string>> = en.portal;
    for (const [language, locale] of [
      ['en', en],
      ['de', de],
      ['fr', fr],
    ] as const) {
      const own: Readonly<Record<string, string>> = locale.portal;
      // long enough to be no part of another text
      const foreign = Object.entries(english).flatMap(([key, text]) =>
        language === 'en' || text.includes('{') || text.length < 9 || own[key]?.includes(text) ? [] : [text],
      );
      for (const path of [...paths, `${removal}/remove`]) {
        const { status, text } = await administrator.get(path, { 'Accept-Language': language });
        expect(status, path).to.be.oneOf(path.includes('NONE') ? [404] : [200]);
        expect(text, path).to.include(`<html lang="${language}">`);
        const shown = shownTexts(text);
        expect(shown, `${language} ${path}`).to.not.match(/\$WORDS|\{[a-z]\w*\}|undefined/);
        expect(
          foreign.filter((words) => shown.includes(words)),
          `${language} ${path}`,
        ).to.deep.equal([]);
      }
    }
  });

  it('have a word for everything that the templates name, and no other', () => {
    const folder = join(projectFolder, 'templates', 'portal');
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const named = new Set(
      texts.flatMap((text) => [...text.matchAll(/\$WORDS-([A-Z0-9-]+)\$/g)].map(([, name = '']) => name)),
    );
    const known = (key: string) => key in en.portal || key in en.pages;
    expect([...named].filter((key) => !known(key))).to.deep.equal([]);
    const source = readdirSync(join(projectFolder, 'src', 'web', 'portal'))
      .map((name) => readFileSync(join(projectFolder, 'src', 'web', 'portal', name), 'utf8'))
      .join();
    const ofTemplates = Object.keys(en.portal).filter((key) => /^[A-Z0-9-]+$/.test(key));
    expect(ofTemplates.filter((key) => !named.has(key) && !source.includes(`'${key}'`))).to.deep.equal([]);
    // one of them would never be shown
    expect(Object.keys(en.portal).filter((key) => key in en.pages)).to.deep.equal([]);
  });

  it('have numbers, times and durations of their own', async () => {
    const german = textOf((await administrator.get('/', { 'Accept-Language': 'de' })).text);
    expect(german).to.match(/Stand: \d\d\.\d\d\.\d{4}, \d\d:\d\d:\d\d UTC/);
    expect(german.replaceAll(/\s+/g, ' ')).to.match(/Laufzeit \d+ (?:Sek|Min)\., seit \d\d\.\d\d\.\d{4}/);
    const french = textOf((await administrator.get('/lines', { 'Accept-Language': 'fr' })).text);
    expect(french).to.match(/État au \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d UTC/);
    expect(textOf((await administrator.get('/lines', { 'Accept-Language': 'en' })).text)).to.match(
      /As of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\./,
    );
  });

  it('are those of refused forms', async () => {
    const german = { 'Accept-Language': 'de' };
    const fields = { ROLE: 'user', GROUPS: '', EXPIRES: '' };
    const refused = await administrator.post('/users/admin', fields, german);
    expect(refused.status).to.equal(400);
    expect(textOf(refused.text)).to.include('Diese Änderung von Benutzern, Gruppen oder Tokens ist nicht möglich.');
    expect(refused.text).to.include('<title>Fehler: ');
    // another choice would take the page away, and what was typed
    expect(refused.text).to.not.include('action="/language"');
    const anna = await PortalClient.signedOn(site, ANNA);
    expect((await anna.get('/', german)).text)
      .to.include('<html lang="de">')
      .and.include('Das Portal ist für Operatoren und Administratoren.')
      .and.include('action="/language"');
    const missing = await administrator.get('/none', german);
    expect(missing.text).to.include('Nicht gefunden').and.include('<html lang="de">');
  });

  it('are those of a page that stays open, each its own', async () => {
    const open = (query: string) => EventClient.open(site.portalUrl, administrator.cookie, `topic=overview&${query}`);
    const streams = await Promise.all([
      open('language=de'),
      open('language=fr'),
      open('language=xx'),
      EventClient.open(site.portalUrl, administrator.cookie, 'topic=overview', { 'Accept-Language': 'fr' }),
    ]);
    const texts = ['Dieser Server', 'Ce serveur', 'This server', 'Ce serveur'];
    try {
      for (const [at, stream] of streams.entries()) {
        const data = await stream.event((one) => 'server' in (one as { sections: object }).sections);
        expect((data as { sections: Record<string, string> }).sections.server).to.include(`>${texts[at]}</h2>`);
        expect(stream.text).to.not.match(/\$WORDS/);
      }
    } finally {
      for (const stream of streams) stream.close();
    }
  });

  describe('are chosen', () => {
    const choose = (client: PortalClient, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      client.post('/language', { LANGUAGE: 'de', BACK: '/users?search=a&page=2', ...fields }, headers);

    it('by a form on every page, which leads back to it, by whoever has signed on', async () => {
      for (const user of [OPERATOR, ANNA]) {
        const client = await PortalClient.signedOn(site, user);
        const before = auditText(site);
        const { status, headers } = await choose(client, {});
        expect([status, headers.get('location')]).to.deep.equal([303, '/users?search=a&page=2']);
        expect(headers.getSetCookie()).to.deep.equal(['sallyport-language=de; Path=/; Max-Age=31536000; SameSite=Lax']);
        expect((await client.get('/', { 'Accept-Language': 'fr' })).text).to.include('<html lang="de">');
        expect(auditText(site)).to.equal(before);
        expect((await client.get('/language')).headers.get('location')).to.equal(user === ANNA ? '/' : '/');
      }
      const page = await administrator.get('/users?search=a&done=user-added');
      expect(page.text)
        .to.include('<input type="hidden" name="BACK" value="/users?search=a">')
        .and.include('<button type="submit" class="secondary" name="LANGUAGE" value="fr" lang="fr">Français</button>')
        .and.include('value="en" lang="en" aria-current="true">English</button>');
    });

    it('before signing on, too', async () => {
      const client = new SignOnClient(site.portalUrl);
      const form = await client.request('/macros?search=x');
      expect(form.text).to.include('action="/language"').and.include('name="BACK" value="/macros?search=x"');
      const chosen = await client.post('/language', { LANGUAGE: 'fr', BACK: '/macros?search=x' });
      expect([chosen.status, chosen.headers.get('location')]).to.deep.equal([303, '/macros?search=x']);
      const again = await client.request('/macros?search=x');
      expect([again.status, again.text.includes('Se connecter')]).to.deep.equal([401, true]);
      // client lines have a setting for it
      expect(await (await fetch(`${site.clientUrl}/TERMINAL.HTML+TSO4`)).text()).to.not.include('action="/language"');
    });

    it('by no other site', async () => {
      expect((await choose(administrator, { TOKEN: 'x' })).status).to.equal(403);
      for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'http://other.example' }]) {
        const refused = await choose(administrator, {}, headers);
        expect([refused.status, refused.headers.getSetCookie()]).to.deep.equal([403, []]);
        const form = new SignOnClient(site.portalUrl);
        const unknown = await form.post('/language', { LANGUAGE: 'de', BACK: '/' }, headers);
        expect([unknown.status, unknown.headers.getSetCookie()]).to.deep.equal([403, []]);
      }
    });

    it('from those that there are, and lead to no other site', async () => {
      for (const LANGUAGE of ['', 'es', 'DE', 'de; Secure']) {
        const refused = await choose(administrator, { LANGUAGE });
        expect([refused.status, refused.headers.getSetCookie()], LANGUAGE).to.deep.equal([400, []]);
      }
      const longest = `/${'x'.repeat(1_999)}`;
      for (const [BACK, to] of [
        ['//other.example/', '/'],
        ['/\\other.example/', '/'],
        ['/..//other.example', '/'],
        ['http://other.example/', '/'],
        ['javascript:alert(1)', '/'],
        ['', '/'],
        ['/a\r\nSet-Cookie: x=y', '/'],
        ['/log?text=%0d%0a', '/log?text=%0d%0a'],
        [longest, longest],
        [`${longest}x`, '/'],
      ] as const) {
        const { headers } = await choose(administrator, { LANGUAGE: 'en', BACK });
        expect(headers.get('location'), BACK.slice(0, 60)).to.equal(to);
      }
    });
  });
});
