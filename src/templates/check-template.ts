import { type SourceDiagnostic, SourceError } from '../lib/documents/source-diagnostic.js';
import { messageOf } from '../lib/error-message.js';
import { compileTemplate } from './compile.js';
import { decodeTemplate, readTemplateFile } from './template-file.js';

export interface CheckedTemplate {
  readonly diagnostics: SourceDiagnostic[];
  readonly source: string;
  /** Each recognised tag as `FIELD : TAG (params)` in the order of the file; `-` if a tag has no string. */
  readonly tags: string[];
}

/**
 * Compiles a template file as the server would (reference 2.0, upload check).
 * @throws Error with a sentence about the file where it cannot be read.
 */
export async function checkTemplate(file: string): Promise<CheckedTemplate> {
  const { text: source, charset } = await read(file);
  try {
    const { tags, warnings } = compileTemplate(source, { file, sourceCharset: charset });
    return { diagnostics: [...warnings], source, tags: [...tags] };
  } catch (error) {
    if (error instanceof SourceError) return { diagnostics: [...error.diagnostics], source, tags: [] };
    throw error;
  }
}

async function read(file: string): Promise<ReturnType<typeof decodeTemplate>> {
  try {
    return decodeTemplate((await readTemplateFile(file)).bytes);
  } catch (error) {
    throw new Error(`${file}: ${messageOf(error)}`, { cause: error });
  }
}
