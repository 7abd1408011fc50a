import type { CodePage } from '../../tn3270/codepage/code-page.js';
import type { AidName } from '../../tn3270/datastream/aid.js';
import type { AccountBook } from './account-book.js';
import type { FaultSwitches } from './fault-switches.js';
import type { FileLibrary } from './file-transfer/file-library.js';
import type { Panel } from './panel.js';
import type { PrinterList } from './printer-device.js';
import type { UserList } from './user-list.js';

/** What the operator of a terminal sent. */
export interface Answer {
  readonly key: AidName;
  /** The fields of the panel by name, without trailing blanks; those that were not typed into as they were shown. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The terminal, as an application sees it. Every method rejects once the terminal is gone: that ends the application. */
export interface Terminal {
  readonly rows: number;
  readonly columns: number;
  readonly deviceName: string;
  readonly deviceType: string;
  /** Whoever signed on; undefined before. */
  user: string | undefined;
  /** An empty panel in the host's code page. */
  panel(): Panel;
  /** Shows a panel and waits for a key. */
  show(panel: Panel): Promise<Answer>;
  /** Shows a panel, waits for a key, and writes what `update` gives every so often while nobody presses one. */
  showLive(panel: Panel, everyMilliseconds: number, update: () => Panel): Promise<Answer>;
  /** Bytes of a record of a file transfer; 0: the terminal has only screens for it. */
  readonly transferBytes: number;
  /** Sends 3270 data and waits for the record that answers it. */
  exchange(record: Uint8Array): Promise<Uint8Array>;
  /** Text in the codes of the host. */
  readonly encode: (text: string) => Uint8Array;
  /** Does nothing for a while, with the keyboard locked. */
  pause(milliseconds: number): Promise<void>;
}

/** What the host has besides terminals, shared by all of them. */
export interface HostServices {
  readonly users: UserList;
  readonly accounts: AccountBook;
  readonly files: FileLibrary;
  readonly printers: PrinterList;
  readonly codePage: CodePage;
  /** The faults ordered for this terminal. */
  readonly faults: FaultSwitches;
  readonly now: () => Date;
}

/** What comes next: an application by name, or the end of the session. */
type NextApplication = string | undefined;

/** An application: runs until it says what comes next. */
export type Application = (terminal: Terminal, host: HostServices) => Promise<NextApplication>;
