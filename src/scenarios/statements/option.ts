import { addressText } from '../../lib/network/addresses.js';
import { type Assembly, faultyStep, type StatementDefinition } from '../assembly.js';
import { listed, OperandReader, type TextSource, textSource } from '../operand-reader.js';
import { outboundRequestLimits } from '../outbound/outbound.js';
import { ScenarioAbendError } from '../scenario-abend-error.js';
import { flow, type HttpOptions, type ScenarioRun } from '../scenario-run.js';
import type { Operand } from '../syntax.js';
import { bytesOf } from '../value.js';
import { noFileTransfer, notInThisVersionBut, refuseForm } from './form-statement.js';

const optionNames = ['METHOD', 'SITE', 'TO', 'TEXT', 'HEADER', 'FILE-OUT', 'FILE-IN', 'RET-CODE'] as const;
type OptionName = (typeof optionNames)[number];
type Options = Map<OptionName, TextSource[]>;

const methods = new Set(['GET', 'POST']);
const MOST_HEADERS = 100;

const throughHttp = notInThisVersionBut('send it to an HTTP service that passes it on, with OPTION$ FOR-HTTP');

/**
 * OPTION$ FOR-HTTP,(METHOD,'POST'),(SITE,'host:port'),(TO,'/path'),(TEXT,'more'),(HEADER,'Name: value')…,
 * (FILE-OUT,'variable'),(FILE-IN,'variable'),(RET-CODE,'variable'),TOVAR='name': stores the options of an outbound call
 * under a name, for SEND$ TO-LINE,PARMS='name'. An operand that begins with `*` is the value of a variable. TEXT is
 * percent-encoded if necessary.
 */
export const optionStatement: StatementDefinition = (assembly) => {
  const operands = new OperandReader(assembly);
  if (!operands.takeWord('FOR-HTTP')) {
    refuseForm(operands, ['FOR-HTTP'], {
      'FOR-SMTP': throughHttp,
      'FOR-MQ': throughHttp,
      'FOR-QUICKLNK': throughHttp,
      'FOR-IND$FILE-DOWNLOAD': noFileTransfer,
      'FOR-IND$FILE-UPLOAD': noFileTransfer,
    });
    return faultyStep;
  }
  const options: Options = new Map();
  for (const operand of operands.rest()) readOption(assembly, operand, options);
  const name = operands.requiredText('TOVAR');
  operands.done();
  if (!options.has('TO')) assembly.report(operands.place, "(TO,'/path') is missing");
  if (name === undefined) return faultyStep;
  return (run) => {
    run.httpOptions.set(name.toUpperCase(), httpOptions(run, options));
    return flow.next;
  };
};

function readOption(assembly: Assembly, operand: Operand, options: Options): void {
  const [nameOperand, value, ...more] = operand.kind === 'list' ? operand.items : [];
  const word = nameOperand?.kind === 'word' ? nameOperand.word : '';
  const name = optionNames.find((each) => each === word);
  if (name === undefined || value?.kind !== 'string' || more.length > 0) {
    assembly.report(operand, `an option is (name,'value'), its name ${listed(optionNames)}`);
    return;
  }
  const source = textSource(value.text);
  const { constant } = source;
  if (name === 'METHOD' && constant !== undefined && !methods.has(constant.toUpperCase())) {
    assembly.report(value, `the method must be ${listed([...methods])}`);
  }
  if (name === 'HEADER' && constant !== undefined && splitHeader(constant) === undefined) {
    assembly.report(value, "a header is 'Name: value'");
  }
  if (name === 'TO' && constant !== undefined && !constant.startsWith('/')) {
    assembly.report(value, 'the path must begin with "/"');
  }
  const sources = options.get(name);
  if (sources === undefined) options.set(name, [source]);
  else if (name !== 'HEADER') assembly.report(operand, `${name} is given twice`);
  else if (sources.length >= MOST_HEADERS) assembly.report(operand, `there are more than ${MOST_HEADERS} headers`);
  else sources.push(source);
}

function httpOptions(run: ScenarioRun, options: Options): HttpOptions {
  const text = (name: OptionName) => options.get(name)?.[0]?.text(run);
  const method = (text('METHOD') ?? 'GET').toUpperCase();
  if (!methods.has(method))
    throw new ScenarioAbendError(`OPTION$ FOR-HTTP: the method must be ${listed([...methods])}`);
  const headers = (options.get('HEADER') ?? []).map((source) => {
    const header = splitHeader(source.text(run) ?? '');
    if (header === undefined) throw new ScenarioAbendError("OPTION$ FOR-HTTP: a header is 'Name: value'");
    return header;
  });
  const more = text('TEXT') ?? '';
  const isTooLong = more.length > outboundRequestLimits.pathCharacters;
  return {
    method,
    headers,
    site: text('SITE')?.trim(),
    path: (text('TO') ?? '') + (isTooLong ? more : addressText(more, (part) => bytesOf(part, run.outputEncoding))),
    fileOut: text('FILE-OUT'),
    fileIn: text('FILE-IN'),
    returnCode: text('RET-CODE'),
  };
}

function splitHeader(header: string): readonly [name: string, value: string] | undefined {
  const match = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*)$/.exec(header);
  return match?.[1] === undefined ? undefined : [match[1], (match[2] ?? '').trimEnd()];
}
