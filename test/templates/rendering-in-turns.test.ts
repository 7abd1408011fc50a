import { expect } from 'chai';
import { ServiceError } from '../../src/lib/errors.js';
import { compileTemplate } from '../../src/templates/compile.js';
import { type RenderedPage, render } from '../../src/templates/render.js';
import type { RenderContext } from '../../src/templates/render-context.js';
import { turnsDuring } from '../support/turns-during.js';
import { contextOf } from './context-of.js';

const declaration = '<!--SVC start="{{{" end="}}}" -->';
const passes = 50_000;
const n = [String(passes)];
/** Takes its time, and does nothing. */
const nothing = '{{{DELETE-ALL-VARIABLES "none"}}}';
const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));
const counted = numbers(passes)
  .map((number) => `${number};`)
  .join('');
const counting = (body: string) => `{{{DO-COUNT-UP-WITH "n"}}}${body}{{{END-DO-COUNT "n"}}}`;
const value = '{{{CURRENT-VALUE-OF "n"}}};';

/** Pages that take long, and what they are by the manual. */
const longPages: Readonly<Record<string, readonly [page: string, variables: Record<string, string[]>, text: string]>> =
  {
    'a loop over few tags': [`[${counting(value + nothing.repeat(5))}]`, { n }, `[${counted}]`],
    'a loop over many tags': [`[${counting(value + nothing.repeat(30))}]`, { n }, `[${counted}]`],
    'a loop in a condition': [
      `[{{{WHEN-NOT-EXISTS "none"}}}${counting(value + nothing.repeat(20))}{{{END-WHEN-NOT-EXISTS "none"}}}]`,
      { n },
      `[${counted}]`,
    ],
    'a loop in a loop': [
      `{{{FOR-EACH-VALUE-IN "L"}}}({{{CURRENT-VALUE-OF "L"}}}:{{{FOR-EACH-VALUE-IN "M"}}}{{{CURRENT-VALUE-OF "M"}}}${nothing.repeat(5)}{{{END-FOR "M"}}}){{{END-FOR "L"}}}{{{CURRENT-VALUE-OF "M"}}}`,
      { L: numbers(900), M: numbers(100) },
      `${numbers(900)
        .map((outer) => `(${outer}:${numbers(100).join('')})`)
        .join('')}1`,
    ],
    'a loop over events': [
      `{{{WHILE-EVENT "A"}}}{{{CURRENT-VALUE-OF "L"}}};${nothing.repeat(20)}{{{END-WHILE-EVENT "A"}}}{{{WHEN-NEXT-EVENT "B"}}}end{{{END-WHEN-NEXT-EVENT "B"}}}`,
      {
        $EVENT$: [...new Array<string>(passes).fill('A'), 'B'],
        L: numbers(passes),
      },
      `${counted}end`,
    ],
    'many tags without a loop': [
      '{{{TRIMMED-VALUE-OF "L"}}}'.repeat(40_000),
      { L: [`${' '.repeat(1_500)}x`] },
      'x'.repeat(40_000),
    ],
  };

describe('rendering in turns', () => {
  for (const [what, [page, variables, text]] of Object.entries(longPages)) {
    it(`gives others their turn in ${what}, and makes the same page`, async () => {
      const [{ body }, turns] = await turnsDuring(rendered(page, contextOf({ variables })));
      expect(body.equals(Buffer.from(text))).to.equal(true);
      expect(turns).to.be.above(2);
    });
  }

  it('makes a page of usual size at once', () => {
    const template = compileTemplate(`${declaration}${counting(value)}`, { file: 'a.html' });
    const page = render(template, contextOf({ variables: { n: ['1000'] } }));
    expect(page).not.to.be.instanceOf(Promise);
  });

  it('refuses after a rest what it refuses before one', async () => {
    const page = counting(`{{{FOR-EACH-VALUE-IN "M"}}}{{{END-FOR "M"}}}${nothing.repeat(5)}`);
    const [fault] = await turnsDuring(
      rendered(page, contextOf({ variables: { n: ['50001'], M: ['1'] } })).catch((error: unknown) => error),
    );
    expect(fault).to.be.instanceOf(ServiceError).with.property('code', 'SVC_ERR_TEMPLATE_RENDERING');
    expect((fault as ServiceError).message).to.contain('more than 100000 passes');
  });

  it('shows one state of what others change meanwhile', async () => {
    const looked: string[] = [];
    let state = 'before';
    const context: RenderContext = {
      ...contextOf({}),
      valuesOf: (variable) => {
        looked.push(variable);
        if (variable === 'none') return undefined;
        return variable === 'n' ? n : [state];
      },
      isLive: (variable) => variable !== 'once',
      nameOf: () => state,
      condition: () => state,
      publicKey: () => state,
      encryptionParameters: () => [state],
    };
    const all =
      '{{{CURRENT-VALUE-OF "a"}}} {{{NAME-OF (RELAY)}}} {{{CREATE-VARIABLE-IF (SIGNON-IS-OK) "b"}}}{{{CURRENT-VALUE-OF "b"}}} {{{PUBLIC-KEY (MODULUS) "K"}}} {{{ENCRYPTION-PARAMETERS "K"}}}';
    const once = '{{{WHEN-NOT-EXISTS "a"}}}{{{CURRENT-VALUE-OF "once"}}}{{{END-WHEN-NOT-EXISTS "a"}}}';
    const page = rendered(`${counting(nothing.repeat(20))}${all}${once}`, context);
    state = 'after';
    expect((await page).text).to.equal("before before before before 'before'");
    expect(looked).not.to.include('once');
  });
});

/** Never at once. */
function rendered(page: string, context: RenderContext): Promise<RenderedPage> {
  const result = render(compileTemplate(declaration + page, { file: 'a.html' }), context);
  if (!(result instanceof Promise)) throw new Error('nobody had a turn meanwhile');
  return result;
}
