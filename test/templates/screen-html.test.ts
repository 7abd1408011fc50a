import { expect } from 'chai';
import fc from 'fast-check';
import {
  anyScreen,
  decoded,
  expectRefused,
  idOf,
  input,
  inputsOf,
  layoutOf,
  noteAt,
  ownersOf,
  rendered,
  screenOf,
  signOn,
  spansOf,
  text,
} from './pictured-screen.js';

describe('GENERATE-HTML and GENERATE-SVC3270', () => {
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
});
