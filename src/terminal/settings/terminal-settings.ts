export const themes = ['system', 'classic', '3279', 'light', 'high-contrast', 'solarized', 'own'] as const;
export const cursorShapes = ['block', 'underline', 'bar'] as const;
export const keyMaps = ['PC', 'x3270', 'HOD', 'PCOMM'] as const;
export const languages = ['browser', 'en', 'fr', 'de'] as const;
/** Items with configurable colors: the seven 3270 colors, the background and the cursor. */
export const colourNames = [
  'background',
  'blue',
  'red',
  'pink',
  'green',
  'turquoise',
  'yellow',
  'white',
  'cursor',
] as const;

type KeyMapName = (typeof keyMaps)[number];
type ColourName = (typeof colourNames)[number];
/** `#rrggbb`, in lower case. */
export type OwnColours = Readonly<Record<ColourName, string>>;
/** Differences from the key map: actions by key, `''` to disable a key. */
export type OwnKeys = Readonly<Record<string, string>>;

/** Keys of an application, identified by the name of its transaction. */
export interface ApplicationKeys {
  readonly keyMap: KeyMapName;
  readonly keys: OwnKeys;
}

export interface TerminalSettings {
  readonly theme: (typeof themes)[number];
  readonly ownColours: OwnColours;
  /** Pixels, or `fit` for the size of the window. */
  readonly fontSize: 'fit' | number;
  readonly cursorShape: (typeof cursorShapes)[number];
  readonly cursorBlink: boolean;
  readonly crossHair: boolean;
  /** Words of the screen are clickable: `F3=Menu`, addresses. */
  readonly hotspots: boolean;
  /** Wheel and swipe send PF7 and PF8. */
  readonly wheel: boolean;
  readonly keyMap: KeyMapName;
  readonly keys: OwnKeys;
  readonly applicationKeys: Readonly<Record<string, ApplicationKeys>>;
  readonly typeAhead: boolean;
  /** Nulls before typed text become blanks, and trailing blanks of a field give way to inserted text. */
  readonly blankFill: boolean;
  /** Plays a sound for the host's alarm. */
  readonly bell: boolean;
  /** Closing the page requires confirmation. */
  readonly confirmLeave: boolean;
  /** Shows a row of host keys on phones. */
  readonly phoneKeys: boolean;
  readonly language: (typeof languages)[number];
}

export type SettingName = keyof TerminalSettings;

export const SMALLEST_FONT = 8;
export const LARGEST_FONT = 64;

export const standardSettings: TerminalSettings = {
  theme: 'system',
  ownColours: {
    background: '#05080a',
    blue: '#8ab4ff',
    red: '#ff8080',
    pink: '#f5a3e0',
    green: '#4ade80',
    turquoise: '#5be3e3',
    yellow: '#ffe066',
    white: '#f4f6f8',
    cursor: '#4ade80',
  },
  fontSize: 'fit',
  cursorShape: 'block',
  cursorBlink: false,
  crossHair: false,
  hotspots: true,
  wheel: true,
  keyMap: 'PC',
  keys: {},
  applicationKeys: {},
  typeAhead: true,
  blankFill: false,
  bell: false,
  confirmLeave: true,
  phoneKeys: true,
  language: 'browser',
};

export const settingNames = Object.keys(standardSettings) as readonly SettingName[];
