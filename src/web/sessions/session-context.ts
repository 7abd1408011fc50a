import type { HostScreen } from '../../screen/host-screen.js';
import type { BrowserSession } from '../../session/browser-session.js';
import { sessionNotice } from '../../session/session-notice.js';
import type { SessionService } from '../../session/session-service.js';
import type { CompiledTemplate } from '../../template/compiled-template.js';
import type { Capability, RenderContext } from '../../template/render-context.js';
import { type ItemNames, sessionlessContext } from '../../template/sessionless-context.js';
import type { SiteMacros } from '../http/client-site.js';
import { encryptedFields } from './encrypted-fields.js';

export const OWN_DIRECTORY = 'GIVING-ACCESS-TO-%USER%-DIRECTORY-WITH-MY-USERID' satisfies Capability;

/** Of the system (specification 2.5), where no scenario has made one of that name. */
const APPLICATION_VARIABLE = '$$APP';

export interface SessionContextOptions {
  readonly session: BrowserSession;
  readonly sessions: SessionService;
  readonly screen: HostScreen;
  readonly names: ItemNames;
  readonly codePage: string;
  readonly macros: SiteMacros | undefined;
  /** The key of the user's own macros, where the template uses it and there is one. */
  readonly ownDirectoryKey: string | undefined;
}

/** What a template is told within a session. */
export function sessionContext(
  template: CompiledTemplate,
  { session, sessions, screen, names, codePage, macros, ownDirectoryKey }: SessionContextOptions,
): RenderContext {
  const { crypto, place, host } = session;
  const ofScreen: ReadonlyMap<string, () => number> = new Map([
    ['SCREEN-LINES', () => screen.rows],
    ['SCREEN-COLUMNS', () => screen.columns],
    ['SCREEN-FIELDS', () => screen.fields.length],
    ['SCREEN-INPUT-FIELDS', () => screen.fields.filter(({ isProtected }) => !isProtected).length],
  ]);
  const ofSession: ReadonlyMap<string, () => string | undefined> = new Map([
    ['RELAY', () => host.deviceName],
    ['PSEUDO-TERMINAL', () => host.deviceName],
    ['TERMINAL', () => place.address],
    ['SNA-STATUS', () => (session.screen.state.operator.keyboardLocked ? 'X' : ' ')],
    ['TRANSACTION-EXTERNAL', () => place.transaction],
    ['USER', () => place.user],
    ['GROUP', () => place.group],
  ]);
  /** Variables of the product; a page finds them by these names. */
  const ofPage: ReadonlyMap<string, () => string[] | undefined> = new Map([
    ['$NOTICE$', () => (sessionNotice(session) === '' ? undefined : [sessionNotice(session)])],
    ['$USER$', () => (place.user === '' ? undefined : [place.user])],
    ['$ENCRYPTION$', () => (crypto === undefined ? undefined : [crypto.name])],
    ['$REQUEST-NUMBER$', () => [String(session.numbering.next)]],
    // without a user the centralized directories cannot be asked for
    ['$MACROS$', () => [macros !== undefined && place.user !== '' ? 'centralized' : 'local']],
    ['$MACROS-REFRESH$', () => (macros === undefined ? undefined : [macros.autoRefresh])],
  ]);
  const conditions: ReadonlyMap<string, () => string | undefined> = new Map([
    ['APPLICATION-IS-CONNECTED', () => place.application],
    ['SIGNON-IS-OK', () => place.user || undefined],
  ]);
  let changingCode: string | undefined;
  return {
    ...sessionlessContext(template, {
      valuesOf: (variable) =>
        ofPage.get(variable.toUpperCase())?.() ??
        session.variables?.valuesOf(variable) ??
        (variable === APPLICATION_VARIABLE ? [place.application] : undefined),
      names: { ...names, get: (item) => ofSession.get(item)?.() ?? names.get(item) },
      trace: undefined,
      codePage,
    }),
    numberOf: (item) => ofScreen.get(item)?.(),
    condition: (condition) => conditions.get(condition)?.(),
    publicKey: (part, cryptName) => (crypto?.name === cryptName ? crypto.publicKey(part) : undefined),
    encryptionParameters: (cryptName) => (crypto?.name === cryptName ? crypto.parameters : undefined),
    get sessionCode() {
      // one for each page, made where the page asks for it
      changingCode ??= sessions.registry.changeCode(session);
      return `SvcSession=${changingCode}`;
    },
    ajaxSessionCode: `SvcSession=${session.code}`,
    capability: (type) => (type === OWN_DIRECTORY ? ownDirectoryKey : undefined),
    screen,
    encryptsFields: crypto !== undefined,
    encryptedFields: (named) => encryptedFields(template.uses, named),
  };
}
