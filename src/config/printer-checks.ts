import { type DocumentFault, errorAt } from '../lib/documents/document-fault.js';
import { applicationTypes } from '../lines/entry-point/transaction.js';
import type { PrinterDocument } from './configuration-document.js';
import type { SoundPart } from './sound-part.js';

/** Printers, and the transactions that name them. */
export function* checkPrinters({ document, names }: SoundPart): Generator<DocumentFault> {
  for (const [name, printer] of Object.entries(document.printers)) {
    const path = ['printers', name];
    const { host, luName, associate, output, groups, spool } = printer;
    if (!names.hosts.includes(host)) {
      const guess = names.guesses.didYouMean(host, names.hosts);
      yield errorAt([...path, 'host'], `expected a host of this file, found "${host}"${guess}`);
    }
    if (associate && luName !== undefined) {
      yield errorAt(
        [...path, 'luName'],
        'the host chooses the printer of a display: leave out this key or "associate"',
      );
    }
    if (associate && groups.length > 0) {
      yield errorAt(
        [...path, 'groups'],
        'the documents of a session are those of its user: leave out this key or "associate"',
      );
    }
    if (spool.folder !== undefined && (associate || groups.length === 0)) {
      const whose = associate ? 'of a session are gone with it' : 'without "groups" are in "output"';
      yield errorAt([...path, 'spool', 'folder'], `the documents of a printer ${whose}: leave out this key`);
    }
    if (!associate && document.processes !== 1) {
      yield errorAt(path, 'several processes would ask for it, and one has it: expected "associate", or one process');
    }
    if (!associate && output === undefined && groups.length === 0) {
      yield errorAt(path, 'nobody would have its documents: expected the key "output", "groups" or "associate"');
    }
  }
  yield* checkTransactions({ document, names });
}

function* checkTransactions({ document, names }: SoundPart): Generator<DocumentFault> {
  for (const [entryPoint, { transactions }] of Object.entries(document.entryPoints)) {
    for (const [name, { printer, application, applicationType }] of Object.entries(transactions)) {
      if (printer === undefined) continue;
      const path = ['entryPoints', entryPoint, 'transactions', name, 'printer'];
      if (applicationType !== applicationTypes.hostApplication) {
        yield errorAt(path, `a terminal shows documents: expected application type 1, found ${applicationType}`);
      } else if (!names.printers.includes(printer)) {
        yield errorAt(
          path,
          `expected a printer of this file, found "${printer}"${names.guesses.didYouMean(printer, names.printers)}`,
        );
      } else {
        const fault = faultOf(document.printers[printer], application);
        if (fault !== undefined) yield errorAt(path, fault);
      }
    }
  }
}

function faultOf(printer: PrinterDocument | undefined, application: string): string | undefined {
  if (printer === undefined) return undefined;
  if (printer.associate && printer.host !== application) {
    return `expected a printer of the host "${application}", as its display is, found one of "${printer.host}"`;
  }
  if (!printer.associate && printer.groups.length === 0) return 'expected a printer with "associate" or "groups"';
  return undefined;
}
