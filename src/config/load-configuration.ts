import { codePageNames, findCodePage } from '../codepage/code-pages.js';
import { type DocumentFault, errorAt } from '../document/document-fault.js';
import { readYaml, type YamlSource } from '../document/yaml-source.js';
import { didYouMean } from '../nearest-name.js';
import { type SourceDiagnostic, SourceError } from '../source-diagnostic.js';
import { buildConfiguration } from './build-configuration.js';
import type { Configuration } from './configuration.js';
import { checkAgainstSchema } from './configuration-schema.js';
import { checkFiles } from './file-checks.js';
import { checkHosts } from './host-checks.js';
import { checkLines } from './line-checks.js';
import { warnOfNotServed } from './not-served.js';
import { readAtMost } from './read-at-most.js';
import { soundPart } from './sound-part.js';
import { checkEntryPoints } from './transaction-checks.js';
import { warnOfNoEffect } from './without-effect.js';

export const LARGEST_CONFIGURATION_BYTES = 1024 * 1024;
export const MOST_DIAGNOSTICS = 100;

export interface LoadedConfiguration {
  readonly configuration: Configuration;
  /** Warnings, in the order of the file. */
  readonly diagnostics: readonly SourceDiagnostic[];
  /** The text of the file, passwords masked, to show diagnostics with. */
  readonly source: string;
}

/**
 * Reads and checks a configuration file.
 *
 * @throws SourceError with every error of the file, in its order
 */
export async function loadConfiguration(file: string): Promise<LoadedConfiguration> {
  const text = await readSource(file);
  const yaml = readYaml(text, file);
  if (yaml.diagnostics.length > 0) throw new SourceError(inOrder(yaml.diagnostics, file), yaml.shownSource);

  const document = yaml.value;
  const faults: DocumentFault[] = checkAgainstSchema(document);
  const sound = soundPart(document, faults);
  let codePage = '';
  if (sound) {
    const { DEFUTF8 } = sound.document.tct;
    // left out where the schema found a fault in it
    codePage = DEFUTF8 === undefined ? '' : (findCodePage(DEFUTF8)?.name ?? '');
    if (DEFUTF8 !== undefined && codePage === '') {
      const guess = didYouMean(DEFUTF8, codePageNames());
      faults.push(errorAt(['tct', 'DEFUTF8'], `expected a known EBCDIC code page, found "${DEFUTF8}"${guess}`));
    }
    faults.push(
      ...checkLines(sound),
      ...checkHosts(sound),
      ...checkEntryPoints(sound),
      ...warnOfNotServed(sound.document),
      ...(await checkFiles(sound.document, file)),
    );
    // of a file with errors nothing but those is told, and parts of it may be missing
    if (faults.every(({ severity }) => severity === 'warning')) faults.push(...warnOfNoEffect(sound.document));
  }
  const diagnostics = faults.map((fault) => toDiagnostic(fault, yaml, file));
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0 || !sound) throw new SourceError(inOrder(errors, file), yaml.shownSource);
  return {
    configuration: buildConfiguration(sound.document, file, codePage),
    diagnostics: inOrder(diagnostics, file),
    source: yaml.shownSource,
  };
}

async function readSource(file: string): Promise<string> {
  const bytes = await readBytes(file);
  if (bytes.length > LARGEST_CONFIGURATION_BYTES) {
    throw wholeFile(file, `expected at most ${LARGEST_CONFIGURATION_BYTES} bytes, found a larger file`);
  }
  const text = new TextDecoder('utf-8').decode(bytes);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const before = text.slice(0, text.indexOf('\ufffd')).split('\n');
    const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
    throw new SourceError([{ file, ...place, message: 'expected UTF-8, found other bytes', severity: 'error' }], text);
  }
  return text;
}

/**
 * At most one byte more than a configuration may have.
 * @throws SourceError where it cannot be read
 */
async function readBytes(file: string): Promise<Uint8Array> {
  const readable: Readonly<Record<string, string>> = {
    ENOENT: 'no such file',
    EISDIR: 'it is a folder',
    EACCES: 'no permission to read it',
  };
  try {
    return await readAtMost(file, LARGEST_CONFIGURATION_BYTES);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw wholeFile(file, `the configuration cannot be read: ${readable[code] ?? message}`);
  }
}

function wholeFile(file: string, message: string): SourceError {
  return new SourceError([{ file, line: 1, column: 1, message, severity: 'error' }], '');
}

function toDiagnostic(fault: DocumentFault, yaml: YamlSource, file: string): SourceDiagnostic {
  const { path, at, message, severity } = fault;
  const prefix = path.length === 0 ? '' : `${path.join('.')}: `;
  return { file, ...yaml.place(path, at), message: `${prefix}${message}`, severity };
}

function inOrder(diagnostics: readonly SourceDiagnostic[], file: string): SourceDiagnostic[] {
  const sorted = [...diagnostics].sort((one, other) => one.line - other.line || one.column - other.column);
  const shown = sorted.slice(0, MOST_DIAGNOSTICS);
  const last = shown.at(-1);
  if (sorted.length <= MOST_DIAGNOSTICS || !last) return shown;
  const message = `and ${sorted.length - MOST_DIAGNOSTICS} more`;
  return [...shown, { file, line: last.line, column: last.column, message, severity: last.severity }];
}
