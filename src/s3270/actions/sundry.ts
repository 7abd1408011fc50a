import { type ActionFamily, ANY_NUMBER } from '../action.js';

export const sundryActions: ActionFamily = {
  Bell: { takes: [0, 0], act: () => ['(ding)'] },
  /** Shown for a moment by terminals with a window. */
  Info: { takes: [1, 1], act: () => undefined },
  /** Sent by Py3270 and by Robot Framework's library to check whether the program is alive. */
  ignore: { takes: [0, ANY_NUMBER], act: () => undefined },
};
