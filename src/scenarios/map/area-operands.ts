import { codePointCount } from '../../lib/text/characters.js';
import { listed, type OperandReader } from '../operand-reader.js';
import type { Operand, SourcePlace, WordOperand } from '../syntax.js';
import {
  type AreaContent,
  type AreaDefinition,
  type AreaPattern,
  type AreaSource,
  areaContents,
  type VariableTarget,
} from './definition.js';
import { ELEMENT_PATH_STEPS, type ElementPath, parseElementPath } from './element-tree.js';

export const areaLimits = { length: 32_767, patternLength: 1_024 } as const;

/**
 * Lengths of the two numbers of an OFFSET-LENGTH area, see RecordBuilder. Two times seven digits cover every position.
 */
const referenceLength = { least: 14, most: 32, usual: 16 } as const;

const sourceWords = ['FROM-CONSTANT', 'FROM-VARIABLE', 'FROM-LAST-FOUND-ELEMENT-NAME'] as const;
type SourceWord = (typeof sourceWords)[number];

interface TargetForm {
  readonly inRecord: boolean;
  readonly mode: VariableTarget['mode'];
}

const targetForms: ReadonlyMap<string, TargetForm> = new Map([
  ['TO-VARIABLE', { inRecord: true, mode: 'replace' }],
  ['TO-VARIABLE-ONLY', { inRecord: false, mode: 'replace' }],
  ['TO-TABLE-VARIABLE-ONLY', { inRecord: false, mode: 'append' }],
]);

interface AreaWords {
  readonly source:
    | { readonly word: SourceWord; readonly place: SourcePlace; readonly text: string | undefined }
    | undefined;
  readonly target:
    | { readonly form: TargetForm; readonly place: SourcePlace; readonly text: string | undefined }
    | undefined;
}

interface AreaSurroundings {
  /** `event/` for each enclosing event group. */
  readonly variablePrefix: string;
  /** WITH of the innermost group that has one; it is the element of an area without WITH. */
  readonly groupPath: ElementPath | undefined;
}

export function readArea(
  reader: OperandReader,
  kind: 'element' | 'attribute',
  { variablePrefix, groupPath }: AreaSurroundings,
): AreaDefinition | undefined {
  const words = readWords(reader);
  const path = elementPathOperand(reader, 'WITH');
  const variable = variableOperand(reader, path);
  const attribute = kind === 'attribute' ? reader.requiredText('VALUEOF') : undefined;
  if (kind === 'attribute' && words.source !== undefined) {
    reader.report(words.source.place, `${words.source.word} cannot be combined with AREA-ATTRIBUTE`);
  }
  const source = attribute === undefined ? readSource(reader, words, path, variable) : attributeSource(path, attribute);
  const target = readTarget(
    reader,
    words,
    source?.from === 'variable' && words.source?.text === undefined ? undefined : variable,
  );
  const content = readContent(reader);
  const pattern = readFormat(reader, content);
  const inRecord = words.target?.form.inRecord ?? true;
  const length = readLength(reader, content, source, inRecord);
  if (source === undefined || content === undefined) return undefined;
  const name =
    source.from === 'variable' ? undefined : (target?.variable ?? variable ?? fieldName(source, path, groupPath));
  const fieldVariable = name === undefined ? undefined : variablePrefix + name;
  const { line, column } = reader.place;
  return { kind: 'area', source, content, length, pattern, inRecord, target, fieldVariable, line, column };
}

function readWords(reader: OperandReader): AreaWords {
  let source: AreaWords['source'];
  let target: AreaWords['target'];
  const operands = reader.rest();
  for (let at = 0; at < operands.length; at++) {
    const operand = operands[at];
    if (operand === undefined) break;
    const word = operand.kind === 'word' ? operand.word : undefined;
    const sourceWord = sourceWords.find((known) => known === word);
    const form = word === undefined ? undefined : targetForms.get(word);
    const text = operandText(operands[at + 1]);
    if (sourceWord !== undefined && source === undefined) source = { word: sourceWord, place: operand, text };
    else if (form !== undefined && target === undefined) target = { form, place: operand, text };
    else
      reader.report(
        operand,
        `an area takes one of ${listed(sourceWords)} and one of ${listed([...targetForms.keys()])}`,
      );
    if (text !== undefined) at++;
  }
  return { source, target };
}

function operandText(operand: Operand | undefined): string | undefined {
  return operand?.kind === 'string' ? operand.text : undefined;
}

/** VAR='name', or VAR==WITH: the variable has the name of the element. */
function variableOperand(reader: OperandReader, path: ElementPath | undefined): string | undefined {
  const operand = reader.optional('VAR');
  if (operand?.kind !== 'word' || operand.word !== '=WITH') return reader.optionalText('VAR');
  if (path === undefined) reader.report(operand, 'VAR==WITH needs WITH=');
  return path?.text;
}

function attributeSource(path: ElementPath | undefined, attribute: string): AreaSource {
  return { from: 'attribute', path, attribute };
}

function readSource(
  reader: OperandReader,
  { source }: AreaWords,
  path: ElementPath | undefined,
  variable: string | undefined,
): AreaSource | undefined {
  if (source === undefined) return { from: 'element', path };
  switch (source.word) {
    case 'FROM-CONSTANT':
      if (source.text === undefined) reader.report(source.place, 'FROM-CONSTANT needs a constant in quotes after it');
      return source.text === undefined ? undefined : { from: 'constant', text: source.text };
    case 'FROM-VARIABLE': {
      const name = source.text ?? variable;
      if (name === undefined && reader.optional('VAR') === undefined) {
        reader.report(source.place, 'FROM-VARIABLE needs the name of a variable: VAR=');
      }
      return name === undefined ? undefined : { from: 'variable', variable: name };
    }
    case 'FROM-LAST-FOUND-ELEMENT-NAME':
      return { from: 'lastFoundElementName' };
  }
}

function readTarget(
  reader: OperandReader,
  { target }: AreaWords,
  variable: string | undefined,
): VariableTarget | undefined {
  if (target === undefined) return undefined;
  const name = target.text ?? variable;
  if (name !== undefined) return { variable: name, mode: target.form.mode };
  if (reader.optional('VAR') === undefined) reader.report(target.place, 'the name of the variable is missing: VAR=');
  return undefined;
}

function readContent(reader: OperandReader): AreaContent | undefined {
  const operand = reader.optional('TYPE');
  if (operand === undefined) return 'X';
  const words = (operand.kind === 'list' ? operand.items : [operand]).filter(
    (item): item is WordOperand => item.kind === 'word',
  );
  const name = words.map(({ word }) => word).join('-');
  const content = areaContents.find((known) => known === name);
  if (content === undefined) {
    reader.report(
      operand,
      `TYPE= must be ${listed(areaContents).replace('ONLY9-LEFT-ALIGNED', '(ONLY9,LEFT-ALIGNED)')}`,
    );
  }
  return content;
}

function readFormat(reader: OperandReader, content: AreaContent | undefined): AreaPattern | undefined {
  const operand = reader.optional('FORMAT');
  if (operand === undefined) return undefined;
  const [text, placeholder, ...more] = (operand.kind === 'list' ? operand.items : []).map((item) =>
    item.kind === 'string' || item.kind === 'word' ? item.text : '',
  );
  if (text === undefined || placeholder === undefined || codePointCount(placeholder) !== 1 || more.length > 0) {
    reader.report(operand, "FORMAT= must be ('pattern','character')");
  } else if (!text.includes(placeholder)) {
    reader.report(operand, `the pattern has no "${placeholder}" where characters could be put`);
  } else if (text.length > areaLimits.patternLength) {
    reader.report(operand, `the pattern is longer than ${areaLimits.patternLength} characters`);
  } else if (content?.startsWith('OFFSET-LENGTH')) {
    reader.report(operand, `FORMAT= cannot be combined with TYPE=${content}`);
  } else {
    return { text, placeholder };
  }
  return undefined;
}

function readLength(
  reader: OperandReader,
  content: AreaContent | undefined,
  source: AreaSource | undefined,
  inRecord: boolean,
): number | undefined {
  const given = reader.optional('LENGTH');
  if (content?.startsWith('OFFSET-LENGTH'))
    return given === undefined ? referenceLength.usual : readReferenceLength(reader);
  const length = reader.optionalInteger('LENGTH', 1, areaLimits.length);
  if (given !== undefined || !inRecord || source === undefined) return length;
  if (source.from === 'constant') return codePointCount(source.text);
  return reader.report(reader.place, 'LENGTH= is missing');
}

function readReferenceLength(reader: OperandReader): number | undefined {
  const { least, most } = referenceLength;
  const length = reader.optionalInteger('LENGTH', least, most);
  if (length !== undefined && length % 2 === 1) {
    reader.report(
      reader.optional('LENGTH') ?? reader.place,
      'LENGTH= of an OFFSET-LENGTH area must be even: half each',
    );
  }
  return length;
}

function fieldName(
  source: AreaSource,
  path: ElementPath | undefined,
  groupPath: ElementPath | undefined,
): string | undefined {
  const element = path?.text;
  switch (source.from) {
    case 'element':
      return element ?? groupPath?.text;
    case 'attribute':
      return element === undefined ? source.attribute : `${element}/${source.attribute}`;
    default:
      return element;
  }
}

export function elementPathOperand(reader: OperandReader, name: string): ElementPath | undefined {
  const text = reader.optionalText(name);
  return text === undefined ? undefined : reportedPath(reader, text, reader.optional(name) ?? reader.place);
}

export function reportedPath(reader: OperandReader, text: string, place: SourcePlace): ElementPath | undefined {
  const path = parseElementPath(text);
  if (path === undefined) {
    reader.report(
      place,
      `"${text}" does not name an element: a name, or 2 to ${ELEMENT_PATH_STEPS} names with slashes`,
    );
  }
  return path;
}
