/** Why a call waits no longer for a session of a pool, or has it no longer. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

export const waitIsOver = new Error('no session in time');
export const checkoutIsOver = new Error('the session was lent for too long');
export const poolStops = new Error('the pool stops');
