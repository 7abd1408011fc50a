import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../support/project.js';
import { edgesOf, importsOf, sourcesBelow, targetOf, withoutTexts } from '../support/sources.js';

const sources = sourcesBelow('src');
const outside = [...sources].filter(([file]) => !file.startsWith('src/sessions/'));
const read = (file: string) => readFileSync(join(projectFolder, file), 'utf8');
/** Files that have connections of their own. */
const withConversation = [
  'src/cli/drive/drive-settings.ts',
  'src/cli/services/try-service.ts',
  'src/s3270/scripted-terminal.ts',
  'src/services/pooled-session.ts',
  'src/tn3270/api.ts',
];

/** The host session of a browser session: nobody acts on it but through `sessions/guarded-session`. */
describe('the door to a session', () => {
  it('has the only conversation of a browser session', () => {
    const makers = outside.filter(([file, source]) => makes(file, source, 'src/tn3270/conversation/conversation.ts'));
    expect(makers.map(([file]) => file)).to.have.members(withConversation);
    const hosts = outside.filter(([file, source]) => makes(file, source, 'src/tn3270/host/host-session.ts'));
    expect(hosts.map(([file]) => file)).to.deep.equal(['src/tn3270/conversation/conversation.ts']);
  });

  it('is the only part of a session that acts', () => {
    const acting = edgesOf(sources).filter(({ target }) => target === 'src/sessions/acted-session.ts');
    expect(acting.map(({ file }) => file)).to.have.members([
      'src/sessions/browser-session.ts',
      'src/sessions/guarded-session.ts',
      'src/sessions/submit.ts',
    ]);
    const shown = read('src/sessions/acted-session.ts');
    expect(shown).to.include(
      "type ShownConversation = Pick<\n  Conversation,\n  'id' | 'deviceName' | 'secured' | 'isConnected' | 'isSettled' | 'image' | 'trace'\n>;",
    );
    expect(shown).to.include("type ShownScreen = Pick<Screen, 'image' | 'state' | 'partner'>;");
    const session = read('src/sessions/browser-session.ts');
    expect(session).to.match(/\n {2}get conversation\(\): ShownConversation \{/);
    expect(session).to.match(/\n {2}get screen\(\): ShownScreen \{/);
    expect(session).to.not.match(/\n {2}(?:readonly |get )?[a-z]\w*(?:\(\))?: (?:Conversation|Screen)\b/);
  });

  it('is not evaded by a cast', () => {
    const casts = outside.filter(([, source]) =>
      /\bas (?:Conversation|Screen|HostSession|ActingPart|ActedSession|any|never)\b|\w*(?:[sS]ession|[cC]onversation)\)? as unknown as\b/.test(
        withoutTexts(source),
      ),
    );
    expect(casts.map(([file]) => file)).to.deep.equal([]);
  });
});

/** Whether a file can make what another one exports: it imports more than types. */
function makes(file: string, source: string, target: string): boolean {
  return importsOf(source).some(
    ({ specifier, typesOnly }) => specifier.startsWith('.') && !typesOnly && targetOf(file, specifier) === target,
  );
}
