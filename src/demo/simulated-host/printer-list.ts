import type { DeviceAssignment, DevicePool } from './device-pool.js';
import type { PrinterDevice, PrintJob, PrintOutcome } from './printer-device.js';

const LONGEST_NAME = 8;

/** The printers that are connected to the simulated host, by the names of their logical units. */
export class PrinterList {
  readonly #displays: DevicePool;
  readonly #names: DevicePool;
  readonly #printers = new Map<string, PrinterDevice>();

  constructor(displays: DevicePool, names: DevicePool) {
    this.#displays = displays;
    this.#names = names;
  }

  /** @param name undefined: any that is free */
  assign(name: string | undefined): DeviceAssignment {
    return name !== undefined && this.#displays.has(name) ? { reject: 'typeNameError' } : this.#names.take(name);
  }

  /** The printer of a display, which must be there. */
  assignTo(display: string): DeviceAssignment {
    return this.#displays.has(display) ? this.#names.take(printerOf(display)) : { reject: 'invalidAssociation' };
  }

  giveBack(name: string): void {
    this.#printers.delete(name);
    this.#names.giveBack(name);
  }

  attach(name: string, printer: PrinterDevice): void {
    this.#printers.set(name, printer);
  }

  isConnected(name: string): boolean {
    return this.#printers.has(name);
  }

  /** Where a display prints: its own printer, or the one that was connected first. */
  nearest(display: string): string | undefined {
    const own = printerOf(display);
    return this.isConnected(own) ? own : this.#printers.keys().next().value;
  }

  async print(name: string, job: PrintJob): Promise<PrintOutcome> {
    return (await this.#printers.get(name)?.print(job)) ?? { kind: 'gone' };
  }
}

/** P and the end of the display's name: SIM00012 has PIM00012. */
function printerOf(display: string): string {
  return `P${display.slice(1 - LONGEST_NAME)}`.slice(0, LONGEST_NAME);
}
