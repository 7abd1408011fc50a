import type { CompiledTemplate } from './compiled-template.js';
import type { RenderContext } from './render-context.js';
import type { Rendering } from './rendering.js';
import { conditions } from './tags/definitions.js';
import { nameItems } from './tags/names.js';

/** Before a rendering rests: looks at everything that others may change meanwhile, so that its page shows one state of it. */
export function keepStill(rendering: Rendering, { uses }: CompiledTemplate): void {
  const { context, variables } = rendering;
  const { isLive } = context;
  if (isLive !== undefined) {
    variables.forEach((name, variable) => {
      if (isLive(name)) rendering.series(variable);
    });
  }
  const nameOf = answersOf(nameItems, context.nameOf);
  const condition = answersOf(conditions, context.condition);
  const exponents = answersOf(uses.publicKeys, (name) => context.publicKey('EXPONENT', name));
  const moduli = answersOf(uses.publicKeys, (name) => context.publicKey('MODULUS', name));
  const encryptionParameters = answersOf(uses.encryptionParameters, context.encryptionParameters);
  const publicKey: RenderContext['publicKey'] = (part, name) => (part === 'EXPONENT' ? exponents(name) : moduli(name));
  rendering.context = { ...context, nameOf, condition, publicKey, encryptionParameters };
}

/** What is not foreseen is asked when it is needed. */
function answersOf<Answer>(
  questions: Iterable<string>,
  ask: (question: string) => Answer,
): (question: string) => Answer {
  const answers = new Map([...questions].map((question) => [question, ask(question)] as const));
  return (question) => (answers.has(question) ? (answers.get(question) as Answer) : ask(question));
}
