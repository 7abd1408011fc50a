import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Command } from 'commander';
import type { Configuration } from '../../config/configuration.js';
import { unfinishedCopy } from '../../config/open-store.js';
import { type SourceDiagnostic, SourceError } from '../../lib/documents/source-diagnostic.js';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import type { PresentationModule } from '../../scenarios/assembly.js';
import type { SourcePlace } from '../../scenarios/syntax.js';
import { configurationFile, usableConfiguration } from '../configuration-file.js';
import { counted, printableText, printDiagnostics } from '../output.js';
import { readBoundedFile } from '../read-bounded-file.js';
import { loadAssembler, loadTemplateChecker } from './load-checkers.js';

export function checkConfigCommand(finish: Finish): Command {
  return new Command('check-config')

    .argument('[file]', 'the configuration (default: ./sallyport.yaml, or else the default configuration)')
    .addHelpText(
      'after',
      '\nExample:\n  sallyport check-config my.yaml' +
        '\n\nExit codes: 0 valid, 1 errors in templates, scenarios or data, 2 invalid configuration',
    )
    .action(async (named: string | undefined) => {
      const file = configurationFile(named);
      const loaded = await usableConfiguration(file, { withPoolPasswords: true });
      if (loaded === undefined) return finish(exitCodes.usageOrConfigurationWrong);
      const { configuration, diagnostics, source } = loaded;
      printDiagnostics(diagnostics, source);
      const errors = (await checkTemplates(configuration)) + (await checkScenarios(configuration));
      if (errors > 0) {
        finish(exitCodes.workFailed);
        process.stderr.write(`${file}: the configuration is good; its content has ${counted(errors, 'error')}\n`);
        return;
      }
      const unfinished = await unfinishedCopy(configuration);
      if (unfinished !== undefined) {
        finish(exitCodes.workFailed);
        const told = `${file}: the configuration is good; ${unfinished.fault}: ${unfinished.advice}`;
        process.stderr.write(`${printableText(told)}\n`);
        return;
      }
      const warnings = diagnostics.length === 0 ? '' : `, ${counted(diagnostics.length, 'warning')}`;
      process.stdout.write(`${file}: good${warnings}\n`);
    });
}

async function checkTemplates(configuration: Configuration): Promise<number> {
  const checkTemplate = await loadTemplateChecker();
  let errors = 0;
  for (const folder of configuration.directories.values()) {
    for (const file of await filesOf(folder)) {
      const { diagnostics, source } = await checkTemplate(file);
      errors += printDiagnostics(diagnostics, source);
    }
  }
  return errors;
}

async function checkScenarios(configuration: Configuration): Promise<number> {
  const { scenarios } = configuration;
  if (scenarios === undefined) return 0;
  const there = await namesThere(configuration);
  const assemble = await loadAssembler();
  let errors = 0;
  for (const file of await filesOf(scenarios)) {
    if (!/\.scn$/i.test(file)) continue;
    try {
      const source = await readBoundedFile(file);
      const module = assemble(source, file);
      errors += printDiagnostics([...module.warnings, ...missingUses(module, there)], source);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      errors += printDiagnostics(error.diagnostics, error.source);
    }
  }
  return errors;
}

interface NamesThere {
  /** Upper case, of all directories. */
  readonly files: ReadonlySet<string>;
  readonly lines: ReadonlySet<string>;
}

async function namesThere({ directories, outboundLines }: Configuration): Promise<NamesThere> {
  const folders = await Promise.all([...directories.values()].map(filesOf));
  return {
    files: new Set(folders.flat().map((file) => basename(file).toUpperCase())),
    lines: new Set(outboundLines.flatMap(({ name, externalName }) => [name, externalName])),
  };
}

/** Template files and outbound lines that a module refers to and that do not exist. */
function missingUses({ file, uses }: PresentationModule, there: NamesThere): SourceDiagnostic[] {
  const missing = (place: SourcePlace, message: string): SourceDiagnostic => ({
    ...place,
    file,
    message,
    severity: 'error',
  });
  return [
    ...[...uses.files]
      .filter(([name]) => !there.files.has(name.toUpperCase()))
      .map(([name, place]) => missing(place, `no directory of the configuration has the file ${name}`)),
    ...[...uses.lines]
      .filter(([name]) => !there.lines.has(name))
      .map(([name, place]) => missing(place, `the configuration has no outbound line ${name}`)),
  ];
}

async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => join(folder, name))
    .sort();
}
