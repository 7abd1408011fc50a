import type { assemble } from '../../scenarios/assemble.js';
import type { checkTemplate } from '../../templates/template-file.js';

/** Loaded on demand, with its code pages, so that other commands start fast. */
export async function loadAssembler(): Promise<typeof assemble> {
  const [assembler, { registerCodePages }] = await Promise.all([
    import('../../scenarios/assemble.js'),
    import('../../tn3270/codepage/iconv-registration.js'),
  ]);
  registerCodePages();
  return assembler.assemble;
}

export async function loadTemplateChecker(): Promise<typeof checkTemplate> {
  const [checker, { registerCodePages }] = await Promise.all([
    import('../../templates/template-file.js'),
    import('../../tn3270/codepage/iconv-registration.js'),
  ]);
  registerCodePages();
  return checker.checkTemplate;
}
