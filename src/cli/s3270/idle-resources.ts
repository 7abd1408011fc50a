import { faultOfActions, type IdleActions } from '../../s3270/idle-command.js';

const units: Readonly<Record<string, number>> = { '': 1_000, s: 1_000, m: 60_000, h: 3_600_000 };
/** 12 days: a timer can wait for twice as long. */
const LONGEST_MILLISECONDS = 2 ** 30;

/** More or less. */
const DEFAULT_TIMEOUT = '~7m';

/** What resources say of a terminal that nobody uses. */
export class IdleResources {
  actions = '';
  timeout = DEFAULT_TIMEOUT;
  isEnabled = false;

  settle(): { readonly idle: IdleActions | undefined; readonly warnings: readonly string[] } {
    if (!this.isEnabled) return { idle: undefined, warnings: [] };
    const warnings: string[] = [];
    const fault = faultOfActions(this.actions);
    if (fault !== undefined) warnings.push('Invalid idleCommand:', fault);
    const [, varies = '', number = '0', unit = ''] = /^(~?)(\d+)([hms]?)$/i.exec(this.timeout || DEFAULT_TIMEOUT) ?? [];
    const milliseconds = Math.min(Number(number) * (units[unit.toLowerCase()] ?? 0), LONGEST_MILLISECONDS);
    if (milliseconds === 0) warnings.push(`Invalid idle timeout value '${this.timeout}'`);
    const isNone = warnings.length > 0 || this.actions.trim() === '';
    return {
      idle: isNone ? undefined : { actions: this.actions, milliseconds, varies: varies !== '' },
      warnings,
    };
  }
}
