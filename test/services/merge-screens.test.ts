import { expect } from 'chai';
import { readYaml } from '../../src/lib/documents/yaml-source.js';
import { mergeScreens, type ScreenWish } from '../../src/services/merge-screens.js';
import type { ServiceDocument } from '../../src/services/service-document.js';
import { publishedService } from '../../src/services/service-publishing.js';
import type { ScreenDefinition } from '../../src/tn3270/conversation/screen-definition.js';

const screens = (...definitions: readonly (readonly [name: string, text: string])[]) =>
  new Map<string, ScreenDefinition>(definitions.map(([name, text]) => [name, { name, conditions: [{ text }] }]));
const merge = (
  there: ReadonlyMap<string, ScreenDefinition>,
  drafted: ReadonlyMap<string, ScreenDefinition>,
  ...wishes: readonly (readonly [string, ScreenWish])[]
) => mergeScreens(there, drafted, new Map(wishes), []);

describe('screens of a draft and of a services folder', () => {
  it('are the same by their conditions, whatever order these have in a line', () => {
    const there = new Map([['A', { name: 'A', conditions: [{ row: 1, text: 'x' }] }]]);
    const drafted = new Map([['A', { name: 'A', conditions: [{ text: 'x', row: 1 }] }]]);
    expect(merge(there, drafted).screens[0]?.state).to.equal('same');
  });

  it('set what is new and what is replaced, and nothing of a conflict that is open', () => {
    const there = screens(['A', 'a'], ['B', 'b'], ['C', 'c']);
    const drafted = screens(['A', 'a'], ['B', 'other'], ['C', 'other'], ['D', 'd']);
    const {
      set,
      faults,
      screens: merged,
    } = merge(there, drafted, ['B', { kind: 'replace' }], ['A', { kind: 'replace' }]);
    expect(merged.map(({ state }) => state)).to.deep.equal(['same', 'conflict', 'conflict', 'new']);
    expect([...set]).to.deep.equal([
      ['B', [{ text: 'other' }]],
      ['D', [{ text: 'd' }]],
    ]);
    expect(faults).to.have.length(1);
    expect(faults[0]).to.deep.equal({ code: 'service.screenDiffers', values: { name: 'C' } });
  });

  it('propose a free name, and take none that is there, or given already', () => {
    const there = screens(['A', 'a'], ['B', 'b'], ['A-2', 'x']);
    const drafted = screens(['A', 'other'], ['B', 'other'], ['A-3', 'y']);
    const rename = (to: string) => ({ kind: 'rename', to }) as const;
    expect(merge(there, drafted).screens[0]?.freeName).to.equal('A-4');
    for (const to of ['A', 'B', 'A-2', 'A-3', '', '1A', 'A B', 'Ä', 'A'.repeat(65)]) {
      expect(merge(there, drafted, ['A', rename(to)], ['B', { kind: 'replace' }]).faults, to).to.have.length(1);
    }
    expect(merge(there, drafted, ['A', rename('NEW')], ['B', rename('NEW')]).faults).to.have.length(1);
    const { renamed, faults } = merge(there, drafted, ['A', rename('A'.repeat(64))], ['B', rename('NEW')]);
    expect(faults).to.deep.equal([]);
    expect([...renamed.keys()]).to.deep.equal(['A', 'B']);
    const long = screens(['A'.repeat(64), 'a']);
    expect(merge(long, screens(['A'.repeat(64), 'b'])).screens[0]?.freeName).to.have.length.at.most(64);
  });

  it('have their other name wherever the service that is published names them', () => {
    const source = `service: draft
steps:
  - { at: [A, B], press: Enter, expect: A, outcomes: { B: { status: 404, code: none }, C: { status: 409, code: c } } }
`;
    const renamed = new Map([
      ['A', 'A-2'],
      ['B', 'B-2'],
    ]);
    const document = readYaml(source, 'draft.yaml').value as ServiceDocument;
    const text = publishedService(source, document, { name: 'published', pool: 'P', renamed });
    const { service, steps } = readYaml(text, 'published.yaml').value as ServiceDocument;
    expect(service).to.equal('published');
    const [step] = steps ?? [];
    expect([step?.at, step?.expect]).to.deep.equal([['A-2', 'B-2'], 'A-2']);
    expect(Object.keys(step?.outcomes ?? {})).to.deep.equal(['B-2', 'C']);
  });
});
