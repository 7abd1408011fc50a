import { ServiceError } from '../../lib/errors.js';
import type { MacroLevel } from '../../macros/macro-directory.js';
import { confirmation } from './confirmation.js';
import { directoryOf, holderText, soundMacroSet } from './macro-directories.js';
import { NO_FILE, versionOf } from './macro-pages.js';
import { macroPath, redirectTo } from './portal-paths.js';
import type { PortalOutcome, PortalRequest } from './portal-route.js';
import { counted, instantText, namesText } from './wording.js';

const MOST_NAMED_MACROS = 20;

/** Takes an uploaded file as the current one. */
export async function uploadMacros(request: PortalRequest, level: MacroLevel): Promise<PortalOutcome> {
  const { macros, file, actor } = request;
  const { directory } = await directoryOf(request, level);
  if (file === undefined) {
    throw new ServiceError('SVC_ERR_MACRO_CONTENT', { detail: 'No file was chosen, or it is empty.' });
  }
  await macros.write(directory, file, actor, seenTag(request));
  return redirectTo(macroPath(directory), 'uploaded');
}

export async function removalPage(request: PortalRequest, level: MacroLevel): Promise<PortalOutcome> {
  const { directory } = await directoryOf(request, level);
  const stored = await request.macros.store.read(directory);
  if (stored === undefined) throw new ServiceError('SVC_ERR_MACRO_DIRECTORY', { detail: 'It holds no macros.' });
  const set = soundMacroSet(stored.bytes);
  const names = set?.macros.map(({ name }) => name) ?? [];
  const path = macroPath(directory);
  return confirmation({
    title: `Remove the macros of ${holderText(directory)}?`,
    facts: [
      `${counted(names.length, 'macro')}, ${counted(stored.bytes.length, 'byte')}, changed ${instantText(stored.modified)}.`,
      ...(names.length === 0 ? [] : [`Removed: ${namesText(names, MOST_NAMED_MACROS)}.`]),
      'Terminals that read them have none from then on. The file stays among the versions, and can be restored from there.',
    ],
    action: `${path}/remove`,
    button: 'Remove the macros',
    back: path,
    seen: stored.etag,
  });
}

export async function removeMacros(request: PortalRequest, level: MacroLevel): Promise<PortalOutcome> {
  const { directory } = await directoryOf(request, level);
  await request.macros.remove(directory, request.actor, seenTag(request));
  return redirectTo(macroPath(directory), 'removed');
}

export async function restorationPage(request: PortalRequest, level: MacroLevel): Promise<PortalOutcome> {
  const shown = await directoryOf(request, level);
  const { directory } = shown;
  const { version, stored } = await versionOf(request, shown);
  const current = await request.macros.store.read(directory);
  const set = soundMacroSet(stored.bytes);
  const path = macroPath(directory);
  const replaced =
    current === undefined
      ? 'The directory holds no current macros.'
      : `It takes the place of the current macros (${counted(current.bytes.length, 'byte')}, changed ${instantText(current.modified)}), which stay among the versions.`;
  return confirmation({
    title: `Restore version ${version.number} of the macros of ${holderText(directory)}?`,
    facts: [
      `Version ${version.number}: ${counted(set?.macros.length ?? 0, 'macro')}, ${counted(version.size, 'byte')}, of ${instantText(version.modified)}.`,
      replaced,
      'Only five versions before the current one are kept: the oldest may go.',
    ],
    action: `${path}/versions/${version.number}/restore`,
    button: `Restore version ${version.number}`,
    back: path,
    seen: current?.etag ?? NO_FILE,
    destroys: false,
  });
}

export async function restoreMacros(request: PortalRequest, level: MacroLevel): Promise<PortalOutcome> {
  const shown = await directoryOf(request, level);
  const { version } = await versionOf(request, shown);
  await request.macros.restore(shown.directory, version.number, request.actor, seenTag(request));
  return redirectTo(macroPath(shown.directory), 'restored');
}

/** The tag of the file that the page of a form was about; undefined: the form does not say. */
function seenTag({ field }: PortalRequest): string | null | undefined {
  const seen = field('SEEN');
  if (seen === '') return undefined;
  return seen === NO_FILE ? null : seen;
}
