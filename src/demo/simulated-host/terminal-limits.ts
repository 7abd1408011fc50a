/** What terminals of a port may take of the simulated host. Sessions within this process are bounded where they begin. */
export interface TerminalLimits {
  readonly terminals: number;
  readonly terminalsPerAddress: number;
  /** To agree on TN3270E or TN3270, whatever is said meanwhile. */
  readonly agreeMilliseconds: number;
  /** Without a key. */
  readonly idleMilliseconds: number;
  /** For the terminal to end a connection that the host has ended. */
  readonly endMilliseconds: number;
}

export const terminalLimits: TerminalLimits = {
  terminals: 10_000,
  terminalsPerAddress: 1_000,
  agreeMilliseconds: 30_000,
  idleMilliseconds: 30 * 60_000,
  endMilliseconds: 5_000,
};
