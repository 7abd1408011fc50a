import type { checkTemplate } from '../../template/check-template.js';

/** The check of templates, with the code pages that they name; loaded when it is needed. */
export async function loadTemplateChecker(): Promise<typeof checkTemplate> {
  const [checker, { registerCodePages }] = await Promise.all([
    import('../../template/check-template.js'),
    import('../../codepage/iconv-registration.js'),
  ]);
  registerCodePages();
  return checker.checkTemplate;
}
