import { type DocumentFault, errorAt, type KeyPath } from '../lib/documents/source-diagnostic.js';
import type { NameGuesses } from '../lib/text/nearest-name.js';
import { attributesThatNeed, type TransferOptions, transferCommand } from '../tn3270/file-transfer/transfer-options.js';
import type { TextOrParameter } from '../tn3270/keyboard/text-pieces.js';
import type { ServiceTransfer } from './service-definition.js';
import type { ParameterDocument, TransferDocument } from './service-document.js';

/** Valid host file names, used to check the options if the real name depends on parameters. */
const anyFile: Readonly<Record<TransferOptions['host'], string>> = { tso: 'A', vm: 'A B', cics: 'A' };

interface TransferSurroundings {
  readonly path: KeyPath;
  readonly parameters: Readonly<Record<string, ParameterDocument>>;
  readonly file: readonly TextOrParameter[];
  readonly near: NameGuesses['didYouMean'];
}

export function buildTransfer(
  document: TransferDocument,
  surroundings: TransferSurroundings,
): { readonly transfer: ServiceTransfer; readonly faults: readonly DocumentFault[] } {
  const { parameters, file } = surroundings;
  const { direction, host, mode, contents, most, description = '', seconds } = document;
  const { primarySpace, secondarySpace, spaceUnit, averageBlock } = document;
  const isText = mode === 'text';
  const options: Omit<TransferOptions, 'hostFile'> = {
    direction,
    host,
    text: isText,
    lines: isText && document.lines,
    append: document.append && direction === 'send',
    recordFormat: document.recordFormat,
    recordLength: document.recordLength,
    blockSize: document.blockSize,
    space:
      primarySpace === undefined
        ? undefined
        : { unit: spaceUnit, primary: primarySpace, secondary: secondarySpace, averageBlock },
    otherOptions: document.otherOptions,
  };
  const transfer: ServiceTransfer = {
    options,
    file,
    contents,
    encoding:
      direction === 'send'
        ? (parameters[contents]?.encoding ?? 'text')
        : (document.encoding ?? (isText ? 'text' : 'base64')),
    remap: document.remap,
    mostBytes: most,
    milliseconds: seconds === undefined ? undefined : Math.round(seconds * 1_000),
    description,
  };
  return { transfer, faults: [...faultsOf(document, transfer, surroundings)] };
}

function* faultsOf(
  document: TransferDocument,
  { options, encoding }: ServiceTransfer,
  { path, parameters, file, near }: TransferSurroundings,
): Generator<DocumentFault> {
  const { direction, contents, primarySpace } = document;
  for (const key of attributesThatNeed('primarySpace')) {
    if (document[key] !== undefined && primarySpace === undefined) {
      yield errorAt([...path, key], 'expected "primarySpace" as well');
    }
  }
  const whole = file.every((piece) => piece.kind === 'text');
  const hostFile = whole
    ? file.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('')
    : anyFile[options.host];
  const command = transferCommand({ ...options, hostFile });
  if (command.kind === 'fault') yield errorAt(path, command.fault);
  for (const piece of file) {
    if (piece.kind === 'parameter' && parameters[piece.name]?.secret === true) {
      yield errorAt([...path, 'file'], `the parameter "${piece.name}" is secret, but the host displays its commands`);
    }
  }
  if (direction === 'receive') {
    // without a code page, received bytes are not necessarily valid text
    if (encoding === 'text' && (!options.text || !document.remap)) {
      yield errorAt([...path, 'encoding'], 'without "remap" the content may not be text: expected base64');
    }
    return;
  }
  for (const key of ['most', 'encoding', 'description'] as const) {
    if (document[key] !== undefined && (key !== 'most' || document.most !== MOST_RECEIVED)) {
      yield errorAt([...path, key], `for a file that is sent, the parameter has ${key === 'most' ? 'maxBytes' : key}`);
    }
  }
  const files = Object.entries(parameters).flatMap(([name, { type }]) => (type === 'file' ? [name] : []));
  if (!files.includes(contents)) {
    yield errorAt([...path, 'contents'], `there is no parameter "${contents}" of type file${near(contents, files)}`);
  }
}

const MOST_RECEIVED = 1_048_576;
