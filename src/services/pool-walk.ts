import type { Actor } from '../access/audit/audit-entry.js';
import type { ScreenDefinition } from '../tn3270/conversation/screen-definition.js';
import type { ServiceStep } from './service-definition.js';

/** What a pool is asked to do in one of its sessions. */
export interface PoolWalk {
  readonly service: string;
  /** The client of the call, as the audit trail names it. */
  readonly by: Actor;
  readonly steps: readonly ServiceStep[];
  readonly screens: ReadonlyMap<string, ScreenDefinition>;
  /** By the names of parameters, as they are typed. */
  readonly values: ReadonlyMap<string, string>;
  /** Values of parameters that are secret: no later caller sees them on a screen of the session. */
  readonly secrets: readonly string[];
  /** What counts as one caller. */
  readonly caller: string;
  readonly signal: AbortSignal;
}
