import { type FailureMode, isFailureMode } from './failure-mode.js';

/** How the service answers conversions at the moment. */
export interface DemoSettings {
  readonly failure: FailureMode;
  readonly delayMilliseconds: number;
}

export const LONGEST_DELAY_MILLISECONDS = 60_000;

/** What was asked for and cannot be had. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/**
 * The settings changed by `failure` and `delay` (milliseconds); what is undefined stays as it is.
 *
 * @throws SettingsError for an unknown failure or a delay that is not 0 to 60,000
 */
export function changeSettings(
  settings: DemoSettings,
  failure: string | undefined,
  delay: string | undefined,
): DemoSettings {
  if (failure !== undefined && !isFailureMode(failure)) throw new SettingsError('failure: no such failure mode');
  if (delay !== undefined && !(/^\d{1,5}$/.test(delay) && Number(delay) <= LONGEST_DELAY_MILLISECONDS)) {
    throw new SettingsError(`delay: not a whole number from 0 to ${LONGEST_DELAY_MILLISECONDS}`);
  }
  return {
    failure: failure ?? settings.failure,
    delayMilliseconds: delay === undefined ? settings.delayMilliseconds : Number(delay),
  };
}
