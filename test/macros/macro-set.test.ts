import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { ServiceError } from '../../src/lib/errors.js';
import { isKnownStep } from '../../src/macros/macro-fault.js';
import { firstJsonFault, readMacroSet } from '../../src/macros/macro-reading.js';
import { fixture } from '../support/project.js';
import { rounds } from '../support/rounds.js';

const MOST_JSON_DEPTH = 32;
const MOST_JSON_MEMBERS = 100;
const LONGEST_DESCRIPTION = 4096;
const LONGEST_MACRO_NAME = 100;
const LONGEST_STEP_NAME = 64;
const LONGEST_STEP_TEXT = 16_384;
const MOST_MACRO_FILE_BYTES = 1024 * 1024;
const MOST_MACROS = 1000;
const MOST_STEPS = 10_000;
const MOST_SCREEN_TEXTS = 10;
const LONGEST_SCREEN_TEXT = 200;

/** `ok`, or the detail of the refusal; what refuses the size says its code in front. */
function outcomeOf(bytes: Uint8Array): string {
  try {
    readMacroSet(bytes);
    return 'ok';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return error.code === 'SVC_ERR_MACRO_CONTENT' ? `${error.detail}` : `${error.code} ${error.detail}`;
  }
}

const outcomeOfText = (text: string) => outcomeOf(Buffer.from(text));
const outcomeOfSet = (set: unknown) => outcomeOfText(JSON.stringify(set));
const withMacro = (macro: object) => ({ macros: [{ name: 'm', def: [], ...macro }] });

const withScreen = (screen: unknown) => withMacro({ def: [{ txt: '', screen }] });

describe('readMacroSet', () => {
  for (const name of readdirSync(fixture('macros'))) {
    it(name, () => {
      const expected = readFileSync(fixture('macros', name, 'expected.txt'), 'utf8').trimEnd();
      expect(outcomeOf(readFileSync(fixture('macros', name, 'macros.json')))).to.equal(expected);
    });
  }

  it('returns the content of the file, including unknown members', () => {
    const set = {
      macros: [
        { name: 'm', rev: 2, def: ['move(435)', 61, { txt: '=M' }], mapping: { key: 'ctrl', keycode: 76 }, by: 'x' },
      ],
      desc: 'd',
      fmt: 2,
      user: 'IBMUSER',
    };
    expect(readMacroSet(Buffer.from(JSON.stringify(set)))).to.deep.equal(set);
  });

  it('changes no prototype', () => {
    readMacroSet(
      Buffer.from('{"__proto__":{"polluted":1},"macros":[{"name":"m","def":[],"__proto__":{"polluted":1}}]}'),
    );
    expect(({} as { polluted?: number }).polluted).to.equal(undefined);
  });

  describe('at the bound and one past it', () => {
    const padded = (length: number) => `{"macros":[]}${' '.repeat(length - '{"macros":[]}'.length)}`;
    const nested = (depth: number) => `{"macros":[],"new":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    const members = (count: number) =>
      `{"macros":[]${Array.from({ length: count - 1 }, (_, index) => `,"m${index}":0`).join('')}}`;
    const macros = (count: number) => ({ macros: Array.from({ length: count }, () => ({ name: 'm', def: [] })) });
    const steps = (count: number) => withMacro({ def: Array.from({ length: count }, () => 'Tab') });

    it('bytes', () => {
      expect(MOST_MACRO_FILE_BYTES).to.equal(1_048_576);
      expect(outcomeOfText(padded(1_048_576))).to.equal('ok');
      expect(outcomeOfText(padded(1_048_577))).to.equal(
        'SVC_ERR_MACRO_SIZE The file has 1048577 bytes. The maximum is 1048576.',
      );
    });

    it('macros', () => {
      expect(MOST_MACROS).to.equal(1000);
      expect(outcomeOfSet(macros(1000))).to.equal('ok');
      expect(outcomeOfSet(macros(1001))).to.equal('$.macros: expected at most 1000 macros, found 1001');
    });

    it('steps', () => {
      expect(MOST_STEPS).to.equal(10_000);
      expect(outcomeOfSet(steps(10_000))).to.equal('ok');
      expect(outcomeOfSet(steps(10_001))).to.equal('$.macros[0].def: expected at most 10000 steps, found 10001');
    });

    const lengths: readonly [what: string, longest: number, path: string, set: (text: string) => object][] = [
      ['the name of a macro', LONGEST_MACRO_NAME, '$.macros[0].name', (name) => withMacro({ name })],
      ['a text', LONGEST_STEP_TEXT, '$.macros[0].def[0].txt', (txt) => withMacro({ def: [{ txt }] })],
      [
        'a question',
        LONGEST_STEP_TEXT,
        '$.macros[0].def[0].prompt',
        (prompt) => withMacro({ def: [{ txt: '', prompt }] }),
      ],
      [
        'a text of a screen',
        LONGEST_SCREEN_TEXT,
        '$.macros[0].def[0].screen[0].text',
        (text) => withScreen([{ text, row: 1, column: 1 }]),
      ],
      ['the description', LONGEST_DESCRIPTION, '$.desc', (desc) => ({ macros: [], desc })],
    ];
    for (const [what, longest, path, set] of lengths) {
      it(what, () => {
        expect(outcomeOfSet(set('x'.repeat(longest)))).to.equal('ok');
        expect(outcomeOfSet(set('x'.repeat(longest + 1)))).to.equal(
          `${path}: expected at most ${longest} characters, found ${longest + 1}`,
        );
      });
    }

    it('texts, rows and columns of a screen', () => {
      const texts = (count: number) => Array.from({ length: count }, () => ({ text: 'x', row: 1, column: 1 }));
      expect(MOST_SCREEN_TEXTS).to.equal(10);
      expect(outcomeOfSet(withScreen(texts(10)))).to.equal('ok');
      const path = '$.macros[0].def[0].screen';
      expect(outcomeOfSet(withScreen(texts(11)))).to.equal(`${path}: expected at most 10 texts, found 11`);
      expect(outcomeOfSet(withScreen([]))).to.equal(`${path}: expected at least one text`);
      expect(outcomeOfSet(withScreen([{ text: 'x', row: 200, column: 200 }]))).to.equal('ok');
      for (const [member, value] of [
        ['row', 201],
        ['row', 0],
        ['column', 201],
        ['column', 1.5],
      ] as const) {
        expect(outcomeOfSet(withScreen([{ text: 'x', row: 1, column: 1, [member]: value }]))).to.equal(
          `${path}[0].${member}: expected an integer between 1 and 200, found ${value}`,
        );
      }
    });

    it('the name of a step, beyond which nothing is looked up', () => {
      expect(LONGEST_STEP_NAME).to.equal(64);
      const fault = (name: string) => outcomeOfSet(withMacro({ def: [name] }));
      expect(fault('x'.repeat(64))).to.match(/^\$\.macros\[0\]\.def\[0\]: expected the name of a key/);
      expect(fault('x'.repeat(65))).to.equal('$.macros[0].def[0]: expected at most 64 characters, found 65');
    });

    it('depth', () => {
      expect(outcomeOfText(nested(MOST_JSON_DEPTH))).to.equal('ok');
      const path = `$.new${'[0]'.repeat(MOST_JSON_DEPTH - 1)}`;
      expect(outcomeOfText(nested(MOST_JSON_DEPTH + 1))).to.equal(
        `${path}: nested more than 32 deep, at line 1, column ${'{"macros":[],"new":'.length + MOST_JSON_DEPTH}`,
      );
    });

    it('members of an object', () => {
      expect(outcomeOfText(members(MOST_JSON_MEMBERS))).to.equal('ok');
      expect(outcomeOfText(members(MOST_JSON_MEMBERS + 1))).to.equal('$: an object of more than 100 members');
    });

    for (const opening of ['[', '{"":', '[{"a":']) {
      it(`a megabyte of ${opening}`, () => {
        const text = opening.repeat(Math.floor(MOST_MACRO_FILE_BYTES / opening.length));
        expect(outcomeOfText(text)).to.match(/nested more than 32 deep, at line 1, column \d+$/);
      });
    }
  });

  it('takes names that no key has where they are stored already', () => {
    const bytes = Buffer.from(JSON.stringify(withMacro({ def: ['FOO', 'move(x)'] })));
    expect(() => readMacroSet(bytes)).to.throw(ServiceError);
    expect(readMacroSet(bytes, true).macros[0]?.def).to.deep.equal(['FOO', 'move(x)']);
    expect(() => readMacroSet(Buffer.from(JSON.stringify(withMacro({ def: [true] }))), true)).to.throw(ServiceError);
  });

  it('tells nothing of the text but the place', () => {
    const secret = 'S3CRETPW';
    const broken = [`{"macros":[{"name":"m","def":[{"txt":"${secret}"]}]}`, `{"macros":[],"x":${secret}}`, `${secret}`];
    for (const text of broken) expect(outcomeOfText(text)).to.not.include(secret).and.not.equal('ok');
    expect(outcomeOfSet(withMacro({ mapping: { key: secret } }))).to.not.include(secret);
    expect(outcomeOfSet(withMacro({ def: [secret] }))).to.not.include(secret);
  });
});

describe('firstJsonFault', () => {
  it('takes what JSON.parse takes, and nothing else', () => {
    const parses = (text: string) => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const document = fc.json({ maxDepth: 5 });
    const noise = fc.string({
      unit: fc.constantFrom(...'{}[]:,"\\u0019.eE+- \n\t\u0000ntrufalse\u2028é😀'),
      maxLength: 12,
    });
    // a document with a piece of it put out and something put in is JSON now and then
    const mutated = fc.tuple(document, fc.nat(), fc.nat(3), noise).map(([text, at, length, put]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + put + text.slice(start + length);
    });
    fc.assert(
      fc.property(fc.oneof(document, noise, mutated), (text) => {
        expect(firstJsonFault(text) === undefined, JSON.stringify(text)).to.equal(parses(text));
      }),
      { numRuns: rounds(20_000, 5_000) },
    );
  });
});

describe('isKnownStep', () => {
  // the keys and instructions of the macro guide
  const known =
    'ENTER CLEAR ATTN PF1 PF9 PF24 PA1 PA3 InsToogle NewLine Home Tab Backtab Bksp Left Right Down Up End ErEof Del Reset FieldMark Dup';
  for (const step of [
    ...known.split(' '),
    'move(435)',
    'copy(1,2,3,4)',
    'paste(80)',
    'paste(80,3,20)',
    61,
    { txt: '' },
  ]) {
    it(`knows ${JSON.stringify(step)}`, () => expect(isKnownStep(step)).to.equal(true));
  }
  const unknown = ['Enter', 'PF0', 'PF25', 'PF01', 'PA4', 'InsToggle', 'move()', 'move(1,2)', 'move(-1)', 'move( 1)'];
  for (const step of [...unknown, 'move(1)\n', 'copy(1,2,3)', 'paste(1,2)', 'paste(1,2,3,4)', 'constructor']) {
    it(`does not know ${JSON.stringify(step)}`, () => expect(isKnownStep(step)).to.equal(false));
  }
});
