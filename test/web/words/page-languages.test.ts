import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { durationWords } from '../../../src/web/pages/application-menu.js';
import { startTerminalSite } from '../../browser/terminal-page.js';
import type { SessionSite } from '../../sessions/session-site.js';
import { projectFolder } from '../../support/project.js';

/** What each page says in the languages that were asked for, and not in English any more. */
const pages = [
  {
    path: '/',
    de: ['Anwendungen', 'auf SIM'],
    fr: ['Applications', 'sur SIM'],
    en: ['Applications', ' on SIM'],
  },
  {
    path: '/DEMO.HTML',
    de: [
      'Ein Service zum Ausprobieren',
      'Nach einem Wechselkurs fragen',
      'Kurs anzeigen',
      'Oder so, wie ein Programm fragt',
    ],
    fr: ['Un service à essayer', 'Demander un taux de change', 'Afficher le taux', 'Ou comme le fait un programme'],
    en: ['A service to try', 'Ask for an exchange rate', 'Show the rate', 'Or call it as a program'],
  },
  {
    path: '/WS1.HTML',
    de: ['Wechselkurs', 'Die Antwort ist', 'Noch einmal fragen'],
    fr: ['Taux de change', 'La réponse est', 'Demander à nouveau'],
    en: ['Exchange rate', 'Answer is', 'Ask again'],
  },
  {
    path: '/SIGNON.HTML+TSO',
    de: ['Anmelden', 'Benutzerkennung', 'Passwort', 'Der Benutzer der Demo ist DEMO', 'Anwendungsmenü'],
    fr: ['Se connecter', 'Identifiant', 'Mot de passe', 'L’utilisateur de la démonstration', 'Menu des applications'],
    en: ['Sign on', 'User ID', 'Password', 'The demo&#39;s user is DEMO', 'Application menu'],
  },
] as const;

describe('the language of pages that the server makes', () => {
  let site: SessionSite;

  before(async () => {
    site = await startTerminalSite();
  });
  after(() => site?.stop());

  for (const { path, ...said } of pages) {
    it(`is the one that is asked for: ${path}`, async () => {
      for (const language of ['de', 'fr', 'en'] as const) {
        const response = await fetch(new URL(path, site.url), { headers: { 'Accept-Language': language } });
        const text = await response.text();
        expect(text).to.include(`<html lang="${language}">`);
        for (const words of said[language]) expect(text.replaceAll("'", '&#39;')).to.include(words);
        if (language === 'en') continue;
        const visible = text.replaceAll(/<[^>]*>/g, ' ');
        for (const words of said.en) {
          if (!(said[language] as readonly string[]).includes(words)) expect(visible, language).to.not.include(words);
        }
      }
    });
  }

  it('is that of errors, too, with details in English; what a program asks for stays English', async () => {
    const errors = [
      ['/NOSUCH.HTML', 'de', '404 Nicht gefunden', 'Diese Seite gibt es nicht.'],
      ['/BYE.HTML+NOSUCH', 'fr', '404 Introuvable', 'Cette transaction n’existe pas.'],
      [
        '/w2h/TERMINAL.HTML++SvcSession=nobody',
        'de',
        '404 Nicht gefunden',
        'Diese Sitzung gibt es nicht, oder sie ist beendet.',
      ],
      ['/w2h/TERMINAL.HTML++SvcSession=nobody', 'en', '404 Not Found', 'There is no such session, or it has ended.'],
      ['/%zz', 'fr', '400 Requête incorrecte', 'Le codage de l’adresse est incorrect.'],
    ] as const;
    for (const [path, language, title, message] of errors) {
      const headers = { 'Accept-Language': language };
      const text = await (await fetch(new URL(path, site.url), { headers })).text();
      expect(text, path)
        .to.include(`<html lang="${language}">`)
        .and.include(`<h1>${title}</h1>`)
        .and.include(`<p>${message}`);
      if (language !== 'en') expect(text, path).to.not.include('Home page').and.not.include('Request ID');
      const json = await fetch(new URL(path, site.url), { headers: { ...headers, Accept: 'application/json' } });
      const { message: said, words } = (await json.json()) as { message: string; words?: string };
      expect(said === message, path).to.equal(language === 'en');
      // for the page's own scripts
      expect(words, path).to.equal(language === 'en' ? undefined : message);
    }
    // the cookie of the language setting goes before what the browser wants
    const chosen = { Cookie: 'sallyport-language=fr', 'Accept-Language': 'de' };
    expect(await (await fetch(new URL('/NOSUCH.HTML', site.url), { headers: chosen })).text()).to.include(
      'Introuvable',
    );
  });

  it('is that of all words of their templates: none has words of its own', () => {
    const templates = [
      ...['pages', 'portal'].flatMap((folder) =>
        readdirSync(join(projectFolder, 'templates', folder))
          .filter((name) => name.endsWith('.HTML'))
          .map((name) => join(projectFolder, 'templates', folder, name)),
      ),
    ];
    // names, and what keyboards of terminals have on them
    const names = /^(?:Sallyport|LU|CSV|s3270|openapi\.json|Enter|Clear|Attn|SysReq|Tab|Dup|PA\d|PF\d+|curl|'.*')$/;
    const own = templates.flatMap((file) =>
      readFileSync(file, 'utf8')
        .replaceAll(/<(style|script|code|pre)\b.*?<\/\1>/gs, ' ')
        .replaceAll(/\{\{\{IF-USER-IS-ALLOWED-TO "\w+"/g, ' ')
        .replaceAll(/\{\{\{.*?\}\}\}/gs, '')
        // what is read of an element
        .replaceAll(/<[^>]*?\b(?:aria-label|data-label|title|placeholder)="([^"]*)"[^>]*>/g, ' $1 ')
        .replaceAll(/<[^>]*>/g, ' ')
        .split(/\s+/)
        .filter((word) => /\p{L}/u.test(word) && !names.test(word))
        .map((word) => `${basename(file)}: ${word}`),
    );
    expect(templates).to.have.length.above(5);
    expect(own).to.deep.equal([]);
  });

  it('has durations behind "for", "seit" and "depuis"', () => {
    expect([0, 59].map((seconds) => durationWords(seconds, 'de'))).to.deep.equal([
      'wenigen Sekunden',
      'wenigen Sekunden',
    ]);
    expect([60, 7_199, 7_200].map((seconds) => durationWords(seconds, 'de'))).to.deep.equal([
      '1 Minute',
      '1 Stunde',
      '2 Stunden',
    ]);
    expect([119, 120, 86_400].map((seconds) => durationWords(seconds, 'fr'))).to.deep.equal([
      '1 minute',
      '2 minutes',
      '1 jour',
    ]);
    expect([3_599, 172_800].map((seconds) => durationWords(seconds, 'en'))).to.deep.equal(['59 minutes', '2 days']);
  });
});
