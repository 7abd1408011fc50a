import { type DocumentFault, errorAt } from '../lib/documents/document-fault.js';
import { codePageNames } from '../tn3270/codepage/code-pages.js';
import { findTerminalCodePage } from '../tn3270/codepage/terminal-code-page.js';
import { findTerminalModel } from '../tn3270/screen/screen-size.js';
import { checkCiphers } from './cipher-checks.js';
import type { SoundPart } from './sound-part.js';

/** What the terminals of hosts are: their device types and code pages. */
export function* checkHosts({ document, names }: SoundPart): Generator<DocumentFault> {
  for (const [name, host] of Object.entries(document.hosts)) {
    const { deviceType, codePage } = host;
    if (!host.simulated) yield* checkCiphers(['hosts', name, 'tls', 'ciphers'], host.tls);
    const model = findTerminalModel(deviceType);
    if (model.kind === 'fault') yield errorAt(['hosts', name, 'deviceType'], model.fault);
    if (findTerminalCodePage(codePage) === undefined) {
      const guess = names.guesses.didYouMean(codePage, codePageNames());
      yield errorAt(['hosts', name, 'codePage'], `expected a known EBCDIC code page, found "${codePage}"${guess}`);
    }
  }
}
