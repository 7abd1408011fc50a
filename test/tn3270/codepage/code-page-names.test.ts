import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  codePageAliases,
  codePageNumbers,
  isAmbiguousCodePageName,
} from '../../../src/tn3270/codepage/code-page-names.js';
import { codePageNames, findCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { projectFolder } from '../../support/project.js';
import { charactersByGlibc, namesByGlibc, needGlibcIconv } from './glibc-iconv.js';

const LONGEST_CODE_PAGE_NAME = 40;

describe('code page names', () => {
  const spellings: Record<string, string> = {
    IBM1147:
      'IBM1147 ibm1147 IBM-1147 IBM_1147 CP1147 cp-1147 1147 IBM01147 CCSID1147 CCSID01147 cp01147 csIBM1147 ebcdic-fr-297+euro',
    IBM037:
      'IBM037 ibm-37 IBM37 cp37 CP037 Cp037 037 37 ibm0037 ccsid00037 csIBM037 cpibm37 EBCDIC-CP-US ebcdic-cp-ca ebcdic_cp_wt EbcdicCpNl cs-ebcdic-cp-us',
    IBM500: 'IBM500 500 cp500 EBCDIC-INT ebcdic-cp-be ebcdic-cp-ch',
    IBM1140: 'ebcdic-us-37+euro ebcdic-us-037+euro CCSID01140',
    IBM1148: 'ebcdic-international-500+euro',
    IBM924: 'IBM924 IBM00924 CCSID00924 CP00924 csIBM00924 ebcdic-Latin9--euro cp924',
    IBM875: 'x-IBM875 EBCDIC-GREEK',
    IBM1047: 'IBM-1047 cp1047 1047',
    IBM424: 'ebcdic-cp-he',
    IBM870: 'cp870 ebcdic-cp-roece EBCDIC-CP-YU',
    IBM880: 'EBCDIC-Cyrillic',
    IBM930: 'IBM930 ibm-930 cp930 x-IBM930 00930 CCSID00930',
    IBM1399: 'ibm-1399 x-IBM1399',
    IBM9030: 'IBM9030 9030 IBM838 838 x-IBM838 cp00838 CCSID09030',
    IBM16804: 'cp16804 16804',
  };
  for (const [name, written] of Object.entries(spellings)) {
    for (const spelling of written.split(' ')) {
      it(`${spelling} is ${name}`, () => {
        expect(findCodePage(spelling)?.name).to.equal(name);
      });
    }
  }

  // `s3270 -v` of Debian 12
  const namesOfEmulators =
    'cp037 (cp37, us, us-intl), cp273 (german), cp275 (brazilian), cp277 (norwegian), cp278 (finnish, swedish), ' +
    'cp280 (italian), cp284 (spanish), cp285 (uk), cp297 (french), cp424 (hebrew), cp500 (belgian), cp803 (hebrew-old), ' +
    'cp870 (polish, slovenian), cp871 (icelandic), cp875 (greek), cp880 (russian), cp1026 (turkish), cp1047, ' +
    'cp1140 (us-euro), cp1141 (german-euro), cp1142 (norwegian-euro), cp1143 (finnish-euro, swedish-euro), ' +
    'cp1144 (italian-euro), cp1145 (spanish-euro), cp1146 (uk-euro), cp1147 (french-euro), cp1148 (belgian-euro), ' +
    'cp1149 (icelandic-euro), cp1160 (thai), bracket (oldibm, bracket437), cp930 (japanese-kana), ' +
    'cp935 (simplified-chinese), cp937 (traditional-chinese), cp939 (japanese-latin), cp1388 (chinese-gb18030)';
  for (const [, name = '', aliases = ''] of namesOfEmulators.matchAll(/([a-z0-9]+)(?: \(([^)]*)\))?/g)) {
    it(`${[name, aliases].join(' ').trim()} of 3270 emulators`, () => {
      const canonical = name === 'bracket' ? name : name.replace('cp', 'IBM');
      for (const alias of [name, ...aliases.split(', ').filter((one) => one !== '')]) {
        expect(findCodePage(alias)?.name, alias).to.equal(canonical);
        expect(findCodePage(alias.toUpperCase())?.name, alias).to.equal(canonical);
      }
    });
  }

  it('may hold blanks', () => {
    expect(findCodePage(' IBM 1147 ')?.name).to.equal('IBM1147');
  });

  const strangers = [
    '',
    ' ',
    'IBM',
    'CP',
    '0',
    '1148.',
    'IBM1150',
    'IBM925',
    'cp437',
    '437',
    'brackets',
    'bracket\n',
    'utf-8',
    'iso-8859-1',
    'IBM000037',
    '+037',
    '3 7 0',
    'IBM037\n',
    'IBM037\0',
    'ıbm037',
    '٠٣٧',
    '__proto__',
    'constructor',
    'toString',
    'EBCDIC-US', // glibc and IANA: RFC 1345's table of its own, not IBM037
    'EBCDIC-FR',
  ];
  for (const stranger of strangers) {
    it(`${JSON.stringify(stranger)} is none`, () => {
      expect(findCodePage(stranger)).to.equal(undefined);
    });
  }

  it('are read up to a bound', () => {
    const padded = (length: number) => `IBM${' '.repeat(length - 6)}037`;
    expect(findCodePage(padded(LONGEST_CODE_PAGE_NAME))?.name).to.equal('IBM037');
    expect(findCodePage(padded(LONGEST_CODE_PAGE_NAME + 1))).to.equal(undefined);
    expect(findCodePage('-'.repeat(1_000_000))).to.equal(undefined);
  });

  it('give one object a page', () => {
    for (const number of codePageNumbers) {
      const page = findCodePage(String(number));
      expect(page?.number).to.equal(number);
      for (const alias of codePageAliases(number)) expect(findCodePage(alias), alias).to.equal(page);
    }
  });

  it("mean what glibc's iconv means by them, where it knows them", function () {
    needGlibcIconv(this);
    const known = namesByGlibc().filter(
      (name) => findCodePage(name) !== undefined && !isAmbiguousCodePageName(name) && name !== 'EBCDIC-INT',
    );
    expect(known).to.include.members([
      'EBCDIC-CP-US',
      'EBCDIC-GREEK',
      'CSIBM1149',
      '1047',
      'CP1390',
      'EBCDIC-CP-ROECE',
    ]);
    const names = codePageNames().filter((name) => known.includes(name));
    expect(codePageNames().filter((name) => !names.includes(name))).to.deep.equal(['IBM924']);
    const tables = new Map(names.map((name) => [name, charactersByGlibc(name)]));
    for (const name of known) {
      expect(charactersByGlibc(name), name).to.deep.equal(tables.get(findCodePage(name)?.name ?? ''));
    }
  });

  it("take EBCDIC-INT for IBM500, of which glibc's has a part", function () {
    needGlibcIconv(this);
    const whole = charactersByGlibc('IBM500');
    const part = charactersByGlibc('EBCDIC-INT');
    expect(part.filter((character) => character !== undefined).length).to.be.greaterThan(128);
    part.forEach((character, byte) => {
      if (character !== undefined) expect(character).to.equal(whole[byte]);
    });
  });

  it('are documented', () => {
    const rows = readFileSync(join(projectFolder, 'docs', 'run', 'codepages.md'), 'utf8').match(/^\| `IBM.*$/gm) ?? [];
    const documented = rows.map((row) => Array.from(row.matchAll(/`([^`]+)`/g), (match) => match[1] as string));
    expect(documented.map(([name]) => name)).to.deep.equal(codePageNames());
    for (const [name, ...aliases] of documented) {
      for (const alias of aliases) expect(findCodePage(alias)?.name, alias).to.equal(name);
    }
  });
});
