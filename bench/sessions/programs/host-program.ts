// The first screen is an application of the simulated host, or `STAMPED`: a list with the times of key and answer.
import { setFlagsFromString } from 'node:v8';
import type { Application } from '../../../src/demo/simulated-host/application.js';
import {
  type FirstApplication,
  firstApplications,
} from '../../../src/demo/simulated-host/applications/applications.js';
import { members } from '../../../src/demo/simulated-host/member-library.js';
import { SimulatedHost } from '../../../src/demo/simulated-host/simulated-host.js';
import type { CodePage } from '../../../src/tn3270/codepage/code-page.js';
import { findCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { nowMicroseconds, stampText } from '../stamps.js';

// full garbage collections of the host would delay answers and distort the server's figures: postpone them
setFlagsFromString('--heap-growing-percent=900');

const ROWS = 17;

const found = findCodePage('IBM037');
if (found === undefined) throw new Error('no code page');
const codePage: CodePage = found;

const green = { colour: 'green' } as const;
const blue = { colour: 'blue' } as const;
const yellow = { colour: 'yellow' } as const;
const codes = {
  title: codePage.encode('BROWSE   SALLY.SAMPLE.SOURCE'),
  command: codePage.encode('Command ===>'),
  secret: codePage.encode('Secret  ===>'),
  heading: codePage.encode('S  Name      Lines  Changed      Description'),
  keys: codePage.encode('F3=Menu  F7=Up  F8=Down   S=Browse   FIND name'),
};
const pages = [0, 1, 2].map((page) =>
  members
    .slice(page * ROWS, page * ROWS + ROWS)
    .map(({ name, lines, changed, title }) =>
      codePage.encode(`${name.padEnd(8)}  ${String(lines.length).padStart(5)}  ${changed}   ${title}`),
    ),
);

/**
 * Panels are created once. Each is held until the next key, so with thousands of sessions new texts would need full
 * garbage collections, whose pauses are not the server's.
 */
const stamped: Application = async (terminal) => {
  let received = 0;
  for (let turn = 0; ; turn++) {
    const panel = terminal
      .panel()
      .codes(1, 2, codes.title, { colour: 'neutralWhite', intensified: true })
      .codes(2, 2, codes.command, green)
      .input('command', 2, 15, { length: 40, colour: 'turquoise', highlighting: 'underscore' })
      .codes(3, 2, codes.secret, green)
      .input('secret', 3, 15, { length: 8, hidden: true })
      .codes(4, 2, codes.heading, blue);
    for (const [at, member] of (pages[turn % 3] ?? []).entries()) panel.codes(5 + at, 5, member, green);
    panel
      .codes(24, 2, codes.keys, blue)
      .text(23, 2, stampText(turn, { received, answered: nowMicroseconds() }), yellow)
      .cursorAt('command');
    await terminal.show(panel);
    received = nowMicroseconds();
  }
};

const [, , wanted = 'SIGNON'] = process.argv;
const host = new SimulatedHost({
  codePage,
  users: { DEMO: 'demo' },
  // all sessions come from the server's address
  limits: { terminals: 20_000, terminalsPerAddress: 20_000 },
  start: (firstApplications as readonly string[]).includes(wanted) ? (wanted as FirstApplication) : 'MENU',
  ...(wanted === 'STAMPED' ? { applications: { MENU: stamped } } : {}),
});
const [, , , port = '0'] = process.argv;
await host.listen({ host: '127.0.0.1', port: Number(port) });
process.on('message', () => process.send?.({ sessions: host.sessions }));
