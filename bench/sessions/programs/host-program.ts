// The simulated host in a process of its own. Its first screen is one of its own applications, or `STAMPED`: a list whose every
// answer says when its key came in and when it went out.
import { findCodePage } from '../../../src/codepage/code-pages.js';
import type { Application } from '../../../src/simulated-host/application.js';
import { type FirstApplication, firstApplications } from '../../../src/simulated-host/applications/applications.js';
import { members } from '../../../src/simulated-host/member-library.js';
import { SimulatedHost } from '../../../src/simulated-host/simulated-host.js';
import { nowMicroseconds, stampText } from '../stamps.js';

const ROWS = 17;

const stamped: Application = async (terminal) => {
  let received = 0;
  for (let turn = 0; ; turn++) {
    const panel = terminal
      .panel()
      .text(1, 2, 'BROWSE   SALLY.SAMPLE.SOURCE', { colour: 'neutralWhite', intensified: true })
      .text(2, 2, 'Command ===>', { colour: 'green' })
      .input('command', 2, 15, { length: 40, colour: 'turquoise', highlighting: 'underscore' })
      .text(3, 2, 'Secret  ===>', { colour: 'green' })
      .input('secret', 3, 15, { length: 8, hidden: true })
      .text(4, 2, 'S  Name      Lines  Changed      Description', { colour: 'blue' });
    for (const [at, member] of members.slice((turn % 3) * ROWS, (turn % 3) * ROWS + ROWS).entries()) {
      const words = `${member.name.padEnd(8)}  ${String(member.lines.length).padStart(5)}  ${member.changed}   ${member.title}`;
      panel.text(5 + at, 5, words, { colour: 'green' });
    }
    panel
      .text(24, 2, 'F3=Menu  F7=Up  F8=Down   S=Browse   FIND name', { colour: 'blue' })
      .text(23, 2, stampText(turn, { received, answered: nowMicroseconds() }), { colour: 'yellow' })
      .cursorAt('command');
    await terminal.show(panel);
    received = nowMicroseconds();
  }
};

const [, , wanted = 'SIGNON'] = process.argv;
const codePage = findCodePage('IBM037');
if (codePage === undefined) throw new Error('no code page');
const host = new SimulatedHost({
  codePage,
  users: { DEMO: 'demo' },
  // the server has one address for all its sessions
  limits: { terminals: 20_000, terminalsPerAddress: 20_000 },
  start: (firstApplications as readonly string[]).includes(wanted) ? (wanted as FirstApplication) : 'MENU',
  ...(wanted === 'STAMPED' ? { applications: { MENU: stamped } } : {}),
});
const [, , , port = '0'] = process.argv;
await host.listen({ host: '127.0.0.1', port: Number(port) });
process.on('message', () => process.send?.({ sessions: host.sessions }));
