import { expect } from 'chai';
import fc from 'fast-check';
import { SourceError } from '../../src/lib/documents/source-diagnostic.js';
import { assemble } from '../../src/scenarios/assemble.js';
import { parseScenarioSource } from '../../src/scenarios/parser.js';
import type { Operand } from '../../src/scenarios/syntax.js';

describe('scenario parser', () => {
  it('reads label, instruction and every kind of operand with its place', () => {
    const { instructions, diagnostics } = parseScenarioSource(
      "LAB1     copy$ To-Line,,'it''s',(A,('b'),N=1),Var==With,V=X'0F'  remark",
      'f',
    );
    expect(diagnostics).to.deep.equal([]);
    expect(instructions).to.deep.equal([
      {
        label: 'LAB1',
        name: 'COPY$',
        line: 1,
        column: 10,
        operands: [
          { kind: 'word', word: 'TO-LINE', text: 'To-Line', line: 1, column: 16 },
          { kind: 'omitted', line: 1, column: 24 },
          { kind: 'string', text: "it's", line: 1, column: 25 },
          {
            kind: 'list',
            line: 1,
            column: 33,
            items: [
              { kind: 'word', word: 'A', text: 'A', line: 1, column: 34 },
              { kind: 'list', line: 1, column: 36, items: [{ kind: 'string', text: 'b', line: 1, column: 37 }] },
              {
                kind: 'keyword',
                name: 'N',
                line: 1,
                column: 42,
                value: { kind: 'word', word: '1', text: '1', line: 1, column: 44 },
              },
            ],
          },
          {
            kind: 'keyword',
            name: 'VAR',
            line: 1,
            column: 47,
            value: { kind: 'word', word: '=WITH', text: '=With', line: 1, column: 51 },
          },
          {
            kind: 'keyword',
            name: 'V',
            line: 1,
            column: 57,
            value: { kind: 'word', word: "X'0F'", text: "X'0F'", line: 1, column: 59 },
          },
        ],
      },
    ]);
  });

  it('gives places in the line that an operand stands in', () => {
    const { instructions } = parseScenarioSource('         CASE$ A,\r\n* comment\r\n     B,\r\n   C', 'f');
    expect(instructions[0]?.operands.map(({ line, column }) => [line, column])).to.deep.equal([
      [1, 16],
      [3, 6],
      [4, 4],
    ]);
  });

  it('gives back any text that is quoted by the rule of doubled quotes, wherever lines are broken', () => {
    const text = fc.string({ unit: 'binary-ascii' }).filter((each) => !/[\r\n]/.test(each));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 30 }), (texts, indent) => {
        const quoted = texts.map((each) => `'${each.replaceAll("'", "''")}'`);
        const source = `         COPY$ ${quoted.join(`,\n${' '.repeat(indent)}`)}`;
        // a long line may by chance look like one with a mark in column 72
        fc.pre(source.split('\n').every((line) => line.length < 72));
        const { instructions, diagnostics } = parseScenarioSource(source, 'f');
        expect(diagnostics).to.deep.equal([]);
        expect(instructions[0]?.operands.map(textOf)).to.deep.equal(texts);
      }),
    );
  });

  it('never throws, and assembling throws nothing but SourceError, whatever the source', () => {
    const piece = fc.constantFrom(
      ...[
        "'",
        '(',
        ')',
        ',',
        '=',
        ' ',
        '\n',
        '*',
        '$',
        'MAP$ ',
        'BEGIN',
        'END',
        'SCENARIO ',
        'INITIAL',
        'CASE$ ',
        'COPY$ ',
      ],
      ...[
        'VALUE-TO-VARIABLE',
        'VAR=',
        "'x'",
        'FOREACH$ ',
        'ENDFOR$',
        'L ',
        'EQU *',
        ' '.repeat(60),
        '\t',
        '\u0000',
        '\ud800',
      ],
    );
    const source = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(source, (each) => {
        try {
          assemble(each, 'f.scn');
        } catch (fault) {
          expect(fault).to.be.instanceOf(SourceError);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('sourceLength: the bound, and one past it', () => {
    const atBound = `* ${'x'.repeat(1_048_574)}`;
    expect(parseScenarioSource(atBound, 'f').diagnostics).to.have.length(0);
    expect(parseScenarioSource(`${atBound}x`, 'f').diagnostics[0]?.message).to.match(/longer than 1048576/);
  });

  it('listDepth and labelLength: the bounds, and one past them', () => {
    const nested = (depth: number) => `         CASE$ ${'('.repeat(depth)}A${')'.repeat(depth)}`;
    expect(parseScenarioSource(nested(16), 'f').diagnostics).to.have.length(0);
    expect(parseScenarioSource(nested(17), 'f').diagnostics[0]?.message).to.match(/16 deep/);
    const labelled = (length: number) => `${'L'.repeat(length)} EQU *`;
    expect(parseScenarioSource(labelled(63), 'f').diagnostics).to.have.length(0);
    expect(parseScenarioSource(labelled(64), 'f').diagnostics[0]?.message).to.match(/63 characters/);
  });

  it('listDepth of keywords: the bound, one past it, and as many as a source can hold', () => {
    const chain = (depth: number) => parseScenarioSource(`         CASE$ ${'A='.repeat(depth)}B`, 'f').diagnostics;
    expect(chain(16)).to.have.length(0);
    for (const depth of [17, 32_000]) expect(chain(depth)[0]?.message).to.match(/16 deep/);
  });

  it('statementLength: the bound, and one past it', () => {
    const atBound = '         CASE$ '.padEnd(65_536, 'A');
    expect(parseScenarioSource(atBound, 'f').diagnostics).to.have.length(0);
    const { diagnostics, instructions } = parseScenarioSource(`${atBound}A\nL        EQU   *`, 'f');
    expect(diagnostics.map(({ line, message }) => [line, message])).to.deep.equal([
      [1, 'the statement is longer than 65536 characters'],
    ]);
    expect(instructions.map(({ label }) => label)).to.deep.equal(['L']);
  });

  it('faults: the bound, and one past it', () => {
    const faultsOf = (count: number) => {
      try {
        assemble(`         SCENARIO INITIAL\n${' NONE\n'.repeat(count)}         SCENARIO END`, 'f');
        return 0;
      } catch (fault) {
        return (fault as SourceError).diagnostics.length;
      }
    };
    expect([99, 100, 101].map(faultsOf)).to.deep.equal([99, 100, 100]);
  });
});

function textOf(operand: Operand): string | undefined {
  return operand.kind === 'string' ? operand.text : undefined;
}
