import type { FileTransfer, TransferObstacle } from '../../conversation/file-transfer.js';
import { attributeRules, type FileAttribute } from '../../file-transfer/transfer-rules.js';
import { type ActionData, type ActionFamily, ANY_NUMBER } from '../action.js';
import { ActionError } from '../action-error.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';

/** Bytes of a file either way. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Values that a keyword takes, which may be shortened; undefined: any text. A number is one of at least 1. */
const keywords = {
  direction: ['receive', 'send'],
  hostfile: undefined,
  localfile: undefined,
  host: ['tso', 'vm', 'cics'],
  mode: ['ascii', 'binary'],
  cr: ['remove', 'add', 'keep', 'auto'],
  remap: ['yes', 'no'],
  exist: ['keep', 'replace', 'append'],
  recfm: ['default', 'fixed', 'variable', 'undefined'],
  lrecl: 'number',
  blksize: 'number',
  allocation: ['default', 'tracks', 'cylinders', 'avblock'],
  primaryspace: 'number',
  secondaryspace: 'number',
  // judged with the allocation
  avblock: undefined,
  buffersize: 'number',
  otheroptions: undefined,
} as const satisfies Readonly<Record<string, readonly string[] | 'number' | undefined>>;

type Keyword = keyof typeof keywords;
type Given = Partial<Record<Keyword, string>>;

const writtenNames: Readonly<Partial<Record<Keyword, string>>> = {
  cr: 'Cr',
  remap: 'Remap',
  recfm: 'Recfm',
  lrecl: 'Lrecl',
  blksize: 'Blksize',
  allocation: 'Allocation',
  primaryspace: 'PrimarySpace',
  secondaryspace: 'SecondarySpace',
  avblock: 'Avblock',
};

const attributes = {
  recfm: 'recordFormat',
  lrecl: 'recordLength',
  blksize: 'blockSize',
  allocation: 'spaceUnit',
  primaryspace: 'primarySpace',
  secondaryspace: 'secondarySpace',
  avblock: 'averageBlock',
} as const satisfies Readonly<Partial<Record<Keyword, FileAttribute>>>;

/** `keyword=value` or a keyword and then its value, in any case. @throws ActionError in the words of s3270 */
function readKeywords(parameters: readonly string[]): Given {
  const given: Given = {};
  for (let at = 0; at < parameters.length; at++) {
    const written = parameters[at] ?? '';
    const [, name = '', joined] = /^([^=]*)(?:=([\s\S]*))?$/.exec(written) ?? [];
    if (joined !== undefined && (name === '' || joined === ''))
      throw new ActionError(`Transfer(): Invalid option syntax: '${written}'`);
    const keyword = name.toLowerCase();
    const isLast = joined === undefined && at === parameters.length - 1;
    if (isLast) throw new ActionError(`Transfer(): missing value after '${name}'`);
    // s3270 leaves out what it does not know, and what stands behind it is a keyword again
    if (!isKeyword(keyword)) continue;
    const value = joined ?? parameters[++at] ?? '';
    const values = keywords[keyword];
    const meant = typeof values === 'object' ? values.find((known) => known.startsWith(value.toLowerCase())) : value;
    if (meant === undefined || (values === 'number' && !isNumber(value)))
      throw new ActionError(`Transfer(): Invalid option value: '${value}'`);
    given[keyword] = meant;
  }
  checkTogether(given);
  return given;
}

function isNumber(text: string): boolean {
  return /^\+?0*[1-9]\d{0,8}$/.test(text);
}

function isKeyword(name: string): name is Keyword {
  return Object.hasOwn(keywords, name);
}

/** What goes with what, judged in the order of s3270. */
function checkTogether(given: Given): void {
  const { direction = 'receive', host = 'tso', mode = 'ascii' } = given;
  if (mode === 'binary' && given.cr !== undefined && given.cr !== 'auto')
    throw new ActionError("Transfer(): Invalid 'Cr' option for ASCII mode");
  if ((given.hostfile ?? '') === '') throw new ActionError("Transfer(): Missing 'HostFile' option");
  if (given.localfile === undefined) throw new ActionError("Transfer(): Missing 'LocalFile' option");
  const only = (names: readonly Keyword[], holds: boolean, what: string) => {
    const wrong = names.find((name) => given[name] !== undefined);
    if (!holds && wrong !== undefined)
      throw new ActionError(`Transfer(): '${writtenNames[wrong]}' is only for ${what}`);
  };
  only(['cr', 'remap'], mode === 'ascii', 'ASCII transfers');
  only(Object.keys(attributes) as Keyword[], direction === 'send', 'sending files');
  for (const [keyword, attribute] of Object.entries(attributes) as [Keyword, FileAttribute][]) {
    // s3270 takes a record length that it has no use for
    if (keyword === 'lrecl') continue;
    const hosts: readonly string[] = attributeRules[attribute].hosts;
    only([keyword], hosts.includes(host), `${hosts.map((name) => name.toUpperCase()).join(' and ')} hosts`);
  }
  const { allocation = 'default' } = given;
  if (allocation !== 'default' && given.primaryspace === undefined) {
    throw new ActionError("Transfer(): Missing or invalid 'PrimarySpace'");
  }
  if (allocation === 'avblock' && !isNumber(given.avblock ?? ''))
    throw new ActionError("Transfer(): Missing or invalid 'Avblock'");
}

async function transferOf(terminal: ScriptedTerminal, given: Given): Promise<FileTransfer> {
  const { direction = 'receive', host = 'tso', mode = 'ascii', cr = 'auto', exist = 'keep', recfm = 'default' } = given;
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const { allocation = 'default', primaryspace } = given;
  const hasSpace = allocation !== 'default' && primaryspace !== undefined;
  const sends = direction === 'send';
  return {
    direction: sends ? 'send' : 'receive',
    host: host as FileTransfer['host'],
    hostFile: given.hostfile ?? '',
    text: mode === 'ascii',
    lines: mode === 'ascii' && cr !== 'keep',
    remap: given.remap !== 'no',
    append: sends && exist === 'append',
    recordFormat: recfm === 'default' ? undefined : (recfm as FileTransfer['recordFormat']),
    recordLength: recfm === 'default' ? undefined : number(given.lrecl),
    blockSize: recfm === 'default' ? undefined : number(given.blksize),
    space: hasSpace
      ? {
          unit: allocation as 'tracks' | 'cylinders' | 'avblock',
          primary: Number(primaryspace),
          secondary: number(given.secondaryspace),
          averageBlock: allocation === 'avblock' ? number(given.avblock) : undefined,
        }
      : undefined,
    otherOptions: given.otheroptions,
    bufferBytes: number(given.buffersize) ?? Number(terminal.options.toggles.get('ftBufferSize')),
    mostBytes: MOST_BYTES,
    file: sends ? await terminal.tools.readBytes(given.localfile ?? '', MOST_BYTES) : undefined,
  };
}

const obstacleWords: Readonly<Record<TransferObstacle, string>> = {
  noField: 'no input field',
  smallField: 'input field too small',
  locked: 'keyboard locked',
};

async function transfer(terminal: ScriptedTerminal, parameters: readonly string[]): Promise<ActionData> {
  if (!terminal.isIn3270Mode) throw new ActionError('Transfer(): Not connected in 3270 mode');
  const { localfile: named = '', ...others } = readKeywords(parameters);
  if (named === '') throw new ActionError("Local file '': No such file or directory");
  const { direction = 'receive', hostfile = '', exist = 'keep' } = others;
  // in a folder the file has the name that it has on the host
  const localfile = (await terminal.tools.isFolder(named)) ? `${named}/${hostfile}` : named;
  const given = { ...others, localfile };
  const receives = direction === 'receive';
  if (receives && exist === 'keep' && (await terminal.tools.isThere(localfile))) {
    throw new ActionError('Transfer(): File exists');
  }
  if (receives) await terminal.tools.checkWritable(localfile);
  const began = performance.now();
  const end = await terminal.conversation.transferFile(await transferOf(terminal, given));
  if (end.kind === 'failed') {
    const words = end.obstacle === undefined ? end.words : obstacleWords[end.obstacle];
    throw new ActionError(end.reason === 'notStarted' ? `Cannot begin transfer: ${words}` : words);
  }
  if (receives)
    await terminal.tools.writeBytes(
      localfile,
      end.file ?? new Uint8Array(0),
      exist === 'append' ? 'append' : 'replace',
    );
  const seconds = Math.max((performance.now() - began) / 1_000, 0.001);
  return [
    `Transfer complete, ${end.bytes} bytes transferred`,
    `${scaled(end.bytes / seconds)}bytes/sec in ${end.mode} mode`,
  ];
}

function scaled(value: number): string {
  const [unit, letter] = value >= 1e6 ? [1e6, 'M'] : value >= 1e3 ? [1e3, 'K'] : [1, ''];
  return `${Number((value / unit).toPrecision(3))} ${letter}`;
}

/** Files to and from the host with IND$FILE. */
export const transferringActions: ActionFamily = {
  Transfer: { takes: [0, ANY_NUMBER], act: transfer },
};
