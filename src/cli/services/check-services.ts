import { Command } from 'commander';
import { type LoadedServices, loadServices } from '../../config/load-services.js';
import { formatPlace } from '../../lib/documents/source-diagnostic.js';
import { exitCodes, type Finish } from '../../lib/exit-codes.js';
import { indistinct, recognise, type ScreenDefinition } from '../../tn3270/conversation/screen-definition.js';
import { counted, printDiagnostics } from '../output.js';
import { readBoundedFile } from '../read-bounded-file.js';
import { type RecordedScreen, readScreenPictures } from './recorded-screens.js';

interface NamedPicture extends RecordedScreen {
  readonly name: string;
}

const example = `
Pictures are screens as JSON objects, as returned by 'sallyport drive' and sessions, or text files with one line per row.

Examples:
  sallyport check-services templates/services
  sallyport check-services my-services --images captured/*.json account.txt`;

export function checkServicesCommand(finish: Finish): Command {
  return new Command('check-services')

    .argument('<folder>', 'folder with screens.yaml and the services')
    .option('--images <files...>', 'pictures of screens; exactly one definition should match each')
    .addHelpText('after', example)
    .action(async (folder: string, { images = [] }: { images?: string[] }) => {
      const loaded = await loadServices(folder);
      let errors = 0;
      for (const { diagnostics, source } of loaded.reports) errors += printDiagnostics(diagnostics, source);
      const all = loaded.reports.flatMap(({ diagnostics }) => diagnostics);
      const pictures = await readPictures(images);
      if (errors > 0 || pictures === undefined) finish(exitCodes.usageOrConfigurationWrong);
      if (errors > 0) process.stderr.write(`${folder}: ${counted(errors, 'error')}\n`);
      if (pictures === undefined) return;
      const alike = lookAt(loaded, pictures);
      if (errors > 0) return;
      if (alike > 0) {
        finish(exitCodes.workFailed);
        process.stderr.write(`${folder}: ${counted(alike, 'pair')} of screens cannot be distinguished\n`);
        return;
      }
      const counts = [counted(loaded.screens.size, 'screen'), counted(loaded.services.size, 'service')];
      if (all.length > 0) counts.push(counted(all.length, 'warning'));
      process.stdout.write(`${folder}: good, ${counts.join(', ')}\n`);
    });
}

async function readPictures(files: readonly string[]): Promise<readonly NamedPicture[] | undefined> {
  const pictures: NamedPicture[] = [];
  let isWhole = true;
  for (const file of files) {
    try {
      const read = readScreenPictures(await readBoundedFile(file));
      if (read.kind === 'fault') throw new Error(`${file}: ${read.fault}`);
      const { length } = read.value;
      pictures.push(...read.value.map((one) => ({ ...one, name: length === 1 ? file : `${file}:${one.line}` })));
    } catch (error) {
      isWhole = false;
      process.stderr.write(`${(error as Error).message}\n`);
    }
  }
  return isWhole ? pictures : undefined;
}

/** @returns number of pairs of definitions that cannot be distinguished */
function lookAt({ screens, screenPlaces }: LoadedServices, pictures: readonly NamedPicture[]): number {
  const all = [...screens.values()];
  const textual = all.filter(isTextual);
  const found = new Map<string, string>();
  for (const { image, name, isText } of pictures) {
    const definitions = isText ? textual : all;
    process.stdout.write(`${name}: ${recognise(definitions, image)?.name ?? 'no screen'}\n`);
    for (const { names } of indistinct(definitions, [image])) {
      const key = names.join(' and ');
      if (!found.has(key)) found.set(key, name);
    }
  }
  const left = all.filter((definition) => !isTextual(definition)).map(({ name }) => name);
  if (left.length > 0 && pictures.some(({ isText }) => isText)) {
    process.stdout.write(`A text file has no fields and no cursor. Not checked in text files: ${left.join(', ')}\n`);
  }
  for (const [names, name] of found) {
    const [, second = ''] = names.split(' and ');
    const place = screenPlaces.get(second);
    if (place === undefined) continue;
    const message = `screens.${second}: ${names} cannot be distinguished on ${name}`;
    process.stderr.write(`${formatPlace({ ...place, message, severity: 'error' })}\n`);
  }
  return found.size;
}

function isTextual({ conditions }: ScreenDefinition): boolean {
  return conditions.every((condition) => {
    let asked = condition;
    while ('not' in asked) asked = asked.not;
    return 'text' in asked || 'blank' in asked;
  });
}
