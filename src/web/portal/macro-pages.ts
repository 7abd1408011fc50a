import { isSecurityName } from '../../access/users/security-name.js';
import { ServiceError } from '../../lib/errors.js';
import { MACRO_FILE_NAME, type MacroDirectory, type MacroLevel } from '../../macros/macro-directory.js';
import { readMacroSet } from '../../macros/macro-reading.js';
import type { MacroSet } from '../../macros/macro-set.js';
import type { MacroVersion, StoredMacros } from '../../macros/macro-store.js';
import type { PortalWording } from '../words/portal-wording.js';
import { differenceVariables, macroVariables } from './macro-texts.js';
import { macroPath, redirectTo } from './portal-paths.js';
import { confirmation, type PageVariables, type PortalOutcome, type PortalRequest } from './portal-route.js';

/** Value of the field SEEN if the directory had no file when the page was rendered. */
const NO_FILE = 'none';

/** The current macros of a directory and its versions. */
export async function macroDirectoryPage(request: PortalRequest, level: MacroLevel): Promise<PortalOutcome> {
  const shown = await directoryOf(request, level);
  const { store } = request.macros;
  const [stored, versions] = [await store.read(shown.directory), await store.versions(shown.directory)];
  return {
    kind: 'page',
    page: 'MACRO-DIRECTORY.HTML',
    variables: {
      ...directoryVariables(shown, request.words),
      $SEEN$: [stored?.etag ?? NO_FILE],
      ...(stored === undefined ? {} : storedVariables(stored, request.words)),
      ...versionVariables(macroPath(shown.directory), versions, request.words),
    },
  };
}

/** One version: its content, and the changes since then. */
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
      ...directoryVariables(shown, request.words),
      ...storedVariables(stored, request.words),
      '$VERSION-NUMBER$': [String(version.number)],
      '$VERSION-PATH$': [`${path}/versions/${version.number}`],
      '$IS-CURRENT$': version.current ? ['yes'] : undefined,
      '$HAS-CURRENT$': version.current || current === undefined ? undefined : ['yes'],
      ...(older === undefined || newer === undefined ? {} : await differenceVariables(older, newer, request.words)),
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
async function versionOf(
  { macros, segment }: PortalRequest,
  { directory }: ShownDirectory,
): Promise<{ readonly version: MacroVersion; readonly stored: StoredMacros }> {
  const { store } = macros;
  const version = (await store.versions(directory)).find(({ number }) => String(number) === segment('number'));
  const stored = version === undefined ? undefined : await store.readVersion(directory, version.number);
  if (version === undefined || stored === undefined) {
    throw new ServiceError('SVC_ERR_MACRO_DIRECTORY', { detail: { code: 'macro.versionGone' } });
  }
  return { version, stored };
}

function macroFile(bytes: Buffer): PortalOutcome {
  return { kind: 'file', bytes, contentType: 'application/json', fileName: MACRO_FILE_NAME };
}

function directoryVariables({ directory, isLeft }: ShownDirectory, words: PortalWording): PageVariables {
  return {
    $HOLDER$: [holderText(directory, words)],
    $PATH$: [macroPath(directory)],
    $LEFT$: isLeft ? ['yes'] : undefined,
  };
}

function storedVariables({ bytes, modified }: StoredMacros, words: PortalWording): PageVariables {
  const set = soundMacroSet(bytes);
  return {
    $SIZE$: [words.counted('byte', bytes.length)],
    $CHANGED$: [words.instant(modified)],
    ...(set === undefined ? { $UNREADABLE$: ['yes'] } : macroVariables(set, words)),
  };
}

function versionVariables(path: string, versions: readonly MacroVersion[], words: PortalWording): PageVariables {
  return {
    $VERSION$: versions.map(({ number }) => String(number)),
    '$VERSION-PATH$': versions.map(({ number }) => `${path}/versions/${number}`),
    '$VERSION-CHANGED$': versions.map(({ modified }) => words.instant(modified)),
    '$VERSION-SIZE$': versions.map(({ size }) => words.counted('byte', size)),
    '$VERSION-LABEL$': versions.map(({ number, current }) =>
      words.text(current ? 'macros.viewVersion' : 'macros.compareVersion', { number }),
    ),
    '$VERSION-RESTORE-LABEL$': versions.map(({ number }) => words.text('macros.restoreButton', { number })),
    '$VERSION-IS-CURRENT$': versions.map(({ current }) => (current ? 'current' : '')),
    '$VERSION-IS-FORMER$': versions.map(({ current }) => (current ? '' : 'former')),
  };
}

const MOST_NAMED_MACROS = 20;

/** Takes an uploaded file as the current one. */
export async function uploadMacros(request: PortalRequest, level: MacroLevel): Promise<PortalOutcome> {
  const { macros, file, actor } = request;
  const { directory } = await directoryOf(request, level);
  if (file === undefined) {
    throw new ServiceError('SVC_ERR_MACRO_CONTENT', { detail: { code: 'macro.noFile' } });
  }
  await macros.write(directory, file, actor, seenTag(request));
  return redirectTo(macroPath(directory), 'uploaded');
}

export async function removalPage(request: PortalRequest, level: MacroLevel): Promise<PortalOutcome> {
  const { words } = request;
  const { directory } = await directoryOf(request, level);
  const stored = await request.macros.store.read(directory);
  if (stored === undefined) throw new ServiceError('SVC_ERR_MACRO_DIRECTORY', { detail: { code: 'macro.noMacros' } });
  const set = soundMacroSet(stored.bytes);
  const names = set?.macros.map(({ name }) => name) ?? [];
  const path = macroPath(directory);
  const facts = {
    content: words.counted('macro', names.length),
    size: words.counted('byte', stored.bytes.length),
    changed: words.instant(stored.modified),
  };
  return confirmation({
    title: words.text('macros.remove', { holder: holderText(directory, words) }),
    facts: [
      words.text('macros.factsSentence', facts),
      ...(names.length === 0
        ? []
        : [words.text('macros.removeNames', { names: words.names(names, MOST_NAMED_MACROS) })]),
      words.text('macros.removeEffect'),
    ],
    action: `${path}/remove`,
    button: words.text('macros.removeButton'),
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
  const { words } = request;
  const shown = await directoryOf(request, level);
  const { directory } = shown;
  const { version, stored } = await versionOf(request, shown);
  const current = await request.macros.store.read(directory);
  const set = soundMacroSet(stored.bytes);
  const path = macroPath(directory);
  const { number } = version;
  const replaced =
    current === undefined
      ? words.text('macros.restoreNone')
      : words.text('macros.restoreReplaces', {
          size: words.counted('byte', current.bytes.length),
          changed: words.instant(current.modified),
        });
  return confirmation({
    title: words.text('macros.restore', { number, holder: holderText(directory, words) }),
    facts: [
      words.text('macros.restoreVersion', {
        number,
        content: words.counted('macro', set?.macros.length ?? 0),
        size: words.counted('byte', version.size),
        changed: words.instant(version.modified),
      }),
      replaced,
      words.text('macros.restoreOldest'),
    ],
    action: `${path}/versions/${number}/restore`,
    button: words.text('macros.restoreButton', { number }),
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

/** The tag of the file that the page of the form showed; undefined if the form does not contain it. */
function seenTag({ field }: PortalRequest): string | null | undefined {
  const seen = field('SEEN');
  if (seen === '') return undefined;
  return seen === NO_FILE ? null : seen;
}

/** The directory that a page shows. */
interface ShownDirectory {
  readonly directory: MacroDirectory;
  /** True if the group or user was removed and the files still exist. */
  readonly isLeft: boolean;
}

/**
 * The directory in the path of a page.
 * @throws ServiceError SVC_ERR_MACRO_DIRECTORY, SVC_ERR_MACRO_UNCONFIGURED
 */
async function directoryOf({ macros, segment }: PortalRequest, level: MacroLevel): Promise<ShownDirectory> {
  const { store } = macros;
  const name = segment('name');
  try {
    return { directory: await macros.directory(level, name), isLeft: false };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'SVC_ERR_MACRO_DIRECTORY') throw error;
    if (level === 'global' || !isSecurityName(name)) throw error;
    const directory = { level, name };
    if ((await store.versions(directory)).length > 0) return { directory, isLeft: true };
    throw new ServiceError('SVC_ERR_MACRO_DIRECTORY', { detail: { code: `${level}.unknown`, values: { name } } });
  }
}

/** `everybody`, `group OPS`, `user ANNA`. */
function holderText(directory: MacroDirectory, words: PortalWording): string {
  if (directory.level === 'global') return words.text('macros.everybody');
  return words.text(directory.level === 'group' ? 'macros.ofGroup' : 'macros.ofUser', { name: directory.name });
}

/** The content of a file; undefined if the file was not uploaded and is not a valid macro file. */
export function soundMacroSet(bytes: Uint8Array): MacroSet | undefined {
  try {
    return readMacroSet(bytes, true);
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}
