import { faultOfActions, type IdleActions } from '../idle-command.js';

const units: Readonly<Record<string, number>> = { '': 1_000, s: 1_000, m: 60_000, h: 3_600_000 };
/** 12 days: a timer can wait for twice as long. */
const LONGEST_MILLISECONDS = 2 ** 30;
/** 7 minutes, more or less. */
const DEFAULT_TIMEOUT = '~7m';

/** What resources say of a terminal that nobody uses. */
export class IdleResources {
  isEnabled = false;
  readonly #texts = { idleCommand: '', idleTimeout: DEFAULT_TIMEOUT };

  /** @returns whether it is one of the texts */
  take(name: string, value: string): boolean {
    if (name !== 'idleCommand' && name !== 'idleTimeout') return false;
    this.#texts[name] = value;
    return true;
  }

  settle(): { readonly idle: IdleActions | undefined; readonly warnings: readonly string[] } {
    if (!this.isEnabled) return { idle: undefined, warnings: [] };
    const { idleCommand: actions, idleTimeout: timeout } = this.#texts;
    const warnings: string[] = [];
    const fault = faultOfActions(actions);
    if (fault !== undefined) warnings.push('Invalid idleCommand:', fault);
    const [, varies = '', number = '0', unit = ''] = /^(~?)(\d+)([hms]?)$/i.exec(timeout || DEFAULT_TIMEOUT) ?? [];
    const milliseconds = Math.min(Number(number) * (units[unit.toLowerCase()] ?? 0), LONGEST_MILLISECONDS);
    if (milliseconds === 0) warnings.push(`Invalid idle timeout value '${timeout}'`);
    const isNone = warnings.length > 0 || actions.trim() === '';
    return {
      idle: isNone ? undefined : { actions, milliseconds, varies: varies !== '' },
      warnings,
    };
  }
}
