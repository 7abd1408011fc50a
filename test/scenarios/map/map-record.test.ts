import { expect } from 'chai';
import fc from 'fast-check';
import { mapToRecord, mapToVariables } from '../../../src/scenarios/map/map-document.js';
import { MappingLimitError } from '../../../src/scenarios/map/mapping.js';
import { recordToVariables } from '../../../src/scenarios/map/record-to-variables.js';
import { assembleMaps, structureOf } from './structure-source.js';
import { complete, readDocument, recordOf, VariableTable } from './variable-table.js';

function group(...lines: string[]): string {
  return [
    'OUTPUT MAP$ BEGIN',
    ...lines.map((line) => `${/^\w+ MAP\$/.test(line) ? '' : ' MAP$ '}${line}`),
    ' MAP$ END',
  ].join('\n');
}

function record(source: string, xml: string, port = new VariableTable()): string {
  return recordOf(mapToRecord(structureOf(source), readDocument('XML', xml), port));
}

describe('mapToRecord', () => {
  it('lets a subroutine run in the middle of the structure', () => {
    const source = group("AREA,WITH='a',LENGTH=1", 'EXECUTE,Change', "AREA,FROM-VARIABLE,'V',LENGTH=2");
    const variables = new VariableTable({ V: ['1'] });
    const calls: object[] = [];
    const mapping = mapToRecord(structureOf(source), readDocument('XML', '<a>x</a>'), variables);
    const made = recordOf(mapping, (call) => {
      calls.push(call);
      variables.replace('V', '22');
    });
    expect(made).to.equal('x22');
    expect(calls).to.deep.equal([{ execute: 'CHANGE', line: 3, column: 2 }]);
    expect(assembleMaps(source).executes).to.deep.equal([
      { label: 'CHANGE', structure: 'OUTPUT', line: 3, column: 15 },
    ]);
  });

  // documents of up to 16 elements are read from end to end, larger ones by an index
  for (const elements of [15, 16, 17, 18]) {
    it(`finds the same in a document of ${elements} elements`, () => {
      const before = '<z/>'.repeat(elements - 6);
      const xml = `<r>${before}<n>1</n><p:g><p:n>2</p:n><n>3</n></p:g><q:m>4</q:m></r>`;
      const source = group(
        "AREA,WITH='n',LENGTH=1",
        "AREA,WITH='p:n',LENGTH=1",
        "AREA,WITH='g/n',LENGTH=1",
        "AREA,WITH='p:g/n',LENGTH=1",
        "AREA,WITH='m',LENGTH=1",
        "AREA,WITH='x',LENGTH=1",
        "BEGIN,WITH='z',OCCURS=UNLIMITED",
        "AREA,FROM-CONSTANT,'.',LENGTH=1",
        'END',
      );
      // elements named as the path is written go before those of its local names
      expect(record(source, xml)).to.equal(`12234 ${'.'.repeat(elements - 6)}`);
    });
  }

  it('runs a subroutine once per occurrence found, not for those missing', () => {
    const source = group("BEGIN,WITH='n',OCCURS=5", 'EXECUTE,COUNTER', 'END');
    let calls = 0;
    complete(mapToRecord(structureOf(source), readDocument('XML', '<r><n/><n/></r>'), new VariableTable()), () => {
      calls++;
    });
    expect(calls).to.equal(2);
  });

  it('abends where it comes to an ABEND, and does nothing after it', () => {
    const source = group(
      "EVENTUAL-AREA,FROM-CONSTANT,'0',WHEN=(ELEMENT,'a'),EVENT='good'",
      "ELSETHEN-AREA,FROM-CONSTANT,'1',EVENT='bad'",
      "BEGIN,EVENT='bad'",
      'ABEND',
      'END',
      "AREA,TO-VARIABLE-ONLY,FROM-CONSTANT,'after',VAR='V'",
    );
    const variables = new VariableTable();
    const bad = complete(mapToRecord(structureOf(source), readDocument('XML', '<b/>'), variables));
    expect(bad).to.deep.equal({ kind: 'abended', at: { line: 5, column: 2 } });
    expect(variables.valueOf('V')).to.equal(undefined);
    const good = complete(mapToRecord(structureOf(source), readDocument('XML', '<a/>'), variables));
    expect(good.kind).to.equal('mapped');
    expect(variables.valueOf('V')).to.equal('after');
  });

  for (const operand of ["WITH='error'", "'error'"]) {
    it(`abends at an element: ABEND-AT,${operand}`, () => {
      const structure = structureOf(group(`ABEND-AT,${operand}`, 'AREA,LENGTH=1'));
      const outcome = (xml: string) => complete(mapToRecord(structure, readDocument('XML', xml), new VariableTable()));
      expect(outcome('<r><error/></r>')).to.deep.equal({ kind: 'abended', at: { line: 2, column: 2 } });
      expect(outcome('<r/>').kind).to.equal('mapped');
    });
  }
});

describe('the bounds of a mapping', () => {
  const elements = (name: string, count: number) => `<r>${`<${name}/>`.repeat(count)}</r>`;
  const limitOf = (act: () => unknown): string | undefined => {
    try {
      act();
      return undefined;
    } catch (fault) {
      if (fault instanceof MappingLimitError) return fault.limit;
      throw fault;
    }
  };

  it('makes a record of 1,048,576 characters and none of one more', () => {
    // 32 rows of 32,767 characters are 32 short of the bound
    const rows = (...more: string[]) => group("BEGIN,WITH='n',OCCURS=UNLIMITED", 'AREA,LENGTH=32767', 'END', ...more);
    expect(record(rows('AREA,LENGTH=32'), elements('n', 32))).to.have.lengthOf(1_048_576);
    expect(limitOf(() => record(rows('AREA,LENGTH=33'), elements('n', 32)))).to.equal('recordCharacters');
  });

  it('counts the data of references into the record', () => {
    const source = (length: number) => group(`AREA,FROM-VARIABLE,'V',TYPE=OFFSET-LENGTH`, `AREA,LENGTH=${length}`);
    const variables = new VariableTable({ V: ['x'.repeat(1_048_550)] });
    expect(record(source(10), '<r/>', variables)).to.have.lengthOf(1_048_576);
    expect(limitOf(() => record(source(11), '<r/>', variables))).to.equal('recordCharacters');
  });

  it('fills missing occurrences only as far as a record goes', () => {
    const source = (more: string) =>
      group(
        "EVENTUAL-AREA,FROM-CONSTANT,'',WHEN=(ELEMENT,'r')",
        "BEGIN,EVENT='r'",
        "BEGIN,WITH='n',OCCURS=65536",
        'AREA,LENGTH=16',
        'END',
        'END',
        "BEGIN,EVENT='r'",
        more,
        'END',
      );
    expect(record(source("AREA,FROM-CONSTANT,''"), '<r/>')).to.equal(' '.repeat(1_048_576));
    expect(limitOf(() => record(source("AREA,FROM-CONSTANT,'x'"), '<r/>'))).to.equal('recordCharacters');
  });

  it('repeats groups 100,000 times and not once more', () => {
    // the root counts as one
    const source = group("BEGIN,WITH='n',OCCURS=UNLIMITED,COUNT='N'", 'END', "BEGIN,WITH='m'", 'END');
    const variables = new VariableTable();
    expect(record(source, elements('n', 99_998), variables)).to.equal('');
    expect(variables.valueOf('N')).to.equal('99998');
    expect(limitOf(() => record(source, elements('n', 99_999)))).to.equal('repetitions');
  });

  it('writes 1,048,576 characters into variables and none more', () => {
    const source = group("AREA,WITH='a',TO-VARIABLE-ONLY,VAR='A'", "AREA,WITH='b',TO-TABLE-VARIABLE-ONLY,VAR='B'");
    const xml = (count: number) => `<r><a>${'x'.repeat(1_048_570)}</a><b>${'y'.repeat(count)}</b></r>`;
    const variables = new VariableTable();
    record(source, xml(6), variables);
    expect(variables.valueOf('B')).to.equal('yyyyyy');
    expect(limitOf(() => record(source, xml(7)))).to.equal('variableCharacters');
    const many = group(...["'a'", "'b'"].map((name) => `AREA,WITH=${name},TO-VARIABLE-ONLY,VAR==WITH`));
    expect(limitOf(() => complete(mapToVariables(structureOf(many), readDocument('XML', xml(7)), variables)))).to.equal(
      'variableCharacters',
    );
  });

  it('ends a small document that nested repetitions make long', () => {
    const again = group("BEGIN,WITH='n',OCCURS=UNLIMITED", "BEGIN,TOP,WITH='n',OCCURS=1,COUNT='N'", 'END', 'END');
    expect(limitOf(() => record(again, elements('n', 40_000)))).to.equal('work');
  });

  it('ends a long text that is read again and again', () => {
    const again = group("BEGIN,WITH='n',OCCURS=UNLIMITED", "BEGIN,TOP,WITH='t'", 'AREA,LENGTH=1', 'END', 'END');
    const xml = `<r>${'<n/>'.repeat(40_000)}<t>${'x'.repeat(1_000_000)}</t></r>`;
    expect(limitOf(() => record(again, xml))).to.equal('work');
  });

  it('looks names up without going over the whole document each time', () => {
    const source = group(
      "BEGIN,WITH='n',OCCURS=UNLIMITED",
      "AREA,WITH='k',LENGTH=1",
      "AREA,WITH='x/k',LENGTH=1",
      'END',
    );
    const xml = `<r>${'<n/>'.repeat(45_000)}<x>${'<k/>'.repeat(45_000)}</x></r>`;
    expect(record(source, xml)).to.equal(' '.repeat(90_000));
  });

  it('cuts a record of 1,048,576 characters into variables and none of one more', () => {
    const structure = structureOf(group("AREA,WITH='a',LENGTH=1"));
    const variables = new VariableTable();
    const cut = (length: number) => complete(recordToVariables(structure, '\u{1F600}'.repeat(length), variables));
    cut(1_048_576);
    expect(variables.valueOf('a')).to.equal('\u{1F600}');
    expect(limitOf(() => cut(1_048_577))).to.equal('recordCharacters');
  });

  it('nests groups 32 deep and not deeper', () => {
    const nested = (depth: number) =>
      [...Array.from({ length: depth }, (_, at) => `G${at} MAP$ BEGIN`), ...Array(depth).fill(' MAP$ END')].join('\n');
    expect(assembleMaps(nested(32)).faults).to.deep.equal([]);
    expect(assembleMaps(nested(33)).faults).to.deep.equal([
      { line: 33, column: 5, message: 'groups are nested more than 32 deep' },
    ]);
  });

  for (const { steps, faults } of [
    { steps: 32, faults: 0 },
    { steps: 33, faults: 1 },
  ]) {
    it(`takes a path of ${steps} names with ${faults} faults`, () => {
      const path = Array(steps).fill('a').join('/');
      expect(assembleMaps(group(`AREA,LENGTH=1,WITH='${path}'`)).faults).to.have.lengthOf(faults);
    });
  }

  for (const { length, faults } of [
    { length: 1024, faults: 0 },
    { length: 1025, faults: 1 },
  ]) {
    it(`takes a pattern of ${length} characters with ${faults} faults`, () => {
      const pattern = `#${'-'.repeat(length - 1)}`;
      expect(assembleMaps(group(`AREA,LENGTH=1,FORMAT=('${pattern}','#')`)).faults).to.have.lengthOf(faults);
    });
  }
});

describe('mapping, whatever comes', () => {
  interface Part {
    readonly lines: readonly string[];
    readonly length: number;
  }
  const names = fc.constantFrom('a', 'b', 'p:a', 'a/b', 'c');
  const contents = fc.constantFrom('X', '9', 'S9', 'ONLY9', '(ONLY9,LEFT-ALIGNED)', 'BASE64');
  const area = fc.record({ name: fc.option(names), content: contents, length: fc.integer({ min: 1, max: 9 }) }).map(
    ({ name, content, length }): Part => ({
      lines: [` MAP$ AREA,${name === null ? '' : `WITH='${name}',`}TYPE=${content},LENGTH=${length}`],
      length,
    }),
  );
  const structures = fc.letrec<{ part: Part; group: Part }>((tie) => ({
    part: fc.oneof({ depthSize: 'small', withCrossShrink: true }, area, tie('group')),
    group: fc
      .record({
        name: fc.option(names),
        occurs: fc.option(fc.integer({ min: 1, max: 4 })),
        top: fc.boolean(),
        parts: fc.array(tie('part'), { maxLength: 4 }),
      })
      .map(({ name, occurs, top, parts }): Part => {
        const repeated = name === null ? null : occurs;
        const operands = `${top ? ',TOP' : ''}${name === null ? '' : `,WITH='${name}'`}${repeated === null ? '' : `,OCCURS=${repeated}`}`;
        const inside = parts.reduce((total, { length }) => total + length, 0);
        return {
          lines: [` MAP$ BEGIN${operands}`, ...parts.flatMap(({ lines }) => lines), ' MAP$ END'],
          length: inside * (repeated ?? 1),
        };
      }),
  })).group;
  const texts = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string(), fc.constantFrom('-5', ' 12 ', 'w6l0w6k=', ''));
  const escaped = (text: string) => text.replace(/[^ -~\u00a0-\ud7ff\u{10000}-\u{1ffff}]|[<&>]/gu, ' ');
  const elementNames = fc.constantFrom('a', 'b', 'p:a', 'c', 'q:b');
  const elementOf = (children: fc.Arbitrary<string[]>) =>
    fc
      .tuple(elementNames, texts, children)
      .map(([name, text, inside]) => `<${name}>${escaped(text)}${inside.join('')}</${name}>`);
  const trees = fc.letrec<{ element: string; parent: string }>((tie) => ({
    element: fc.oneof({ depthSize: 'small' }, elementOf(fc.constant([])), tie('parent')),
    parent: elementOf(fc.array(tie('element'), { maxLength: 4 })),
  })).parent;
  const documents = fc.oneof(
    trees.map((text) => ({ format: 'XML' as const, text })),
    fc.json().map((text) => ({ format: 'JSON' as const, text })),
    fc.webQueryParameters().map((text) => ({ format: 'QUERY' as const, text })),
    texts.map((text) => ({ format: 'XML' as const, text })),
  );
  const codePoints = (text: string) => Array.from(text).length;
  const source = ({ lines }: Part) => `OUTPUT${[`${lines[0]}`, ...lines.slice(1)].join('\n')}`;

  it('gives a fixed structure records of its length, on one line', () => {
    fc.assert(
      fc.property(structures, documents, (part, { format, text }) => {
        const structure = structureOf(source(part));
        const made = recordOf(mapToRecord(structure, readDocument(format, text), new VariableTable()));
        expect(codePoints(made)).to.equal(part.length);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is what is shown
        expect(made).to.not.match(/[\u0000-\u001f]/);
      }),
    );
  });

  it('reads XML that was made well-formed', () => {
    fc.assert(fc.property(trees, (text) => readDocument('XML', text) !== undefined));
  });

  it('cuts any text into variables with any structure', () => {
    fc.assert(
      fc.property(structures, texts, (part, text) => {
        complete(recordToVariables(structureOf(source(part)), text, new VariableTable()));
      }),
    );
  });

  it('gives the same variables from a document as from its record, where no occurrence is missing', () => {
    const once = structures.filter((part) => part.lines.every((line) => !/OCCURS|BASE64/.test(line)));
    fc.assert(
      fc.property(once, documents, (part, { format, text }) => {
        const structure = structureOf(source(part));
        const document = readDocument(format, text);
        const direct = new VariableTable();
        complete(mapToVariables(structure, document, direct));
        const cut = new VariableTable();
        const made = recordOf(mapToRecord(structure, document, new VariableTable()));
        complete(recordToVariables(structure, made, cut));
        expect(cut.toRecord()).to.deep.equal(direct.toRecord());
      }),
    );
  });
});
