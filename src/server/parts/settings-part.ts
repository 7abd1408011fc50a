import type { SettingsStore } from '../../access/users/settings-store.js';
import type { SharedStores } from '../../cluster/postgresql/shared-stores.js';
import type { Configuration } from '../../config/configuration.js';
import { openSettings } from '../../config/open-users.js';
import { type Part, unchanged } from '../part.js';

export class SettingsPart implements Part {
  readonly name = 'settings';
  readonly reads = [] as const;
  readonly store: SettingsStore;

  constructor(configuration: Configuration, shared?: SharedStores) {
    this.store = openSettings(configuration, shared);
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {}

  async replace() {
    return unchanged;
  }
}
