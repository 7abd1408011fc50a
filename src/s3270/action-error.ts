/** What an action cannot do, in the words that scripts know. Each line of it becomes a line of data. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
}
