import { codePointCount } from '../../lib/text/code-points.js';
import type { OperandReader } from '../operand-reader.js';
import { areaLimits } from './area-operands.js';
import type { EventualAlternative, EventualCondition } from './definition.js';
import type { ElementPath } from './element-path.js';
import { reportedPath } from './element-path-operand.js';

/**
 * Operands of MAP$ EVENTUAL-AREA and MAP$ ELSETHEN-AREA. LENGTH is accepted and without meaning: the constant is as long
 * as it is (spec 2.4: one character, where the source of the field says LENGTH=6). Undefined: faulty and reported.
 *
 * @param path the element that WHEN=(VALUE,…) compares; undefined: the current one
 */
export function readAlternative(reader: OperandReader, path: ElementPath | undefined): EventualAlternative | undefined {
  const constant = readConstant(reader);
  const length = reader.optionalInteger('LENGTH', 1, areaLimits.length);
  if (length !== undefined && constant !== undefined && length !== codePointCount(constant)) {
    const place = reader.optional('LENGTH') ?? reader.place;
    reader.warn(place, `LENGTH=${length} has no effect: the constant is as long as it is, ${codePointCount(constant)}`);
  }
  const when = reader.optional('WHEN') === undefined ? undefined : readCondition(reader, path);
  const event = reader.optionalText('EVENT');
  if (constant === undefined || (when === undefined && reader.optional('WHEN') !== undefined)) return undefined;
  return { constant, when, event };
}

function readConstant(reader: OperandReader): string | undefined {
  if (!reader.takeWord('FROM-CONSTANT')) {
    reader.report(reader.place, "FROM-CONSTANT,'constant' is missing");
    return undefined;
  }
  const operand = reader.next();
  if (operand?.kind === 'string') return operand.text;
  reader.report(operand ?? reader.place, 'FROM-CONSTANT needs a constant in quotes after it');
  return undefined;
}

/** WHEN=(ELEMENT,'element') or WHEN=(VALUE,'text'). */
function readCondition(reader: OperandReader, path: ElementPath | undefined): EventualCondition | undefined {
  const operand = reader.optional('WHEN');
  const items = operand?.kind === 'list' ? operand.items : [];
  const [kind, text] = items;
  const word = kind?.kind === 'word' ? kind.word : undefined;
  if (text?.kind === 'string' && items.length === 2) {
    if (word === 'VALUE') return { kind: 'value', value: text.text, path };
    if (word === 'ELEMENT') {
      const element = reportedPath(reader, text.text, text);
      return element === undefined ? undefined : { kind: 'element', path: element };
    }
  }
  reader.report(operand ?? reader.place, "WHEN= must be (ELEMENT,'element') or (VALUE,'text')");
  return undefined;
}
