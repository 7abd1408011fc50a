import { expect } from 'chai';
import { type ErrorCode, ServiceError } from '../../src/lib/errors.js';
import { silentLog } from '../../src/lib/log/log.js';
import { assemble } from '../../src/scenarios/assemble.js';
import { runScenario } from '../../src/scenarios/interpreter.js';
import type { ScenarioOutcome } from '../../src/scenarios/scenario-outcome.js';
import type { ScenarioLimits, ScenarioPorts } from '../../src/scenarios/scenario-run.js';
import { registerCodePages } from '../../src/tn3270/codepage/iconv-registration.js';
import { turnsDuring } from '../support/turns-during.js';

const generous: ScenarioLimits = {
  steps: 1_000_000,
  seconds: 30,
  variableBytes: 1_000_000,
  values: 1_000,
  variables: 1_000,
};

/** Never answers: what waits for it ends only by the run's own bounds. */
const silentOutbound = {
  call: (_line: string, _request: unknown, _maxTime: unknown, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
    }),
};

const longDocuments = {
  XML: `<a>${'<b>1</b>'.repeat(40_000)}</a>`,
  JSON: `{"b":[${'1,'.repeat(39_999)}1]}`,
  QUERY: 'b=1&'.repeat(40_000),
} as const;

describe('bounds of a scenario run', () => {
  before(registerCodePages);

  it('limits.steps: the last one allowed, and one past it', async () => {
    const source = scenario('         HANDLE$ LOOP=(OUT,1000)\n         GOTO$ OUT\nOUT      GOTO$ SUCCESS');
    expect(await run(source, { steps: 3 })).to.have.property('kind', 'page');
    await fails(source, { steps: 2 }, 'SVC_ERR_SCENARIO_LIMIT');
  });

  it('limits.steps also where HANDLE$ LOOP allows more', async () => {
    const source = scenario('         HANDLE$ LOOP=(TOP,999999)\nTOP      GOTO$ TOP');
    await fails(source, { steps: 5_000 }, 'SVC_ERR_SCENARIO_LIMIT');
  });

  it('limits.seconds, waiting', async () => {
    const source = scenario(
      "         OPTION$ FOR-HTTP,(SITE,'a:1'),(TO,'/'),TOVAR='P'\n         SEND$ TO-LINE,LINE='O',PARMS='P',ERROR=TOP\nTOP      GOTO$ TOP",
    );
    await fails(source, { seconds: 0.05 }, 'SVC_ERR_SCENARIO_TIME');
  });

  it('limits.seconds, busy, and others get their turn meanwhile', async () => {
    const source = scenario('         HANDLE$ LOOP=(TOP,999999999)\nTOP      GOTO$ TOP');
    let turns = 0;
    const ticking = setInterval(() => turns++, 1);
    // on a busy machine a fifth of a second may be over before the process has run for long
    for (let seconds = 0.2; turns <= 5 && seconds < 20; seconds *= 2) {
      turns = 0;
      await fails(source, { seconds, steps: 1e12 }, 'SVC_ERR_SCENARIO_TIME');
    }
    clearInterval(ticking);
    expect(turns).to.be.above(5);
  });

  for (const [format, document] of Object.entries(longDocuments)) {
    it(`maps a long document of ${format}, and others get their turn meanwhile`, async () => {
      const [outcome, turns] = await turnsDuring(run(mapping(format), {}, undefined, undefined, Buffer.from(document)));
      expect(outcome.kind === 'answer' && outcome.body.toString()).to.equal('1'.repeat(40_000));
      expect(turns).to.be.above(1);
    });
  }

  it('gives others their turn between instructions that take long', async () => {
    const doubled = "         COPY$ LIST-TO-VARIABLE,VAR='V',LIST=('*V','*V'),TYPE=REPLACE\n".repeat(16);
    const long = "         CONVERT$ EBCDIC-TO-UPPERCASE,VAR='V'\n".repeat(40);
    const source = scenario(`         COPY$ VALUE-TO-VARIABLE,VAR='V',VALUE='ten bytes.'\n${doubled}${long}`);
    const [, turns] = await turnsDuring(run(source, {}));
    expect(turns).to.be.above(3);
  });

  for (const [statement, values] of [
    ["CONVERT$ ASCII-TO-EBCDIC,VAR='V'", ['日本 ☃'.repeat(900_000)]],
    ["CONVERT$ EBCDIC-TO-UPPERCASE,VAR='V'", ['日本 ☃'.repeat(900_000)]],
    ["FILTER$ VARIABLE-TO-VARIABLE,VAR=('V','W'),(CONTAINS,'zz',KEEP)", new Array(200_000).fill('ten bytes.')],
  ] as const) {
    it(`gives others their turn within an instruction that takes long: ${statement}`, async () => {
      const source = scenario(`         COPY$ INPUT-TO-VARIABLE,FIELD='P',VAR='V'\n         ${statement}`);
      const bounds = { variableBytes: 40_000_000, values: 1_000_000 };
      const [outcome, turns] = await turnsDuring(run(source, bounds, undefined, undefined, undefined, values));
      expect(outcome.kind).to.equal('page');
      // one of them is between the two instructions
      expect(turns).to.be.above(2);
    });
  }

  it('limits.variableBytes', async () => {
    const source = scenario(
      "         COPY$ INPUT-TO-VARIABLE,FIELD='P',VAR='A'\n         COPY$ VALUE-TO-VARIABLE,VAR='B',VALUE='x'",
    );
    expect(await run(source, { variableBytes: 11 })).to.have.property('kind', 'page');
    await fails(source, { variableBytes: 10 }, 'SVC_ERR_SCENARIO_LIMIT');
  });

  it('limits.variableBytes counts what a REPLACE gives back', async () => {
    const copy = "         COPY$ INPUT-TO-VARIABLE,FIELD='P',VAR='A',TYPE=REPLACE\n";
    expect(await run(scenario(copy.repeat(5)), { variableBytes: 10 })).to.have.property('kind', 'page');
  });

  it('limits.values and limits.variables', async () => {
    const values = scenario("         COPY$ VALUE-TO-VARIABLE,VAR='A',VALUE='x'\n".repeat(3));
    expect(await run(values, { values: 3 })).to.have.property('kind', 'page');
    await fails(values, { values: 2 }, 'SVC_ERR_SCENARIO_LIMIT');
    const variables = scenario(
      ['A', 'B', 'C'].map((name) => `         COPY$ VALUE-TO-VARIABLE,VAR='${name}',VALUE='x'`).join('\n'),
    );
    expect(await run(variables, { variables: 3 })).to.have.property('kind', 'page');
    await fails(variables, { variables: 2 }, 'SVC_ERR_SCENARIO_LIMIT');
  });

  // so many are compared one by one, more are looked up in an index
  for (const others of [14, 15, 16, 17]) {
    it(`finds a variable in another spelling beside ${others} others, the first of its name`, async () => {
      const copies = Array.from({ length: others }, (_, at) => `COPY$ VALUE-TO-VARIABLE,VAR='V${at}',VALUE='x'`);
      const last = ["COPY$ VALUE-TO-VARIABLE,VAR='Rate',VALUE='1'", "COPY$ VALUE-TO-VARIABLE,VAR='RATE',VALUE='2'"];
      const outcome = await run(scenario([...copies, ...last].map((line) => `         ${line}`).join('\n')), {});
      if (outcome.kind !== 'page') expect.fail('a page was expected');
      expect(['rate', 'RATE', 'Rate', 'v0', 'raté'].map((name) => outcome.valuesOf(name)?.[0])).to.deep.equal([
        '1',
        '2',
        '1',
        'x',
        undefined,
      ]);
    });
  }

  it('names of variables: 256 characters, and one more', async () => {
    const named = (length: number) =>
      scenario(`         COPY$ VALUE-TO-VARIABLE,VAR='${'n'.repeat(length)}',VALUE='x'`);
    expect(await run(named(256), {})).to.have.property('kind', 'page');
    await fails(named(257), {}, 'SVC_ERR_SCENARIO_ABENDED');
  });

  it('stops when its client goes away', async () => {
    const client = new AbortController();
    const source = scenario('         HANDLE$ LOOP=(TOP,999999999)\nTOP      GOTO$ TOP');
    const running = run(source, { steps: 1e12 }, client.signal).then(
      () => 'ended',
      () => 'stopped',
    );
    setImmediate(() => client.abort());
    expect(await running).to.equal('stopped');
  });
});

describe('a run that is stopped', () => {
  before(registerCodePages);
  const STOPPED = 'the run was stopped';
  // ends by itself, too, but by the loop guard: what ended it is what tells
  const busy = scenario('         HANDLE$ LOOP=(TOP,1000000)\nTOP      GOTO$ TOP');

  async function failureOf(running: Promise<unknown>): Promise<ServiceError> {
    return running.then(
      () => expect.fail('it did not fail'),
      (error: ServiceError) => error,
    );
  }

  it('because its client goes away ends by that, and not by the guard of its loop', async () => {
    const client = new AbortController();
    const running = failureOf(run(busy, { steps: 1e12 }, client.signal));
    setImmediate(() => client.abort());
    expect(await running).to.include({ code: 'SVC_ERR_SCENARIO_ABENDED' });
    expect((await running).detail).to.contain(STOPPED);
  });

  it('because its client goes away in the middle of a mapping ends there', async () => {
    const client = new AbortController();
    const running = failureOf(run(mapping('XML'), {}, client.signal, undefined, Buffer.from(longDocuments.XML)));
    setImmediate(() => client.abort());
    expect((await running).detail).to.contain(STOPPED);
  });

  it('because its time is over ends by that', async () => {
    const { code, cause } = await failureOf(run(busy, { steps: 1e12, seconds: 0.001 }));
    expect([code, (cause as Error).message]).to.deep.equal(['SVC_ERR_SCENARIO_TIME', STOPPED]);
  });

  it('executes nothing more, not even where it handles abends', async () => {
    const client = new AbortController();
    let calls = 0;
    const source = scenario(
      "         HANDLE$ ABEND=NEXT\n         OPTION$ FOR-HTTP,(SITE,'a:1'),(TO,'/'),TOVAR='P'\n" +
        "         COPY$ OUTPUT-FILE-TO-VARIABLE,FILE='F',VAR='V'\nNEXT     SEND$ TO-LINE,LINE='O',PARMS='P'",
    );
    const ports = {
      outbound: {
        call: () => {
          calls++;
          return Promise.reject(new Error('nobody is to call'));
        },
      },
      renderFile: async () => {
        client.abort();
        return undefined;
      },
      log: silentLog,
    };
    const { detail } = await failureOf(run(source, {}, client.signal, ports));
    expect([calls, detail?.includes(STOPPED)]).to.deep.equal([0, true]);
  });

  it('before it has begun executes nothing', async () => {
    const { detail } = await failureOf(run(scenario('         GOTO$ SUCCESS'), {}, AbortSignal.abort()));
    expect(detail).to.contain(STOPPED);
  });
});

describe('what a run deletes', () => {
  before(registerCodePages);
  const copy = "         COPY$ INPUT-TO-VARIABLE,FIELD='P',VAR='A'\n";

  for (const pop of ["POP$  VAR='A'", "POP$  FIRST-VALUE-OF,VAR='a'", "POP$  ALL-VALUES-OF,VAR='A'"]) {
    it(`is given back to its bounds: ${pop}`, async () => {
      const source = scenario(`${copy}         ${pop}\n`.repeat(5) + copy);
      const bounds = { variableBytes: 10, values: 1, variables: 1 };
      expect(await run(source, bounds)).to.have.property('kind', 'page');
      await fails(scenario(copy + copy), { variableBytes: 19 }, 'SVC_ERR_SCENARIO_LIMIT');
      await fails(source, { variableBytes: 9 }, 'SVC_ERR_SCENARIO_LIMIT');
    });
  }

  it('is given back once: what was never there gives nothing', async () => {
    const pops = "         POP$  VAR='A'\n         POP$  ALL-VALUES-OF,VAR='A'\n";
    const source = scenario(copy + pops.repeat(3) + copy + copy);
    expect(await run(source, { variableBytes: 20, values: 2 })).to.have.property('kind', 'page');
    await fails(source, { variableBytes: 19 }, 'SVC_ERR_SCENARIO_LIMIT');
    await fails(source, { values: 1 }, 'SVC_ERR_SCENARIO_LIMIT');
  });
});

/** Maps the body of the request to the first character of each b. */
function mapping(format: string): string {
  const structure = "S        MAP$ BEGIN\nB        MAP$ BEGIN,WITH='b',OCCURS=UNLIMITED\n         MAP$ AREA,LENGTH=1\n";
  const ends = 'B        MAP$ END\nS        MAP$ END\n';
  const body = `S        MAP$ FROM-INPUT,${format}\nS        MAP$ TO-VARIABLE,VAR='A'\n`;
  return `${structure}${ends}${scenario(`${body}         SEND$ AS-ANSWER,VAR='A',TYPE='text/plain'`)}`;
}

function scenario(body: string): string {
  return `         SCENARIO INITIAL\n${body.replace(/\n$/, '')}\n         SCENARIO END\n`;
}

async function run(
  source: string,
  limits: Partial<ScenarioLimits>,
  signal?: AbortSignal,
  ports: ScenarioPorts = { outbound: silentOutbound, renderFile: async () => undefined, log: silentLog },
  body?: Buffer,
  values: readonly string[] = ['ten bytes.'],
): Promise<ScenarioOutcome> {
  const request = {
    requestId: 'r1',
    method: 'GET',
    path: '/',
    query: '',
    parameters: new Map([['P', values]]),
    headers: {},
    body,
    files: [],
    names: new Map<string, string>(),
    directory: 'CLI-DIR',
  };
  const { outcome } = await runScenario(assemble(source, 'source.scn'), 'INITIAL', request, {
    ports,
    limits: { ...generous, ...limits },
    codePage: 'IBM1147',
    signal: signal ?? new AbortController().signal,
  });
  return outcome;
}

async function fails(source: string, limits: Partial<ScenarioLimits>, code: ErrorCode): Promise<void> {
  try {
    await run(source, limits);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    expect(error.code, error.message).to.equal(code);
    return;
  }
  expect.fail(`${code} was expected`);
}
