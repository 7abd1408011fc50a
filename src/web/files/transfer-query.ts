import { ServiceError } from '../../lib/errors.js';
import { didYouMean } from '../../lib/text/nearest-name.js';
import {
  LEAST_BUFFER_BYTES,
  MOST_BUFFER_BYTES,
  recordFormats,
  spaceUnits,
  type TransferOptions,
  transferCommand,
  transferHosts,
} from '../../tn3270/file-transfer/transfer-options.js';
import { parameterNamed } from '../http/request-parameters.js';

const names = [
  'direction',
  'file',
  'host',
  'mode',
  'lines',
  'remap',
  'append',
  'recordFormat',
  'recordLength',
  'blockSize',
  'primarySpace',
  'secondarySpace',
  'spaceUnit',
  'averageBlock',
  'otherOptions',
  'bufferSize',
] as const;
type ParameterName = (typeof names)[number];

/** What a client wants transferred, and how. */
export interface TransferWish {
  readonly options: TransferOptions;
  /** Text is translated from UTF-8; else as IND$FILE does it. */
  readonly remap: boolean;
  /** Of a record to the host; undefined: as many as it was told. */
  readonly bufferBytes: number | undefined;
}

/**
 * Reads the query of a transfer (docs/file-transfer.md).
 * @throws ServiceError SVC_ERR_REQUEST_PARAMETERS
 */
export function readTransferQuery(parameters: ReadonlyMap<string, readonly string[]>): TransferWish {
  for (const given of parameters.keys()) {
    if (names.some((name) => name.toUpperCase() === given.toUpperCase())) continue;
    throw refused(`There is no such parameter: "${given.slice(0, 64)}"${didYouMean(given, names)}.`);
  }
  const given = (name: ParameterName) => parameterNamed(parameters, name);
  const choice = <T extends string>(name: ParameterName, choices: readonly T[]): T | undefined => {
    const value = given(name);
    const found = choices.find((one) => one === value);
    if (value === undefined || found !== undefined) return found;
    throw refused(`Expected ${name}: ${choices.join(', ')}.`);
  };
  const isSet = (name: ParameterName, usual: 'yes' | 'no') => (choice(name, ['yes', 'no']) ?? usual) === 'yes';
  const number = (name: ParameterName): number | undefined => {
    const value = given(name);
    if (value === undefined || /^\d{1,9}$/.test(value)) return value === undefined ? undefined : Number(value);
    throw refused(`Expected ${name}: a number.`);
  };
  const direction = choice('direction', ['send', 'receive']);
  if (direction === undefined) throw refused('Expected direction: send, receive.');
  const text = (choice('mode', ['text', 'binary']) ?? 'text') === 'text';
  const bufferBytes = number('bufferSize');
  if (bufferBytes !== undefined && (bufferBytes < LEAST_BUFFER_BYTES || bufferBytes > MOST_BUFFER_BYTES)) {
    throw refused(`Expected bufferSize: ${LEAST_BUFFER_BYTES} to ${MOST_BUFFER_BYTES}.`);
  }
  const options: TransferOptions = {
    direction,
    host: choice('host', transferHosts) ?? 'tso',
    hostFile: given('file') ?? '',
    text,
    lines: text && isSet('lines', 'yes'),
    append: isSet('append', 'no') && direction === 'send',
    recordFormat: choice('recordFormat', recordFormats),
    recordLength: number('recordLength'),
    blockSize: number('blockSize'),
    space: readSpace(number, choice('spaceUnit', spaceUnits)),
    otherOptions: given('otherOptions'),
  };
  const command = transferCommand(options);
  if (command.kind === 'fault') throw refused(`${command.fault}.`);
  return { options, remap: isSet('remap', 'yes'), bufferBytes };
}

function readSpace(
  number: (name: ParameterName) => number | undefined,
  unit: (typeof spaceUnits)[number] | undefined,
): TransferOptions['space'] {
  const [primary, secondary, averageBlock] = [number('primarySpace'), number('secondarySpace'), number('averageBlock')];
  if (primary !== undefined) return { unit, primary, secondary, averageBlock };
  if ((secondary ?? averageBlock ?? unit) === undefined) return undefined;
  throw refused('Expected primarySpace, with secondarySpace, averageBlock or spaceUnit.');
}

function refused(detail: string): ServiceError {
  return new ServiceError('SVC_ERR_REQUEST_PARAMETERS', { detail });
}
