import { type Macro, MOST_MACRO_FILE_BYTES, MOST_STEPS } from '../../../src/macros/macro-set.js';
import type { MacroStep } from '../../../src/macros/macro-step.js';
import { saveFile } from '../save-file.js';
import { sizeText } from '../words/locale.js';
import { words } from '../words/words.js';
import { choose } from './dialog.js';
import type { LocalMacroStore } from './local-macro-store.js';
import { askDecision, askIdentity, decideForAll, type MacroIdentity } from './macro-dialogs.js';
import { editMacro } from './macro-editor.js';
import { allMacros, type MacroPublishing, type MacroStore } from './macro-store.js';
import { type FindMappedKey, refusalOfHotKey } from './model/hot-keys.js';
import { importedChanges } from './model/macro-change.js';
import { MacroFileError, readMacroFile } from './model/macro-file.js';
import { chosenGroups } from './publish-dialog.js';

export function keepRecording(store: MacroStore, def: readonly MacroStep[], mapped: FindMappedKey): Promise<boolean> {
  return askIdentity({
    title: def.length < MOST_STEPS ? words('save.recorded') : words('save.first', { count: MOST_STEPS }),
    name: '',
    others: allMacros(store),
    mapped,
    mayLeave: async () =>
      (await choose(words('save.throwTitle'), words('save.throwText'), [
        ['throw', words('save.throw')],
        ['stay', words('save.goOn')],
      ])) === 'throw',
    save: (identity) =>
      store.change([{ after: identified({ name: '', rev: 1, def }, identity) }], (collision) => askDecision(collision)),
  });
}

export async function changeSteps(store: MacroStore, before: Macro): Promise<void> {
  await editMacro(before, (def) =>
    store.change([{ before, after: revised({ ...before, def }) }], (collision) => askDecision(collision)),
  );
}

export async function changeIdentity(store: MacroStore, before: Macro, mapped: FindMappedKey): Promise<void> {
  await askIdentity({
    title: words('macro.rename', { name: before.name }),
    name: before.name,
    mapping: before.mapping,
    others: allMacros(store).filter((macro) => macro !== before),
    mapped,
    save: (identity) =>
      store.change([{ before, after: revised(identified(before, identity)) }], (collision) => askDecision(collision)),
  });
}

export async function saveCopy(store: MacroStore, macro: Macro, mapped: FindMappedKey): Promise<void> {
  await askIdentity({
    title: words('macro.saveAs', { name: macro.name }),
    name: macro.name,
    others: allMacros(store),
    mapped,
    save: (identity) =>
      store.change([{ after: identified({ ...macro, rev: 1 }, identity) }], (collision) => askDecision(collision)),
  });
}

export async function publishMacro(publishing: MacroPublishing, macro: Macro): Promise<string | undefined> {
  const groups = await chosenGroups(publishing, macro.name);
  const done: string[] = [];
  const failures: string[] = [];
  for (const group of groups) {
    const reason = await publishing.publish(group, macro, (collision) => askDecision(collision, group));
    if (reason === undefined) done.push(group);
    else if (reason !== '') failures.push(words('publish.failed', { group, reason }));
  }
  const { name } = macro;
  const said = done.length === 0 ? [] : [words('publish.done', { name, groups: done.join(', '), count: done.length })];
  return [...said, ...failures].join(' ') || undefined;
}

/** @returns a message for the user */
export async function removeMacro(store: MacroStore, before: Macro): Promise<string | undefined> {
  const consequence = words(store.isCentralized ? 'macro.deleteCentral' : 'macro.deleteLocal');
  const answer = await choose(words('macro.delete', { name: before.name }), consequence, [
    ['delete', words('answer.delete')],
    ['keep', words('answer.cancel')],
  ]);
  return answer === 'delete' ? store.change([{ before }], (collision) => askDecision(collision)) : undefined;
}

/** @returns a message for the user */
export async function importMacros(store: LocalMacroStore, file: File): Promise<string> {
  if (file.size > MOST_MACRO_FILE_BYTES) return words('import.tooLarge', { bytes: sizeText(MOST_MACRO_FILE_BYTES) });
  try {
    const { macros } = readMacroFile(await file.text());
    const own = allMacros(store);
    const changes = importedChanges(own, macros);
    if (changes.length === 0) return words('import.noOther');
    let withoutKey = 0;
    const known = [...own];
    const fitting = changes.map(({ after }) => {
      const macro = after as Macro;
      const others = known.filter(({ name }) => name !== macro.name);
      const { mapping, ...rest } = macro;
      const isRefused = mapping !== undefined && refusalOfHotKey(mapping, others) !== undefined;
      if (isRefused) withoutKey++;
      const kept = isRefused ? rest : macro;
      known.push(kept);
      return { after: kept };
    });
    const before = store.text;
    const failure = await store.change(fitting, decideForAll());
    if (failure !== undefined && failure !== '') return failure;
    if (store.text === before) return words('import.nothing');
    const keys = withoutKey === 0 ? '' : words('import.withoutKeys', { number: withoutKey });
    return words('import.done', { keys });
  } catch (thrown) {
    if (!(thrown instanceof MacroFileError)) throw thrown;
    return words('import.fault', { fault: thrown.message });
  }
}

export function exportMacros(store: LocalMacroStore): void {
  saveFile(new Blob([store.text], { type: 'application/json' }), 'macros.json');
}

function revised(macro: Macro): Macro {
  return { ...macro, rev: (macro.rev ?? 0) + 1 };
}

function identified({ mapping: _, ...macro }: Macro, { name, mapping }: MacroIdentity): Macro {
  return { ...macro, name, ...(mapping && { mapping }) };
}
