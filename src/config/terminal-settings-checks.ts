import { type DocumentFault, errorAt, type KeyPath } from '../lib/documents/document-fault.js';
import { readSettings } from '../terminal/settings/read-settings.js';
import type { TerminalSettingsRuleDocument } from './configuration-document.js';
import type { SoundPart } from './sound-part.js';

/** What administrators have decided about the settings of the terminal. */
export function* checkTerminalSettings({ document }: SoundPart): Generator<DocumentFault> {
  for (const [name, { terminalSettings }] of Object.entries(document.entryPoints)) {
    if (terminalSettings === undefined) continue;
    const path = ['entryPoints', name, 'terminalSettings'];
    yield* checkDefaults(path, terminalSettings);
    for (const [group, rule] of Object.entries(terminalSettings.groups ?? {})) {
      yield* checkDefaults([...path, 'groups', group], rule);
    }
  }
}

function* checkDefaults(path: KeyPath, { defaults = {} }: TerminalSettingsRuleDocument): Generator<DocumentFault> {
  for (const { name, reason } of readSettings(defaults).faults) yield errorAt([...path, 'defaults', name], reason);
}
