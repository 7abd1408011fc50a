import { expect } from 'chai';
import { compileTemplate } from '../../src/templates/compile.js';
import {
  declaration,
  expectFailure,
  expectRefused,
  hidden,
  input,
  rendered,
  screenOf,
  text,
} from './pictured-screen.js';

describe('what tags take from the host screen', () => {
  describe('COPY-FROM', () => {
    const screen = screenOf(['§A°B  C§<&"°°§next'], [text, text, text]);

    it('inserts the characters of a place without binary zeros', () => {
      expect(rendered('[{{{COPY-FROM (1,2,6)}}}]', screen).text).to.equal('[AB  C]');
    });

    it('blanks them with BLANK-BINARY-ZEROES', () => {
      const page = '{{{SET-LOCAL-OPTIONS (BLANK-BINARY-ZEROES)}}}[{{{COPY-FROM (1,2,6)}}}]';
      expect(rendered(page, screen).text).to.equal('[A B  C]');
    });

    it('inserts no markup for attributes, and keeps the words at their sides apart', () => {
      const page = '{{{ON-ATTRIBUTE (PROTECTED) <b>}}}{{{COPY-FROM (1,1,18)}}}';
      expect(rendered(page, screen).text).to.equal(' AB  C &lt;&amp;&quot; next');
    });

    it('escapes as the page has chosen for values', () => {
      expect(rendered('{{{SET-LOCAL-OPTIONS (NO-ESCAPES)}}}{{{COPY-FROM (1,9,3)}}}', screen).text).to.equal('<&"');
      expect(rendered('{{{SET-LOCAL-OPTIONS (JSON-ESCAPES)}}}{{{COPY-FROM (1,9,3)}}}', screen).text).to.equal('<&\\"');
    });

    it('warns where the escape in force does not make it safe', () => {
      const warnings = (page: string) => compileTemplate(declaration + page, { file: 'a.html' }).warnings;
      expect(warnings('<script>a("{{{COPY-FROM (1,1,9)}}}")</script>')).to.have.lengthOf(1);
      expect(warnings('<p>{{{COPY-FROM (1,1,9)}}}</p>')).to.have.lengthOf(0);
    });

    it('does not tell how much a non-displayable field holds', () => {
      const copy = (password: string) =>
        rendered('[{{{COPY-FROM (1,1,10)}}}]', screenOf([`§${password}§end`], [hidden, text])).text;
      expect(copy('abcd°°')).to.equal(copy('abcdef'));
      expect(copy('°°°°°°')).to.equal(copy('abcdef'));
    });

    it('copies a field that the page named', () => {
      const page = '{{{DEFINE-HTML-FIELD-NAME (1,9,3) "n"}}}{{{COPY-FROM "n"}}}|{{{COPY-FROM "other"}}}';
      expect(rendered(page, screen).text).to.equal('&lt;&amp;&quot;|');
    });
  });

  describe('CREATE-VARIABLE-FROM', () => {
    const screen = screenOf(
      ['§Acc. no. é1§ Paris °§', '§customer name:§Smith ', '§Town:§       §x      '],
      [text, text, text, text, text, text, input, text],
    );

    it('appends what stands before the attribute, letters and digits in upper case', () => {
      const page =
        '{{{CREATE-VARIABLE-FROM (1,2,30) "v"}}}{{{CREATE-VARIABLE-FROM (1,14,4) "v"}}}' +
        '{{{FOR-EACH-VALUE-IN "v"}}}{{{CURRENT-VALUE-OF "v"}}};{{{END-FOR "v"}}}';
      expect(rendered(page, screen).text).to.equal('ACCNOÉ1;PAR;');
      expect(rendered(page, screen, { variables: { v: ['first'] } }).text).to.equal('first;ACCNOÉ1;PAR;');
    });

    it('takes the text for the name and the field that follows for the value', () => {
      const page =
        '{{{CREATE-VARIABLE-FROM (2,2,15)}}}{{{CREATE-VARIABLE-FROM (3,2,10)}}}{{{CREATE-VARIABLE-FROM (3,16,5)}}}' +
        '{{{CURRENT-VALUE-OF "CUSTOMERNAME"}}};{{{CURRENT-VALUE-OF "TOWN"}}};{{{CURRENT-VALUE-OF "X"}}}';
      expect(rendered(page, screen).text).to.equal('Smith;EMPTY;EMPTY');
    });

    it('cuts a rectangle into lines, attributes blank', () => {
      const page =
        '{{{CREATE-VARIABLE-FROM (1,10,5,9) "v"}}}' +
        '{{{FOR-EACH-VALUE-IN "v"}}}[{{{CURRENT-VALUE-OF "v"}}}]{{{END-FOR "v"}}}';
      expect(rendered(page, screen).text).to.equal('[ é1  ][ name][     ]');
      const right = '{{{CREATE-VARIABLE-FROM (1,20,9,2) "v"}}}{{{CURRENT-VALUE-OF "v"}}}|';
      expect(rendered(right, screen).text).to.equal('   |');
    });

    it('does not copy the values of a variable to append one', () => {
      const page =
        '{{{DO-COUNT-UP-WITH "n"}}}{{{CREATE-VARIABLE-FROM (1,1,1) "n"}}}{{{END-DO-COUNT "n"}}}{{{CURRENT-VALUE-OF "n"}}}';
      expectFailure(page, screen, 'passes', { variables: { n: ['999999999'] } });
      expect(rendered(page, screen, { variables: { n: ['0'] } }).text).to.equal('0');
    });

    it('needs a variable for a rectangle', () => {
      expectRefused('{{{CREATE-VARIABLE-FROM (1,1,5,5)}}}');
      expectRefused('{{{CREATE-VARIABLE-FROM (1,1,5,0) "v"}}}');
      expectRefused('{{{CREATE-VARIABLE-FROM (1,1) "v"}}}');
    });
  });

  describe('GENERATE-VARIABLES', () => {
    const screen = screenOf(
      ['§Name:§Smith   §pin ', '§    §abc§go        '],
      [
        { ...text, isNumeric: true, colour: 'BLUE', highlighting: 'REVERSE' },
        { isModified: true, colour: 'GREEN' },
        { ...text, isIntensified: true, isDetectable: true },
        { isNonDisplayable: true },
        { isNumeric: true },
        text,
      ],
    );
    const facts = ['NAME', 'LINE', 'COLUMN', 'LENGTH', 'COLOR', 'HILIGHT', 'VALUE', 'ATTRB'];
    const listing = (place: string) =>
      `{{{GENERATE-VARIABLES ${place} "f."}}}{{{FOR-EACH-VALUE-IN "f.NAME"}}}` +
      `${facts.map((fact) => `{{{CURRENT-VALUE-OF "f.${fact}"}}}`).join(';')}\n{{{END-FOR "f.NAME"}}}`;
    const lines = (place: string) => rendered(listing(place), screen).text.trimEnd().split('\n');

    it('gives one value of each variable for each field', () => {
      expect(lines('(1,1,40)').map((line) => line.split(';').slice(0, 7))).to.deep.equal([
        ['', '1', '2', '5', 'BLUE', 'REVERSE', 'Name:'],
        ['V0000007', '1', '8', '8', 'GREEN', 'NOHILIGHT', 'Smith'],
        ['', '1', '17', '4', 'NOCOLOR', 'NOHILIGHT', 'pin'],
        ['V0000015', '2', '2', '4', 'NOCOLOR', 'NOHILIGHT', ''],
        ['V000001A', '2', '7', '3', 'NOCOLOR', 'NOHILIGHT', 'abc'],
        ['', '2', '11', '10', 'NOCOLOR', 'NOHILIGHT', 'go'],
      ]);
    });

    it('says the attributes in the words of BMS', () => {
      const words = lines('(1,1,40)').map((line) => line.split(';')[7]?.split(','));
      expect(words).to.deep.equal([
        ['ASKIP', 'NORM'],
        ['UNPROT', 'NORM', 'MDT'],
        ['PROT', 'BRT', 'DET'],
        ['UNPROT', 'DRK'],
        ['UNPROT', 'NUM', 'NORM'],
        ['PROT', 'NORM'],
      ]);
    });

    it('counts each field to one of two places side by side', () => {
      const columns = (place: string) => lines(place).map((line) => line.split(';')[2]);
      expect([...columns('(1,1,7)'), ...columns('(1,8,33)')]).to.deep.equal(['2', '8', '17', '2', '7', '11']);
    });

    it('gives names that the page gave', () => {
      const page = `{{{DEFINE-HTML-FIELD-NAME (1,8,8) "who"}}}${listing('(1,8,1)')}`;
      expect(rendered(page, screen).text).to.match(/^who;/);
    });

    it('has its values escaped when they are inserted', () => {
      const hostile = screenOf([`§<&"§`], [text, text]);
      const page = '{{{GENERATE-VARIABLES (1,1,5) "p"}}}{{{CURRENT-VALUE-OF "pVALUE"}}}';
      expect(rendered(page, hostile).text).to.equal('&lt;&amp;&quot;');
    });

    it('refuses a prefix that makes names too long', () => {
      expectRefused(`{{{GENERATE-VARIABLES (1,1,80) "${'p'.repeat(250)}"}}}`);
      compileTemplate(`${declaration}{{{GENERATE-VARIABLES (1,1,80) "${'p'.repeat(249)}"}}}`, { file: 'a.html' });
    });
  });
});
