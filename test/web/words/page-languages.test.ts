import { expect } from 'chai';
import { durationWords } from '../../../src/web/words/duration-words.js';
import { startTerminalSite } from '../../browser/terminal-page.js';
import type { SessionSite } from '../../session/session-site.js';

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
      'Oder wie ein Programm es tut',
    ],
    fr: ['Un service à essayer', 'Demander un taux de change', 'Afficher le taux', 'Ou comme le fait un programme'],
    en: ['A service to try', 'Ask for an exchange rate', 'Show the rate', 'Or as a program does'],
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
    en: ['Sign on', 'User id', 'Password', 'The demo&#39;s user is DEMO', 'Application menu'],
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

  it('has durations behind "for", "seit" and "depuis"', () => {
    expect([0, 59].map((seconds) => durationWords(seconds, 'de'))).to.deep.equal(['einem Moment', 'einem Moment']);
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
