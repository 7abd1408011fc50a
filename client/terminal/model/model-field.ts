import type { ReceivedField } from '../../../src/terminal/protocol/received-screen.js';
import { validations } from '../../../src/tn3270/datastream/attributes.js';
import * as attributes from '../../../src/tn3270/datastream/field-attribute.js';
import type { PresentationBuffer } from './presentation-buffer.js';

/** A field with its attribute decoded; colours and highlighting are protocol numbers. */
export interface ModelField {
  /** Address of its attribute; its first character follows. */
  readonly address: number;
  /** Address of its first character. */
  readonly start: number;
  readonly length: number;
  readonly isProtected: boolean;
  readonly isNumeric: boolean;
  readonly isAutoSkip: boolean;
  readonly isNonDisplayable: boolean;
  readonly isIntensified: boolean;
  readonly isDetectable: boolean;
  /** By the host or by typing. */
  readonly isModified: boolean;
  readonly mustBeFilled: boolean;
  readonly mustBeEntered: boolean;
  readonly isTrigger: boolean;
  readonly colour: number;
  readonly highlighting: number;
  readonly background: number;
}

export function modelField(field: ReceivedField, buffer: PresentationBuffer): ModelField {
  const { address, length, attribute, colour, highlighting, background, validation } = field;
  return {
    address,
    start: buffer.next(address),
    length,
    isProtected: attributes.isProtected(attribute),
    isNumeric: attributes.isNumeric(attribute),
    isAutoSkip: attributes.isAutoSkip(attribute),
    isNonDisplayable: attributes.isNonDisplayable(attribute),
    isIntensified: attributes.isIntensified(attribute),
    isDetectable: attributes.isDetectable(attribute),
    isModified: attributes.isModified(buffer.fieldAttributes[address] as number),
    mustBeFilled: (validation & validations.mandatoryFill) !== 0,
    mustBeEntered: (validation & validations.mandatoryEntry) !== 0,
    isTrigger: (validation & validations.trigger) !== 0,
    colour,
    highlighting,
    background,
  };
}
