/** How a session is doing, for the page that has it in one of its tabs. */
export type SessionState = 'alive' | 'ending' | 'ended';

export const SESSION_STATE_EVENT = 'sallyport-session';

/** Of the page that has it in a tab, which is about to go: prevented, where that is to be asked first. */
export const LEAVING_EVENT = 'sallyport-leaving';

export function tellSessionState(state: SessionState): void {
  document.dispatchEvent(new CustomEvent<SessionState>(SESSION_STATE_EVENT, { detail: state }));
}
