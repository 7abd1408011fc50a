import { expect } from 'chai';
import type { HostRun, HostScreen } from '../../src/tn3270/screen/form-screen.js';
import {
  expectRefused,
  type FieldInput,
  hidden,
  input,
  inputsOf,
  layoutOf,
  noteAt,
  rendered,
  screenOf,
  signOn,
  text,
} from './pictured-screen.js';

describe('names, cursor and styles of the host screen', () => {
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
});
