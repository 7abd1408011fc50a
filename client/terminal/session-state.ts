export type SessionState = 'alive' | 'ending' | 'ended';

export const SESSION_STATE_EVENT = 'sallyport-session';

/** Sent by the workspace before it leaves; cancelled if the user must be asked. */
export const LEAVING_EVENT = 'sallyport-leaving';

export function tellSessionState(state: SessionState): void {
  document.dispatchEvent(new CustomEvent<SessionState>(SESSION_STATE_EVENT, { detail: state }));
}
