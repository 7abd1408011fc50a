import { words } from '../words/words.js';
import { choose } from './dialog.js';

/** Asks who leaves what was changed. @param text what would be lost @returns whether it is to be */
export async function leavesUnsaved(text: string): Promise<boolean> {
  const answers = [
    ['leave', words('editor.leave')],
    ['stay', words('editor.stay')],
  ] as const;
  return (await choose(words('editor.leaveTitle'), text, answers)) === 'leave';
}
