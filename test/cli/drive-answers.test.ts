import { expect } from 'chai';
import { findCodePage } from '../../src/tn3270/codepage/code-pages.js';
import { DriveProcess } from '../support/drive-process.js';
import { AGREEMENT, BIND, ScriptedHost } from '../support/scripted-host.js';

/** 3270 data for a terminal that is bound. */
const record = (data: string) => `00 00 00 0000 ${data} ffef`;
const ebcdic = (text: string) => Buffer.from(findCodePage('IBM037')?.encode(text) ?? []).toString('hex');
/** Erase/Write that frees the keyboard: a text, and a field behind it. */
const screen = (text: string) => record(`f5c3 1d60 ${ebcdic(text)} 1d40`);
/** Enter with the cursor at the first position, in a record with a header. */
const ENTER = '7d4040';
const PF1 = 'f14040';

/** What counts as the host's answer for a program that drives a session. */
describe('answers that sallyport drive waits for', () => {
  let host: ScriptedHost;
  let session: DriveProcess;

  beforeEach(async () => {
    host = new ScriptedHost();
    session = new DriveProcess(await host.listen());
    await host.send(`${AGREEMENT} ${BIND}`);
  });

  afterEach(async () => {
    session.kill();
    await host.close();
  });

  const firstRow = async () => ((await session.ask({ cmd: 'text' })).text as string[])[0]?.trim();

  it('to a key with text come after the key, though the screen before it has the text', async () => {
    await host.send(screen('READY'));
    expect(await session.ask({ cmd: 'wait', text: 'READY' })).to.deep.equal({});
    const answer = session.ask({ cmd: 'key', key: 'Enter', text: 'READY' });
    const row = firstRow();
    await host.hears(ENTER);
    await host.send(screen('SECOND READY'));
    expect(await answer).to.deep.equal({});
    expect(await row).to.equal('SECOND READY');
  });

  it('to a key with a field come after the key, though the screen before it has a field', async () => {
    await host.send(screen('READY'));
    expect(await session.ask({ cmd: 'wait', until: 'field' })).to.deep.equal({});
    const answer = session.ask({ cmd: 'key', key: 'PF1', until: 'field' });
    const row = firstRow();
    await host.hears(PF1);
    await host.send(screen('HELP'));
    expect(await answer).to.deep.equal({});
    expect(await row).to.equal('HELP');
  });

  it('to a key that is typed ahead are none to the key before it', async () => {
    await host.send(screen('READY'));
    expect(await session.ask({ cmd: 'wait', text: 'READY' })).to.deep.equal({});
    expect(await session.ask({ cmd: 'key', key: 'Enter' })).to.deep.equal({});
    const answer = session.ask({ cmd: 'key', key: 'PF1', text: 'READY' });
    const row = firstRow();
    await host.hears(ENTER);
    await host.send(screen('READY 2'));
    await host.hears(PF1);
    await host.send(screen('READY 3'));
    expect(await answer).to.deep.equal({});
    expect(await row).to.equal('READY 3');
  });

  it('are not awaited for a key of the terminal, and not for a key that it refuses', async () => {
    // a field that must be entered stands at the end
    await host.send(record(`f5c3 1d60 ${ebcdic('READY')} 2902c040c102 40 1d60`));
    expect(await session.ask({ cmd: 'wait', text: 'READY' })).to.deep.equal({});
    expect(await session.ask({ cmd: 'key', key: 'Tab', text: 'READY' })).to.deep.equal({});
    const { error } = await session.ask({ cmd: 'key', key: 'Enter', text: 'READY' });
    expect(error).to.match(/^the terminal did not send Enter: /);
  });

  it('of a screen without fields are there when the host has written and the keyboard is free', async () => {
    const now = { cmd: 'wait', until: 'field', seconds: 0 };
    const late = { error: 'timed out after 0 seconds' };
    expect(await session.ask(now)).to.deep.equal(late);
    // text, and the keyboard stays locked
    await host.send(record(`f5c0 ${ebcdic('LOCKED')}`));
    expect(await session.ask({ cmd: 'wait', text: 'LOCKED' })).to.deep.equal({});
    await session.ask({ cmd: 'key', key: 'Enter' });
    await host.hears('7d');
    await host.send(record(`f1c0 ${ebcdic('STILL')}`));
    expect(await session.ask({ cmd: 'wait', text: 'STILL' })).to.deep.equal({});
    expect(await session.ask(now)).to.deep.equal(late);
    await host.send(record('f5c2'));
    expect(await session.ask({ cmd: 'wait', until: 'field' })).to.deep.equal({});
    expect(await session.rows()).to.deep.equal(Array.from({ length: 24 }, () => ''));
  });
});
