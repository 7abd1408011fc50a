import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../support/project.js';
import { sourcesBelow, withoutTexts } from '../support/sources.js';
import { callers, members } from './policy-matrix/callers.js';
import { matrix } from './policy-matrix/expected.js';
import {
  beginForm,
  beginJson,
  beginMacro,
  beginPlainForm,
  beginTrial,
  beginWebSocket,
} from './policy-matrix/page-surfaces.js';
import { PolicySite } from './policy-matrix/policy-site.js';
import { beginConnectionScript, beginPool, beginScenario, beginSteps } from './policy-matrix/program-surfaces.js';
import { type RuleName, trials } from './policy-matrix/rules.js';
import { type Begin, type SurfaceName, surfaces } from './policy-matrix/surface.js';

const beginOf: Readonly<Record<SurfaceName, Begin>> = {
  form: beginForm,
  webSocket: beginWebSocket,
  plainForm: beginPlainForm,
  json: beginJson,
  trial: beginTrial,
  steps: beginSteps,
  pool: beginPool,
  scenario: beginScenario,
  connectionScript: beginConnectionScript,
  macro: beginMacro,
};
const rules = Object.keys(trials) as RuleName[];
const ofCaller = /\.guarded\.\w+\(|\bsessions\.begin\(|\.beginService\(|\bnew Conversation\(|\bcalls\.call\(/;

/** Every rule on every surface, against a real server. */
describe('the policy matrix', function () {
  this.timeout(60_000);

  describe('has a row', () => {
    it('for every place that acts on a host', () => {
      const found = [...sourcesBelow('src')].filter(
        ([file, source]) => !file.startsWith('src/sessions/') && ofCaller.test(withoutTexts(source)),
      );
      expect(found.map(([file]) => file)).to.have.members(Object.keys(callers));
      const named = Object.values(callers).flatMap((of) => (typeof of === 'string' ? [] : of));
      expect(new Set(named)).to.deep.equal(new Set(surfaces));
    });

    it('for every member of the types that state rules', () => {
      for (const [type, known] of Object.entries(members)) {
        const [file = '', name = ''] = type.split(' ');
        expect(membersOf(file, name), type).to.have.members(Object.keys(known));
      }
      const named = Object.values(members).flatMap((of) => Object.values(of).flat());
      for (const row of named) expect(row.includes(' ') || row in matrix, row).to.equal(true);
    });

    it('of every rule on every surface, or says why not', () => {
      expect(Object.keys(matrix)).to.have.members(rules);
      for (const rule of rules) {
        expect(Object.keys(matrix[rule]), rule).to.have.members([...surfaces]);
        for (const [surface, cell] of Object.entries(matrix[rule])) {
          if (typeof cell === 'string') expect(cell.length, `${rule} ${surface}`).to.be.above(10);
        }
        const tried = Object.values(matrix[rule]).filter((cell) => typeof cell !== 'string');
        if (rule !== 'idle') expect(tried, rule).to.not.be.empty;
      }
    });
  });

  describe('holds for', () => {
    let site: PolicySite;
    before(async () => {
      site = await PolicySite.open();
    });
    after(() => site?.close());

    for (const rule of rules) {
      for (const surface of surfaces) {
        const cell = matrix[rule][surface];
        if (typeof cell === 'string') continue;
        it(`${rule} of ${surface}`, async () => {
          const trial = cell.trial ?? trials[rule];
          expect(await trial(site, beginOf[surface], surface)).to.deep.equal(cell.expected);
        });
      }
    }
  });
});

/** Names that an interface declares itself. */
function membersOf(file: string, name: string): string[] {
  const source = readFileSync(join(projectFolder, file), 'utf8');
  const body = new RegExp(`interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(source)?.[1] ?? '';
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(<]/gm)].map(([, member = '']) => member);
}
