import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { awaited, nameOfProgram } from '../support/awaited.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { needS3270 } from '../support/s3270.js';
import { bothPrograms } from './stepping-terminal.js';

const IAC_DO = 'fffd';
const IAC_WONT = 'fffc';
/** TERMINAL TYPE, END OF RECORD, BINARY; then a first screen. */
const tn3270 = 'fffd18 fffa1801fff0 fffd19 fffb19 fffd00 fffb00';
const screen = 'f5c3 114040 1d40 13 ffef';
/** TN3270E step by step: device, name, functions with BIND-IMAGE and SYSREQ. */
const tn3270eSteps = [
  'fffd28',
  'fffa280802fff0',
  'fffa28020449424d2d333237382d342d4501 4c5531fff0',
  'fffa2803040002 04fff0',
];
const tn3270e = tn3270eSteps.join('');
const bind = '0300000000 3101030300 ffef';

const states = ['ConnectionState', 'ScreenSizeCurrent', 'ScreenCurSize', 'ScreenMaxSize', 'Cursor', 'Tn3270eOptions'];
const stateQueries = states.map((keyword) => `Query(${keyword})`);

/** A program with a script that waits for its connection, and another one that asks meanwhile; and the host, or a proxy. */
class WatchedConnection {
  #asked = 60;
  #sent = '';
  /** Up to where it was told. */
  #told = 0;

  private constructor(
    readonly host: Socket,
    readonly script: Socket,
    readonly lines: AsyncIterator<string>,
    readonly owes: <Found>(what: string, found: Promise<Found>) => Promise<Found>,
    readonly end: () => Promise<void>,
  ) {
    host
      .on('error', () => undefined)
      .on('data', (chunk) => {
        this.#sent += chunk.toString('hex');
      });
  }

  /** @param words PORT in them is the host's, or the proxy's */
  static async start(command: readonly string[], words: readonly string[], target: string) {
    const [program = '', ...first] = command;
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const named = (text: string) => text.replace('PORT', String((server.address() as AddressInfo).port));
    const port = await freePort();
    const child = spawn(program, [...first, ...words.map(named), '-scriptport', String(port)], { stdio: 'ignore' });
    const owes = <Found>(what: string, found: Promise<Found>) =>
      awaited(nameOfProgram(command), what, found, () => child.kill('SIGKILL'));
    const connected = once(server, 'connection');
    const scripts = Promise.all([scriptAt(port), scriptAt(port)]);
    const [connecting, asking] = await owes('its script port', scripts);
    connecting.resume().write(`Connect(${named(target)})\n`);
    const [host] = (await owes('a connection with its host', connected)) as [Socket];
    server.close();
    const lines = createInterface({ input: asking })[Symbol.asyncIterator]();
    return new WatchedConnection(host, asking, lines, owes, async () => {
      const closed = once(child, 'close');
      child.kill();
      await owes('its end', closed);
      for (const socket of [host, connecting, asking]) socket.destroy();
    });
  }

  /** What was sent since it was told last, also for some bytes: all of it is there when an option that is none is refused. */
  async say(digits: string): Promise<string> {
    const option = (++this.#asked).toString(16);
    this.host.write(Buffer.from(`${digits}${IAC_DO}${option}`.replaceAll(' ', ''), 'hex'));
    while (!this.#sent.endsWith(`${IAC_WONT}${option}`))
      await this.owes(`a refusal of option ${option}`, once(this.host, 'data'));
    const sent = this.#sent.slice(this.#told, -IAC_WONT.length - option.length);
    this.#told = this.#sent.length;
    return sent;
  }

  /** The answer without ports and times. */
  async ask(action: string): Promise<string> {
    this.script.write(`${action}\n`);
    let answer = `${action}\n`;
    for (let line = ''; line !== 'ok' && line !== 'error'; answer += `${line}\n`) {
      const { value, done } = await this.owes(`an answer to ${action}`, this.lines.next());
      if (done) throw new Error(`${action} was not answered`);
      line = value.replace(/^(.* 0x0) \d+\.\d{3}$/, '$1');
    }
    return answer;
  }

  /** The program knows that somebody has taken the connection. */
  async reached(): Promise<void> {
    await eventually(async () => !(await this.ask('Query(ConnectionState)')).includes('tcp-pending'));
  }

  async askAll(actions: readonly string[]): Promise<string[]> {
    const answers: string[] = [];
    for (const action of actions) answers.push(await this.ask(action));
    return answers;
  }
}

async function scriptAt(port: number): Promise<Socket> {
  const attempt = async () => {
    const socket = connect(port, '127.0.0.1');
    return once(socket, 'connect').then(
      () => socket,
      () => undefined,
    );
  };
  const socket = await eventually(attempt);
  return socket.on('error', () => undefined);
}

interface Course {
  readonly words?: readonly string[];
  readonly target?: string;
  readonly course: (connection: WatchedConnection) => Promise<readonly string[]>;
}

/** What both programs have answered and sent. */
async function bothCourses({ words = [], target = '127.0.0.1:PORT', course }: Course) {
  return Promise.all(
    bothPrograms.map(async (program) => {
      const connection = await WatchedConnection.start(program, words, target);
      try {
        return await course(connection);
      } finally {
        await connection.end();
      }
    }),
  );
}

/** The state before anything is said, and behind each piece of what is. */
const watched =
  (pieces: readonly string[], actions: readonly string[] = stateQueries): Course['course'] =>
  async (connection) => {
    await connection.reached();
    const seen = await connection.askAll(actions);
    for (const piece of pieces) seen.push(await connection.say(piece), ...(await connection.askAll(actions)));
    return seen;
  };

const courses: Readonly<Record<string, Course>> = {
  'a host of TN3270, option by option': {
    course: watched(['fffd18', 'fffa1801fff0', 'fffd19 fffb19', 'fffd00 fffb00', 'f1c0 ffef']),
  },
  'a host of TN3270E, step by step, and its services alone': {
    course: watched([...tn3270eSteps, '0700000000 c1c2 ffef']),
  },
  'an application that is bound, writes, and is unbound': {
    course: watched([tn3270e, bind, '0000000000 f5c3 1d40 13 ffef', '0400000000 01 ffef', bind]),
  },
  'records that are no first writing': {
    course: watched([tn3270, 'f6 ffef', 'f2 ffef', 'f3 0006 09 00 00 00 ffef', 'f3 0004 03 00 ffef', '6f ffef']),
  },
  'a proxy that has not answered yet, and then has': {
    words: ['-proxy', 'http:127.0.0.1:PORT'],
    target: '127.0.0.1:77',
    course: async (connection) => {
      await connection.reached();
      const before = await connection.askAll(stateQueries);
      connection.host.write('HTTP/1.1 200 OK\r\n\r\n');
      return [...before, await connection.say(tn3270), ...(await connection.askAll(stateQueries))];
    },
  },
  'keys before the host has written': {
    course: async (connection) => [
      await connection.say(tn3270),
      ...(await connection.askAll(['Enter', 'PF(1)', 'Tab', 'Key(a)', 'Query(Cursor)', 'Reset', 'Query(Cursor)'])),
      await connection.say(screen),
      ...(await connection.askAll(['Ascii(0,0,1,4)', 'Query(Cursor)'])),
    ],
  },
  'a key before the host has written that is sent once it has': {
    course: async (connection) => [
      await connection.say(tn3270),
      await connection.ask('Enter'),
      // it may be sent before the option is refused, or behind it
      (await connection.say(screen)) + (await connection.say('')),
    ],
  },
  'a string before the host has written': {
    course: async (connection) => {
      const negotiated = await connection.say(tn3270);
      const typed = connection.ask('String(ab)');
      const written = await connection.say(screen);
      return [negotiated, written, await typed, ...(await connection.askAll(['Ascii(0,0,1,4)', 'Query(Cursor)']))];
    },
  },
  'what is typed for the services of a host, and their answers': {
    course: async (connection) => [
      await connection.say(`${tn3270e} 0700000000 e4e2c5d97a ffef`),
      ...(await connection.askAll(['String(abc)', 'Ascii(0,0,2,20)', 'Enter'])),
      // a response is asked for: there is none of this kind of data
      await connection.say('0700020007 15d6d240 ffef'),
      ...(await connection.askAll(['Ascii(0,0,3,20)', 'Query(Cursor)', 'PF(1)', 'PA(1)', 'Reset', 'Clear'])),
      ...(await connection.askAll(['Query(Cursor)', 'String(x)', 'Enter'])),
      await connection.say(''),
    ],
  },
  'a host that is to speak TLS, and says nothing': {
    target: 'L:127.0.0.1:PORT',
    course: async (connection) => {
      await connection.reached();
      return connection.askAll([...stateQueries, 'Wait(0.1,3270Mode)', 'Wait(0.1,Disconnect)', 'Key(a)', 'Query(Tls)']);
    },
  },
  'SYS REQ without an application, and records with nothing in them': {
    course: async (connection) => [
      await connection.say(`${tn3270e} ${bind} 0000000000 ${screen} ffef 0000000000 ffef`),
      ...(await connection.askAll(['Key(a)', 'Query(Cursor)'])),
      await connection.say('0400000000 01 ffef'),
      ...(await connection.askAll(['SysReq', 'Query(ConnectionState)'])),
      await connection.say('0700000000 c1 ffef'),
      ...(await connection.askAll(['SysReq', 'Query(ConnectionState)', 'SysReq', 'Query(ConnectionState)'])),
      await connection.say(bind),
      ...(await connection.askAll(['SysReq', 'Query(ConnectionState)'])),
      await connection.say(''),
    ],
  },
  'what asks for a response, and what does not': {
    course: watched(
      [
        ...[tn3270e, bind, '0000020001 f5c3 1d40 13 ffef', '0000010002 f1c3 ffef', '0000020003 f6 ffef'],
        ...['0500020004 ffef', '0700020005 ffef', '0100020006 c1 ffef', '0200000007 ffef', '0600020008 ffef'],
        ...['0800020009 ffef', '090002000a ffef', '550002000b ffef', '000002000c f1c3 ffef'],
      ],
      ['Query(ConnectionState)', 'Query(Formatted)'],
    ),
  },
};

describe('connections and what is sent on them beside s3270', () => {
  for (const [name, course] of Object.entries(courses)) {
    it(`are the same: ${name}`, async function () {
      needS3270(this);
      const [real, own] = await bothCourses(course);
      expect(own).to.deep.equal(real);
    });
  }
});
