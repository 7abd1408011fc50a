import type { FileTransfer, TransferObstacle } from '../../tn3270/conversation/file-transfer.js';
import { attributeRules, type FileAttribute } from '../../tn3270/file-transfer/transfer-options.js';
import { type ActionData, type ActionFamily, ANY_NUMBER, type ScriptCaller } from '../action.js';
import { ActionError } from '../action-error.js';
import type { ScriptTools } from '../script-tools.js';
import type { ScriptedTerminal } from '../scripted-terminal.js';
import { soundBuffer } from '../toggles.js';
import { type TransferKeyword, type TransferWords, transferKeywords } from '../transfer-keywords.js';

const MOST_BYTES = 256 * 1024 * 1024;

const writtenNames: Readonly<Partial<Record<TransferKeyword, string>>> = {
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
} as const satisfies Readonly<Partial<Record<TransferKeyword, FileAttribute>>>;

/** Reads `keyword=value`, or a keyword and then its value, in any case. Values may be abbreviated. */
function readKeywords(parameters: readonly string[]): TransferWords {
  const given: Partial<Record<TransferKeyword, string>> = {};
  for (let at = 0; at < parameters.length; at++) {
    const written = parameters[at] ?? '';
    const [, name = '', joined] = /^([^=]*)(?:=([\s\S]*))?$/.exec(written) ?? [];
    if (joined !== undefined && (name === '' || joined === ''))
      throw new ActionError(`Transfer(): Invalid option syntax: '${written}'`);
    const keyword = name.toLowerCase();
    const isLast = joined === undefined && at === parameters.length - 1;
    if (isLast) throw new ActionError(`Transfer(): missing value after '${name}'`);
    // s3270 ignores unknown keywords without their value
    if (!isKeyword(keyword)) continue;
    const value = joined ?? parameters[++at] ?? '';
    const values = transferKeywords[keyword];
    const meant = typeof values === 'object' ? values.find((known) => known.startsWith(value.toLowerCase())) : value;
    if (meant === undefined || (values === 'number' && !isNumber(value)))
      throw new ActionError(`Transfer(): Invalid option value: '${value}'`);
    given[keyword] = meant;
  }
  return given;
}

function isNumber(text: string): boolean {
  return /^\+?0*[1-9]\d{0,8}$/.test(text);
}

function isKeyword(name: string): name is TransferKeyword {
  return Object.hasOwn(transferKeywords, name);
}

/** Checks combinations in the order of s3270. Values of resources that do not fit are ignored. */
function checkTogether(told: TransferWords, all: TransferWords): void {
  const { direction = 'receive', host = 'tso', mode = 'ascii' } = all;
  if (mode === 'binary' && told.cr !== undefined && told.cr !== 'auto')
    throw new ActionError("Transfer(): Invalid 'Cr' option for ASCII mode");
  if ((all.hostfile ?? '') === '') throw new ActionError("Transfer(): Missing 'HostFile' option");
  if (all.localfile === undefined) throw new ActionError("Transfer(): Missing 'LocalFile' option");
  const only = (names: readonly TransferKeyword[], holds: boolean, what: string) => {
    const wrong = names.find((name) => told[name] !== undefined);
    if (!holds && wrong !== undefined)
      throw new ActionError(`Transfer(): '${writtenNames[wrong]}' is only for ${what}`);
  };
  only(['cr', 'remap'], mode === 'ascii', 'ASCII transfers');
  only(Object.keys(attributes) as TransferKeyword[], direction === 'send', 'sending files');
  for (const [keyword, attribute] of Object.entries(attributes) as [TransferKeyword, FileAttribute][]) {
    // s3270 accepts an unused record length
    if (keyword === 'lrecl') continue;
    const hosts: readonly string[] = attributeRules[attribute].hosts;
    only([keyword], hosts.includes(host), `${hosts.map((name) => name.toUpperCase()).join(' and ')} hosts`);
  }
  const allocation = direction === 'send' && host === 'tso' ? all.allocation : undefined;
  if ((allocation ?? 'default') !== 'default' && all.primaryspace === undefined) {
    throw new ActionError("Transfer(): Missing or invalid 'PrimarySpace'");
  }
  if (allocation === 'avblock' && !isNumber(all.avblock ?? ''))
    throw new ActionError("Transfer(): Missing or invalid 'Avblock'");
}

async function transferOf(
  terminal: ScriptedTerminal,
  words: TransferWords,
  tools: ScriptTools<ScriptedTerminal>,
): Promise<FileTransfer> {
  const { direction = 'receive', host = 'tso', mode = 'ascii', cr = 'auto', exist = 'keep' } = words;
  const sends = direction === 'send';
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  const attributeOf = (keyword: keyof typeof attributes): string | undefined => {
    const hosts: readonly string[] = attributeRules[attributes[keyword]].hosts;
    return sends && hosts.includes(host) ? words[keyword] : undefined;
  };
  const recfm = attributeOf('recfm') ?? 'default';
  const allocation = attributeOf('allocation') ?? 'default';
  const primary = number(attributeOf('primaryspace'));
  const hasSpace = allocation !== 'default' && primary !== undefined;
  return {
    direction: sends ? 'send' : 'receive',
    host: host as FileTransfer['host'],
    hostFile: words.hostfile ?? '',
    text: mode === 'ascii',
    lines: mode === 'ascii' && cr !== 'keep',
    remap: words.remap !== 'no',
    append: sends && exist === 'append',
    recordFormat: recfm === 'default' ? undefined : (recfm as FileTransfer['recordFormat']),
    recordLength: recfm === 'default' ? undefined : number(attributeOf('lrecl')),
    blockSize: recfm === 'default' ? undefined : number(attributeOf('blksize')),
    space: hasSpace
      ? {
          unit: allocation as 'tracks' | 'cylinders' | 'avblock',
          primary,
          secondary: number(attributeOf('secondaryspace')),
          averageBlock: allocation === 'avblock' ? number(attributeOf('avblock')) : undefined,
        }
      : undefined,
    otherOptions: words.otheroptions,
    isSpaced: true,
    bufferBytes: number(words.buffersize) ?? soundBuffer(Number(terminal.options.toggles.get('ftBufferSize'))),
    mostBytes: MOST_BYTES,
    file: sends ? await tools.readBytes(words.localfile ?? '', MOST_BYTES) : undefined,
  };
}

const obstacleWords: Readonly<Partial<Record<TransferObstacle, string>>> = {
  noField: 'no input field',
  smallField: 'input field too small',
  locked: 'keyboard locked',
};

async function transfer(
  terminal: ScriptedTerminal,
  parameters: readonly string[],
  { tools }: ScriptCaller,
): Promise<ActionData> {
  if (!terminal.isIn3270Mode) throw new ActionError('Transfer(): Not connected in 3270 mode');
  const told = readKeywords(parameters);
  const all = { ...terminal.options.transferDefaults, ...told };
  const { localfile: named = '', ...others } = all;
  checkTogether(told, all);
  if (named === '') throw new ActionError("Local file '': No such file or directory");
  const { direction = 'receive', hostfile = '', exist = 'keep' } = others;
  const localfile = (await tools.isFolder(named)) ? `${named}/${hostfile}` : named;
  const words = { ...others, localfile };
  const receives = direction === 'receive';
  if (receives && exist === 'keep' && (await tools.isThere(localfile))) {
    throw new ActionError('Transfer(): File exists');
  }
  if (receives) await tools.checkWritable(localfile);
  const began = performance.now();
  const end = await terminal.conversation.transferFile(await transferOf(terminal, words, tools));
  if (end.kind === 'failed') {
    const why = (end.obstacle && obstacleWords[end.obstacle]) ?? end.words;
    throw new ActionError(end.reason === 'notStarted' ? `Cannot begin transfer: ${why}` : why);
  }
  if (receives)
    await tools.writeBytes(localfile, end.file ?? new Uint8Array(0), exist === 'append' ? 'append' : 'replace');
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

export const transferringActions: ActionFamily = {
  Transfer: { takes: [0, ANY_NUMBER], act: transfer },
};
