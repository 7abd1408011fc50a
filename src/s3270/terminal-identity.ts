import type { CodePage } from '../tn3270/codepage/code-page.js';
import { findCharacterSetIdentifiers } from '../tn3270/datastream/query-reply.js';
import type { TerminalModel } from '../tn3270/screen/screen-size.js';
import type { NamedHost } from './host-name.js';
import type { Toggles } from './toggles.js';

export interface TerminalKind {
  /** Name of the model, independent of its size: `IBM-3279-4-E`. */
  readonly name: string;
  readonly model: TerminalModel;
  readonly modelNumber: number;
  readonly codePage: CodePage;
  /** As requested: `bracket`, `cp037`. */
  readonly codePageName: string;
}

export const LINE_TERMINAL = 'xterm';

type TerminalNames = Pick<TerminalModel, 'terminalType' | 'deviceType'>;

export function terminalNames(model: TerminalModel, host: NamedHost | undefined, name: string): TerminalNames {
  const { terminalType, deviceType } = name === '' ? model : { terminalType: name, deviceType: name };
  if (host?.isLineTerminal === true) return { terminalType: LINE_TERMINAL, deviceType };
  if (host?.isExtended !== false || name !== '') return { terminalType, deviceType };
  // -E: with extended attributes
  return { terminalType: terminalType.replace(/-E$/, ''), deviceType: deviceType.replace(/-E$/, '') };
}

/** Keyboards by code page (RFC 4777, section 5; code pages with the euro sign use those without it). */
const keyboards: ReadonlyMap<number, string> = new Map(
  Object.entries({
    USB: [37, 1047, 1140],
    AGB: [273, 1141],
    BRB: [275],
    NWB: [277, 1142],
    FNB: [278, 1143],
    ITB: [280, 1144],
    SPB: [284, 1145],
    UKB: [285, 1146],
    FAB: [297, 1147],
    NCB: [424, 803],
    BLI: [500, 1148],
    PLB: [870],
    ICB: [871, 1149],
    GNB: [875],
    CYB: [880],
    TRB: [1026],
    THB: [1160],
  }).flatMap(([keyboard, codePages]) => codePages.map((codePage) => [codePage, keyboard] as const)),
);

/** Variables sent only if requested by name, as IBM i requests them (RFC 4777). */
export function environmentByName(codePage: number): ReadonlyMap<string, string> {
  const { singleByte } = findCharacterSetIdentifiers(codePage);
  const [characterSet, page] = [singleByte >>> 16, singleByte & 0xffff];
  const keyboard = keyboards.get(page);
  return new Map([
    ['CODEPAGE', String(page)],
    ['CHARSET', String(characterSet)],
    ...(keyboard === undefined ? [] : [['KBDTYPE', keyboard] as const]),
  ]);
}

/**
 * Variables for NEW-ENVIRON (RFC 1572, RFC 4777), sent also if the host requests all. IBMELF and IBMAPPLID are for
 * express logon of z/OS: the host replaces user and password in the login macro by a user ID and a passticket.
 */
export function newEnvironment(
  toggles: Toggles,
  asked: string | undefined,
  applicationId: string,
): ReadonlyMap<string, string> {
  const user = asked ?? toggles.get('user');
  const device = toggles.get('devName');
  return new Map([
    ['USER', user] as const,
    ...(device === '' ? [] : [['DEVNAME', device] as const]),
    ['IBMELF', 'YES'] as const,
    ['IBMAPPLID', applicationId] as const,
  ]);
}
