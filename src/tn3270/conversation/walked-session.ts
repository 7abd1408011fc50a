import type { Conversation } from './conversation.js';

/** A host session that steps are taken in: a conversation itself, or the door to the session of a browser or a program. */
export type WalkedSession = Pick<
  Conversation,
  'image' | 'isSettled' | 'settled' | 'expect' | 'step' | 'readTable' | 'transferFile'
>;
