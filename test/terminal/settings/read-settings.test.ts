import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { reasonText } from '../../../src/lib/locale.js';
import { isChord, readSettings } from '../../../src/terminal/settings/read-settings.js';
import { settingNames, standardSettings } from '../../../src/terminal/settings/terminal-settings.js';
import { projectFolder } from '../../support/project.js';

const MOST_APPLICATIONS = 32;
const MOST_KEYS = 300;

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`Key${at}`, 'Tab']));
const reasonOf = (value: unknown) =>
  readSettings(value).faults.map(({ name, reason }) => `${name}: ${reasonText(reason, 'en')}`);

describe('settings of the terminal', () => {
  it('are those of the table in docs/use/terminal.md, with their defaults', () => {
    const page = readFileSync(join(projectFolder, 'docs', 'use', 'terminal.md'), 'utf8');
    const table = page.split('| setting | values | default |')[1]?.split('\n\n')[0] ?? '';
    const rows = table.split('\n').filter((line) => line.startsWith('| `'));
    const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
    expect(settingNames.map((name) => `\`${name}\``)).to.deep.equal(cells.map(([, name]) => name));
    for (const [, name = '', , standard = ''] of cells) {
      const value = standardSettings[name.replaceAll('`', '') as keyof typeof standardSettings];
      if (typeof value !== 'object') expect(`\`${value}\``, name).to.equal(standard);
    }
  });

  it('are taken whole where they are sound', () => {
    const colour = '#0a1b2c';
    const whole = {
      theme: 'own',
      ownColours: Object.fromEntries(
        'background blue red pink green turquoise yellow white cursor'.split(' ').map((name) => [name, colour]),
      ),
      fontSize: 16,
      cursorShape: 'bar',
      cursorBlink: true,
      crossHair: true,
      hotspots: false,
      wheel: false,
      keyMap: 'HOD',
      keys: { F13: 'PF13' },
      applicationKeys: { TSO: { keyMap: 'PCOMM', keys: { F14: '' } } },
      typeAhead: false,
      blankFill: true,
      bell: true,
      confirmLeave: false,
      phoneKeys: false,
      language: 'de',
    };
    expect(readSettings(JSON.parse(JSON.stringify(whole)))).to.deep.equal({ settings: whole, faults: [] });
    expect(readSettings(JSON.parse(JSON.stringify(standardSettings))).faults).to.deep.equal([]);
  });

  it('are taken as far as they are sound', () => {
    const { settings, faults } = readSettings({ theme: 'light', fontSize: 65, shoeSize: 44, bell: 'yes' });
    expect(settings).to.deep.equal({ theme: 'light' });
    expect(faults.map(({ name }) => name)).to.deep.equal(['fontSize', 'shoeSize', 'bell']);
    for (const none of [null, 7, 'light', []]) expect(readSettings(none).settings).to.deep.equal({});
  });

  it('have bounds', () => {
    for (const fontSize of [8, 64, 'fit']) expect(reasonOf({ fontSize })).to.deep.equal([]);
    for (const fontSize of [7, 65, 8.5, '8', null]) expect(reasonOf({ fontSize })).to.have.length(1);
    expect(reasonOf({ keys: keys(MOST_KEYS) })).to.deep.equal([]);
    expect(reasonOf({ keys: keys(MOST_KEYS + 1) })).to.deep.equal(['keys: has 301 keys; the maximum is 300']);
    const applications = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`A${at}`, { keyMap: 'PC', keys: {} }]));
    expect(reasonOf({ applicationKeys: applications(MOST_APPLICATIONS) })).to.deep.equal([]);
    expect(reasonOf({ applicationKeys: applications(MOST_APPLICATIONS + 1) })).to.have.length(1);
    const colours = standardSettings.ownColours;
    expect(reasonOf({ ownColours: { ...colours, blue: '#ABCDEF' } })).to.deep.equal([]);
    for (const blue of ['#abcdeg', 'blue', '#abc', 'url(x)'])
      expect(reasonOf({ ownColours: { ...colours, blue } })).to.have.length(1);
    expect(reasonOf({ ownColours: { ...colours, shoes: '#000000' } })).to.have.length(1);
  });

  it('take nothing that only looks like an object of keys', () => {
    const hostile = JSON.parse('{"keys":{"__proto__":"Tab"},"__proto__":{"bell":true}}');
    expect(readSettings(hostile).settings).to.deep.equal({});
    expect(reasonOf({ keys: { 'Ctrl+': 'Tab' } })).to.deep.equal(['keys: has a key that does not exist']);
    expect(reasonOf({ keys: { F1: '<b>' } })).to.deep.equal(['keys: F1 must have the name of an action']);
    expect(reasonOf({ keys: { F1: '' } })).to.deep.equal([]);
  });

  it('know a key by its modifiers, in one order, and its name', () => {
    for (const chord of ['F1', 'Ctrl+Alt+Shift+Meta+F1', 'ControlRight', 'Alt+C', 'Ctrl++', 'Ctrl+,', 'Alt+ß'])
      expect(isChord(chord), chord).to.equal(true);
    for (const chord of ['', 'Ctrl+', 'Shift+Ctrl+F1', 'Ctrl+ ', 'F1 F2', 'Ctrl+\u0007', 'x'.repeat(60)])
      expect(isChord(chord), chord).to.equal(false);
  });
});
