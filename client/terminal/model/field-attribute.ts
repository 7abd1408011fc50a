/** The bits of the 3270 field attribute and of its validation attribute (docs/screen-protocol.md). */
const bits = { protected: 0x20, numeric: 0x10, display: 0x0c, modified: 0x01 } as const;
const displays = { detectable: 0x04, intensified: 0x08, nonDisplayable: 0x0c } as const;

export const validations = { mandatoryFill: 0x04, mandatoryEntry: 0x02, trigger: 0x01 } as const;

export const MODIFIED = bits.modified;

export const isProtected = (attribute: number) => (attribute & bits.protected) !== 0;
export const isNumeric = (attribute: number) => (attribute & bits.numeric) !== 0;
/** Protected and numeric together: the cursor passes over the field. */
export const isAutoSkip = (attribute: number) => isProtected(attribute) && isNumeric(attribute);
export const isModified = (attribute: number) => (attribute & bits.modified) !== 0;
export const isNonDisplayable = (attribute: number) => (attribute & bits.display) === displays.nonDisplayable;
export const isIntensified = (attribute: number) => (attribute & bits.display) === displays.intensified;
/** A light pen finds fields of both middle values. */
export const isDetectable = (attribute: number) =>
  (attribute & bits.display) === displays.detectable || isIntensified(attribute);
