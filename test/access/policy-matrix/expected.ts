import { eventually } from '../../support/eventually.js';
import { beginJson, connectsWithoutCookie } from './page-surfaces.js';
import { ANNA, BERT, OPERA } from './policy-site.js';
import { beginSteps, elsewhereService, lostService } from './program-surfaces.js';
import { type RuleName, type Trial, trials } from './rules.js';
import { begun, type SurfaceName } from './surface.js';

/** What comes of a rule on a surface. */
interface Tried {
  readonly expected: unknown;
  /** Where it is not the trial of the rule. */
  readonly trial?: Trial;
}

/** Tried, or why the rule does not apply, in words. */
export type Cell = Tried | string;

const is = (expected: unknown, trial?: Trial): Tried => (trial === undefined ? { expected } : { expected, trial });

const byPage = 'The page began its session with JSON or a form, whose cells try this.';
const filesByAddress = 'It has no files of its own: scripts of pages use the address of files, tried as JSON.';
const noInstruction = 'Scenarios have no instruction for files.';
const scriptTypes = 'A connection script only types. The administrator wrote it in the configuration.';
const ofConnectionScript = 'The administrator wrote it in the configuration; its session is tried as JSON.';
const noTransaction = 'A session of a pool belongs to no transaction and no user.';
const noInput = 'The administrator wrote the scenario; nobody else types into its session.';
const macroAsSocket = 'A macro is played over the WebSocket of its page, which is tried.';
const terminalsOnly = 'Users need no role for a terminal: roles are for the portal.';
const idleInSession = 'The machine of the session ends it, whatever acts: test/sessions/browser-session.';
const noPrinter = 'Documents belong to the page of a session: programs have no address for them.';

const levelsOf = (needed: string, secured: string) => ({
  0: ['begun', 'begun'],
  1: [needed, 'begun'],
  2: [secured, secured],
  3: [secured, secured],
  4: [needed, 'begun'],
  5: [secured, 'begun'],
});

/** A session without the cookie of its browser. */
const foreignPage: Trial = (site) => connectsWithoutCookie(site, 'OPEN');
const offers: Trial = async (site, begin) => {
  const found = [];
  for (const [transaction, user] of [
    ['OPEN', undefined],
    ['FILES', undefined],
    ['DEVELOPERS', ANNA],
    ['DEVELOPERS', BERT],
  ] as const) {
    const acting = begun(await begin(site, transaction, { user }));
    found.push(await acting.offersFiles());
    await acting.end();
  }
  return found;
};

const input = (passes: string, refusals: Readonly<Record<'blocks' | 'refuses' | 'leaves' | 'gone', string>>) => ({
  passes: { answer: passes, after: passes, heard: [true, true] },
  blocks: { answer: refusals.blocks, after: passes, heard: [false, true] },
  refuses: { answer: refusals.refuses, after: passes, heard: [false, true] },
  disconnects: { answer: refusals.leaves, after: refusals.gone, heard: [false, false] },
});

const ofForm = input('200', { blocks: '200', refuses: '400', leaves: '303', gone: '404' });
const ofJson = input('200', {
  blocks: '200',
  refuses: '400 SVC_ERR_SCENARIO_REFUSED',
  leaves: '200 ended disconnected',
  gone: '404 SVC_ERR_SESSION_UNKNOWN',
});
const ofSocket = input('a', {
  blocks: 'a',
  refuses: 'r SVC_ERR_SCENARIO_REFUSED',
  leaves: 'a',
  gone: 'e disconnected',
});
const ofTrial = input('done', {
  blocks: 'stopped: step 1: the INPUT scenario of the transaction withheld the key',
  refuses: 'stopped: The scenario rejected the request. not this one (return code 5)',
  leaves: 'stopped: step 1: the INPUT scenario of the transaction withheld the key',
  gone: '404 SVC_ERR_SESSION_UNKNOWN',
});
const ofSteps = input('200', {
  blocks: '409 input-withheld',
  refuses: '400 scenario-refused',
  leaves: '409 input-withheld',
  gone: '404 session-unknown',
});

const inputRow = (kind: keyof typeof ofForm): Record<SurfaceName, Cell> => ({
  form: is(ofForm[kind]),
  plainForm: is(ofForm[kind]),
  json: is(ofJson[kind]),
  webSocket: is(ofSocket[kind]),
  macro: is(ofSocket[kind]),
  trial: is(ofTrial[kind]),
  steps: is(ofSteps[kind]),
  pool: noTransaction,
  scenario: noInput,
  connectionScript:
    kind === 'blocks'
      ? is({ heard: true }, async (site, begin) => {
          await begun(await begin(site, 'BLOCKED')).end();
          // it is not the input of a user
          return { heard: site.host.heard('BSCRIPT') };
        })
      : scriptTypes,
});

const hidden = is({ sawAnswer: true, sawHidden: false });
const entry = (who: string, what: string, more: string, stage: string) =>
  `{"who":"${who}","from":"127.0.0.1","what":"${what}","subject":"host MENU",${more}"stage":"${stage}"}`;
const sentEntries = (who: string, service: string) => [
  entry(who, 'file.sent', `"after":{${service}"file":"FILE","bytes":3},`, 'intended'),
  entry(who, 'file.sent', `"after":{${service}"file":"FILE","bytes":3},`, 'done'),
  entry(who, 'file.received', `"after":{${service}"file":"FILE"},`, 'intended'),
  entry(who, 'file.received', `"after":{${service}"file":"FILE"},`, 'done'),
];

export const matrix: Record<RuleName, Record<SurfaceName, Cell>> = {
  signOn: {
    form: is(levelsOf('401', '403')),
    plainForm: is(levelsOf('401', '403')),
    json: is(levelsOf('401 SVC_ERR_SIGNON_NEEDED', '403 SVC_ERR_TRANSACTION_SECURED')),
    webSocket: is('404', foreignPage),
    macro: macroAsSocket,
    trial: is(levelsOf('401 SVC_ERR_SIGNON_NEEDED', '403 SVC_ERR_TRANSACTION_SECURED')),
    steps: is({
      0: ['begun', 'begun'],
      1: ['403 transaction-secured', 'begun'],
      2: ['403 transaction-secured', '403 transaction-secured'],
      3: ['403 transaction-secured', '403 transaction-secured'],
      4: ['403 transaction-secured', 'begun'],
      5: ['403 transaction-secured', 'begun'],
    }),
    pool: is(['401 token-needed', '401 signon-refused'], async (site, begin) => {
      const ends = [];
      for (const beginning of [{ token: 'none' }, { user: { ...ANNA, password: 'wrong' } as never }]) {
        ends.push(await begun(await begin(site, '', beginning)).enter('Q'));
      }
      return ends;
    }),
    scenario: is({
      0: ['200', '200'],
      1: ['401 SVC_ERR_SIGNON_NEEDED', '200'],
      2: ['403 SVC_ERR_TRANSACTION_SECURED', '403 SVC_ERR_TRANSACTION_SECURED'],
      3: ['403 SVC_ERR_TRANSACTION_SECURED', '403 SVC_ERR_TRANSACTION_SECURED'],
      4: ['401 SVC_ERR_SIGNON_NEEDED', '200'],
      5: ['403 SVC_ERR_TRANSACTION_SECURED', '200'],
    }),
    connectionScript: is([0, 1, 4, 5], async (site, begin, surface) => {
      await trials.signOn(site, begin, surface);
      return [0, 1, 2, 3, 4, 5].filter((level) => site.host.heard(`SCRIPT${level}`));
    }),
  },
  role: {
    form: terminalsOnly,
    plainForm: terminalsOnly,
    json: terminalsOnly,
    webSocket: terminalsOnly,
    macro: terminalsOnly,
    trial: terminalsOnly,
    steps: 'The screens are those of the caller’s own session.',
    // a user, an operator, a token without and with the scope `screens`: whether the problem has the screen
    pool: is([false, true, false, true], async (site) => {
      const tokens = [await site.token('services'), await site.token('services', 'screens')] as const;
      const beginnings = [{ user: ANNA }, { user: OPERA }, { token: tokens[0] }, { token: tokens[1] }];
      const found = [];
      for (const beginning of beginnings) found.push('screen' in (await elsewhereService(site, beginning)).body);
      return found;
    }),
    scenario: terminalsOnly,
    connectionScript: ofConnectionScript,
  },
  permission: {
    form: filesByAddress,
    plainForm: filesByAddress,
    json: is(['409 SVC_ERR_TRANSFER_FAILED', '403 SVC_ERR_TRANSFER_OFF']),
    webSocket: is([false, true, true, false], offers),
    macro: macroAsSocket,
    trial: is([
      'stopped: step 1: the file was not transferred: refusedByHost',
      'stopped: File transfer is not allowed in this session.',
    ]),
    steps: is(['403 token-scope', '403 token-scope', 'begun'], async (site, begin) => {
      const ends = [];
      for (const beginning of [{ token: await site.token('services') }, { user: BERT }, { user: ANNA }]) {
        const acting = await begin(site, 'OPEN', beginning);
        ends.push(typeof acting === 'string' ? acting : 'begun');
        if (typeof acting !== 'string') await acting.end();
      }
      return ends;
    }),
    pool: is(['403 token-scope', '403 token-scope', '403 token-scope', '200', '200'], async (site, begin) => {
      const ends = [];
      for (const beginning of [
        { token: await site.token('sessions') },
        { token: await site.token('services:send') },
        { user: BERT },
        { user: ANNA },
        { token: await site.token('services:type') },
      ]) {
        ends.push(await begun(await begin(site, '', beginning)).enter('Q'));
      }
      return ends;
    }),
    scenario: 'A transaction asks for a sign-on only. Groups are for pages and scenarios (IF-USER-IS-ALLOWED-TO).',
    connectionScript: ofConnectionScript,
  },
  inputPasses: inputRow('passes'),
  inputBlocks: inputRow('blocks'),
  // the scenario has sent an option in its place, and the host shows the panel of that one
  inputAnswers: {
    form: is({ answer: '200', heard: false }),
    plainForm: is({ answer: '200', heard: false }),
    json: is({ answer: '200', heard: false }),
    webSocket: is({ answer: 'a', heard: false }),
    macro: is({ answer: 'a', heard: false }),
    trial: is({ answer: 'done', heard: false }),
    steps: is({ answer: '200', heard: false }),
    pool: noTransaction,
    scenario: noInput,
    connectionScript: scriptTypes,
  },
  inputRefuses: inputRow('refuses'),
  inputDisconnects: inputRow('disconnects'),
  outputScenario: {
    form: hidden,
    plainForm: hidden,
    json: hidden,
    webSocket: hidden,
    macro: hidden,
    trial: hidden,
    steps: hidden,
    pool: noTransaction,
    scenario: 'It answers by SEND$ or a page: the client has no screen.',
    connectionScript: is({ sawAnswer: true, sawHidden: false }, async (site, begin) => {
      const acting = begun(await begin(site, 'WALKED'));
      await acting.end();
      return {
        sawAnswer: acting.shown.some((screen) => screen.includes('That took 0.5 seconds')),
        sawHidden: acting.shown.some((screen) => screen.includes('How many seconds')),
      };
    }),
  },
  transferAbsent: {
    form: filesByAddress,
    plainForm: filesByAddress,
    json: is({ answer: '403 SVC_ERR_TRANSFER_OFF', heard: false, audited: [] }),
    webSocket: 'Its page is not offered to transfer files: tried with the permission.',
    macro: macroAsSocket,
    trial: is({ answer: 'stopped: File transfer is not allowed in this session.', heard: false, audited: [] }),
    steps: is({ answer: '422 service-parameters', heard: false, audited: [] }),
    pool: 'The file of a service names its transfers: there is no transaction that could have none.',
    scenario: noInstruction,
    connectionScript: scriptTypes,
  },
  transferSize: {
    form: filesByAddress,
    plainForm: filesByAddress,
    json: is(
      ['200 1048576', '409 SVC_ERR_TRANSFER_FAILED', '200', '413 SVC_ERR_REQUEST_BODY_SIZE'],
      async (...given) => {
        const received = (await trials.transferSize(...given)) as readonly string[];
        const [site, begin] = given;
        const acting = begun(await begin(site, 'FILES'));
        await acting.enter('T');
        const sent = [];
        for (const bytes of [1_048_576, 1_048_577]) sent.push(await acting.send('SIZE.SENT', new Uint8Array(bytes)));
        await acting.end();
        return [...received, ...sent];
      },
    ),
    webSocket: filesByAddress,
    macro: macroAsSocket,
    trial: is(['done 1048576', 'stopped: step 1: the file was not transferred: refusedHere']),
    steps: 'Steps transfer no files: tried where a transaction has none.',
    pool: is(['200', '422 service-parameters', '200 1048576', '409 transfer-failed'], async (...given) => {
      const [site, begin] = given;
      const acting = begun(await begin(site, ''));
      const sent = [
        await acting.send('POOL.SENT', new Uint8Array(8)),
        await acting.send('POOL.SENT', new Uint8Array(9)),
      ];
      const received = (await trials.transferSize(site, begin, 'pool')) as readonly string[];
      return [...sent, ...received];
    }),
    scenario: noInstruction,
    connectionScript: scriptTypes,
  },
  transferAlone: {
    form: is('504'),
    plainForm: is('504'),
    json: is('504 SVC_ERR_HOST_SILENT'),
    webSocket: is('r SVC_ERR_HOST_SILENT'),
    macro: is('r SVC_ERR_HOST_SILENT'),
    trial: is('notBegun', async (...given) => String(await trials.transferAlone(...given)).split(':')[0]),
    steps: 'Neither steps nor anything else of a program transfers files in its session.',
    pool: 'A pool lends a session to one call at a time.',
    scenario: noInstruction,
    connectionScript: 'It is over before the session has a page.',
  },
  transferOfAddress: {
    form: filesByAddress,
    plainForm: filesByAddress,
    json: is(['503 SVC_ERR_TRANSFER_BUSY', '200']),
    webSocket: filesByAddress,
    macro: macroAsSocket,
    trial: is(['stopped: Too many files are being transferred. Please try again.', 'done']),
    steps: 'Steps transfer no files.',
    pool: 'The sessions of the pool bound them.',
    scenario: noInstruction,
    connectionScript: scriptTypes,
  },
  printing: {
    form: is(['200', '404']),
    plainForm: is(['200', '404']),
    json: is(['200', '404']),
    webSocket: is(['told', 'not told']),
    macro: macroAsSocket,
    trial: noPrinter,
    steps: noPrinter,
    pool: noPrinter,
    scenario: 'Its transaction shows no printer: there is no session that a client could ask.',
    connectionScript: ofConnectionScript,
  },
  secrets: {
    form: is({ kept: false }),
    plainForm: is({ kept: false }),
    json: is({ kept: false }),
    webSocket: is({ kept: false }),
    macro: is({ kept: false }),
    trial: is({ kept: false }),
    steps: is({ kept: false }),
    pool: is({ kept: false, told: false, status: 409 }, async (site) => {
      const text = 'SECRETQ1';
      const { status, text: answer } = await lostService(
        site,
        { token: await site.token('services', 'screens') },
        text,
      );
      await eventually(() => (site.host.heard(text) ? true : undefined));
      return { kept: site.isKept(text), told: answer.includes(text), status };
    }),
    scenario: is({ kept: false }, async (site, begin) => {
      const acting = begun(await begin(site, 'T0'));
      await acting.enter('HUSHQ2');
      return { kept: site.isKept('HUSHQ2') };
    }),
    connectionScript: is({ kept: false }, async (site, begin) => {
      await begun(await begin(site, 'BLOCKED')).end();
      return { kept: site.isKept('BSCRIPT') };
    }),
  },
  audit: {
    form: filesByAddress,
    plainForm: filesByAddress,
    json: is(sentEntries('ANNA', '')),
    webSocket: filesByAddress,
    macro: macroAsSocket,
    trial: is(sentEntries('ANNA', '')),
    steps: 'Steps transfer no files.',
    pool: is(
      [
        ...sentEntries('token payments', '"service":"send",').slice(0, 2),
        ...sentEntries('token payments', '"service":"receive",').slice(2),
        ...sentEntries('ANNA', '"service":"send",').slice(0, 2),
      ],
      async (site, begin) => {
        const [file, token] = ['POOL.AUDITED', await site.namedToken('payments', 'services')];
        const byToken = begun(await begin(site, '', { token }));
        await byToken.send(file, Uint8Array.of(1, 2, 3));
        await byToken.receive(file);
        await begun(await begin(site, '', { user: ANNA })).send(file, Uint8Array.of(1, 2, 3));
        return site.audited(file).map((one) => JSON.stringify(one).replaceAll(file, 'FILE'));
      },
    ),
    scenario: noInstruction,
    connectionScript: scriptTypes,
  },
  auditUnavailable: {
    // documents: nothing is shown of them then
    form: is('503', async (site, begin) => {
      const acting = begun(await begin(site, 'PRINT', { user: ANNA }));
      const answer = await site.withoutTrail(async () => acting.page?.documents());
      await acting.end();
      return answer;
    }),
    plainForm: filesByAddress,
    json: is({ answer: '503 SVC_ERR_AUDIT_UNAVAILABLE', heard: false }),
    webSocket: filesByAddress,
    macro: macroAsSocket,
    trial: is({
      answer: 'stopped: The audit trail cannot be written, so nothing was changed. See the log for the reason.',
      heard: false,
    }),
    steps: 'Steps transfer no files.',
    pool: is({ answer: '503 audit-unavailable', heard: false, after: '200' }, async (site, begin) => {
      const acting = begun(await begin(site, ''));
      // the use of the token is on record already
      await acting.enter('Q');
      const answer = await site.withoutTrail(() => acting.send('POOL.UNKEPT', Uint8Array.of(1)));
      return { answer, heard: site.host.heard('POOL.UNKEPT'), after: await acting.send('POOL.KEPT', Uint8Array.of(1)) };
    }),
    scenario: noInstruction,
    connectionScript: scriptTypes,
  },
  limitOfAddress: limitRow('A-HTTP'),
  limitOfLine: limitRow('L-HTTP'),
  limitOfCaller: {
    form: 'Callers are programs: a browser is bounded by its address.',
    plainForm: 'Callers are programs: a browser is bounded by its address.',
    json: 'Callers are programs: a browser is bounded by its address.',
    webSocket: byPage,
    macro: macroAsSocket,
    trial: byPage,
    steps: is(['begun', '503 session-limit'], async (site) => {
      const token = await site.token('sessions');
      const all = [];
      for (let count = 0; count < 21; count++) all.push(await beginSteps(site, 'OPEN', { token }));
      const ends = [all[19], all[20]].map((one) => (typeof one === 'string' ? one : 'begun'));
      for (const one of all) if (one !== undefined && typeof one !== 'string') await one.end();
      return ends;
    }),
    pool: 'Its calls wait in turns of their callers: test/services/session-pool.',
    scenario: 'A session of it ends with its request, or waits for the next of any client.',
    connectionScript: ofConnectionScript,
  },
  idle: {
    form: idleInSession,
    plainForm: idleInSession,
    json: idleInSession,
    webSocket: idleInSession,
    macro: idleInSession,
    trial: idleInSession,
    steps: idleInSession,
    pool: 'The pool signs off sessions that no call needs: test/services/session-pool.',
    scenario: 'Its sessions end with the request, or wait for the next: test/sessions/service-transactions.',
    connectionScript: idleInSession,
  },
};

function limitRow(line: string): Record<SurfaceName, Cell> {
  const json = '503 SVC_ERR_SESSION_LIMIT';
  return {
    form: is('503'),
    plainForm: is('503'),
    json: is(json),
    webSocket: byPage,
    macro: macroAsSocket,
    trial: is(json),
    steps: is('503 session-limit'),
    pool: 'Its definition bounds its sessions, and calls have no line of sessions.',
    scenario: is(json, async (site, begin) => {
      const first = begun(await beginJson(site, 'OPEN', { line }));
      const answer = await begun(await begin(site, 'T0', { line })).enter('Q');
      await first.end();
      return answer;
    }),
    connectionScript: is(json),
  };
}
