import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installationFolder } from '../../src/config/installation.js';
import { commandScript } from '../../test/support/project.js';

export interface ContenderPlace {
  readonly port: number;
  readonly demoPort: number;
  readonly folder: string;
}

export interface Contender {
  /**
   * Letter of the issue: a, b, c. `b+` is b with the request log required by Sallyport's contract, `k` is b with koa.
   */
  readonly letter: string;
  readonly name: string;
  readonly prepare: (place: ContenderPlace) => string[];
}

const beside = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const sallyport: Contender = {
  letter: 'a',
  name: 'Sallyport',
  prepare: ({ port, demoPort, folder }) => {
    writeConfiguration(folder, port, demoPort);
    return [commandScript, 'serve', '--config', join(folder, 'sallyport.yaml')];
  },
};

export const contenders: readonly Contender[] = [
  sallyport,
  {
    letter: 'b',
    name: 'node:http + undici',
    prepare: (place) => plainProgram(place),
  },
  {
    letter: 'b+',
    name: 'node:http + undici + pino',
    prepare: (place) => [...plainProgram(place), 'log'],
  },
  {
    letter: 'k',
    name: 'koa + @koa/router + undici',
    prepare: ({ port, demoPort }) => [beside('programs/koa-program.js'), `${port}`, `http://127.0.0.1:${demoPort}`],
  },
  {
    letter: 'c',
    name: 'Express + soap',
    prepare: ({ port, demoPort }) => [
      join(installationFolder, 'bench', 'scenario', 'programs', 'express-soap.mjs'),
      `${port}`,
      `http://127.0.0.1:${demoPort}/CurrencyConvertor.asmx?WSDL`,
    ],
  },
];

function plainProgram({ port, demoPort }: ContenderPlace): string[] {
  return [beside('programs/plain-program.js'), `${port}`, `http://127.0.0.1:${demoPort}`];
}

const SHIPPED_SITE = '127.0.0.1:41080';

function writeConfiguration(folder: string, port: number, demoPort: number): void {
  const templates = join(folder, 'templates');
  cpSync(join(installationFolder, 'templates'), templates, { recursive: true });
  const scenario = join(templates, 'scenarios', 'SCENRATE.scn');
  const source = readFileSync(scenario, 'utf8');
  if (!source.includes(SHIPPED_SITE)) throw new Error(`SCENRATE.scn does not call ${SHIPPED_SITE} any more`);
  writeFileSync(scenario, source.replace(SHIPPED_SITE, `127.0.0.1:${demoPort}`));
  mkdirSync(join(folder, 'data'));
  writeFileSync(
    join(folder, 'sallyport.yaml'),
    `data: ./data
tct: { DEFUTF8: IBM1147 }
directories:
  CLI-DIR: ./templates/pages
  REQ-DIR: ./templates/requests
scenarios: ./templates/scenarios
log: { level: info, form: json }
lines:
  C-HTTP: { listen: 127.0.0.1:${port}, entryPoint: CLIWHOST }
  O-HTTP: { outbound: true, site: $SITE$ }
entryPoints:
  CLIWHOST:
    directory: CLI-DIR
    transactions:
      WS3: { applicationType: 2, tioaAtLogon: '&/S', initialScenario: SCENRATE }
`,
  );
}
