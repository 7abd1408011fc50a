import type { assemble } from '../../scenarios/assemble.js';

/** The assembler, with the code pages that scenarios name; loaded when it is needed, so that other commands start fast. */
export async function loadAssembler(): Promise<typeof assemble> {
  const [assembler, { registerCodePages }] = await Promise.all([
    import('../../scenarios/assemble.js'),
    import('../../tn3270/codepage/iconv-registration.js'),
  ]);
  registerCodePages();
  return assembler.assemble;
}
