import type { checkTemplate } from '../../templates/template-file.js';

/** The check of templates, with the code pages that they name; loaded when it is needed. */
export async function loadTemplateChecker(): Promise<typeof checkTemplate> {
  const [checker, { registerCodePages }] = await Promise.all([
    import('../../templates/template-file.js'),
    import('../../tn3270/codepage/iconv-registration.js'),
  ]);
  registerCodePages();
  return checker.checkTemplate;
}
