import { soundValue } from '../../src/lib/read-outcome.js';
import { findTerminalCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { allFunctions, type HostSessionOptions } from '../../src/tn3270/host/host-session-options.js';
import { findTerminalModel } from '../../src/tn3270/screen/screen-size.js';

export interface TestedSession {
  readonly connect: HostSessionOptions['connect'];
  readonly oversize?: string;
  readonly codePage?: string;
}

export function hostSessionOptions({ connect, oversize, codePage = 'cp037' }: TestedSession): HostSessionOptions {
  const model = soundValue(findTerminalModel('3279-2-E', oversize));
  const page = findTerminalCodePage(codePage);
  if (page === undefined) throw new Error(`no code page ${codePage}`);
  return {
    model,
    codePage: page,
    entryRules: { numericLock: false, blankFill: false },
    deviceNames: [],
    tn3270e: true,
    functions: allFunctions,
    environment: new Map(),
    connect,
    startTls: undefined,
    negotiationMilliseconds: undefined,
    keepAlive: undefined,
    trace: undefined,
  };
}
