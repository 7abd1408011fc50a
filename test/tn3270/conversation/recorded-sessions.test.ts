import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { soundValue } from '../../../src/lib/read-outcome.js';
import { findTerminalCodePage } from '../../../src/tn3270/codepage/code-pages.js';
import { Conversation } from '../../../src/tn3270/conversation/conversation.js';
import { differences } from '../../../src/tn3270/conversation/screen-definition.js';
import { openHostConnection } from '../../../src/tn3270/host/host-connection.js';
import { findTerminalModel } from '../../../src/tn3270/screen/screen-size.js';
import { hostSessionOptions } from '../../support/host-session-options.js';
import { skipUnless } from '../../support/need.js';
import { RecordedHost } from './recorded-host.js';
import { definitionOf, imageOf, type RecordedScreen, recordedSessions } from './recorded-screens.js';

interface RecordedSession {
  readonly trace: string;
  readonly keys: readonly string[];
  readonly client: { readonly model: string; readonly codepage: string };
  readonly screen: RecordedScreen;
  readonly steps: readonly { readonly record: number; readonly digest: string; readonly screen?: RecordedScreen }[];
  readonly digest: string;
}

interface Manifest {
  readonly traces: readonly { readonly name: string; readonly judge?: string }[];
}

describe('a recorded session, played to a conversation', () => {
  const expected = join(recordedSessions, 'expected');
  const files = existsSync(expected) ? readdirSync(expected).filter((name) => name.endsWith('.json')) : [];
  if (files.length === 0) {
    it('shows screens that definitions recognise', function () {
      skipUnless(this, false, 'there are no recorded sessions in ../shared/traces');
    });
  }
  for (const file of files) {
    const name = basename(file, '.json');
    const session = JSON.parse(readFileSync(join(expected, file), 'utf8')) as RecordedSession;
    // what an operator did in between is another test's
    if (session.keys.length > 0) continue;
    it(`shows screens that definitions of what s3270 shows recognise: ${name}`, async function () {
      const trace = join(recordedSessions, 'traces', session.trace);
      skipUnless(this, existsSync(trace), `there is no ${session.trace} in ../shared/traces`);
      const host = new RecordedHost(trace);
      const conversation = conversationWith(await host.listen(), session.client);
      const screens = new Map([[session.digest, session.screen]]);
      for (const { digest, screen } of session.steps) if (screen !== undefined) screens.set(digest, screen);
      let recognised = 0;
      const look = async (digest: string, what: string) => {
        const screen = screens.get(digest);
        if (screen === undefined) throw new Error(`no screen ${digest}`);
        const definition = definitionOf(imageOf(screen), 0);
        expect(differences(definition, conversation.image), what).to.deep.equal([]);
        if (!conversation.isSettled) return;
        const end = await conversation.expect([definition], { withinMilliseconds: 0 });
        expect(end.kind, what).to.equal('done');
        recognised++;
      };
      try {
        await host.play(async (record) => {
          const step = session.steps.find((one) => one.record === record);
          if (step !== undefined) await look(step.digest, `record ${record}`);
        });
        if (isFaulty(name)) {
          expect(await conversation.settled()).to.equal('holds');
          const definition = definitionOf(imageOf(session.screen), 0);
          const end = await conversation.expect([definition], { withinMilliseconds: 0 });
          expect(end.kind).to.equal('screenFault');
        } else {
          await look(session.digest, 'the end');
          expect(recognised).to.be.greaterThan(0);
        }
      } finally {
        conversation.stop();
        await host.close();
      }
    });
  }
});

/** Whether it ends with a record that cannot be carried out. */
function isFaulty(name: string): boolean {
  const { traces } = JSON.parse(readFileSync(join(recordedSessions, 'manifest.json'), 'utf8')) as Manifest;
  return traces.some((one) => one.name === name && one.judge === 'robust');
}

function conversationWith(port: number, { model, codepage }: RecordedSession['client']): Conversation {
  const codePage = findTerminalCodePage(codepage);
  if (codePage === undefined) throw new Error(`no code page ${codepage}`);
  const conversation = new Conversation({
    ...hostSessionOptions({
      connect: (handler, signal) =>
        openHostConnection({ address: { host: '127.0.0.1', port }, connectMilliseconds: 5_000, signal }, handler),
    }),
    model: soundValue(findTerminalModel(model, undefined)),
    codePage,
  });
  conversation.connect();
  return conversation;
}
