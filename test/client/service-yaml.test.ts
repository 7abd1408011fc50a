import { expect } from 'chai';
import { nameOfWords, serviceFiles } from '../../client/terminal/macros/model/service-yaml.js';
import type { InputField, Visit } from '../../client/terminal/macros/model/visit-recorder.js';
import { checkServiceTexts } from '../../src/config/load-services.js';

const field = (members: Partial<InputField>): InputField & { readonly mark: undefined } => ({
  ...{ start: 81, length: 8, label: 'Field', isHidden: false, isTyped: true, text: '', mark: undefined },
  ...members,
});
const visit = (members: Partial<Visit>): Visit => ({
  ...{ identity: [{ text: 'MENU', row: 1, column: 2 }], columns: 80, typed: [] },
  ...{ cursor: undefined, key: 'Enter', extracts: [] },
  ...members,
});

describe('files of recorded services', () => {
  it('are sound whatever was typed and displayed', () => {
    const nasty = ["it's", '{braces}', '{{', '# no comment', '- x: [', '"', '\\', ': ', '漢字', '&a *a !!x'];
    const files = serviceFiles('x', [
      visit({
        identity: nasty.map((text, at) => ({ text, row: at + 1, column: 1 })),
        typed: nasty.map((text, at) => field({ start: 80 * at, text, label: `${text}\n` })),
      }),
      visit({ identity: [{ text: '5', row: 1, column: 1 }], key: undefined }),
    ]);
    if ('problem' in files) throw new Error(files.problem);
    const { reports, services, screens } = checkServiceTexts(files);
    expect(reports).to.deep.equal([]);
    expect([...screens.values()][0]?.conditions).to.deep.equal(
      nasty.map((text, at) => ({ text, row: at + 1, column: 1 })),
    );
    const work = services.get('x')?.work;
    const filled = work?.kind === 'steps' ? work.steps[0]?.fill.map(({ text }) => text) : [];
    expect(filled).to.deep.equal(nasty.map((text) => [{ kind: 'text', text }]));
  });

  it('have areas, positions of the cursor, and screens by their names', () => {
    const files = serviceFiles('x', [
      visit({ cursor: 165, key: 'PF3' }),
      visit({ identity: [{ text: 'Menu', row: 2, column: 2 }], key: 'PA1' }),
      visit({
        key: undefined,
        extracts: [
          { name: 'lines', as: 'string', row: 2, column: 3, lastRow: 4, lastColumn: 20 },
          { name: 'sum', as: 'decimal', row: 6, column: 3, lastRow: 6, lastColumn: 10 },
        ],
      }),
    ]);
    if ('problem' in files) throw new Error(files.problem);
    expect(checkServiceTexts(files).reports).to.deep.equal([]);
    expect(files.service.split('steps:\n')[1]).to.equal(`  - at: MENU
    cursor: [3, 6]
    press: PF3
  - at: MENU-2
    press: PA1
  - at: MENU
    extract:
      lines: { area: [2, 3, 4, 20] }
      sum: { at: [6, 3], length: 8, as: decimal }
`);
  });

  it('are none where a screen cannot be recognised', () => {
    expect(serviceFiles('x', [visit({}), visit({ identity: undefined })])).to.deep.equal({
      problem: 'screen 2 has no title, label or key to recognise it by',
    });
  });

  it('have names made of words', () => {
    expect(
      ['Account number', 'Größe (cm)', '9 lives', '漢字', ''].map((words) => nameOfWords(words, 'value')),
    ).to.deep.equal(['accountNumber', 'groeCm', 'value', 'value', 'value']);
  });
});
