import { expect } from 'chai';
import { readAs, soundValue } from '../../src/lib/read-outcome.js';
import {
  playConnectionScript,
  readConnectionScript,
  type ScriptPort,
  type ScriptStep,
} from '../../src/sessions/connection-script.js';

const ebcdic: Readonly<Record<number, string>> = { 193: 'A', 194: 'B', 76: '<' };
const decodeHex = (codes: Uint8Array) => [...codes].map((code) => ebcdic[code] ?? '?').join('');
const read = (script: string) => readConnectionScript(script, decodeHex);

function steps(script: string): ScriptStep[] {
  return soundValue(read(script));
}

const order = (name: Extract<ScriptStep, { kind: 'order' }>['order']) => ({ kind: 'order', order: name });
const text = (of: string) => ({ kind: 'text', text: of });
const variable = (name: string) => ({ kind: 'variable', name });

/** Reference 4.6: the orders of connection scripts. */
describe('reading a connection script', () => {
  const table: readonly (readonly [script: string, what: string, expected: readonly object[]])[] = [
    ['', 'nothing', []],
    ['LOGON TSO', 'text', [text('LOGON TSO')]],
    ['line\r\n日本', 'text of any kind', [text('line\r\n日本')]],
    ['LOGON&/A', 'send', [text('LOGON'), order('send')]],
    ['Hello&/T', 'to the terminal', [text('Hello'), order('show')]],
    ['&/I', 'discard a message', [order('discard')]],
    ['READY&/W', 'wait for a text', [text('READY'), order('wait')]],
    ['READY&/F', 'the same, shown', [text('READY'), order('wait')]],
    ['&/K', 'end', [order('end')]],
    ['started&/M', 'message to the console', [text('started'), order('log')]],
    ['&/S', 'scenario', [order('scenario')]],
    ['&WLOGON', 'wait for the first message', [order('discard'), text('LOGON')]],
    ['&W', 'the same alone', [order('discard')]],
    ['a&>b', 'tab', [text('a'), { kind: 'tab' }, text('b')]],
    ['A&&B', 'ampersand', [text('A'), text('&'), text('B')]],
    ["&'C14CC2'", 'codes of the host', [text('A<B')]],
    ["&'c1'", 'codes of the host in lower case', [text('A')]],
    ['&*7D0501', 'key, row and column', [{ kind: 'key', key: 'Enter', row: 5, column: 1 }]],
    ['&*f30A50', 'the same in hexadecimal of either case', [{ kind: 'key', key: 'PF3', row: 10, column: 80 }]],
    ['&#6D', 'key alone', [{ kind: 'key', key: 'Clear', row: undefined, column: undefined }]],
    ['&#6Cx', 'key before text', [{ kind: 'key', key: 'PA1', row: undefined, column: undefined }, text('x')]],
    ['&=USER=', 'variable of the service or of the URL', [variable('=USER')]],
    ['&=A=&=B=', 'two of them', [variable('=A'), variable('=B')]],
    ['&82&8F', 'rule parameters', [variable('82'), variable('8F')]],
    [
      'A&(B&)',
      'a part that is repeated',
      [text('A'), { kind: 'repeated', begins: true }, text('B'), { kind: 'repeated', begins: false }],
    ],
    ['&823', 'rule parameter before a digit', [variable('82'), text('3')]],
    ...[...'TLXDACRUP1'].map((letter) => [`&${letter}`, `variable &${letter}`, [variable(letter)]] as const),
  ];
  for (const [script, what, expected] of table) {
    it(`${what}: ${JSON.stringify(script)}`, () => {
      expect(read(script)).to.deep.equal(readAs(expected));
    });
  }

  it('knows every attention key by its identifier (GA23-0059, chapter 3)', () => {
    const keys = (script: string) => steps(script).map((step) => (step.kind === 'key' ? step.key : step.kind));
    expect(keys('&#F1&#F9&#7A&#7C&#C1&#C9&#4A&#4C')).to.deep.equal(
      [1, 9, 10, 12, 13, 21, 22, 24].map((number) => `PF${number}`),
    );
    expect(keys('&#7D&#6D&#6C&#6E&#6B')).to.deep.equal(['Enter', 'Clear', 'PA1', 'PA2', 'PA3']);
  });

  describe('says what is wrong with', () => {
    const faults: readonly (readonly [script: string, words: RegExp])[] = [
      ['&/Z', /unknown order "&\/Z".*&\/A/],
      ['&/a', /unknown order "&\/a"/],
      ['&/', /unknown order/],
      ['&/&', /unknown order "&\/&"/],
      ['LOGON&', /unknown order "&".*&&/],
      ['A&B', /unknown order "&B"/],
      ['x&W', /unknown order "&W"/],
      ['&t', /unknown order "&t"/],
      ['&2', /unknown order "&2"/],
      ['&8', /&82 to &8F/],
      ['&81', /&82 to &8F/],
      ['&8G', /&82 to &8F/],
      ['&(x', /one &\( and one &\)/],
      ['&)', /one &\( and one &\)/],
      ['&)x&(', /one &\( and one &\)/],
      ['&(x&)y', /one &\( and one &\)/],
      ['&(x&)&(y&)', /one &\( and one &\)/],
      ['&*7D05', /no attention key/],
      ['&*7D05xx', /no attention key/],
      ['&*000101', /no attention key/],
      ['&#00', /no attention key/],
      ['&#7', /no attention key/],
      ['&#', /no attention key/],
      ["&'C1", /another '/],
      ["&'C'", /another '/],
      ["&''", /another '/],
      ["&'xy'", /another '/],
      ['&=', /another =/],
      ['&==', /another =/],
      ['&=USER', /another =/],
      [`&=${'x'.repeat(65)}=`, /another =/],
    ];
    for (const [script, words] of faults) {
      it(JSON.stringify(script), () => {
        expect(read(script)).to.have.property('fault').that.matches(words);
      });
    }
  });

  it('takes a thousand steps, and no more', () => {
    expect(steps('&/I'.repeat(1_000))).to.have.length(1_000);
    expect(read('&/I'.repeat(1_001)))
      .to.have.property('fault')
      .that.includes('1000');
    expect(steps(`&=${'x'.repeat(64)}=`)).to.have.length(1);
  });
});

/** Keeps in order what a script asks for; waits resolve when the test says so. */
class RecordingPort implements ScriptPort {
  readonly asked: string[] = [];
  readonly #held: (() => void)[] = [];
  holds = false;
  failsAt: string | undefined;

  variable(name: string): string {
    return `<${name}>`;
  }

  type(typed: string): void {
    this.asked.push(`type ${typed}`);
  }

  tab(): void {
    this.asked.push('tab');
  }

  press(key: string, row: number | undefined, column: number | undefined): void {
    this.asked.push(row === undefined ? `press ${key}` : `press ${key} at ${row},${column}`);
  }

  shows(awaited: string): Promise<void> {
    return this.#wait(`shows ${awaited}`);
  }

  hostReady(): Promise<void> {
    return this.#wait('hostReady');
  }

  show(shown: string): void {
    this.asked.push(`show ${shown}`);
  }

  log(logged: string): void {
    this.asked.push(`log ${logged}`);
  }

  runScenario(): Promise<void> {
    return this.#wait('scenario');
  }

  goOn(): void {
    this.#held.shift()?.();
  }

  async #wait(what: string): Promise<void> {
    this.asked.push(what);
    if (this.failsAt === what) throw new Error('the session ended');
    if (this.holds) await new Promise<void>((resolve) => this.#held.push(resolve));
  }
}

describe('playing a connection script', () => {
  async function played(script: string): Promise<string[]> {
    const port = new RecordingPort();
    await playConnectionScript(steps(script), port);
    return port.asked;
  }

  it('sends what stands before, with Enter at row 1, column 1', async () => {
    expect(await played('LOGON TSO&/A')).to.deep.equal(['type LOGON TSO', 'press Enter at 1,1']);
    expect(await played('&/A'), 'nothing but the key').to.deep.equal(['press Enter at 1,1']);
  });

  it('types variables, tabs, codes and ampersands in their order', async () => {
    expect(await played("A&&&T&>&'C1'&=USER=&82&/A")).to.deep.equal([
      'type A',
      'type &',
      'type <T>',
      'tab',
      'type A',
      'type <=USER>',
      'type <82>',
      'press Enter at 1,1',
    ]);
  });

  it('sends with the key that a script names, once', async () => {
    expect(await played('&*F30502x&/Ay&/A')).to.deep.equal([
      'type x',
      'press PF3 at 5,2',
      'type y',
      'press Enter at 1,1',
    ]);
    expect(await played('x&#6D&/A'), 'behind the text, where the cursor is').to.deep.equal(['type x', 'press Clear']);
  });

  it('shows, logs and waits for what stands before', async () => {
    expect(await played('Hello &A&/Tbegun&/MREADY&/WOK&/F&/I')).to.deep.equal([
      'show Hello <A>',
      'log begun',
      'shows READY',
      'shows OK',
      'hostReady',
    ]);
  });

  it('logs no secret: the host is sent it, and the log has a mask', async () => {
    expect(await played('&=USER= &=PASSWORD=&/M&=PASSWORD=&/A')).to.deep.equal([
      'log <=USER> ***',
      'type <=PASSWORD>',
      'press Enter at 1,1',
    ]);
  });

  it('ignores the data before a scenario, and before a message to be discarded', async () => {
    expect(await played('ignored&/Ssent&/A')).to.deep.equal(['scenario', 'type sent', 'press Enter at 1,1']);
    expect(await played('ignored&/I&/A')).to.deep.equal(['hostReady', 'press Enter at 1,1']);
  });

  it('waits for the first message where it begins with &W', async () => {
    expect(await played('&WLOGON&/A')).to.deep.equal(['hostReady', 'type LOGON', 'press Enter at 1,1']);
  });

  it('does nothing behind &/K, and nothing with data that no order follows', async () => {
    expect(await played('A&/A&/KB&/A')).to.deep.equal(['type A', 'press Enter at 1,1']);
    expect(await played('A&/Aleft over')).to.deep.equal(['type A', 'press Enter at 1,1']);
  });

  for (const [waits, what] of [
    ['READY&/W', 'shows READY'],
    ['READY&/F', 'shows READY'],
    ['&/I', 'hostReady'],
    ['&/S', 'scenario'],
  ] as const) {
    it(`goes on behind ${waits} when it is so, and not before`, async () => {
      const port = new RecordingPort();
      port.holds = true;
      const playing = playConnectionScript(steps(`${waits}&/A`), port);
      // whatever does not wait has its turn before this
      await new Promise((resolve) => setImmediate(resolve));
      expect(port.asked).to.deep.equal([what]);
      port.goOn();
      await playing;
      expect(port.asked).to.deep.equal([what, 'press Enter at 1,1']);
    });

    it(`ends where ${waits} cannot be waited for`, async () => {
      const port = new RecordingPort();
      port.failsAt = what;
      let thrown: unknown;
      await playConnectionScript(steps(`${waits}secret&/A`), port).catch((error: unknown) => {
        thrown = error;
      });
      expect(thrown).to.be.an('error').with.property('message', 'the session ended');
      expect(port.asked).to.deep.equal([what]);
    });
  }

  it('asks for a variable when it comes to it: a scenario may have set it', async () => {
    const port = new RecordingPort();
    let isSet = false;
    port.variable = () => (isSet ? 'after' : 'before');
    port.runScenario = async () => {
      isSet = true;
    };
    await playConnectionScript(steps('&/S&=V=&/A'), port);
    expect(port.asked).to.deep.equal(['type after', 'press Enter at 1,1']);
  });
});
