import type { CodePage } from '../../tn3270/codepage/code-page.js';
import type { AidName } from '../../tn3270/datastream/aid.js';
import type { AccountBook } from './account-book.js';
import type { FaultSwitches } from './fault-switches.js';
import type { FileLibrary } from './file-transfer/file-library.js';
import type { Panel } from './panel.js';
import type { PrinterList } from './printer-device.js';
import type { UserList } from './user-list.js';

export interface PanelInput {
  readonly key: AidName;
  /** Fields of the panel by name, without trailing blanks. Unmodified fields have their initial values. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Every method rejects after the terminal has disconnected, which ends the application. */
export interface Terminal {
  readonly rows: number;
  readonly columns: number;
  readonly deviceName: string;
  readonly deviceType: string;
  /** Undefined before sign-on. */
  user: string | undefined;
  /** @param name shown at the left of the first row, before the title */
  panel(name?: string, title?: string): Panel;
  show(panel: Panel): Promise<PanelInput>;
  /** Shows a panel, and writes the panel of `update` at intervals until a key is pressed. */
  showLive(panel: Panel, everyMilliseconds: number, update: () => Panel): Promise<PanelInput>;
  /** Record size for file transfers; 0 if the terminal supports only transfers by screens. */
  readonly transferBytes: number;
  exchange(record: Uint8Array): Promise<Uint8Array>;
  readonly encode: (text: string) => Uint8Array;
  /** Waits with a locked keyboard. */
  pause(milliseconds: number): Promise<void>;
}

export interface HostServices {
  readonly users: UserList;
  readonly accounts: AccountBook;
  readonly files: FileLibrary;
  readonly printers: PrinterList;
  readonly codePage: CodePage;
  readonly faults: FaultSwitches;
  readonly now: () => Date;
}

/** Name of the next application; undefined to end the session. */
type NextApplication = string | undefined;

export type Application = (terminal: Terminal, host: HostServices) => Promise<NextApplication>;
