import { expect } from 'chai';
import { parse } from 'yaml';
import { withYamlEntries, withYamlValue } from '../../../src/lib/documents/yaml-edit.js';

const entries = new Map<string, unknown>([
  ['NEW', [{ text: 'a: b', row: -1 }]],
  ['B', [{ not: { text: "x'" } }]],
]);
/** What the edited text is to say, as another reader reads it. */
const saying = (source: string) => {
  const before = parse(source) ?? {};
  return { ...before, screens: { ...before.screens, ...Object.fromEntries(entries) } };
};

describe('YAML that is edited', () => {
  it('leaves every other byte of a map in lines as it is', () => {
    const source =
      '# head\nscreens:\n  A:   [{ text: x }]   # why A\n\n  # about B\n  B: [{text: y}] # why B\n# tail\nmore: 1\n';
    const edited = withYamlEntries(source, 'screens', entries);
    expect(parse(edited)).to.deep.equal(saying(source));
    const [kept] = edited.split('  B:');
    expect(kept).to.equal('# head\nscreens:\n  A:   [{ text: x }]   # why A\n\n  # about B\n');
    expect(edited).to.match(/ {2}B: .* # why B\n {2}NEW: .*\n# tail\nmore: 1\n$/);
  });

  const sources: Readonly<Record<string, string>> = {
    'nothing at all': '',
    'an empty map': 'screens: {}\n',
    'no value': 'screens:\n',
    'a comment alone': '# later\n',
    'a map in braces': '# c\nscreens: { A: [{ text: x }] } # d\n',
    'no line end': 'screens:\n  B: [{ text: y }]',
    'lines of CR LF': 'screens:\r\n  A: [{ text: x }]\r\n  B: [{ text: y }]\r\n',
    'values in lines': 'screens:\n  B:\n    - text: y # why\n  # about A\n  A:\n    - text: x\n',
    'quoted names': 'screens:\n  "B": [{ text: y }]\n  \'A\': [{ text: x }]\n',
    anchors: 'screens:\n  B: &b [{ text: y }]\n  A: *b\n',
    'a text over lines': 'screens:\n  A:\n    - text: |\n        x\n  B: [{ text: y }]\n',
  };
  for (const [name, source] of Object.entries(sources)) {
    it(`says what it shall where there is ${name}`, () => {
      const edited = withYamlEntries(source, 'screens', entries);
      expect(parse(edited)).to.deep.equal(saying(source));
      for (const comment of source.match(/#.*/g) ?? []) expect(edited).to.include(comment);
      expect(withYamlEntries(edited, 'screens', entries)).to.equal(edited);
    });
  }

  it('changes nothing where there is nothing to set', () => {
    for (const source of Object.values(sources)) expect(withYamlEntries(source, 'screens', new Map())).to.equal(source);
  });

  it('takes another value, and keeps comments and order', () => {
    const source =
      'service: x # its name\nsteps:\n  # first\n  - at: [A, B] # where\n    outcomes: { A: { status: 404 } }\n';
    const value = { service: 'y', pool: 'P', steps: [{ at: ['C', 'B'], outcomes: { C: { status: 404 } } }] };
    const edited = withYamlValue(source, value);
    expect(parse(edited)).to.deep.equal(value);
    expect(Object.keys(parse(edited))).to.deep.equal(['service', 'pool', 'steps']);
    for (const comment of ['# its name', '# first', '# where']) expect(edited).to.include(comment);
    const shared = 'one: &a { x: 1 }\ntwo: *a\n';
    for (const other of [{ one: { x: 2 }, two: { x: 1 } }, { two: { x: 1 } }, { one: { x: 1 }, two: { x: 2 } }]) {
      expect(parse(withYamlValue(shared, other))).to.deep.equal(other);
    }
  });
});
