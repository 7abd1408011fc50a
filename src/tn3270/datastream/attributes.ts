/** Types of the attribute pairs in SFE, MF and SA (GA23-0059, chapter 4, "Attributes"). */
export const attributeTypes = {
  resetAll: 0x00,
  highlighting: 0x41,
  foreground: 0x42,
  characterSet: 0x43,
  background: 0x45,
  transparency: 0x46,
  field: 0xc0,
  validation: 0xc1,
  outlining: 0xc2,
  inputControl: 0xfe,
} as const;

/** Values of the highlighting attribute; 0x00 is the device's default. */
export const highlightings = {
  default: 0x00,
  normal: 0xf0,
  blink: 0xf1,
  reverse: 0xf2,
  underscore: 0xf4,
  intensify: 0xf8,
} as const;

/** Values of the foreground and background attributes; 0x00 is the device's default. */
export const colours = {
  default: 0x00,
  neutralBlack: 0xf0,
  blue: 0xf1,
  red: 0xf2,
  pink: 0xf3,
  green: 0xf4,
  turquoise: 0xf5,
  yellow: 0xf6,
  neutralWhite: 0xf7,
  black: 0xf8,
  deepBlue: 0xf9,
  orange: 0xfa,
  purple: 0xfb,
  paleGreen: 0xfc,
  paleTurquoise: 0xfd,
  grey: 0xfe,
  white: 0xff,
} as const;

/** Values of the character set attribute: local identifiers of the sets in the Character Sets query reply. */
export const characterSets = {
  default: 0x00,
  apl: 0xf1,
  doubleByte: 0xf8,
} as const;

export const validations = { mandatoryFill: 0x04, mandatoryEntry: 0x02, trigger: 0x01 } as const;

export const inputControls = { disabled: 0x00, enabled: 0x01 } as const;
