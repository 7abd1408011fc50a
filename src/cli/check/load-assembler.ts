import type { assemble } from '../../scenario/assemble.js';

/** The assembler, with the code pages that scenarios name; loaded when it is needed, so that other commands start fast. */
export async function loadAssembler(): Promise<typeof assemble> {
  const [assembler, { registerCodePages }] = await Promise.all([
    import('../../scenario/assemble.js'),
    import('../../codepage/iconv-registration.js'),
  ]);
  registerCodePages();
  return assembler.assemble;
}
