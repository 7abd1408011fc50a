import type { assemble } from '../../scenarios/assemble.js';
import type { checkTemplate } from '../../templates/template-file.js';

export async function loadAssembler(): Promise<typeof assemble> {
  return (await withCodePages(import('../../scenarios/assemble.js'))).assemble;
}

export async function loadTemplateChecker(): Promise<typeof checkTemplate> {
  return (await withCodePages(import('../../templates/template-file.js'))).checkTemplate;
}

/** Loaded on demand, with its code pages, so that other commands start fast. */
async function withCodePages<Checker>(checker: Promise<Checker>): Promise<Checker> {
  const { registerCodePages } = await import('../../tn3270/codepage/iconv-registration.js');
  registerCodePages();
  return checker;
}
