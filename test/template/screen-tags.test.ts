import { expect } from 'chai';
import fc from 'fast-check';
import { ServiceError } from '../../src/errors.js';
import { SourceError } from '../../src/source-diagnostic.js';
import { compileTemplate } from '../../src/template/compile.js';
import type { HostField, HostRun, HostScreen } from '../../src/template/host-screen.js';
import { type RenderResult, render } from '../../src/template/render.js';
import { contextOf } from './context-of.js';

const declaration = '<!--SVC start="{{{" end="}}}" -->';
/** In pictures of screens: an attribute, and a binary zero. */
const ATTRIBUTE = '§';
const NULL = '°';

const text: FieldInput = { isProtected: true };
const input: FieldInput = {};
const hidden: FieldInput = { isNonDisplayable: true };

type FieldInput = Partial<Omit<HostField, 'start' | 'length'>>;

/** 4 rows of 20: a label, an input, a password, an input over two rows. */
const signOn = screenOf(
  ['§User:§joe°°°§      ', '§Password:§        §', '§Note:§first of two ', 'rows     §end       '],
  [text, input, text, text, hidden, text, text, input, { ...text, isNumeric: true }],
  { cursor: 8 },
);
const noteAt = 47;

describe('tags of the host screen', () => {
  describe('GENERATE-HTML', () => {
    it('lays the whole screen out like the screen, an input at each place where something can be typed', () => {
      const { text } = rendered('{{{GENERATE-HTML (1,1,80)}}}', signOn);
      const rows = [' User:', ' Password:', ' Note:', '          end'];
      expect(layoutOf(text)).to.equal(rows.map((row) => row.padEnd(20)).join('\n'));
      expect(inputsOf(text).map(({ type, name, size, value = '' }) => ({ type, name, size, value }))).to.deep.equal([
        { type: 'text', name: 'V0000007', size: '6', value: 'joe' },
        { type: 'password', name: 'V000001F', size: '8', value: '' },
        { type: 'text', name: 'V000002F', size: '13', value: 'first of two rows' },
      ]);
    });

    it('takes a length beyond the end for the whole screen', () => {
      const whole = rendered('{{{GENERATE-HTML (1,1,80)}}}', signOn).text;
      expect(rendered('{{{GENERATE-HTML (1,1,5000)}}}', signOn).text).to.equal(whole);
    });

    it('writes nothing for a place beyond the screen', () => {
      for (const place of ['(5,1,80)', '(255,255,1)', '(1,21,5)']) {
        const page = `[{{{GENERATE-HTML ${place}}}}{{{DEFINE-HTML-FIELD ${place} "x"}}}{{{COPY-FROM ${place}}}}]`;
        const { text, fieldNames, offeredFields } = rendered(page, signOn);
        expect(text, place).to.equal('[]');
        expect([...fieldNames, ...offeredFields], place).to.deep.equal([]);
      }
    });

    it('begins where it is told to, in the middle of a text', () => {
      expect(layoutOf(rendered('{{{GENERATE-HTML (2,3,5)}}}', signOn).text)).to.equal('asswo');
      expect(layoutOf(rendered('{{{GENERATE-HTML (4,13,4)}}}', signOn).text)).to.equal('d   ');
    });

    it('makes an input of a field that begins before the place, under its name and with its whole value', () => {
      const [field] = inputsOf(rendered('{{{GENERATE-HTML (4,1,20)}}}', signOn).text);
      expect(field).to.include({ name: 'V000002F', size: '9', value: 'first of two rows' });
    });

    it('makes one input of a field over two rows, also where each row is generated for itself', () => {
      const { text } = rendered('{{{GENERATE-HTML (3,1,20)}}}\n{{{GENERATE-HTML (4,1,20)}}}', signOn);
      expect(inputsOf(text).map(({ name }) => name)).to.deep.equal(['V000002F']);
      expect(layoutOf(text)).to.equal(' Note:              \n          end       ');
    });

    it('puts the input of a field that goes on in the first row where the field begins', () => {
      const screen = screenOf(['ab  §text ', 'more §yz  '], [text, input]);
      const { text: html } = rendered('{{{GENERATE-HTML (1,1,20)}}}', screen);
      expect(layoutOf(html)).to.equal('     text \nmore      ');
      expect(inputsOf(html).map(({ name, size, value }) => [name, size, value])).to.deep.equal([
        ['V0000010', '4', 'yz  ab'],
      ]);
      expect(html.indexOf('<input')).to.be.greaterThan(html.indexOf('more'));
    });

    it('hides what non-displayable fields hold, and marks them where they are to be encrypted', () => {
      const cells = [...signOn.cells];
      cells.splice(31, 6, ...'SECRET');
      const page =
        '{{{GENERATE-HTML (1,1,80)}}}{{{GENERATE-VARIABLES (1,1,80) "p"}}}' +
        '{{{FOR-EACH-VALUE-IN "pVALUE"}}}{{{CURRENT-VALUE-OF "pVALUE"}}};{{{END-FOR "pVALUE"}}}';
      for (const encryptsFields of [false, true]) {
        const { text } = rendered(page, { ...signOn, cells }, { encryptsFields });
        expect(text).not.to.contain('SECRET');
        const inputs = inputsOf(text);
        expect(inputs.map(({ type }) => type)).to.deep.equal(['text', 'password', 'text']);
        expect(inputs.map((field) => 'value' in field)).to.deep.equal([true, false, true]);
        expect(inputs.map((field) => 'VCRYPT' in field)).to.deep.equal([false, encryptsFields, false]);
      }
    });

    it('makes an input from the cursor to the end of its row on an unformatted screen', () => {
      const screen = screenOf(['READY     ', 'say ab    ', 'more      '], [], { cursor: 14 });
      const { text, offeredFields } = rendered('{{{GENERATE-HTML (1,1,30)}}}', screen);
      expect(layoutOf(text)).to.equal('READY     \nsay       \nmore      ');
      expect(inputsOf(text).map(({ name, size, value }) => [name, size, value])).to.deep.equal([
        ['V000000E', '6', 'ab'],
      ]);
      expect([...offeredFields]).to.deep.equal([14]);
      expect(layoutOf(rendered('{{{GENERATE-HTML (1,1,10)}}}', screen).text)).to.equal('READY     ');
    });

    it('escapes what comes from the host, and can be read back by a page', () => {
      const hostile = `<b>&"'`;
      const screen = screenOf([`§${hostile}§${hostile}§`], [text, input, text]);
      const { text: html } = rendered('{{{GENERATE-HTML (1,1,15)}}}', screen);
      for (const tag of html.match(/<[^>]*>/g) ?? []) expect(tag).to.match(/^<input [^<>']*>$/);
      expect(html.replaceAll(/<input [^<>]*>/g, '')).not.to.match(/[<>"']|&(?!(?:lt|gt|amp|quot|#\d+);)/);
      expect(layoutOf(html)).to.equal(` ${hostile}        `);
      expect(inputsOf(html).map(({ value }) => value)).to.deep.equal([hostile]);
      // whatever escapes the page has chosen for its own values
      const unescaped = rendered('{{{SET-LOCAL-OPTIONS (NO-ESCAPES)}}}{{{GENERATE-HTML (1,1,15)}}}', screen);
      expect(unescaped.text).to.equal(html);
    });

    it('keeps the layout of any part of any screen, and offers each input of it once', () => {
      fc.assert(
        fc.property(anyScreen(), fc.nat(59), fc.integer({ min: 1, max: 70 }), (screen, from, length) => {
          const { columns } = screen;
          const place = `(${Math.floor(from / columns) + 1},${(from % columns) + 1},${length})`;
          const { text, offeredFields } = rendered(`{{{GENERATE-HTML ${place}}}}`, screen);
          const owner = ownersOf(screen);
          let expected = '';
          const typed = new Set<number>();
          for (let at = from; at < Math.min(from + length, 60); at++) {
            if (at > from && at % columns === 0) expected += '\n';
            const field = owner[at];
            const isShown = field === undefined || (field !== 'attribute' && field.isProtected);
            expected += isShown ? screen.cells[at] : ' ';
            if (!isShown && field !== 'attribute') typed.add(field.start);
          }
          if (screen.fields.length > 0) expect(layoutOf(text)).to.equal(expected);
          const names = inputsOf(text).map(({ name }) => name);
          if (screen.fields.length > 0) {
            expect(names.toSorted()).to.deep.equal([...typed].map(idOf).toSorted());
            expect([...offeredFields].toSorted()).to.deep.equal([...typed].toSorted());
          }
        }),
      );
    });

    it('adds ID and MAXLENGTH from where the page sets them', () => {
      const page =
        '{{{GENERATE-HTML (1,1,20)}}}{{{SET-LOCAL-OPTIONS (ID,MAXLENGTH)}}}{{{GENERATE-HTML (3,1,40)}}}' +
        '{{{UNSET-LOCAL-OPTIONS (ID)}}}{{{GENERATE-HTML (2,1,20)}}}';
      expect(
        inputsOf(rendered(page, signOn).text).map(({ name, id, maxlength }) => [name, id, maxlength]),
      ).to.deep.equal([
        ['V0000007', undefined, undefined],
        ['V000002F', 'V000002F', '22'],
        ['V000001F', undefined, '8'],
      ]);
    });

    it('takes a place or the name of a field, and nothing else', () => {
      for (const tag of ['GENERATE-HTML', 'COPY-FROM']) {
        expectRefused(`{{{${tag}}}}`);
        expectRefused(`{{{${tag} (1,1,80) "x"}}}`);
        for (const place of ['(1,1)', '(0,1,1)', '(1,0,1)', '(1,1,0)', '(1,1,-1)', '(1,256,1)', '(a,1,1)', '()']) {
          expectRefused(`{{{${tag} ${place}}}}`);
        }
      }
    });
  });

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

  describe('names of fields', () => {
    it('DEFINE-HTML-FIELD-NAME names the input that is generated later', () => {
      const page = '{{{DEFINE-HTML-FIELD-NAME (1,8,6) "user"}}}{{{GENERATE-HTML (1,1,80)}}}';
      const { text, fieldNames, offeredFields } = rendered(page, signOn);
      expect(inputsOf(text).map(({ name }) => name)).to.deep.equal(['user', 'V000001F', 'V000002F']);
      expect([...fieldNames]).to.deep.equal([['user', 7]]);
      expect([...offeredFields]).to.deep.equal([7, 31, noteAt]);
    });

    it('GENERATE-HTML takes such a name for a place', () => {
      const page = '{{{DEFINE-HTML-FIELD-NAME (1,8,6) "user"}}}{{{GENERATE-HTML "user"}}}{{{GENERATE-HTML "other"}}}';
      const { text } = rendered(page, signOn);
      expect(text).to.match(/^<input [^>]*>$/);
      expect(inputsOf(text)[0]).to.include({ name: 'user', size: '6', value: 'joe' });
    });

    it('DEFINE-HTML-FIELD generates it at once', () => {
      const { text, fieldNames } = rendered('{{{DEFINE-HTML-FIELD (1,8,6) "user"}}}', signOn);
      expect(text).to.equal(
        rendered('{{{DEFINE-HTML-FIELD-NAME (1,8,6) "user"}}}{{{GENERATE-HTML (1,8,6)}}}', signOn).text,
      );
      expect([...fieldNames]).to.deep.equal([['user', 7]]);
    });

    it('DEFINE-DFHMDF-NAME takes the position of the attribute', () => {
      const page = '{{{DEFINE-DFHMDF-NAME (1,7,6) "user"}}}[{{{COPY-FROM "user"}}}]{{{GENERATE-HTML "user"}}}';
      const { text, fieldNames } = rendered(page, signOn);
      expect(layoutOf(text)).to.equal(`[joe]${' '.repeat(7)}`);
      expect(inputsOf(text)[0]).to.include({ name: 'user', size: '6' });
      expect([...fieldNames]).to.deep.equal([['user', 7]]);
    });

    it('DEFINE-DFHMDF-NAME: an attribute in the last column has its field in the next row', () => {
      const screen = screenOf(['text     §', 'abc§      '], [input, text]);
      const page = '{{{DEFINE-DFHMDF-NAME (1,10,3) "n"}}}[{{{COPY-FROM "n"}}}]{{{GENERATE-HTML "n"}}}';
      const { text: html, fieldNames } = rendered(page, screen);
      expect(layoutOf(html)).to.equal('[abc] \n   ');
      expect(inputsOf(html)[0]).to.include({ name: 'n', size: '3', value: 'abc' });
      expect([...fieldNames]).to.deep.equal([['n', 10]]);
    });

    it('DEFINE-DFHMDF-COLUMN moves on by a row with each reference, and begins again', () => {
      const screen = screenOf(['§aa§  ', '§bb§  ', '§cc§  '], [input, text, input, text, input, text]);
      const define = '{{{DEFINE-DFHMDF-COLUMN (1,1,2,3) "c"}}}';
      expect(rendered(`${define}${'{{{COPY-FROM "c"}}} '.repeat(4)}`, screen).text).to.equal('aa bb cc aa ');
      const { text: html, fieldNames } = rendered(`${define}${'{{{GENERATE-HTML "c"}}}'.repeat(3)}`, screen);
      expect(inputsOf(html).map(({ name, value }) => [name, value])).to.deep.equal([
        ['c_1', 'aa'],
        ['c_2', 'bb'],
        ['c_3', 'cc'],
      ]);
      expect([...fieldNames]).to.deep.equal([
        ['c_1', 1],
        ['c_2', 7],
        ['c_3', 13],
      ]);
    });

    it('DEFINE-DFHMDF-COLUMN names nothing below the screen', () => {
      const { fieldNames } = rendered('{{{DEFINE-DFHMDF-COLUMN (3,7,4,255) "c"}}}', signOn);
      expect([...fieldNames]).to.deep.equal([
        ['c_1', noteAt],
        ['c_2', 67],
      ]);
    });

    it('escapes the name of a field', () => {
      const { text } = rendered('{{{DEFINE-HTML-FIELD (1,8,6) "a<""b"}}}', signOn);
      expect(text).to.contain('name="a&lt;&quot;b"');
    });

    it('need a name', () => {
      for (const tag of ['DEFINE-HTML-FIELD-NAME (1,1,1)', 'DEFINE-HTML-FIELD (1,1,1)', 'DEFINE-DFHMDF-NAME (1,1,1)']) {
        expectRefused(`{{{${tag} ""}}}`);
        expectRefused(`{{{${tag} "${'n'.repeat(257)}"}}}`);
      }
      expectRefused('{{{DEFINE-DFHMDF-COLUMN (1,1,1,1) ""}}}');
      expectRefused('{{{DEFINE-DFHMDF-COLUMN (1,1,1,0) "n"}}}');
    });
  });

  describe('the cursor', () => {
    const at = (cursor: number): HostScreen => ({ ...signOn, cursor });

    it('POSITION-OF-THE-CURSOR: V in an input, P where nothing can be typed', () => {
      const position = (cursor: number) => rendered('{{{POSITION-OF-THE-CURSOR}}}', at(cursor)).text;
      expect([8, 67, 6, 0, 79].map(position)).to.deep.equal([
        'V0000008',
        'V0000043',
        'P0000006',
        'P0000000',
        'P000004F',
      ]);
      expect(rendered('{{{POSITION-OF-THE-CURSOR}}}', screenOf(['READY'], [], { cursor: 3 })).text).to.equal(
        'V0000003',
      );
    });

    it('FIELD-WITH-CURSOR: the name of the field that has it', () => {
      const page = '{{{DEFINE-HTML-FIELD-NAME (3,8,22) "note"}}}{{{FIELD-WITH-CURSOR}}}';
      const field = (cursor: number) => rendered(page, at(cursor)).text;
      expect([12, 33, 65].map(field)).to.deep.equal(['V0000007', 'V000001F', 'note']);
      expect(rendered('{{{FIELD-WITH-CURSOR}}}', screenOf(['READY'], [], { cursor: 3 })).text).to.equal('V0000003');
    });

    it('DEFAULT-FIELD-WITH-CURSOR: the name where the screen has no input field', () => {
      const output = screenOf(['§only text  §'], [text, text]);
      const page = (name: string) => `{{{DEFAULT-FIELD-WITH-CURSOR "${name}"}}}[{{{FIELD-WITH-CURSOR}}}]`;
      expect(rendered(page('dummy'), output).text).to.equal('[dummy]');
      expect(rendered(page('NOFIELD'), output).text).to.equal('[]');
      for (const cursor of [0, 8]) expect(rendered(page('dummy'), at(cursor)).text).to.equal('[V0000007]');
      expectRefused('{{{DEFAULT-FIELD-WITH-CURSOR}}}');
    });
  });

  describe('styles', () => {
    const screen = screenOf(
      ['§plain§red     §'],
      [text, { ...text, colour: 'RED', highlighting: 'BLINK', isIntensified: true }, input],
    );
    const styled = (rules: string, of = screen) => rendered(`${rules}{{{GENERATE-HTML (1,1,80)}}}`, of).text;

    it('ON-ATTRIBUTE and ON-END-OF-ATTRIBUTE stand around each field that matches all of the list', () => {
      const rules = '{{{ON-ATTRIBUTE (PROTECTED,RED) <b>}}}{{{ON-END-OF-ATTRIBUTE (PROTECTED,RED) </b>}}}';
      expect(styled(rules)).to.equal(' plain <b>red     </b> ');
      expect(styled(rules.replaceAll('PROTECTED', 'UNPROTECTED'))).to.equal(' plain red      ');
    });

    it('know every word of the reference', () => {
      const words: Record<string, FieldInput> = {
        PROTECTED: text,
        UNPROTECTED: input,
        'NON-DISPLAY': hidden,
        DISPLAY: input,
        NUMERIC: { isNumeric: true },
        ALPHANUMERIC: input,
        MDTON: { isModified: true },
        DETECTABLE: { isDetectable: true },
        INTENSIFIED: { isIntensified: true },
        BRIGHT: { isIntensified: true },
        NORMAL: input,
        NOHILIGHT: input,
        NOCOLOR: input,
      };
      for (const highlighting of ['BLINK', 'REVERSE', 'UNDERSCORE']) words[highlighting] = { highlighting };
      for (const colour of ['BLUE', 'RED', 'PINK', 'GREEN', 'YELLOW', 'TURQUOISE', 'WHITE']) words[colour] = { colour };
      for (const [word, field] of Object.entries(words)) {
        expect(styled(`{{{ON-ATTRIBUTE (${word}) !}}}`, screenOf(['§abc'], [field])), word).to.contain('!');
      }
      const opposites: [string, FieldInput][] = [
        ['PROTECTED', input],
        ['UNPROTECTED', text],
        ['DISPLAY', hidden],
        ['NON-DISPLAY', input],
        ['NUMERIC', input],
        ['ALPHANUMERIC', { isNumeric: true }],
        ['MDTON', input],
        ['DETECTABLE', input],
        ['INTENSIFIED', input],
        ['NORMAL', { isIntensified: true }],
        ['NORMAL', hidden],
        ['NOCOLOR', { colour: 'RED' }],
        ['NOHILIGHT', { highlighting: 'BLINK' }],
      ];
      for (const [word, field] of opposites) {
        expect(styled(`{{{ON-ATTRIBUTE (${word}) !}}}`, screenOf(['§abc'], [field])), word).not.to.contain('!');
      }
      expectRefused('{{{ON-ATTRIBUTE (PURPLE) x}}}');
      expectRefused('{{{ON-ATTRIBUTE x}}}');
    });

    it('accumulate, the last one of the page first', () => {
      const rules = '{{{ON-ATTRIBUTE (RED) <1>}}}{{{ON-ATTRIBUTE (BLINK) <2>}}}{{{ON-ATTRIBUTE (BLUE) <3>}}}';
      expect(styled(rules)).to.equal(' plain <2><1>red      ');
    });

    it('end in the opposite order, so that what was begun last ends first', () => {
      const rules =
        '{{{ON-ATTRIBUTE (RED) <i>}}}{{{ON-END-OF-ATTRIBUTE (RED) </i>}}}' +
        '{{{ON-ATTRIBUTE (BLINK) <b>}}}{{{ON-END-OF-ATTRIBUTE (BLINK) </b>}}}';
      expect(styled(rules)).to.equal(' plain <b><i>red     </i></b> ');
    });

    it('WITH-NO-MATCH-BELOW: only where none further down matches', () => {
      const rules = '{{{ON-ATTRIBUTE (PROTECTED,WITH-NO-MATCH-BELOW) <i>}}}{{{ON-ATTRIBUTE (RED) <b>}}}';
      expect(styled(rules)).to.equal(' <i>plain <b>red      ');
      const last = '{{{ON-ATTRIBUTE (RED) <b>}}}{{{ON-ATTRIBUTE (PROTECTED,WITH-NO-MATCH-BELOW) <i>}}}';
      expect(styled(last)).to.equal(' <i>plain <i><b>red      ');
      const ends = '{{{ON-END-OF-ATTRIBUTE (PROTECTED,WITH-NO-MATCH-BELOW) </i>}}}{{{ON-END-OF-ATTRIBUTE (RED) </b>}}}';
      expect(styled(ends)).to.equal(' plain</i> red     </b> ');
    });

    it('count once however often a loop meets them, and may hold tags', () => {
      const rules = '{{{FOR-EACH-VALUE-IN "L"}}}{{{ON-ATTRIBUTE (RED) {{{CURRENT-VALUE-OF "v"}}}>}}}{{{END-FOR "L"}}}';
      const { text } = rendered(`${rules}{{{GENERATE-HTML (1,1,80)}}}`, screen, {
        variables: { L: ['1', '2', '3'], v: ['<'] },
      });
      expect(text).to.equal(' plain &lt;>red      ');
    });

    it('stand around the part of a field that a place begins in', () => {
      const rules = '{{{ON-ATTRIBUTE (RED) <b>}}}{{{ON-END-OF-ATTRIBUTE (RED) </b>}}}';
      expect(rendered(`${rules}{{{GENERATE-HTML (1,9,1)}}}`, screen).text).to.equal('<b>e</b>');
    });

    it('ON-CHARACTER-ATTRIBUTE: around characters with attributes of their own, not in inputs', () => {
      const runs: HostRun[] = [
        { start: 2, length: 2, colour: 'RED', highlighting: 'BLINK' },
        { start: 4, length: 1, colour: 'BLUE', highlighting: 'BLINK' },
        { start: 8, length: 2, colour: 'RED', highlighting: 'BLINK' },
      ];
      const of = screenOf(['§abcde§fgh '], [text, input], { runs });
      const rules =
        '{{{ON-CHARACTER-ATTRIBUTE (BLINK,RED) <r>}}}{{{ON-END-OF-CHARACTER-ATTRIBUTE (BLINK,RED) </r>}}}' +
        '{{{ON-CHARACTER-ATTRIBUTE (BLINK,BLUE) <b>}}}{{{ON-END-OF-CHARACTER-ATTRIBUTE (BLINK,BLUE) </b>}}}';
      const html = styled(rules, of);
      expect(html).to.match(/^ a<r>bc<\/r><b>d<\/b>e <input [^>]*>$/);
      expect(inputsOf(html)[0]).to.include({ value: 'fgh' });
      expectRefused('{{{ON-CHARACTER-ATTRIBUTE (PROTECTED) x}}}');
    });

    it('ON-CHARACTER-ATTRIBUTE: in the field, over rows, and from the middle of the characters', () => {
      const runs: HostRun[] = [{ start: 3, length: 4, colour: 'RED', highlighting: 'NOHILIGHT' }];
      const of = screenOf(['§abcd', 'efghi'], [text], { runs });
      const rules =
        '{{{ON-ATTRIBUTE (PROTECTED) <p>}}}{{{ON-END-OF-ATTRIBUTE (PROTECTED) </p>}}}' +
        '{{{ON-CHARACTER-ATTRIBUTE (NOHILIGHT,RED) <r>}}}{{{ON-END-OF-CHARACTER-ATTRIBUTE (NOHILIGHT,RED) </r>}}}';
      expect(styled(rules, of)).to.equal(' <p>ab<r>cd\nef</r>ghi</p>');
      expect(rendered(`${rules}{{{GENERATE-HTML (2,2,3)}}}`, of).text).to.equal('<p><r>f</r>gh</p>');
    });

    it('ADD-TO-FIELDS stands in each input that matches, in the order of the page', () => {
      const rules =
        '{{{ADD-TO-FIELDS class="all"}}}{{{ADD-TO-FIELDS (NON-DISPLAY) data-a="1"}}}{{{ADD-TO-FIELDS (DISPLAY) data-b="2"}}}';
      const inputs = inputsOf(styled(rules, signOn));
      expect(inputs.map((field) => [field.class, field['data-a'], field['data-b']])).to.deep.equal([
        ['all', undefined, '2'],
        ['all', '1', undefined],
        ['all', undefined, '2'],
      ]);
      const html = styled('{{{ADD-TO-FIELDS a}}}{{{ADD-TO-FIELDS (UNPROTECTED) b}}}', signOn);
      expect(html).to.match(/<input a b type/);
      expect(html.replaceAll(/<input [^>]*>/g, '')).not.to.match(/[<>]/);
    });

    it('ADD-TO-FIELDS (WITH-NO-MATCH-ABOVE): only where none further up matches', () => {
      const rules = '{{{ADD-TO-FIELDS (NON-DISPLAY) class="a"}}}{{{ADD-TO-FIELDS (WITH-NO-MATCH-ABOVE) class="b"}}}';
      expect(inputsOf(styled(rules, signOn)).map((field) => field.class)).to.deep.equal(['b', 'a', 'b']);
    });
  });

  describe('GENERATE-SVC3270', () => {
    const screen = screenOf(
      ['§<Name>§Smith  ', '"&   §         '],
      [{ ...text, colour: 'GREEN', isIntensified: true }, input, text],
      { runs: [{ start: 2, length: 2, colour: 'RED', highlighting: 'REVERSE' }] },
    );
    const page = (place: string) =>
      `{{{GENERATE-SVC3270 ${place} "f"}}}|{{{SET-LOCAL-OPTIONS (NO-ESCAPES)}}}` +
      '{{{FOR-EACH-VALUE-IN "f"}}}{{{CURRENT-VALUE-OF "f"}}}{{{END-FOR "f"}}}';
    const [spans = '', fragments = ''] = rendered(page('(1,1,5000)'), screen).text.split('|');

    it('writes a span for each attribute and each line of a field', () => {
      const written = spansOf(spans).map(({ vt, vr, vc, vp, vl, vn, continuing }) =>
        [vt, vr, vc, vp, vl, vn, continuing].filter((value) => value !== undefined).join(' '),
      );
      expect(written).to.deep.equal([
        'A 1 1 0 1',
        'O 1 2 1 6',
        'C 1 3 2 2',
        'A 1 8 7 1',
        'I 1 9 8 7 V0000008 YES',
        'I 2 1 15 5 V0000008',
        'A 2 6 20 1',
        'O 2 7 21 9',
      ]);
    });

    it('says the style as a class, and escapes the text', () => {
      const [attribute, output, characters] = spansOf(spans);
      expect([attribute?.class, output?.class, characters?.class]).to.deep.equal(['NGREEN2', 'NGREEN2', 'RRED2']);
      expect(decoded(spans.replaceAll(/<\/?span[^>]*>/g, ''))).to.equal(screen.cells.join(''));
    });

    it('gives hidden inputs for the fields that can be typed into', () => {
      expect(inputsOf(fragments).map(({ type, name, value }) => [type, name, value])).to.deep.equal([
        ['hidden', 'V0000008', 'Smith  "&'],
      ]);
      const { offeredFields, text } = rendered(page('(1,1,80)'), signOn, { encryptsFields: true });
      expect([...offeredFields]).to.deep.equal([7, 31, noteAt]);
      const inputs = inputsOf(text.split('|')[1] ?? '');
      expect(inputs.map((field) => [field.name, field.value, 'VCRYPT' in field])).to.deep.equal([
        ['V0000007', 'joe', false],
        ['V000001F', '', true],
        ['V000002F', 'first of two rows', false],
      ]);
    });

    it('writes an unformatted screen, too', () => {
      const unformatted = screenOf(['READY ', 'say ab', 'more  '], [], { cursor: 10 });
      const [shown = '', inputs = ''] = rendered(page('(1,1,18)'), unformatted).text.split('|');
      expect(spansOf(shown).map(({ vt, vp, vl, vn = '' }) => `${vt} ${vp} ${vl} ${vn}`.trim())).to.deep.equal([
        'O 0 6',
        'O 6 4',
        'I 10 2 V000000A',
        'O 12 6',
      ]);
      expect(decoded(shown.replaceAll(/<\/?span[^>]*>/g, ''))).to.equal('READY say abmore  ');
      expect(inputsOf(inputs).map(({ name, value }) => [name, value])).to.deep.equal([['V000000A', 'ab']]);
    });
  });

  it('insert nothing where there is no screen', () => {
    const page =
      '{{{ON-ATTRIBUTE (PROTECTED) <b>}}}{{{ADD-TO-FIELDS x}}}{{{DEFAULT-FIELD-WITH-CURSOR "x"}}}' +
      '{{{DEFINE-HTML-FIELD-NAME (1,1,1) "a"}}}{{{DEFINE-HTML-FIELD (1,1,1) "b"}}}{{{DEFINE-DFHMDF-NAME (1,1,1) "c"}}}' +
      '{{{DEFINE-DFHMDF-COLUMN (1,1,1,2) "d"}}}{{{GENERATE-HTML (1,1,80)}}}{{{GENERATE-HTML "a"}}}{{{COPY-FROM "a"}}}' +
      '{{{COPY-FROM (1,1,80)}}}{{{CREATE-VARIABLE-FROM (1,1,80) "v"}}}{{{CREATE-VARIABLE-FROM (1,1,80)}}}' +
      '{{{CREATE-VARIABLE-FROM (1,1,80,2) "v"}}}{{{GENERATE-VARIABLES (1,1,80) "p"}}}{{{GENERATE-SVC3270 (1,1,80) "v"}}}' +
      '{{{POSITION-OF-THE-CURSOR}}}{{{FIELD-WITH-CURSOR}}}' +
      '{{{WHEN-EXISTS "v"}}}v{{{END-WHEN-EXISTS "v"}}}{{{WHEN-EXISTS "pNAME"}}}p{{{END-WHEN-EXISTS "pNAME"}}}';
    const { text, fieldNames, offeredFields } = rendered(page, undefined);
    expect(text).to.equal('');
    expect([...fieldNames, ...offeredFields]).to.deep.equal([]);
  });

  describe('bounds', () => {
    /** 62 rows of 160 with an input, an attribute and characters of their own everywhere. */
    const runs = Array.from({ length: 4960 }, (_, at) => ({
      start: at * 2 + 1,
      length: 1,
      colour: at % 2 === 0 ? 'RED' : 'BLUE',
      highlighting: 'BLINK',
    }));
    const dense = screenOf(
      Array.from({ length: 62 }, () => '§ '.repeat(80)),
      Array.from({ length: 4960 }, (_, at) => (at % 2 === 0 ? text : input)),
      { runs },
    );
    const wide = screenOf(
      Array.from({ length: 62 }, (_, row) => (row === 0 ? '§'.padEnd(160) : ' '.repeat(160))),
      [input],
    );
    const plain = screenOf(
      Array.from({ length: 62 }, () => ' '.repeat(160)),
      [],
      { cursor: 9919 },
    );
    const looped = (tags: string) => `{{{DO-COUNT-UP-WITH "n"}}}${tags}{{{END-DO-COUNT "n"}}}`;
    const often = { variables: { n: ['100000'] } };

    for (const tag of [
      'GENERATE-HTML (1,1,65536)',
      'GENERATE-SVC3270 (1,1,65536) "v"',
      'GENERATE-VARIABLES (1,1,65536) "v"',
      'CREATE-VARIABLE-FROM (1,1,160,255) "v"',
    ]) {
      it(`${tag} in a loop ends at the bound of work or of length`, () => {
        for (const screen of [dense, wide]) expectFailure(looped(`{{{${tag}}}}`), screen, '', often);
      });
    }

    it('what writes little or nothing is counted as work', () => {
      const work = 'too much work';
      expectFailure(looped('{{{CREATE-VARIABLE-FROM (1,1,65536) "v"}}}'), plain, work, often);
      expectFailure(looped('{{{CREATE-VARIABLE-FROM (1,1,65536)}}}'), plain, work, often);
      expectFailure(looped('{{{GENERATE-VARIABLES (1,2,1) "v"}}}'), wide, work, often);
      expectFailure(looped('{{{GENERATE-VARIABLES (1,1,1) "v"}}}'), dense, work, often);
      expectFailure(looped('{{{GENERATE-HTML (1,2,1)}}}'), wide, work, often);
      expectFailure(looped('{{{FIELD-WITH-CURSOR}}}'), dense, work, often);
      expectFailure(looped('{{{DEFINE-DFHMDF-COLUMN (1,1,1,255) "v"}}}'), dense, work, often);
      const rules = Array.from({ length: 1000 }, () => '{{{ON-ATTRIBUTE (BLINK) x}}}').join('');
      expectFailure(`${rules}${looped('{{{GENERATE-HTML (1,1,4)}}}')}`, dense, work, often);
    });

    it('a place beyond the screen gives no work back', () => {
      const nulls = screenOf(['§'.padEnd(100, NULL), NULL.repeat(100)], [text]);
      const beyond = [
        'GENERATE-HTML (255,1,1)',
        'DEFINE-HTML-FIELD (255,1,1) "x"',
        'CREATE-VARIABLE-FROM (1,255,1,2) "v"',
      ];
      for (const tag of beyond) {
        expectFailure(looped(`${`{{{${tag}}}}`.repeat(3)}{{{COPY-FROM (1,1,200)}}}`), nulls, 'too much work', often);
      }
    });

    it('a hundred thousand tags are an error, not a crash', () => {
      const tags = '{{{GENERATE-HTML (1,1,65536)}}}'.repeat(100_000);
      expect(() => compileTemplate(declaration + tags, { file: 'a.html' })).to.throw(SourceError);
      expectFailure('{{{GENERATE-HTML (1,1,65536)}}}'.repeat(50_000), dense, '');
      expectFailure('{{{COPY-FROM (1,1,65536)}}}'.repeat(50_000), { ...plain, isNull: () => true }, 'too much work');
    });

    it('GENERATE-HTML does not begin itself again', () => {
      for (const rule of ['ON-ATTRIBUTE (PROTECTED)', 'ON-END-OF-ATTRIBUTE (PROTECTED)', 'ADD-TO-FIELDS']) {
        for (const tag of ['GENERATE-HTML (1,1,80)', 'DEFINE-HTML-FIELD (1,1,80) "x"']) {
          expectFailure(`{{{${rule} {{{${tag}}}}}}}{{{GENERATE-HTML (1,1,80)}}}`, signOn, 'GENERATE-HTML');
        }
      }
    });
  });
});

interface Further {
  readonly variables?: Readonly<Record<string, readonly string[]>>;
  readonly encryptsFields?: boolean;
}

function rendered(
  page: string,
  screen: HostScreen | undefined,
  { variables, encryptsFields }: Further = {},
): RenderResult {
  const context = contextOf(variables === undefined ? {} : { variables });
  const further = encryptsFields === undefined ? {} : { encryptsFields };
  return render(compileTemplate(declaration + page, { file: 'a.html' }), { ...context, screen, ...further });
}

function expectFailure(page: string, screen: HostScreen, detail: string, further: Further = {}): void {
  expect(() => rendered(page, screen, further))
    .to.throw(ServiceError, detail)
    .with.property('code', 'SVC_ERR_TEMPLATE_RENDERING');
}

function expectRefused(page: string): void {
  expect(() => compileTemplate(declaration + page, { file: 'a.html' }), page).to.throw(SourceError);
}

/** A screen of a picture: the fields belong to its attributes in their order. Attributes are zeros in the buffer, too. */
function screenOf(
  rows: readonly string[],
  fields: readonly FieldInput[],
  { cursor = 0, runs = [] }: { readonly cursor?: number; readonly runs?: readonly HostRun[] } = {},
): HostScreen {
  const columns = rows[0]?.length ?? 0;
  for (const row of rows) expect(row.length, `width of "${row}"`).to.equal(columns);
  const picture = rows.join('');
  const attributes = [...picture].flatMap((character, at) => (character === ATTRIBUTE ? [at] : []));
  expect(attributes.length, 'attributes').to.equal(fields.length);
  const hostFields = attributes.map((attribute, index): HostField => {
    const next = attributes[index + 1] ?? (attributes[0] as number) + picture.length;
    return {
      start: (attribute + 1) % picture.length,
      length: next - attribute - 1,
      isProtected: false,
      isNumeric: false,
      isNonDisplayable: false,
      isIntensified: false,
      isDetectable: false,
      isModified: false,
      colour: 'NOCOLOR',
      highlighting: 'NOHILIGHT',
      ...fields[index],
    };
  });
  const cells = [...picture].map((character) => (character === ATTRIBUTE || character === NULL ? ' ' : character));
  for (const { start, length, isNonDisplayable } of hostFields) {
    if (!isNonDisplayable) continue;
    for (let offset = 0; offset < length; offset++) cells[(start + offset) % cells.length] = ' ';
  }
  return {
    rows: rows.length,
    columns,
    cursor,
    cells,
    fields: hostFields,
    runs,
    isNull: (position) => picture[position] === NULL || picture[position] === ATTRIBUTE,
    idOf: (position, isInput) => (isInput ? idOf(position) : idOf(position).replace('V', 'P')),
  };
}

function idOf(position: number): string {
  return `V${position.toString(16).toUpperCase().padStart(7, '0')}`;
}

/** For each position its field, by walking along the screen. */
function ownersOf({ cells, fields }: HostScreen): (HostField | 'attribute' | undefined)[] {
  const owners = new Array<HostField | 'attribute' | undefined>(cells.length).fill(undefined);
  for (const field of fields) {
    owners[(field.start - 1 + cells.length) % cells.length] = 'attribute';
    for (let offset = 0; offset < field.length; offset++) owners[(field.start + offset) % cells.length] = field;
  }
  return owners;
}

/** 5 rows of 12, with any fields and hostile text. */
function anyScreen(): fc.Arbitrary<HostScreen> {
  const character = fc.oneof(fc.constantFrom(...'<>&"\' a/='), fc.constantFrom(ATTRIBUTE, NULL));
  const field = fc.record({ isProtected: fc.boolean(), isNonDisplayable: fc.boolean() });
  return fc
    .tuple(fc.array(character, { minLength: 60, maxLength: 60 }), fc.array(field, { minLength: 60, maxLength: 60 }))
    .map(([characters, fields]) => {
      const picture = characters.join('');
      const rows = [0, 12, 24, 36, 48].map((at) => picture.slice(at, at + 12));
      return screenOf(rows, fields.slice(0, characters.filter((one) => one === ATTRIBUTE).length));
    });
}

type Attributes = Readonly<Record<string, string | undefined>>;

function inputsOf(html: string): Attributes[] {
  return [...html.matchAll(/<input ([^<>]*)>/g)].map(([, attributes = '']) => attributesOf(attributes));
}

function spansOf(html: string): Attributes[] {
  return [...html.matchAll(/<span ([^<>]*)>/g)].map(([, attributes = '']) => attributesOf(attributes));
}

function attributesOf(written: string): Attributes {
  return Object.fromEntries(
    [...written.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, name = '', value = '']) => [name, decoded(value)]),
  );
}

/** What a page shows, blanks for inputs. */
function layoutOf(html: string): string {
  return decoded(html.replaceAll(/<input [^<>]*size="(\d+)"[^<>]*>/g, (_, size) => ' '.repeat(Number(size))));
}

function decoded(html: string): string {
  const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
  return html.replaceAll(/&(?:#(\d+)|(\w+));/g, (_, code, name) =>
    code === undefined ? (named[name] ?? '?') : String.fromCodePoint(Number(code)),
  );
}
