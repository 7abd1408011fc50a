import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { assemble } from '../../src/scenarios/assemble.js';
import { registerCodePages } from '../../src/tn3270/codepage/iconv-registration.js';
import { projectFolder } from '../support/project.js';

/** A module with the line among what stands around it in a source of the field. */
function moduleWith({ head = 'M        SCREENS APPL=M,EXEC=NO', structure = '', line = '', end = 'END' }): string {
  return [
    head,
    'G        MAP$  BEGIN',
    "         MAP$  AREA,FROM-CONSTANT,'x'",
    structure,
    'G        MAP$  END',
    '         SCENARIO INITIAL',
    line,
    `L        SCENARIO ${end}`,
    '         SCRNEND',
    '         END',
  ]
    .filter((each) => each !== '')
    .join('\n');
}

const warningsOf = (source: string) =>
  assemble(source, 'm.scn').warnings.map(({ line, column, message, severity }) => {
    expect(severity).to.equal('warning');
    return `${line}:${column} ${message}`;
  });

describe('what a scenario says and nothing comes of', () => {
  before(registerCodePages);

  for (const [what, source, place, named] of [
    ['APPL= with another name', moduleWith({ head: 'M        SCREENS APPL=N' }), '1:18', 'APPL='],
    ['EXEC=YES', moduleWith({ head: 'M        SCREENS EXEC=YES' }), '1:18', 'EXEC='],
    ['an operand of SCREENS', moduleWith({ head: 'M        SCREENS DEBUG' }), '1:18', 'this operand'],
    ['an operand behind SCENARIO END', moduleWith({ end: 'END,AT-ONCE' }), '6:23', 'SCENARIO END'],
    [
      'LENGTH= of an alternative that is longer than its constant',
      moduleWith({ structure: "         MAP$  EVENTUAL-AREA,FROM-CONSTANT,'0',WHEN=(ELEMENT,'E'),LENGTH=6" }),
      '4:74',
      'LENGTH=6',
    ],
    ['the encoding of URLs', moduleWith({ line: '         SET$  URL-ENCODING,UTF-8' }), '6:10', 'URL-ENCODING'],
    [
      'more in LOOP= than label and count',
      moduleWith({ line: '         HANDLE$ LOOP=(L,5,6)' }),
      '6:28',
      'the list ends before it',
    ],
    [
      'more in WHEN= than a prefix',
      moduleWith({ line: "         DEBUG$ TRACE,SCENARIO,WHEN=(TRANSACTION-NAME-STARTS-WITH,'A','B')" }),
      '6:71',
      'the list ends before it',
    ],
    [
      'more in FIELD= than class and item',
      moduleWith({ line: "         COPY$ SYSTEM-TO-VARIABLE,FIELD=(NAME-OF,USER,L),VAR='V'" }),
      '6:55',
      'the list ends before it',
    ],
  ] as const) {
    it(`is warned of with its line: ${what}`, () => {
      const warnings = warningsOf(source);
      expect(warnings).to.have.length(1);
      expect(warnings[0])
        .to.match(new RegExp(`^${place} `))
        .and.contain(named);
    });
  }

  it('is nothing of what does something', () => {
    expect(warningsOf(moduleWith({}))).to.deep.equal([]);
    const withLength = "         MAP$  EVENTUAL-AREA,FROM-CONSTANT,'0',WHEN=(ELEMENT,'E'),LENGTH=1";
    expect(warningsOf(moduleWith({ structure: withLength }))).to.deep.equal([]);
    for (const name of ['SCENRATE', 'SCENPAGE']) {
      expect(
        warningsOf(readFileSync(join(projectFolder, 'templates', 'scenarios', `${name}.scn`), 'utf8')),
      ).to.deep.equal([]);
    }
  });

  it('is told 100 times at most', () => {
    const lines = (count: number) => Array(count).fill('         HANDLE$ LOOP=(L,5,6)').join('\n');
    expect(warningsOf(moduleWith({ line: lines(100) }))).to.have.length(100);
    expect(warningsOf(moduleWith({ line: lines(101) }))).to.have.length(100);
  });
});
