import { escapes } from '../escapes.js';
import { type Tag, type TagFamily, type TemplateBuilder, withList } from '../template-builder.js';

/** Options of SET-LOCAL-OPTIONS for the host session. */
const hostOptions: ReadonlySet<string> = new Set([
  'BLANK-BINARY-ZEROES',
  'DO-NOT-IGNORE-BINARY-ZEROES',
  'ID',
  'MAXLENGTH',
  'MDT-IF-RECEIVED',
  'NO-ADD-TO-CHECKBOX',
  'NO-ADD-TO-LISTBOX',
  'ENCRYPT-PASSWORD-FIELDS',
  'TRACE-LINE',
  'TRACE-RELAY',
  'OPTION-DEFAULT-COMPATIBILITY',
]);

export const AUTO_INCREMENT = 'AUTO-INCREMENT-VARIABLES';

/** Reference 2.8: in effect from the tag to the end of the page, even inside a loop or condition. */
export const optionTags: TagFamily = {
  'SET-LOCAL-OPTIONS': optionTag(set),
  'UNSET-LOCAL-OPTIONS': optionTag(unset),
};

function optionTag(apply: (builder: TemplateBuilder, option: string) => void): Tag {
  return withList((builder, tag) => {
    for (const option of tag.parameters ?? []) {
      if (escapes.has(option) || option === AUTO_INCREMENT || hostOptions.has(option)) apply(builder, option);
      else
        builder.report(
          tag.offset,
          `${tag.name}: the option ${option === '' ? 'is missing' : `${option} is not known`}`,
        );
    }
  });
}

function set(builder: TemplateBuilder, option: string): void {
  if (escapes.has(option)) builder.escapeOption = option;
  else if (option === AUTO_INCREMENT) builder.autoIncrements = true;
  else builder.uses.hostOptions.set(option, true);
}

/** Unsetting the current escape option leaves none; unsetting NO-ESCAPES restores the initial one. */
function unset(builder: TemplateBuilder, option: string): void {
  if (escapes.has(option)) {
    if (builder.escapeOption !== option) return;
    builder.escapeOption = option === 'NO-ESCAPES' ? builder.startOptions.escapeOption : 'NO-ESCAPES';
  } else if (option === AUTO_INCREMENT) builder.autoIncrements = false;
  else builder.uses.hostOptions.set(option, false);
}
