import { join } from 'node:path';
import type { Configuration } from '../../config/configuration.js';
import { FileSettingsStore } from '../../users/file-settings-store.js';
import type { SettingsStore } from '../../users/settings-store.js';
import { type Part, unchanged } from '../part.js';

/** How users have the terminal. */
export class SettingsPart implements Part {
  readonly name = 'settings';
  readonly reads = [] as const;
  readonly store: SettingsStore;

  constructor({ data }: Configuration) {
    this.store = new FileSettingsStore(join(data, 'terminal-settings'));
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  async replace() {
    return unchanged;
  }
}
