import type { SurfaceName } from './surface.js';

/** Places outside src/session that begin a session, act through a door, or have a conversation of their own; or why they are no surface. */
export const callers: Readonly<Record<string, readonly SurfaceName[] | string>> = {
  'src/web/sessions/session-opening.ts': [
    'form',
    'plainForm',
    'json',
    'webSocket',
    'macro',
    'trial',
    'connectionScript',
  ],
  'src/web/sessions/session-router.ts': ['form', 'plainForm', 'json'],
  'src/web/terminal/screen-socket.ts': ['webSocket', 'macro'],
  'src/web/terminal/macro-stage.ts': ['macro'],
  'src/web/files/file-router.ts': ['json'],
  'src/web/recordings/recording-router.ts': ['trial'],
  'src/web/services/own-session-routes.ts': ['steps'],
  'src/web/services/call-route.ts': ['pool'],
  'src/services/pooled-session.ts': ['pool'],
  'src/web/scenarios/hosted-scenario.ts': ['scenario'],
  'src/composition/parts/scenario-services.ts':
    'A service made of a scenario: its caller is checked as that of a pool.',
  'src/operation/service-trials.ts': 'Administrators call services as programs do; the audit trail has each call.',
  'src/cli/services/try-service.ts': 'A command of the administrator, with a connection of its own.',
  'src/cli/drive/driven-conversation.ts': 'A command of the administrator, with a connection of its own.',
  'src/s3270/scripted-terminal.ts': 'A terminal of the command line, with a connection of its own.',
};

/** Members of types that state rules, and the rows that try them; or why a member is no rule of acting. */
export const members: Readonly<Record<string, Readonly<Record<string, readonly string[] | string>>>> = {
  'src/session/session-rules.ts SessionRules': {
    transfer: ['transferAbsent', 'transferSize', 'permission'],
    record: ['audit', 'auditUnavailable'],
  },
  'src/session/session-service.ts SessionAccess': { openTo: ['signOn'] },
  'src/session/session-registry.ts LineSessionLimits': {
    sessions: ['limitOfLine'],
    sessionsPerAddress: ['limitOfAddress'],
    sessionStartsPerAddress: 'It bounds beginnings by time: test/session/session-registry.',
    sessionIdleSeconds: ['idle'],
  },
  'src/session/session-facts.ts SessionTimes': {
    idleMilliseconds: ['idle'],
    initialMilliseconds: ['idle'],
    awayMilliseconds: ['idle'],
  },
  'src/web/services/api-caller.ts ApiCaller': {
    key: ['limitOfCaller'],
    name: ['audit'],
    user: ['signOn'],
    mayCall: ['permission'],
    maySession: ['permission'],
    maySeeScreens: ['role'],
  },
  'src/entry-point/transaction.ts Transaction': {
    name: 'It names the transaction.',
    externalName: 'It names the transaction.',
    description: 'It is for pages.',
    applicationType: 'It chooses the surface.',
    application: 'It names the host.',
    security: ['signOn'],
    startup: 'It is for pages.',
    page: 'It is for pages.',
    tioaAtLogon: ['inputBlocks', 'outputScenario'],
    tioaAtLogoff: 'It is played when the session is over for everybody.',
    logonMessage: 'It is for pages.',
    initialScenario: ['outputScenario'],
    finalScenario: 'It is run when the session is over for everybody.',
    inputScenario: ['inputPasses', 'inputBlocks', 'inputAnswers', 'inputRefuses', 'inputDisconnects'],
    outputScenario: ['outputScenario'],
    crypt: ['secrets'],
    contentSecurityPolicy: 'It is for browsers.',
    terminals: 'It says how the terminal is to be.',
    printer: ['printing'],
    fileTransfer: ['transferAbsent', 'transferSize', 'transferAlone', 'transferOfAddress', 'permission'],
    logmode: 'It says how the terminal is to be.',
    passTicket: 'It is told to hosts.',
    translation: 'It says how the terminal is to be.',
    option: 'It is for scenarios.',
  },
};
