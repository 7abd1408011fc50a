import { ServiceError } from '../../lib/errors.js';
import { MACRO_FILE_NAME, type MacroLevel } from '../../macros/macro-directory.js';
import type { MacroVersion, StoredMacros } from '../../macros/macro-store.js';
import { directoryOf, holderText, type ShownDirectory, soundMacroSet } from './macro-directories.js';
import { differenceVariables, macroVariables } from './macro-texts.js';
import { macroPath } from './portal-paths.js';
import type { PageVariables, PortalOutcome, PortalRequest } from './portal-route.js';
import { counted, instantText } from './wording.js';

/** In the field SEEN of a form, where the directory held no file when its page was made. */
export const NO_FILE = 'none';

/** The current macros of a directory, and its versions. */
export async function macroDirectoryPage(request: PortalRequest, level: MacroLevel): Promise<PortalOutcome> {
  const shown = await directoryOf(request, level);
  const { store } = request.macros;
  const [stored, versions] = [await store.read(shown.directory), await store.versions(shown.directory)];
  return {
    kind: 'page',
    page: 'MACRO-DIRECTORY.HTML',
    variables: {
      ...directoryVariables(shown),
      $SEEN$: [stored?.etag ?? NO_FILE],
      ...(stored === undefined ? {} : storedVariables(stored)),
      ...versionVariables(macroPath(shown.directory), versions),
    },
  };
}

/** One version: what is in it, and what has become of it since. */
export async function macroVersionPage(request: PortalRequest, level: MacroLevel): Promise<PortalOutcome> {
  const shown = await directoryOf(request, level);
  const { version, stored } = await versionOf(request, shown);
  const path = macroPath(shown.directory);
  const current = version.current ? undefined : await request.macros.store.read(shown.directory);
  const [older, newer] = [soundMacroSet(stored.bytes), current && soundMacroSet(current.bytes)];
  return {
    kind: 'page',
    page: 'MACRO-VERSION.HTML',
    variables: {
      ...directoryVariables(shown),
      ...storedVariables(stored),
      '$VERSION-NUMBER$': [String(version.number)],
      '$VERSION-PATH$': [`${path}/versions/${version.number}`],
      '$IS-CURRENT$': version.current ? ['yes'] : undefined,
      '$HAS-CURRENT$': version.current || current === undefined ? undefined : ['yes'],
      ...(older === undefined || newer === undefined ? {} : await differenceVariables(older, newer)),
    },
  };
}

/** The file as it was uploaded. */
export async function macroDownload(request: PortalRequest, level: MacroLevel): Promise<PortalOutcome> {
  const { directory } = await directoryOf(request, level);
  const { bytes } = await request.macros.read(directory);
  return macroFile(bytes);
}

export async function macroVersionDownload(request: PortalRequest, level: MacroLevel): Promise<PortalOutcome> {
  const { stored } = await versionOf(request, await directoryOf(request, level));
  return macroFile(stored.bytes);
}

/**
 * The version in the path of a page.
 * @throws ServiceError SVC_ERR_MACRO_DIRECTORY
 */
export async function versionOf(
  { macros, segment }: PortalRequest,
  { directory }: ShownDirectory,
): Promise<{ readonly version: MacroVersion; readonly stored: StoredMacros }> {
  const { store } = macros;
  const version = (await store.versions(directory)).find(({ number }) => String(number) === segment('number'));
  const stored = version === undefined ? undefined : await store.readVersion(directory, version.number);
  if (version === undefined || stored === undefined) {
    throw new ServiceError('SVC_ERR_MACRO_DIRECTORY', { detail: 'It has no such version any more.' });
  }
  return { version, stored };
}

function macroFile(bytes: Buffer): PortalOutcome {
  return { kind: 'file', bytes, contentType: 'application/json', fileName: MACRO_FILE_NAME };
}

function directoryVariables({ directory, isLeft }: ShownDirectory): PageVariables {
  return {
    $HOLDER$: [holderText(directory)],
    $PATH$: [macroPath(directory)],
    $LEFT$: isLeft ? ['yes'] : undefined,
  };
}

function storedVariables({ bytes, modified }: StoredMacros): PageVariables {
  const set = soundMacroSet(bytes);
  return {
    $SIZE$: [counted(bytes.length, 'byte')],
    $CHANGED$: [instantText(modified)],
    ...(set === undefined ? { $UNREADABLE$: ['yes'] } : macroVariables(set)),
  };
}

function versionVariables(path: string, versions: readonly MacroVersion[]): PageVariables {
  return {
    $VERSION$: versions.map(({ number }) => String(number)),
    '$VERSION-PATH$': versions.map(({ number }) => `${path}/versions/${number}`),
    '$VERSION-CHANGED$': versions.map(({ modified }) => instantText(modified)),
    '$VERSION-SIZE$': versions.map(({ size }) => counted(size, 'byte')),
    '$VERSION-IS-CURRENT$': versions.map(({ current }) => (current ? 'current' : '')),
    '$VERSION-IS-FORMER$': versions.map(({ current }) => (current ? '' : 'former')),
  };
}
