import { words } from '../words/words.js';
import { choose } from './dialog.js';

/** Asks before unsaved changes are lost. @returns true to discard them */
export async function leavesUnsaved(text: string): Promise<boolean> {
  const answers = [
    ['leave', words('editor.leave')],
    ['stay', words('editor.stay')],
  ] as const;
  return (await choose(words('editor.leaveTitle'), text, answers)) === 'leave';
}
