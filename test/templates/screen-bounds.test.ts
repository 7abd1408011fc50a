import { expect } from 'chai';
import { SourceError } from '../../src/lib/documents/source-diagnostic.js';
import { compileTemplate } from '../../src/templates/compile.js';
import { templateLimits } from '../../src/templates/template-limits.js';
import { rounds } from '../support/rounds.js';
import { declaration, expectFailure, input, NULL, rendered, screenOf, signOn, text } from './pictured-screen.js';

describe('bounds of the tags of the host screen', () => {
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
    /** A tenth of the passes within a tenth of the bounds: each pass must cost as much. */
    const part = rounds(10, 1) / 10;
    const limits = {
      work: templateLimits.work * part,
      outputBytes: templateLimits.outputBytes * part,
      loopPasses: templateLimits.loopPasses * part,
    };
    const often = { variables: { n: [`${limits.loopPasses}`] }, limits };

    it('a page ends at the bounds of the product', () => {
      const passes = { variables: { n: [`${templateLimits.loopPasses}`] } };
      expectFailure(looped('{{{CREATE-VARIABLE-FROM (1,1,65536)}}}'), plain, 'requires too many operations', passes);
    });

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
      const work = 'requires too many operations';
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
        expectFailure(
          looped(`${`{{{${tag}}}}`.repeat(3)}{{{COPY-FROM (1,1,200)}}}`),
          nulls,
          'requires too many operations',
          often,
        );
      }
    });

    it('a hundred thousand tags are an error, not a crash', () => {
      const tags = '{{{GENERATE-HTML (1,1,65536)}}}'.repeat(100_000);
      expect(() => compileTemplate(declaration + tags, { file: 'a.html' })).to.throw(SourceError);
      expectFailure('{{{GENERATE-HTML (1,1,65536)}}}'.repeat(50_000), dense, '');
      expectFailure(
        '{{{COPY-FROM (1,1,65536)}}}'.repeat(50_000),
        { ...plain, isNull: () => true },
        'requires too many operations',
      );
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
