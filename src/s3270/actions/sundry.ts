import { type ActionFamily, ANY_NUMBER } from '../action.js';

/** Actions that leave the terminal as it is. */
export const sundryActions: ActionFamily = {
  Bell: { takes: [0, 0], act: () => ['(ding)'] },
  /** What a terminal with a window shows for a moment. */
  Info: { takes: [1, 1], act: () => undefined },
  /** Py3270 and Robot's library ask with it whether the program is still there. */
  ignore: { takes: [0, ANY_NUMBER], act: () => undefined },
};
