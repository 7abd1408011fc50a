import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { stepsOfText, textOfSteps } from '../../client/terminal/macros/model/editor-syntax.js';
import {
  canBeHotKey,
  hotKeyWords,
  macroOfHotKey,
  refusalOfHotKey,
  warningOfHotKey,
} from '../../client/terminal/macros/model/hot-keys.js';
import {
  type Collision,
  changedMacros,
  type Decision,
  freeName,
  importedChanges,
  type MacroChange,
  TooManyMacrosError,
} from '../../client/terminal/macros/model/macro-change.js';
import { MacroFileError, readMacroFile } from '../../client/terminal/macros/model/macro-file.js';
import { isReadingDue, refreshPolicyOf } from '../../client/terminal/macros/model/refresh-policy.js';
import type { HotKey, Macro } from '../../src/macros/macro-set.js';
import type { MacroStep } from '../../src/macros/macro-step.js';
import { fixture } from '../support/project.js';

describe('editing of macros', () => {
  describe('syntax of the editor', () => {
    const examples: readonly (readonly [MacroStep, string])[] = [
      [{ txt: '=M' }, '"=M"'],
      [{ txt: 'a "b" \\ \t é 漢' }, '"a \\"b\\" \\\\ \\t é 漢"'],
      ['PF3', 'key(PF3)'],
      ['InsToogle', 'key(InsToogle)'],
      ['move(435)', 'move(435)'],
      ['copy(1,2,3,4)', 'copy(1,2,3,4)'],
      ['paste(7)', 'paste(7)'],
      ['paste(7,2,10)', 'paste(7,2,10)'],
      [{ txt: '', prompt: 'Password' }, 'prompt("Password")'],
      [{ txt: '', screen: [{ text: 'MENU', row: 1, column: 2 }] }, 'screen(1,2,"MENU")'],
      [
        {
          txt: '',
          screen: [
            { text: 'a "b" (c)', row: 1, column: 2 },
            { text: 'F3=Exit', row: 24, column: 80 },
          ],
        },
        'screen(1,2,"a \\"b\\" (c)",24,80,"F3=Exit")',
      ],
    ];

    it('says each step on a line, and reads it back', () => {
      for (const [step, line] of examples) {
        expect(textOfSteps([step])).to.equal(line);
        expect(stepsOfText(line)).to.deep.equal({ steps: [step], problems: [] });
      }
      const steps = examples.map(([step]) => step);
      expect(stepsOfText(textOfSteps(steps))).to.deep.equal({ steps, problems: [] });
    });

    it('makes one text of character codes side by side', () => {
      expect(textOfSteps([105, 115, 'ENTER', 0x6f22])).to.equal('"is"\nkey(ENTER)\n"漢"');
    });

    it('takes blanks and empty lines', () => {
      const { steps } = stepsOfText('\n  move( 1 )\r\n\n copy(1, 2, 3, 4)\n key( ENTER ) \n');
      expect(steps).to.deep.equal(['move(1)', 'copy(1,2,3,4)', 'ENTER']);
    });

    it('names the line of each problem', () => {
      const wrong = 'key(ENTER)\nkey(enter)\nkey(Foo)\nmove(1,2)\ncopy(1)\npaste(1,2)\n"open\nhello\nprompt(x)\n5\n""';
      const { steps, problems } = stepsOfText(wrong);
      expect(steps).to.deep.equal(['ENTER', { txt: '' }]);
      expect(problems.map(({ line }) => line)).to.deep.equal([2, 3, 4, 5, 6, 7, 8, 9, 10]);
      expect(problems.map(({ problem }) => problem).slice(0, 3)).to.deep.equal([
        'there is no key enter; did you mean ENTER?',
        'there is no key Foo',
        'move expects a position: move(435)',
      ]);
    });

    it('says how a screen is written', () => {
      const wrong = [
        'screen()',
        'screen(1,2)',
        'screen(0,1,"a")',
        'screen(1,2,3)',
        'screen(1,2,"a",3)',
        'screen(1,2,"a"',
      ];
      for (const line of wrong) expect(stepsOfText(line).problems, line).to.have.length(1);
      expect(stepsOfText('screen(1,201,"a")').problems[0]?.problem).to.match(/^a screen takes row, column and text/);
    });

    it('takes 10,000 steps, and no more', () => {
      const text = (count: number) => 'key(Tab)\n'.repeat(count);
      expect(stepsOfText(text(10_000)).problems).to.deep.equal([]);
      expect(stepsOfText(text(10_001)).problems).to.deep.equal([
        { line: 10_001, problem: 'a macro has at most 10000 steps' },
      ]);
    });
  });

  describe('hot keys', () => {
    const key = (name: string): HotKey => {
      const [modifier, letter = ''] = name.split('+');
      const keycode = /^F\d+$/.test(letter) ? 111 + Number(letter.slice(1)) : letter.charCodeAt(0);
      return { key: modifier === 'Ctrl' ? 'ctrl' : 'alt', keycode };
    };
    const macro = (name: string, mapping: HotKey): Macro => ({ name, def: [], mapping });

    it('are Ctrl or Alt with F1 to F12, A to Z, 1 to 9', () => {
      for (const name of ['Ctrl+F1', 'Ctrl+F12', 'Alt+B', 'Alt+Z', 'Alt+4', 'Ctrl+9', 'Ctrl+L']) {
        expect(canBeHotKey(key(name)), name).to.equal(true);
        expect(hotKeyWords(key(name))).to.equal(name);
      }
      for (const keycode of [13, 48, 111, 124, 64, 91]) expect(canBeHotKey({ key: 'ctrl', keycode })).to.equal(false);
    });

    it('are not those that the terminal or the browser needs', () => {
      for (const name of [
        'Alt+1',
        'Alt+C',
        'Alt+K',
        'Alt+M',
        'Alt+S',
        'Alt+F4',
        'Ctrl+C',
        'Ctrl+V',
        'Ctrl+W',
        'Ctrl+T',
      ]) {
        expect(refusalOfHotKey(key(name), []), name).to.equal(`The terminal or the browser needs ${name}.`);
      }
      expect(warningOfHotKey(key('Ctrl+L'))).to.include('Browsers use Ctrl+L');
      expect(warningOfHotKey(key('Alt+L'))).to.equal(undefined);
    });

    it('are of one macro each', () => {
      expect(refusalOfHotKey(key('Ctrl+L'), [macro('logon', key('Ctrl+L'))])).to.equal(
        'Ctrl+L is already the hot key of logon.',
      );
      expect(refusalOfHotKey(key('Ctrl+L'), [macro('logon', key('Alt+L'))])).to.equal(undefined);
    });

    it('play the first macro that has them', () => {
      const macros = [macro('one', key('Ctrl+L')), macro('two', key('Ctrl+L')), macro('clear', key('Alt+C'))];
      const press = { keyCode: 76, ctrlKey: true, altKey: false, shiftKey: false, metaKey: false };
      expect(macroOfHotKey(press, macros)?.name).to.equal('one');
      for (const further of [{ shiftKey: true }, { altKey: true }, { ctrlKey: false }, { keyCode: 77 }]) {
        expect(macroOfHotKey({ ...press, ...further }, macros)).to.equal(undefined);
      }
      const clear = { ...press, ctrlKey: false, altKey: true, keyCode: 67 };
      expect(macroOfHotKey(clear, macros), 'the terminal has it').to.equal(undefined);
    });
  });

  describe('changes', () => {
    const a: Macro = { name: 'a', rev: 1, def: ['ENTER'] };
    const b: Macro = { name: 'b', rev: 1, def: ['CLEAR'] };
    const c: Macro = { name: 'c', rev: 1, def: ['PF1'] };
    const asked: Collision[] = [];
    const change = (macros: Macro[], changes: MacroChange[], decision?: Decision) => {
      asked.length = 0;
      return changedMacros(macros, changes, async (collision) => {
        asked.push(collision);
        if (decision === undefined) throw new Error('asked');
        return decision;
      });
    };

    it('add, replace in place, and delete', async () => {
      expect(await change([a], [{ after: b }])).to.deep.equal([a, b]);
      const longer = { ...a, rev: 2, def: ['ENTER', 'ENTER'] };
      expect(await change([a, b], [{ before: a, after: longer }])).to.deep.equal([longer, b]);
      expect(await change([a, b], [{ before: a }])).to.deep.equal([b]);
      expect(await change([b], [{ before: a }]), 'gone already').to.equal(undefined);
      expect(await change([b], [{ before: a, after: longer }]), 'deleted meanwhile').to.deep.equal([b, longer]);
    });

    it('ask where the name is taken', async () => {
      const another = { ...a, def: ['PF9'] };
      expect(await change([a, b], [{ after: another }], 'replace')).to.deep.equal([another, b]);
      expect(await change([a, b], [{ after: another }], 'keepBoth')).to.deep.equal([
        a,
        b,
        { ...another, name: 'a (2)' },
      ]);
      expect(await change([a, b], [{ after: another }], 'leave')).to.equal(undefined);
      expect(asked).to.deep.equal([{ name: 'a', because: 'nameTaken', isDeletion: false }]);
      const renamed = { ...b, name: 'a' };
      expect(await change([a, b, c], [{ before: b, after: renamed }], 'replace')).to.deep.equal([renamed, c]);
      expect(await change([a, b], [{ before: b, after: renamed }], 'keepBoth')).to.deep.equal([
        a,
        { ...b, name: 'a (2)' },
      ]);
    });

    it('ask where somebody has changed the macro meanwhile', async () => {
      const theirs = { ...a, rev: 7, def: ['PF7'] };
      const ours = { ...a, rev: 2 };
      expect(await change([theirs, b], [{ before: a, after: ours }], 'replace')).to.deep.equal([ours, b]);
      expect(await change([theirs], [{ before: a, after: ours }], 'keepBoth')).to.deep.equal([
        theirs,
        { ...ours, name: 'a (2)' },
      ]);
      expect(await change([theirs], [{ before: a, after: ours }], 'leave')).to.equal(undefined);
      expect(asked).to.deep.equal([{ name: 'a', because: 'changedMeanwhile', isDeletion: false }]);
      expect(await change([theirs, b], [{ before: a }], 'replace')).to.deep.equal([b]);
      expect(asked[0]?.isDeletion).to.equal(true);
    });

    it('find names that are free', () => {
      expect(freeName([a, { ...a, name: 'a (2)' }], 'a')).to.equal('a (3)');
      expect(freeName([], 'x'.repeat(100))).to.equal(`${'x'.repeat(96)} (2)`);
    });

    it('of an import are what is not there word for word', () => {
      expect(importedChanges([a, b], [a, { ...b, rev: 3 }])).to.deep.equal([{ after: { ...b, rev: 3 } }]);
    });

    it('fill up to 1,000 macros, and no further', async () => {
      const many = Array.from({ length: 999 }, (_, at): Macro => ({ ...a, name: `m${at}` }));
      expect(await change(many, [{ after: b }])).to.have.length(1_000);
      const error = await change([...many, b], [{ after: c }]).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(TooManyMacrosError);
    });
  });

  describe('files', () => {
    const faultOf = (file: unknown) => {
      try {
        readMacroFile(typeof file === 'string' ? file : JSON.stringify(file));
        return undefined;
      } catch (error) {
        expect(error).to.be.instanceOf(MacroFileError);
        return (error as Error).message;
      }
    };
    const withMacro = (members: object) => ({ macros: [{ name: 'm', rev: 1, def: [], ...members }] });

    it('are read with everything that is in them', () => {
      const file = {
        macros: [
          { name: 'SDSFLOG', rev: 2, def: ['move(435)', 'ENTER', { txt: '=M' }, 'ErEof'] },
          { name: 'mylogon', rev: 2, def: [105, 115, 'ENTER'], mapping: { key: 'ctrl', keycode: 76 }, owner: 'x' },
        ],
        desc: 'mine',
        fmt: 2,
        user: 'DEMO',
      };
      expect(readMacroFile(JSON.stringify(file))).to.deep.equal(file);
      expect(readMacroFile('\uFEFF{"macros":[]}')).to.deep.equal({ macros: [] });
    });

    it('are refused with the place of the fault, and without what is there', () => {
      expect(faultOf('{')).to.equal('this is not JSON');
      expect(faultOf([])).to.equal('$: expected an object, found an array');
      expect(faultOf({ macros: {} })).to.equal('$.macros: expected an array, found an object');
      expect(faultOf({ macros: [], fmt: '2' })).to.equal('$.fmt: expected an integer, found a string');
      expect(faultOf({ macros: [null] })).to.equal('$.macros[0]: expected an object, found null');
      expect(faultOf(withMacro({ name: '' }))).to.equal('$.macros[0].name: expected a string that is not empty');
      expect(faultOf(withMacro({ rev: 'x' }))).to.equal('$.macros[0].rev: expected an integer, found a string');
      expect(faultOf(withMacro({ def: 'x' }))).to.equal('$.macros[0].def: expected an array, found a string');
      expect(faultOf(withMacro({ def: ['Tab', { txt: 5 }] }))).to.equal(
        '$.macros[0].def[1].txt: expected a string, found a number',
      );
      expect(faultOf(withMacro({ def: [0xd8_00] }))).to.equal(
        '$.macros[0].def[0]: expected a character code, found 55296',
      );
      expect(faultOf(withMacro({ mapping: { key: 'shift', keycode: 1 } }))).to.equal(
        '$.macros[0].mapping.key: expected "ctrl" or "alt", found another string',
      );
      expect(faultOf(withMacro({ def: [{ txt: 'secret\0' }] }))).to.not.include('secret');
    });

    it('are what the server says they are', () => {
      let compared = 0;
      for (const name of readdirSync(fixture('macros'))) {
        const expected = readFileSync(fixture('macros', name, 'expected.txt'), 'utf8').trimEnd();
        const text = readFileSync(fixture('macros', name, 'macros.json'), 'utf8');
        const fault = faultOf(text);
        // what is wrong with the JSON itself, or with the bytes, browsers say in their own words
        if (fault === 'this is not JSON' || text.includes('\uFFFD')) continue;
        expect(fault ?? 'ok', name).to.equal(expected);
        compared++;
      }
      expect(compared).to.be.greaterThan(60);
    });

    it('are read as far as they were taken before, where they are stored', () => {
      const stored = withMacro({ def: ['Tab', 'PF25'] });
      expect(faultOf(stored)).to.match(/^\$\.macros\[0\]\.def\[1\]: expected the name of a key/);
      expect(readMacroFile(JSON.stringify(stored), true)).to.deep.equal(stored);
    });

    it('have their bounds', () => {
      for (const [members, bound] of [
        [{ name: 'x'.repeat(100) }, { name: 'x'.repeat(101) }],
        [{ def: Array(10_000).fill('Tab') }, { def: Array(10_001).fill('Tab') }],
        [{ def: [{ txt: 'x'.repeat(16_384) }] }, { def: [{ txt: 'x'.repeat(16_385) }] }],
      ]) {
        expect(faultOf(withMacro(members as object))).to.equal(undefined);
        expect(faultOf(withMacro(bound as object))).to.match(/more than|at most/);
      }
      const many = (count: number) => ({ macros: Array(count).fill({ name: 'm', def: [] }) });
      expect(faultOf(many(1_000))).to.equal(undefined);
      expect(faultOf(many(1_001))).to.equal('$.macros: expected at most 1000 macros, found 1001');
      const padded = (bytes: number) => '{"macros":[]}'.padEnd(bytes);
      expect(faultOf(padded(1024 * 1024))).to.equal(undefined);
      expect(faultOf(padded(1024 * 1024 + 1))).to.match(/more than|at most/);
    });
  });

  describe('when macros of the server are read', () => {
    const now = new Date(2026, 10, 21, 9);
    const due = (word: string, readAt: Date | undefined, isReadInThisSession = false) =>
      isReadingDue(refreshPolicyOf(word), { readAt, isReadInThisSession, now });

    it('follows the policy', () => {
      const [yesterday, today] = [new Date(2026, 10, 20, 23), new Date(2026, 10, 21, 0)];
      for (const word of ['never', 'once', 'daily', 'session', '', 'nonsense']) {
        expect(due(word, undefined), `${word}, first`).to.equal(true);
        expect(due(word, yesterday), word).to.equal(word === 'daily' || word === 'session');
        expect(due(word, today), word).to.equal(word === 'session');
        expect(due(word, today, true), word).to.equal(false);
      }
    });
  });
});
