/** Contract, "Running it". */
export const exitCodes = {
  fine: 0,
  workFailed: 1,
  usageOrConfigurationWrong: 2,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export type Finish = (code: ExitCode) => void;
