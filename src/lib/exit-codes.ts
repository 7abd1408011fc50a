/** What the process returns to its caller (contract, "Running it"). */
export const exitCodes = {
  fine: 0,
  workFailed: 1,
  usageOrConfigurationWrong: 2,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Where a subcommand leaves its exit code. */
export type Finish = (code: ExitCode) => void;
