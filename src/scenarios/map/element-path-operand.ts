import type { OperandReader } from '../operand-reader.js';
import type { SourcePlace } from '../syntax.js';
import { ELEMENT_PATH_STEPS, type ElementPath, parseElementPath } from './element-path.js';

/** The element of `NAME='element'`; undefined if it is absent, or faulty and reported. */
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
