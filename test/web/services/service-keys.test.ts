import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Application } from '../../../src/demo/simulated-host/application.js';
import { projectFolder } from '../../support/project.js';
import { ServiceSite } from './service-site.js';

/** In place of the menu of the simulated host: values to read, fields to fill, and what the host has received. */
const menu: Application = async (terminal) => {
  let received = '';
  let page = 1;
  for (;;) {
    const panel = terminal
      .panel()
      .text(1, 2, 'MENU', { intensified: true })
      .text(2, 2, 'Option ===>')
      .input('option', 2, 14, { length: 20, value: 'AS SHOWN' })
      .text(3, 2, 'Amount . :')
      .input('amount', 3, 14, { length: 6, numeric: true })
      .text(4, 2, 'Code')
      .input('code', 5, 2, { length: 4, hidden: true })
      .text(6, 2, '1.234,50   -17   8,250.75CR   22/NOV/26   2026.326   NO   Y')
      .text(7, 2, '  first line')
      .text(8, 2, '  second line')
      .text(22, 2, received)
      .text(23, 2, 'END OF SCREEN');
    for (const [row, [day, amount]] of (pages[page - 1] ?? []).entries()) {
      panel.text(10 + row, 2, day ?? '').text(10 + row, 20, amount ?? '');
    }
    if (page === pages.length) panel.text(16, 2, 'NO MORE');
    const { key, fields } = await terminal.show(panel);
    if (key === 'pf3') return undefined;
    if (key === 'pf8' && page < pages.length) page += 1;
    else if (key === 'pf7') page = 1;
    else if (key === 'pf12') await new Promise(() => {});
    received = `${key} option=<${fields.option}> amount=<${fields.amount}> code=<${fields.code}>`;
  }
};

const pages = [
  [
    ['2026-11-01', '1.00'],
    ['2026-11-02', '2.00-'],
  ],
  [
    ['2026-11-02', '2.00-'],
    ['2026-11-03', '3.25'],
  ],
];

/** Conditions that hold on that screen, each beside the same that does not. */
const conditions: Readonly<Record<string, readonly [holds: string, not: string]>> = {
  'text anywhere': ['text: END OF SCREEN', 'text: END OF PAGE'],
  'text in a row': ['text: END OF SCREEN, row: 23', 'text: END OF SCREEN, row: 22'],
  'row from the bottom': ['text: END OF SCREEN, row: -2', 'text: END OF SCREEN, row: -1'],
  'text at row and column': ['text: MENU, row: 1, column: 2', 'text: MENU, row: 1, column: 3'],
  'text in an area': ['text: END OF SCREEN, area: [20, 1, 24, 80]', 'text: END OF SCREEN, area: [1, 1, 22, 80]'],
  not: ['not: { text: END OF PAGE }', 'not: { text: END OF SCREEN }'],
  // 13 fields of protected text on the first page, and three to type in, each with the attribute that ends it
  fields: ['fields: 19', 'fields: 18'],
  inputFields: ['inputFields: 3', 'inputFields: 2'],
  cursor: ['cursor: [2, 14]', 'cursor: [2, 15]'],
  protected: ['attribute: { at: [1, 2], protected: true }', 'attribute: { at: [2, 14], protected: true }'],
  numeric: ['attribute: { at: [3, 14], numeric: true }', 'attribute: { at: [2, 14], numeric: true }'],
  nonDisplayable: [
    'attribute: { at: [5, 2], nonDisplayable: true }',
    'attribute: { at: [3, 14], nonDisplayable: true }',
  ],
  intensified: ['attribute: { at: [1, 2], intensified: true }', 'attribute: { at: [2, 2], intensified: true }'],
  blank: ['not: { blank: true }', 'blank: true'],
};

const readings: Readonly<Record<string, readonly [how: string, value: unknown]>> = {
  'text of a place': ['at: [1, 2], length: 10', 'MENU'],
  'text with its blanks inside': ['at: [7, 2], length: 20', 'first line'],
  'lines of an area': ['area: [7, 2, 8, 20]', 'first line\n  second line'],
  decimal: ["at: [6, 2], length: 8, as: decimal, decimalMark: ','", '1234.50'],
  integer: ['at: [6, 13], length: 3, as: integer', -17],
  'decimal with its sign behind': ['at: [6, 19], length: 10, as: decimal', '-8250.75'],
  'date of the month': ['at: [6, 32], length: 9, as: date, pattern: DD/MMM/YY', '2026-11-22'],
  'date of the year': ['at: [6, 44], length: 8, as: date, pattern: YYYY.DDD', '2026-11-22'],
  no: ['at: [6, 55], length: 2, as: boolean', false],
  yes: ['at: [6, 60], length: 1, as: boolean', true],
};

const table = `rows: [10, 16], columns: { day: { column: 2, length: 10, as: date, pattern: YYYY-MM-DD }, amount: { column: 20, length: 6, as: decimal } }`;

interface Walk {
  readonly steps: string;
  readonly parameters?: string;
  readonly more?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly status?: number;
  readonly answer: Readonly<Record<string, unknown>>;
}

const echo = '{ at: MENU, extract: { received: { at: [22, 2], length: 78 } } }';
const received = (text: string) => ({ answer: { received: text } });

const walks: Readonly<Record<string, Walk>> = {
  'fill a field by its label': {
    steps: `[{ at: MENU, fill: [{ label: Amount, text: '125' }], press: Enter, expect: MENU }, ${echo}]`,
    ...received('enter option=<AS SHOWN> amount=<125> code=<>'),
  },
  'fill a field below its label': {
    steps: `[{ at: MENU, fill: [{ label: Code, text: abc }], press: Enter, expect: MENU }, ${echo}]`,
    ...received('enter option=<AS SHOWN> amount=<> code=<abc>'),
  },
  'fill a field where it begins, and empty another': {
    steps: `[{ at: MENU, fill: [{ at: [3, 14], text: '7' }, { at: [2, 14], text: '' }], press: PF5, expect: MENU }, ${echo}]`,
    ...received('pf5 option=<> amount=<7> code=<>'),
  },
  'type at the cursor that a step places, with keys': {
    steps: `[{ at: MENU, cursor: [3, 14], type: '42[tab]xy[[', press: PF24, expect: MENU }, ${echo}]`,
    ...received('pf24 option=<AS SHOWN> amount=<42> code=<xy[>'),
  },
  'put parameters into what is typed and filled, braces doubled': {
    parameters: '{ amount: { type: integer }, code: { type: string } }',
    steps: `[{ at: MENU, cursor: [2, 14], type: '{{{code}}}', press: PF6, expect: MENU }, { at: MENU, fill: [{ label: Amount, text: '{amount}' }], press: Enter, expect: MENU }, ${echo}]`,
    body: { amount: 90, code: 'q' },
    ...received('enter option=<AS SHOWN> amount=<90> code=<>'),
  },
  'type a parameter as it is': {
    parameters: '{ text: { type: string } }',
    steps: `[{ at: MENU, cursor: [2, 14], type: '{{{text}}}', press: PF6, expect: MENU }, ${echo}]`,
    body: { text: '[tab]' },
    ...received('pf6 option=<{[tab]}N> amount=<> code=<>'),
  },
  'take the default where the caller says nothing': {
    parameters: '{ amount: { type: integer, default: 12 }, code: { type: string, required: false } }',
    steps: `[{ at: MENU, fill: [{ label: Amount, text: '{amount}' }, { at: [2, 14], text: '{code}' }], press: Enter, expect: MENU }, ${echo}]`,
    ...received('enter option=<AS SHOWN> amount=<12> code=<>'),
  },
  'type a boolean and a date as they are asked for': {
    parameters: '{ flag: { type: boolean }, day: { type: date, format: DD.MM.YYYY } }',
    steps: `[{ at: MENU, fill: [{ label: Code, text: '{flag}' }, { at: [2, 14], text: '{day}' }], press: Enter, expect: MENU }, ${echo}]`,
    body: { flag: false, day: '2026-11-23' },
    ...received('enter option=<23.11.2026> amount=<> code=<N>'),
  },
  'leave out an optional step whose screen is not shown': {
    steps: `[{ at: ABSENT, optional: true, press: PF2, expect: MENU }, { at: MENU, optional: true, press: PF5, expect: MENU }, ${echo}]`,
    ...received('pf5 option=<AS SHOWN> amount=<> code=<>'),
  },
  'take one of several screens': {
    steps: `[{ at: [ABSENT, MENU], press: PF4, expect: [ABSENT, MENU] }, ${echo}]`,
    ...received('pf4 option=<AS SHOWN> amount=<> code=<>'),
  },
  'end at an outcome': {
    parameters: '{ code: { type: string } }',
    steps: `[{ at: MENU, press: PF9, expect: ABSENT, outcomes: { MENU: { status: 410, code: gone-home, message: 'Nothing for {code}.' } } }]`,
    body: { code: 'x' },
    status: 410,
    answer: { code: 'gone-home', title: 'Nothing for x.' },
  },
  'end where another screen comes than was expected': {
    steps: '[{ at: MENU, press: PF9, within: 2, expect: ABSENT }]',
    status: 409,
    answer: { code: 'guard-failed' },
  },
  'wait no longer than a step may': {
    steps: '[{ at: MENU, press: PF12, within: 0.05, expect: MENU }]',
    status: 504,
    answer: { code: 'host-silent' },
  },
  'wait until the host has been quiet for as long as the service says': {
    more: 'quietMilliseconds: 60000',
    steps: '[{ at: MENU, press: PF9, within: 0.05, expect: MENU }]',
    status: 504,
    answer: { code: 'host-silent' },
  },
  'or as the step says': {
    more: 'quietMilliseconds: 60000',
    steps: `[{ at: MENU, press: PF9, quietMilliseconds: 0, expect: MENU }, { at: MENU, quietMilliseconds: 0, extract: { received: { at: [22, 2], length: 78 } } }]`,
    ...received('pf9 option=<AS SHOWN> amount=<> code=<>'),
  },
  'read a table over its pages, a row that comes twice once': {
    steps: `[{ at: MENU, press: PF7, expect: MENU }, { at: MENU, extract: { days: { ${table}, key: day, until: { text: NO MORE }, next: PF8 } } }]`,
    answer: {
      days: [
        { day: '2026-11-01', amount: '1.00' },
        { day: '2026-11-02', amount: '-2.00' },
        { day: '2026-11-03', amount: '3.25' },
      ],
    },
  },
  'read a table with each row as it comes': {
    steps: `[{ at: MENU, press: PF7, expect: MENU }, { at: MENU, extract: { days: { ${table}, until: { text: NO MORE }, next: PF8, most: 4 } } }]`,
    answer: {
      days: [
        { day: '2026-11-01', amount: '1.00' },
        { day: '2026-11-02', amount: '-2.00' },
        { day: '2026-11-02', amount: '-2.00' },
        { day: '2026-11-03', amount: '3.25' },
      ],
    },
  },
  'refuse a table of more rows than it may have': {
    steps: `[{ at: MENU, press: PF7, expect: MENU }, { at: MENU, extract: { days: { ${table}, until: { text: NO MORE }, next: PF8, most: 3 } } }]`,
    status: 502,
    answer: { code: 'screen-rows' },
  },
};

/** A name as files and screens have it. */
const named = (name: string) => name.replace(/\W+/g, '-').slice(0, 40);

describe('keys of a service', () => {
  let site: ServiceSite;
  let token: string;

  before(async () => {
    const screens = readFileSync(join(projectFolder, 'templates', 'services', 'screens.yaml'), 'utf8');

    const further = Object.entries(conditions).map(
      ([name, [holds, not]]) => `  ${named(name)}-holds: [{ ${holds} }]\n  ${named(name)}-not: [{ ${not} }]\n`,
    );
    const services: Record<string, string> = {
      'screens.yaml': `${screens}\n  ABSENT: [{ text: NOWHERE }]\n${further.join('')}`,
    };
    const add = (name: string, body: string) => {
      services[`${named(name)}.yaml`] = `service: ${named(name)}\npool: ACCOUNTS\n${body}\n`;
    };
    for (const name of Object.keys(conditions)) {
      for (const end of ['holds', 'not']) {
        add(
          `${name}-${end}`,
          `steps: [{ at: ${named(name)}-${end}, within: 0.05, extract: { read: { at: [1, 2], length: 4 } } }]`,
        );
      }
    }
    for (const [name, [how]] of Object.entries(readings))
      add(`read-${name}`, `steps: [{ at: MENU, extract: { read: { ${how} } } }]`);
    for (const [name, { steps, parameters = '{}', more = '' }] of Object.entries(walks)) {
      add(`walk-${name}`, `${more}\nparameters: ${parameters}\nsteps: ${steps}`);
    }
    site = await ServiceSite.open({ services, host: { applications: { MENU: menu } }, pool: 'ready: 0, most: 1' });
    token = await site.token('services');
  });
  after(() => site.stop());

  const call = (name: string, body: object = {}) => site.request(`/api/v1/services/${named(name)}`, { token, body });

  for (const name of Object.keys(conditions)) {
    it(`recognise a screen by: ${name}`, async () => {
      expect((await call(`${name}-holds`)).text).to.equal('{"read":"MENU"}');
      const { status, body } = await call(`${name}-not`);
      expect(status).to.equal(409);
      expect(body).to.include({ code: 'guard-failed' });
    });
  }
  for (const [name, [, value]] of Object.entries(readings)) {
    it(`read: ${name}`, async () => {
      expect((await call(`read-${name}`)).body).to.deep.equal({ read: value });
    });
  }
  for (const [name, { body, status = 200, answer }] of Object.entries(walks)) {
    it(name, async () => {
      const reply = await call(`walk-${name}`, body);
      expect(reply.status, reply.text).to.equal(status);
      if (status === 200) expect(reply.body).to.deep.equal(answer);
      else expect(reply.body).to.include(answer);
    });
  }
});
