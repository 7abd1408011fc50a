import type { EntryRules } from '../tn3270/screen/entry-rules.js';
import type { Toggles } from './toggles.js';

/** The rules of typing as the settings say with each key. */
export function entryRulesOf(toggles: Toggles): EntryRules {
  return {
    get numericLock() {
      return toggles.isOn('numericLock');
    },
    get blankFill() {
      return toggles.isOn('blankFill');
    },
    underscoreFill: true,
    get reverseInput() {
      return toggles.isOn('reverseInputMode');
    },
  };
}
