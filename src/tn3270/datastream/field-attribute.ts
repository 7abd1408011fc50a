/**
 * The field attribute byte of SF and of attribute type 0xC0 (GA23-0059, chapter 4, "Field attributes"). Layout, bit 0
 * leftmost: 0–1 make the byte a graphic, 2 protected, 3 numeric, 4–5 display, 6 reserved, 7 modified.
 */
export const fieldAttributeBits = {
  protected: 0x20,
  numeric: 0x10,
  display: 0x0c,
  modified: 0x01,
} as const;

/** Set in stored field attributes, so that 0 means none. These graphic bits carry no information. */
export const FIELD_ATTRIBUTE_MARK = 0xc0;

export const displays = {
  normal: 0x00,
  normalDetectable: 0x04,
  intensified: 0x08,
  nonDisplayable: 0x0c,
} as const;

export const isProtected = (attribute: number) => (attribute & fieldAttributeBits.protected) !== 0;
export const isNumeric = (attribute: number) => (attribute & fieldAttributeBits.numeric) !== 0;
/** Protected and numeric: the cursor skips the field. */
export const isAutoSkip = (attribute: number) => isProtected(attribute) && isNumeric(attribute);
export const isModified = (attribute: number) => (attribute & fieldAttributeBits.modified) !== 0;
export const isNonDisplayable = (attribute: number) =>
  (attribute & fieldAttributeBits.display) === displays.nonDisplayable;
export const isIntensified = (attribute: number) => (attribute & fieldAttributeBits.display) === displays.intensified;
export const isDetectable = (attribute: number) =>
  (attribute & fieldAttributeBits.display) === displays.normalDetectable || isIntensified(attribute);
