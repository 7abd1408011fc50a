import type { Language } from '../../lib/locale.js';
import type { BrowserSession } from '../../sessions/browser-session.js';
import type { BrowserSessions } from '../../sessions/browser-sessions.js';
import { sessionNotice } from '../../sessions/session-notice.js';
import type { CompiledTemplate, TemplateUses } from '../../templates/compiled-template.js';
import { type ItemNames, sessionlessContext } from '../../templates/render.js';
import type { Capability, CapabilityTokens, RenderContext } from '../../templates/render-context.js';
import type { HostScreen } from '../../tn3270/screen/form-screen.js';
import type { SiteMacros } from '../http/client-site.js';
import { scenarioRunsOf } from '../scenarios/session-scenario-runs.js';
import { sessionLabel } from './session-cookie.js';
import { printerOf } from './session-printing.js';
import { encryptedFields } from './submission.js';

/** Variable of the system (specification 2.5), unless a scenario has defined one of this name. */
const APPLICATION_VARIABLE = '$$APP';

/** Reading it marks the notice as shown. */
const NOTICE_VARIABLE = '$NOTICE$';

interface PageSettings {
  readonly ofSite: (group: string) => string;
  /** True if this server stores the settings of signed-on users. */
  readonly isStored: boolean;
}

interface SessionContextOptions {
  readonly session: BrowserSession;
  readonly screen: HostScreen;
  readonly names: ItemNames;
  readonly codePage: string;
  readonly macros: SiteMacros | undefined;
  readonly settings: PageSettings;
  readonly issued: IssuedForPage;
  readonly printing: { readonly isReady: boolean; readonly printedText: string | undefined };
  readonly embedders: readonly string[];
  readonly language: Language;
}

export function sessionContext(
  template: CompiledTemplate,
  { session, screen, names, codePage, macros, settings, issued, embedders, printing, language }: SessionContextOptions,
): RenderContext {
  const { crypto, facts, conversation } = session;
  const ofScreen: ReadonlyMap<string, () => number> = new Map([
    ['SCREEN-LINES', () => screen.rows],
    ['SCREEN-COLUMNS', () => screen.columns],
    ['SCREEN-FIELDS', () => screen.fields.length],
    ['SCREEN-INPUT-FIELDS', () => screen.fields.filter(({ isProtected }) => !isProtected).length],
  ]);
  const ofSession: ReadonlyMap<string, () => string | undefined> = new Map([
    ['RELAY', () => conversation.deviceName],
    ['PSEUDO-TERMINAL', () => conversation.deviceName],
    ['PRINT-RELAY', () => printerOf(session)?.logicalUnit],
    ['TERMINAL', () => facts.address],
    ['SNA-STATUS', () => (session.screen.state.operator.keyboardLocked ? 'X' : ' ')],
    ['TRANSACTION-EXTERNAL', () => facts.transaction],
    ['USER', () => facts.user],
    ['GROUP', () => facts.group],
  ]);
  const ofPage: ReadonlyMap<string, () => string[] | undefined> = new Map([
    [NOTICE_VARIABLE, () => nonEmpty(sessionNotice(session, language))],
    ['$USER$', () => (facts.user === '' ? undefined : [facts.user])],
    ['$ENCRYPTION$', () => (crypto === undefined ? undefined : [crypto.name])],
    ['$SESSION-LABEL$', () => [sessionLabel(session.code)]],
    ['$EMBEDDERS$', () => (embedders.length === 0 ? undefined : [embedders.join(' ')])],
    ['$SETTINGS$', () => [settings.ofSite(facts.group)]],
    ['$SETTINGS-PLACE$', () => [settings.isStored && facts.user !== '' ? 'server' : 'browser']],
    ['$REQUEST-NUMBER$', () => [String(session.numbering.next)]],
    // centralized macros require a user
    ['$MACROS$', () => [macros !== undefined && facts.user !== '' ? 'centralized' : 'local']],
    ['$MACROS-REFRESH$', () => (macros === undefined ? undefined : [macros.autoRefresh])],
  ]);
  const conditions: ReadonlyMap<string, () => string | undefined> = new Map([
    ['APPLICATION-IS-CONNECTED', () => facts.application],
    ['SIGNON-IS-OK', () => facts.user || undefined],
  ]);
  return {
    screen,
    isLive: (variable) => variable.toUpperCase() !== NOTICE_VARIABLE,
    ...sessionlessContext(template, {
      valuesOf: (variable) =>
        ofPage.get(variable.toUpperCase())?.() ??
        session.options.scenarios.valuesOf(variable) ??
        (variable === APPLICATION_VARIABLE ? [facts.application] : undefined),
      names: { ...names, get: (item) => ofSession.get(item)?.() ?? names.get(item) },
      trace: scenarioRunsOf(session)?.trace,
      codePage,
    }),
    numberOf: (item) => ofScreen.get(item)?.(),
    condition: (condition) => conditions.get(condition)?.(),
    publicKey: (part, cryptName) => (crypto?.name === cryptName ? crypto.publicKey(part) : undefined),
    encryptionParameters: (cryptName) => (crypto?.name === cryptName ? crypto.parameters : undefined),
    sessionCode: issued.code === undefined ? undefined : `SvcSession=${issued.code}`,
    ajaxSessionCode: `SvcSession=${session.code}`,
    capabilities: issued.capabilities,
    isPrintReady: printing.isReady,
    printedText: printing.printedText,
    isPdf: printing.printedText !== undefined && template.uses.pdf !== undefined,
    declarations: scenarioRunsOf(session)?.declarations,
    encryptsFields: crypto !== undefined,
    encryptedFields: (named) => encryptedFields(template.uses, named),
  };
}

function nonEmpty(text: string): string[] | undefined {
  return text === '' ? undefined : [text];
}

const OWN_DIRECTORY = 'GIVING-ACCESS-TO-%USER%-DIRECTORY-WITH-MY-USERID' satisfies Capability;

interface IssuedForPage {
  readonly code: string | undefined;
  readonly capabilities: CapabilityTokens;
}

export async function issueForPage(
  uses: TemplateUses,
  session: BrowserSession,
  { registry }: BrowserSessions,
  macros: SiteMacros | undefined,
): Promise<IssuedForPage> {
  const { user } = session.facts;
  const mayUseMacros = macros !== undefined && user !== '' && uses.capabilities.includes(OWN_DIRECTORY);
  const key = mayUseMacros
    ? await macros.service.issueKey({ level: 'user', name: user }, user).catch(() => undefined)
    : undefined;
  return {
    code: uses.sessionCode ? registry.changeCode(session) : undefined,
    capabilities: new Map(key === undefined ? [] : [[OWN_DIRECTORY, key]]),
  };
}
