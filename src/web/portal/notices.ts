/** What the page says that a form leads to, by the word in its address: `?done=uploaded`. */
const notices = {
  'node-drained': 'The server is drained: no further sessions begin at it.',
  'node-chosen': 'This server answers in the portal from now on, in this browser.',
  uploaded: 'The macros were uploaded.',
  restored: 'The version was restored: it is the current one now.',
  removed: 'The macros were removed. They can be restored from the versions below.',
  'user-added': 'The user was added.',
  'user-changed': 'The user was changed.',
  'user-unlocked': 'The user was unlocked.',
  'user-removed': 'The user was removed.',
  'password-set': 'The password was set.',
  'group-added': 'The group was added.',
  'draft-published': 'The service was published, and can be called now. The draft is here until it is removed.',
  'draft-published-restart':
    'The service was published, but this server could not take it over: the log says why. It can be called after a restart.',
  'configuration-reloaded': 'The configuration was taken over.',
  'configuration-reloaded-partly': 'The configuration was taken over, but for what needs a restart.',
  'line-started': 'The line is open, and sessions begin at it.',
  'line-opening': 'The line cannot open yet, and goes on trying.',
  'line-drained': 'The line is drained: sessions that it has go on, no others begin.',
  'line-stopped': 'The line is being stopped.',
  'pool-drained': 'The pool is drained: calls that have a session go on to their end, others are refused.',
  'pool-resumed': 'The sessions of the pool sign on again.',
  'draft-removed': 'The draft was removed.',
  'group-removed': 'The group was removed.',
  'session-ended': 'The session is being ended: it is gone within seconds.',
  'message-sent': 'The message was sent.',
  'trace-started': 'The trace has begun. It ends by itself.',
  'trace-stopped': 'The trace was stopped.',
  'trace-removed': 'The trace was removed.',
  'token-revoked': 'The token was revoked: nobody can call with it any more.',
} as const;

export type NoticeWord = keyof typeof notices;

/** Undefined for words that are none of ours: what an address says is not shown. */
export function noticeOf(word: string): string | undefined {
  return Object.hasOwn(notices, word) ? notices[word as NoticeWord] : undefined;
}
